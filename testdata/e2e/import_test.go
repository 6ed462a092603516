package e2e_test

import (
	"errors"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// TestImportVPC guards the import procedure of the design document on observe-only
// resources: observe what exists, have late initialization fill the desired state, then manage it.
// Without the required fields the API server refuses that; with them it is accepted, and
// nothing changes outside.
func TestImportVPC(t *testing.T) {
	s := newScenario(t)
	id := sky.Add(s.region, cloud.VPCs, cloud.Document{
		"cidrBlock":        "172.16.0.0/16",
		"enableDnsSupport": false,
		"tags":             []any{cloud.Document{"key": "managed-by", "value": "terraform"}},
	})
	outside := sky.Get(s.region, cloud.VPCs, id)
	object := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: imported
  annotations:
    crossplane.io/external-name: ` + id + `
spec:
  managementPolicies: [Observe]
  forProvider: {region: REGION}
`)
	s.conditions(object, "Ready=True", "Synced=True")
	refused(t, s.patch(object, `{"spec":{"managementPolicies":["*"]}}`),
		"spec.forProvider.cidrBlock: Required value: cidrBlock is required when managementPolicies includes \"*\", \"Create\" or \"Update\"")

	s.change(object, `{"spec":{"managementPolicies":["Observe","LateInitialize"]}}`)
	s.eventually(object, "what exists is the desired state", func() error {
		return is("spec.forProvider", field(object, "spec.forProvider"), cloud.Document{
			"region":             s.region,
			"cidrBlock":          "172.16.0.0/16",
			"enableDnsHostNames": false,
			"enableDnsSupport":   false,
			"instanceTenancy":    "default",
			"tags":               outside["tags"],
		})
	})
	s.change(object, `{"spec":{"managementPolicies":["*"]}}`)
	s.remains(object, func() error {
		status, message := conditionOf(object, "Synced")
		return errors.Join(
			is("Synced: "+message, status, "True"),
			is("the external resource", sky.Get(s.region, cloud.VPCs, id), outside),
		)
	})
	s.changes()

	s.change(object, `{"spec":{"forProvider":{"enableDnsSupport":true}}}`)
	s.eventually(object, "it is managed now", func() error {
		return is("enableDnsSupport", field(object, "status.atProvider.enableDnsSupport"), true)
	})
	s.delete(object)
	s.changes("PATCH vpcs/"+id, "DELETE vpcs/"+id)
}

// TestImportDatabase guards the same for the second example of the design document, a
// database with settings in a list.
func TestImportDatabase(t *testing.T) {
	s := newScenario(t)
	sky.Add(s.region, cloud.Instances, cloud.Document{
		"id":                 "existing-database-instance",
		"databaseVersion":    "POSTGRES_14",
		"deletionProtection": true,
		"settings": []any{cloud.Document{
			"activationPolicy": "ALWAYS",
			"availabilityType": "REGIONAL",
			"databaseFlags":    []any{cloud.Document{"name": "max_connections", "value": "100"}},
			"diskSize":         100,
			"pricingPlan":      "PER_USE",
			"tier":             "db-custom-4-26624",
			"version":          4,
		}},
	})
	outside := sky.Get(s.region, cloud.Instances, "existing-database-instance")
	object := s.create(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: existing-database-instance
spec:
  managementPolicies: [Observe]
  forProvider: {region: REGION}
`)
	s.conditions(object, "Ready=True", "Synced=True")
	refused(t, s.patch(object, `{"spec":{"managementPolicies":["*"]}}`),
		"spec.forProvider.databaseVersion: Required value: databaseVersion is required when managementPolicies includes \"*\", \"Create\" or \"Update\"")

	s.change(object, `{"spec":{"managementPolicies":["Observe","LateInitialize"]}}`)
	s.eventually(object, "what exists is the desired state", func() error {
		return is("spec.forProvider", field(object, "spec.forProvider"), cloud.Document{
			"region":             s.region,
			"databaseVersion":    "POSTGRES_14",
			"deletionProtection": true,
			"settings": []any{cloud.Document{
				"activationPolicy": "ALWAYS",
				"availabilityType": "REGIONAL",
				"databaseFlags":    []any{cloud.Document{"name": "max_connections", "value": "100"}},
				"diskSize":         100,
				"pricingPlan":      "PER_USE",
				"tier":             "db-custom-4-26624",
			}},
		})
	})
	s.change(object, `{"spec":{"managementPolicies":["*"]}}`)
	s.remains(object, func() error {
		status, message := conditionOf(object, "Synced")
		return errors.Join(
			is("Synced: "+message, status, "True"),
			is("the external resource", sky.Get(s.region, cloud.Instances, "existing-database-instance"), outside),
		)
	})
	s.changes()
}
