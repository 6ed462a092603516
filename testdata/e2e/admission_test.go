package e2e_test

import "testing"

// TestRequired guards that the API server refuses objects without a required field,
// and names it.
func TestRequired(t *testing.T) {
	s := newScenario(t)
	s.refuse(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: incomplete
spec:
  forProvider: {region: REGION}
`, "FieldValueRequired spec.forProvider.cidrBlock")
	s.refuse(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: nowhere
spec:
  forProvider: {cidrBlock: 10.0.0.0/16}
`, "FieldValueRequired spec.forProvider.region")
	s.refuse(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: incomplete
spec:
  forProvider:
    region: REGION
    databaseVersion: POSTGRES_14
    settings: [{diskSize: 10}]
`, "FieldValueRequired spec.forProvider.settings[0].tier")

	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: complete
spec:
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/16}
`)
	s.refused(s.patch(vpc, `{"spec":{"forProvider":{"cidrBlock":null}}}`), "FieldValueRequired spec.forProvider.cidrBlock")
	s.refused(s.patch(vpc, `{"spec":{"forProvider":null}}`), "FieldValueRequired spec.forProvider")
}

// TestConstraints guards that constraints of fields reach the API server.
func TestConstraints(t *testing.T) {
	s := newScenario(t)
	s.refuse(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: odd
spec:
  managementPolicies: [Watch]
  forProvider:
    region: REGION
    databaseVersion: POSTGRES_14
    settings:
    - tier: small
      activationPolicy: ON_FRIDAYS
      diskSize: 1
`,
		"FieldValueNotSupported spec.managementPolicies[0]",
		"FieldValueInvalid spec.forProvider.settings[0].diskSize",
		"FieldValueNotSupported spec.forProvider.settings[0].activationPolicy",
	)
	s.refuse(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: twice
spec:
  forProvider:
    region: REGION
    databaseVersion: POSTGRES_14
    settings:
    - tier: small
      databaseFlags: [{name: a}, {name: a}]
`, "FieldValueDuplicate spec.forProvider.settings[0].databaseFlags[1]")
}
