package e2e_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// TestObserveOnly guards that the VPC of the design document on observe-only resources,
// with nothing but its region, is accepted and only observed: nothing is created, changed or deleted, whatever happens on
// either side, and status.atProvider has all there is to know.
func TestObserveOnly(t *testing.T) {
	s := newScenario(t)
	id := sky.Add(s.region, cloud.VPCs, cloud.Document{
		"cidrBlock":          "172.16.0.0/16",
		"ipv6CidrBlock":      "2001:db8::/56",
		"ipv6Pool":           "pool",
		"enableDnsHostNames": true,
		"tags":               []any{cloud.Document{"key": "managed-by", "value": "terraform"}},
	})
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: observed
  annotations:
    crossplane.io/external-name: ` + id + `
spec:
  managementPolicies: [Observe]
  forProvider:
    region: REGION
`)
	spec := field(vpc, "spec.forProvider")
	s.conditions(vpc, "Ready=True", "Synced=True")
	s.eventually(vpc, "status.atProvider is what the external API says", func() error {
		return errors.Join(
			is("status.atProvider", field(vpc, "status.atProvider"), sky.Get(s.region, cloud.VPCs, id)),
			is("fields without a value", missing(s, vpc, "vpcs.ec2.m.aws.crossplane.io"), nil),
		)
	})

	sky.Set(s.region, cloud.VPCs, id, cloud.Document{"enableDnsSupport": false})
	s.eventually(vpc, "what others change is observed", func() error {
		return is("enableDnsSupport", field(vpc, "status.atProvider.enableDnsSupport"), false)
	})
	if err := is("spec.forProvider", field(vpc, "spec.forProvider"), spec); err != nil {
		t.Error(err)
	}
	s.change(vpc, `{"spec":{"forProvider":{"enableDnsSupport":true,"tags":[{"key":"team","value":"network"}]}}}`)
	s.remains(vpc, func() error {
		status, message := conditionOf(vpc, "Synced")
		return errors.Join(
			is("Synced: "+message, status, "True"),
			is("enableDnsSupport", field(vpc, "status.atProvider.enableDnsSupport"), false),
		)
	})

	s.delete(vpc)
	if sky.Get(s.region, cloud.VPCs, id) == nil {
		t.Error("the external resource is deleted")
	}
	s.changes()
}

// TestObserveMissing guards that a user is told of an external resource that does not
// exist, which nobody creates instead.
func TestObserveMissing(t *testing.T) {
	s := newScenario(t)
	database := s.create(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: missing
spec:
  managementPolicies: [Observe]
  forProvider:
    region: REGION
`)
	message := s.conditions(database, "Synced=False")
	if !contains(message, "external resource does not exist") {
		t.Errorf("the message is %q", message)
	}
	s.remains(database, func() error {
		status, message := conditionOf(database, "Synced")
		return is("Synced: "+message, status, "False")
	})
	sky.Add(s.region, cloud.Instances, cloud.Document{"id": "missing", "databaseVersion": "POSTGRES_14"})
	s.conditions(database, "Ready=True", "Synced=True")

	// An API that can't be reached is no missing resource.
	repair := sky.Fail(s.region, cloud.Instances, http.MethodGet, http.StatusForbidden)
	message = s.conditions(database, "Synced=False")
	if !contains(message, "403 Forbidden") {
		t.Errorf("the message is %q", message)
	}
	repair()
	s.conditions(database, "Ready=True", "Synced=True")
	s.changes()
}

// TestUnconstrainedStatus guards that an observed value is stored whatever the
// constraints of spec.forProvider are: the API server would otherwise refuse the whole
// status, conditions included.
func TestUnconstrainedStatus(t *testing.T) {
	s := newScenario(t)
	settings := []any{
		cloud.Document{ // spec.forProvider has one of these at most
			"activationPolicy": "ON_FRIDAYS", // no value of the enum
			"availabilityType": "",
			"databaseFlags": []any{ // a key twice, and none
				cloud.Document{"name": "max_connections", "value": "1"},
				cloud.Document{"name": "max_connections", "value": "2"},
				cloud.Document{"value": "3"},
			},
			"diskSize": 1, // less than the minimum
			"version":  1,
		},
		cloud.Document{ // without the required tier
			"ipConfiguration": cloud.Document{"authorizedNetworks": cloud.Document{"office": cloud.Document{}}},
		},
	}
	sky.Add(s.region, cloud.Instances, cloud.Document{"id": "odd", "databaseVersion": "DB2", "settings": settings})
	database := s.create(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: odd
spec:
  managementPolicies: [Observe]
  forProvider:
    region: REGION
`)
	s.conditions(database, "Ready=True", "Synced=True")
	if err := is("settings", field(database, "status.atProvider.settings"), settings); err != nil {
		t.Error(err)
	}

	id := sky.Add(s.region, cloud.VPCs, cloud.Document{"cidrBlock": "172.16.0.0/16", "instanceTenancy": "quantum"})
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: odd
  annotations:
    crossplane.io/external-name: ` + id + `
spec:
  managementPolicies: [Observe]
  forProvider:
    region: REGION
`)
	s.conditions(vpc, "Ready=True", "Synced=True")
	if err := is("instanceTenancy", field(vpc, "status.atProvider.instanceTenancy"), "quantum"); err != nil {
		t.Error(err)
	}
	refused(t, s.patch(vpc, `{"spec":{"forProvider":{"instanceTenancy":"quantum"}}}`),
		`spec.forProvider.instanceTenancy: Unsupported value: "quantum": supported values: "default", "dedicated", "host"`)
}
