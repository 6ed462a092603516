package e2e_test

import (
	"fmt"
	"testing"
)

// TestRequired guards which fields the API server requires: identifiers always, others
// as soon as the management policies let Crossplane create or update. Whatever is
// missing is named, all of it at once.
func TestRequired(t *testing.T) {
	s := newScenario(t)
	vpc := func(spec string) string {
		return "{apiVersion: ec2.m.aws.crossplane.io/v1beta1, kind: VPC, metadata: {name: vpc}, spec: " + spec + "}"
	}
	const cidrBlock = "spec.forProvider.cidrBlock: Required value: cidrBlock is required when managementPolicies includes \"*\", \"Create\" or \"Update\""
	for _, policies := range []string{"['*']", "null", "[Create]", "[Update]", "[Observe, Create, Delete]", "['*', Observe]"} {
		s.accept(vpc("{managementPolicies: " + policies + ", forProvider: {region: REGION, cidrBlock: 10.0.0.0/16}}"))
		s.refuse(vpc("{managementPolicies: "+policies+", forProvider: {region: REGION}}"), cidrBlock)
	}
	for _, policies := range []string{"[]", "[Observe]", "[Observe, Delete]", "[Observe, LateInitialize]"} {
		s.accept(vpc("{managementPolicies: " + policies + ", forProvider: {region: REGION}}"))
		s.refuse(vpc("{managementPolicies: "+policies+", forProvider: {}}"), "spec.forProvider.region: Required value")
	}
	s.refuse(vpc("{forProvider: {region: REGION}}"), cidrBlock)
	s.refuse(vpc("{forProvider: {region: REGION, cidrBlock: null}}"), cidrBlock)
	s.refuse(vpc("{}"), "spec.forProvider: Required value")
	s.refuse("{apiVersion: ec2.aws.crossplane.io/v1beta1, kind: SecurityGroup, metadata: {name: group}, spec: {forProvider: {region: REGION}}}",
		"spec.forProvider.description: Required value: description is required when managementPolicies includes \"*\", \"Create\" or \"Update\"",
		"spec.forProvider.groupName: Required value: groupName is required when managementPolicies includes \"*\", \"Create\" or \"Update\"",
	)
	s.refuse(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: incomplete
spec:
  managementPolicies: [Observe]
  forProvider: {region: REGION, settings: [{diskSize: 10}]}
`, "spec.forProvider.settings[0].tier: Required value")
}

// TestRequiredInitProvider guards that what spec.initProvider has counts, also in
// parts of an object.
func TestRequiredInitProvider(t *testing.T) {
	s := newScenario(t)
	group := func(forProvider, initProvider string) string {
		return fmt.Sprintf(`
apiVersion: eks.aws.crossplane.io/v1beta1
kind: NodeGroup
metadata:
  name: required
spec:
  forProvider: {region: REGION%s}
  initProvider: {%s}
`, forProvider, initProvider)
	}
	s.refuse(group("", ""), "spec.forProvider.nodeRole: Required value: nodeRole is required when managementPolicies includes \"*\", \"Create\" or \"Update\"")
	s.accept(group(", nodeRole: admin", ""))
	s.accept(group("", "nodeRole: admin"))
	s.refuse(group(", nodeRole: admin", "scalingConfig: {desiredSize: 1}"),
		"spec.forProvider.scalingConfig.maxSize: Required value: scalingConfig.maxSize is required when scalingConfig is set and managementPolicies includes \"*\", \"Create\" or \"Update\"",
		"spec.forProvider.scalingConfig.minSize: Required value: scalingConfig.minSize is required when scalingConfig is set and managementPolicies includes \"*\", \"Create\" or \"Update\"",
	)
	s.accept(group(", nodeRole: admin, scalingConfig: {maxSize: 3}", "scalingConfig: {desiredSize: 1, minSize: 1}"))
}

// TestImmutable guards what +immutable says: such a field can be set once, also later
// on, and neither change nor be removed afterwards, unless it is only observed. Nothing
// reconciles these objects, which are paused.
func TestImmutable(t *testing.T) {
	s := newScenario(t)
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: vpc
  annotations: {crossplane.io/paused: "true"}
spec:
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/16}
`)
	immutable := func(field string) string {
		return "spec.forProvider." + field + ": Invalid value: " + field + " can't be changed once set"
	}
	refused(t, s.patch(vpc, `{"spec":{"forProvider":{"cidrBlock":"10.1.0.0/16"}}}`), immutable("cidrBlock"))
	refused(t, s.patch(vpc, `{"spec":{"forProvider":{"cidrBlock":null}}}`), immutable("cidrBlock"),
		`spec.forProvider.cidrBlock: Required value: cidrBlock is required when managementPolicies includes "*", "Create" or "Update"`)
	s.change(vpc, `{"spec":{"managementPolicies":["Observe"],"forProvider":{"cidrBlock":"10.1.0.0/16"}}}`)
	refused(t, s.patch(vpc, `{"spec":{"managementPolicies":["*"],"forProvider":{"cidrBlock":"10.0.0.0/16"}}}`), immutable("cidrBlock"))
	s.change(vpc, `{"spec":{"managementPolicies":["*"]}}`)
	s.change(vpc, `{"spec":{"forProvider":{"ipv6Pool":"first","tags":[{"key":"a","value":"b"}]}}}`)
	refused(t, s.patch(vpc, `{"spec":{"forProvider":{"cidrBlock":"10.2.0.0/16","ipv6Pool":"second"}}}`),
		immutable("cidrBlock"), immutable("ipv6Pool"))
	s.change(vpc, `{"spec":{"forProvider":{"tags":null}}}`)

	database := s.create(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: clone
  annotations: {crossplane.io/paused: "true"}
spec:
  forProvider: {region: REGION, databaseVersion: POSTGRES_14, clone: {sourceInstanceName: original}}
`)
	refused(t, s.patch(database, `{"spec":{"forProvider":{"clone":{"sourceInstanceName":"other"}}}}`), immutable("clone.sourceInstanceName"))
	refused(t, s.patch(database, `{"spec":{"forProvider":{"clone":null}}}`), immutable("clone.sourceInstanceName"))

	subnet := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: Subnet
metadata:
  name: subnet
  annotations: {crossplane.io/paused: "true"}
spec:
  forProvider: {region: REGION, cidrBlock: 10.0.0.0/24, vpcIdRef: {name: vpc}, vpcIdSelector: {matchLabels: {tier: public}}}
`)
	refused(t, s.patch(subnet, `{"spec":{"forProvider":{"vpcIdRef":{"name":"other"}}}}`), immutable("vpcIdRef"))
	s.change(subnet, `{"spec":{"forProvider":{"vpcIdRef":{"namespace":"`+s.namespace+`","policy":{"resolution":"Optional"}}}}}`)
	s.change(subnet, `{"spec":{"forProvider":{"vpcId":"vpc-1","vpcIdSelector":{"matchLabels":{"tier":"private"}}}}}`)
	refused(t, s.patch(subnet, `{"spec":{"forProvider":{"vpcId":"vpc-2"}}}`), immutable("vpcId"))
	s.change(subnet, `{"spec":{"forProvider":{"vpcIdRef":null}}}`)

	group := s.create(`
apiVersion: eks.aws.crossplane.io/v1beta1
kind: NodeGroup
metadata:
  name: immutable
  annotations: {crossplane.io/paused: "true"}
spec:
  forProvider: {region: REGION, nodeRole: admin, subnets: [subnet-1, subnet-2]}
  initProvider: {capacityType: SPOT}
`)
	refused(t, s.patch(group, `{"spec":{"forProvider":{"subnets":["subnet-2","subnet-1"]}}}`), immutable("subnets"))
	s.change(group, `{"spec":{"initProvider":{"capacityType":"ON_DEMAND"}}}`)
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
  managementPolicies: [Observe]
  forProvider:
    region: REGION
    settings:
    - tier: small
      activationPolicy: ON_FRIDAYS
      diskSize: 1
`,
		"spec.forProvider.settings[0].diskSize: Invalid value: 1: spec.forProvider.settings[0].diskSize in body should be greater than or equal to 10",
		`spec.forProvider.settings[0].activationPolicy: Unsupported value: "ON_FRIDAYS": supported values: "ALWAYS", "NEVER", "ON_DEMAND"`,
	)
	s.refuse(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: twice
spec:
  managementPolicies: [Observe]
  forProvider:
    region: REGION
    settings:
    - tier: small
      databaseFlags: [{name: a}, {name: a}]
`, `spec.forProvider.settings[0].databaseFlags[1]: Duplicate value: {"name":"a"}`)
}
