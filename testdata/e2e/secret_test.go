package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// TestConnectionSecret guards what MRDs promise: the connection secret of a managed
// resource has the keys that its MRD documents, and no others.
func TestConnectionSecret(t *testing.T) {
	s := newScenario(t)
	database := s.create(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: documented
spec:
  writeConnectionSecretToRef: {name: connection}
  forProvider:
    region: REGION
    databaseVersion: POSTGRES_14
`)
	s.conditions(database, "Ready=True", "Synced=True")
	outside := sky.Get(s.region, cloud.Instances, "documented")
	s.secret("connection", map[string]string{
		"connectionName": fmt.Sprint(outside["connectionName"]),
		"endpoint":       fmt.Sprint(outside["firstIpAddress"]),
		"password":       "chosen-by-the-cloud",
		"privateIP":      fmt.Sprint(outside["privateIpAddress"]),
		"publicIP":       fmt.Sprint(outside["publicIpAddress"]),
		"username":       "root",
	})
	if err := is("status.atProvider.rootPassword", field(database, "status.atProvider.rootPassword"), nil); err != nil {
		t.Error(err)
	}

	s.create(`{apiVersion: v1, kind: Secret, metadata: {name: password}, stringData: {root: hunter2}}`)
	s.conditions(s.create(`
apiVersion: sql.m.gcp.crossplane.io/v1beta1
kind: DatabaseInstance
metadata:
  name: chosen
spec:
  writeConnectionSecretToRef: {name: chosen}
  forProvider:
    region: REGION
    databaseVersion: POSTGRES_14
    rootPasswordSecretRef: {name: password, key: root}
`), "Ready=True", "Synced=True")
	outside = sky.Get(s.region, cloud.Instances, "chosen")
	s.secret("chosen", map[string]string{
		"connectionName": fmt.Sprint(outside["connectionName"]),
		"endpoint":       fmt.Sprint(outside["firstIpAddress"]),
		"password":       "hunter2",
		"privateIP":      fmt.Sprint(outside["privateIpAddress"]),
		"publicIP":       fmt.Sprint(outside["publicIpAddress"]),
		"username":       "root",
	})
}

// secret checks the values of a connection secret, and their keys against the MRD of
// DatabaseInstances.
func (s *scenario) secret(name string, want map[string]string) {
	s.Helper()
	mrd := &unstructured.Unstructured{}
	mrd.SetAPIVersion("apiextensions.crossplane.io/v1alpha1")
	mrd.SetKind("ManagedResourceDefinition")
	if err := kube.Get(s.Context(), client.ObjectKey{Name: "databaseinstances.sql.m.gcp.crossplane.io"}, mrd); err != nil {
		s.Fatal(err)
	}
	var documented []string
	details, _, _ := unstructured.NestedSlice(mrd.Object, "spec", "connectionDetails")
	for _, detail := range details {
		documented = append(documented, fmt.Sprint(detail.(map[string]any)["name"]))
	}

	if err := within(plane, func() error {
		got, err := values(s.Context(), client.ObjectKey{Namespace: s.namespace, Name: name})
		if err != nil {
			return err
		}
		return errors.Join(
			is("the secret", got, want),
			is("its keys", slices.Sorted(maps.Keys(got)), documented),
		)
	}); err != nil {
		s.Error(err)
	}
}

// values returns the values in a Secret by their keys.
func values(ctx context.Context, key client.ObjectKey) (map[string]string, error) {
	var secret corev1.Secret
	if err := kube.Get(ctx, key, &secret); err != nil {
		return nil, err
	}
	values := make(map[string]string)
	for name, value := range secret.Data {
		values[name] = string(value)
	}
	return values, nil
}
