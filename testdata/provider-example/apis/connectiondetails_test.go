package apis_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	eks "github.com/mrgen-io/provider-example/apis/cluster/eks/v1beta1"
	nop "github.com/mrgen-io/provider-example/apis/cluster/nop/v1alpha1"
	sql "github.com/mrgen-io/provider-example/apis/cluster/sql/v1beta1"
	namespacedsql "github.com/mrgen-io/provider-example/apis/namespaced/sql/v1beta1"
)

// publisher is what a controller publishes connection details with.
type publisher interface {
	ConnectionDetails() map[string][]byte
}

// publishers returns one without values for each MRD with connection details.
func publishers() map[string]publisher {
	return map[string]publisher{
		"eks.aws.crossplane.io_clusters.yaml":            &eks.ClusterConnectionDetails{},
		"nop.crossplane.io_nopresources.yaml":            &nop.NopResourceConnectionDetails{},
		"sql.gcp.crossplane.io_databaseinstances.yaml":   &sql.DatabaseInstanceConnectionDetails{},
		"sql.m.gcp.crossplane.io_databaseinstances.yaml": &namespacedsql.DatabaseInstanceConnectionDetails{},
	}
}

// TestConnectionDetails checks that a controller can publish the keys that the
// MRDs name, and no others.
func TestConnectionDetails(t *testing.T) {
	files, err := filepath.Glob("../package/mrds/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no MRDs: %v", err)
	}
	all := publishers()
	for _, file := range files {
		want := documented(t, file)
		details, found := all[filepath.Base(file)]
		if !found {
			if len(want) > 0 {
				t.Errorf("%s: no controller publishes %v", file, want)
			}
			continue
		}
		if got := details.ConnectionDetails(); got == nil || len(got) > 0 {
			t.Errorf("%s: without values %#v is published", file, got)
		}
		fields := reflect.ValueOf(details).Elem()
		for i := range fields.NumField() {
			fields.Field(i).SetBytes([]byte("value"))
		}
		if got := slices.Sorted(maps.Keys(details.ConnectionDetails())); !slices.Equal(got, want) {
			t.Errorf("%s: %v are published, and %v documented", file, got, want)
		}
	}
}

// documented returns the keys that an MRD names, in its order.
func documented(t *testing.T, file string) []string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var mrd struct {
		Spec struct {
			ConnectionDetails []struct{ Name string }
		}
	}
	if err := yaml.Unmarshal(content, &mrd); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, detail := range mrd.Spec.ConnectionDetails {
		keys = append(keys, detail.Name)
	}
	return keys
}
