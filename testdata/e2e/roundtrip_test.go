package e2e_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// TestWhatControllersSendBack guards that a resource lives with immutable values that its
// Go type leaves out or writes in another form: its controller adds the finalizer, fills
// in what the external API chose, and removes the finalizer.
func TestWhatControllersSendBack(t *testing.T) {
	s := newScenario(t)
	if err := plane.InstallCRDs("../provider-rules/package/crds/rules.example.org_encodeds.yaml"); err != nil {
		t.Fatal(err)
	}
	manifest := `
apiVersion: rules.example.org/v1alpha1
kind: Encoded
metadata:
  name: encoded
spec:
  forProvider:
    region: REGION
    zones: [a]
    subnetIds: []
    labels: {}
    mode: ""
    ha: false
    size: 0
    memory: 1024Mi
    timeout: 60m
    start: "2023-02-22T07:16:51.5Z"
    disk: {size: 1024Mi, kind: "", encrypted: false}
    routes: [{name: "", ports: []}]
    networkIdRef: {name: net, namespace: ""}
    routeIdRefs: [{name: route, namespace: ""}]
`
	encoded := s.create(manifest)
	s.conditions(encoded, "Ready=True", "Synced=True")
	id := externalName(encoded)
	s.eventually(encoded, "defaults of the external API are in the spec, beside what the user wants", func() error {
		return is("spec.forProvider", field(encoded, "spec.forProvider"), cloud.Document{
			"region":       s.region,
			"zones":        []any{"a"},
			"labels":       cloud.Document{"made-by": "cloud"},
			"mode":         "standard",
			"size":         int64(8),
			"count":        int64(0),
			"memory":       "1Gi",
			"timeout":      "1h0m0s",
			"start":        "2023-02-22T07:16:51Z",
			"disk":         cloud.Document{"size": "1Gi"},
			"routes":       []any{cloud.Document{"priority": int64(0)}},
			"networkIdRef": cloud.Document{"name": "net"},
			"routeIdRefs":  []any{cloud.Document{"name": "route"}},
		})
	})
	if err := is("finalizers", encoded.GetFinalizers(), []string{"finalizer.managedresource.crossplane.io"}); err != nil {
		t.Error(err)
	}

	refused(t, s.patch(encoded, `{"spec":{"forProvider":{"memory":"2Gi","mode":"other"}}}`),
		"spec.forProvider.memory: Invalid value: memory can't be changed once set", "spec.forProvider.mode: Invalid value: mode can't be changed once set")

	s.delete(encoded)
	s.changes("POST machines", "DELETE machines/"+id)
}
