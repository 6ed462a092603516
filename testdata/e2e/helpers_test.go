package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
	"github.com/mrgen-io/mrgen/testdata/e2e/internal/provider"
)

// patience is how long a scenario waits for what it expects. Controllers try again
// after a second, and then wait twice as long each time, up to a minute.
const patience = 90 * time.Second

// newClient returns a client of a control plane. It reads from the API server.
func newClient(plane *controlplane.ControlPlane) (client.Client, error) {
	scheme, err := provider.Scheme()
	if err != nil {
		return nil, err
	}
	return client.New(plane.Config(), client.Options{Scheme: scheme, FieldValidation: metav1.FieldValidationStrict})
}

// installProvider installs the example provider as its package would: its MRDs, and
// CRDs of the kinds that are not managed.
func installProvider(plane *controlplane.ControlPlane, kube client.Client) error {
	crds, err := filepath.Glob("../provider-example/package/crds/example.crossplane.io_*.yaml")
	if err != nil {
		return err
	}
	if err := plane.InstallCRDs(crds...); err != nil {
		return err
	}
	return installMRDs(kube, "../provider-example")
}

// installMRDs creates the MRDs of the providers in folders.
func installMRDs(kube client.Client, providers ...string) error {
	for _, folder := range providers {
		files, err := filepath.Glob(filepath.Join(folder, "package/mrds/*.yaml"))
		if err != nil {
			return err
		}
		if len(files) == 0 {
			return fmt.Errorf("no MRDs in %s", folder)
		}
		for _, file := range files {
			mrd, err := read(file)
			if err != nil {
				return err
			}
			if err := kube.Create(context.Background(), mrd); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return nil
}

// startProvider runs the example provider for as long as the control plane is there.
// Its log is beside those of the servers.
func startProvider(plane *controlplane.ControlPlane) error {
	file, err := os.Create(filepath.Join(plane.Folder(), "provider.log"))
	if err != nil {
		return err
	}
	log := logr.FromSlogHandler(slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctrl.SetLogger(log)
	go func() {
		defer func() { _ = file.Close() }()
		if err := provider.Run(plane.Context(), plane.Config(), log); err != nil {
			fmt.Fprintln(os.Stderr, "e2e: the provider has failed:", err)
		}
	}()
	return nil
}

// read reads an object from a file.
func read(file string) (*unstructured.Unstructured, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	objects, err := decode(string(content))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(objects) != 1 {
		return nil, fmt.Errorf("%s has %d objects", file, len(objects))
	}
	return objects[0], nil
}

// decode reads the objects in a manifest.
func decode(manifest string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewBufferString(manifest), 4096)
	for {
		object := &unstructured.Unstructured{}
		switch err := decoder.Decode(object); {
		case errors.Is(err, io.EOF):
			return objects, nil
		case err != nil:
			return nil, err
		case object.Object != nil: // not just a comment
			objects = append(objects, object)
		}
	}
}

// create creates the objects in a manifest.
func create(kube client.Client, manifest string) error {
	objects, err := decode(manifest)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if err := kube.Create(context.Background(), object); err != nil {
			return err
		}
	}
	return nil
}

// within calls a function until it returns no error, on a control plane that is
// whole, until patience is lost.
func within(plane *controlplane.ControlPlane, check func() error) error {
	deadline := time.After(patience)
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-plane.Context().Done():
			return context.Cause(plane.Context())
		case <-deadline:
			return fmt.Errorf("after %s: %w", patience, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// established returns an error unless the API server serves the kind of a CRD.
func established(plane *controlplane.ControlPlane, kube client.Client, name string) error {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := kube.Get(plane.Context(), client.ObjectKey{Name: name}, crd); err != nil {
		return err
	}
	if !controlplane.Established(crd) {
		return fmt.Errorf("%s is not established: %+v", name, crd.Status.Conditions)
	}
	return nil
}

// A scenario is a user at work, in a namespace and a region of the external API that
// nobody else uses.
type scenario struct {
	*testing.T
	namespace string
	region    string
}

// newScenario returns a scenario, which runs beside others.
func newScenario(t *testing.T) *scenario {
	t.Parallel()
	name := strings.ToLower(strings.NewReplacer("Test", "", "/", "-", "_", "-").Replace(t.Name()))
	s := &scenario{t, name, name}
	s.newNamespace(name)
	return s
}

// newNamespace creates a namespace.
func (s *scenario) newNamespace(name string) {
	s.Helper()
	if err := create(kube, "{apiVersion: v1, kind: Namespace, metadata: {name: "+name+"}}"); err != nil {
		s.Fatal(err)
	}
}

// object reads an object from a manifest, in which REGION stands for the region. It
// is in the namespace of the scenario, unless it has one or its kind is not
// namespaced.
func (s *scenario) object(manifest string) *unstructured.Unstructured {
	s.Helper()
	objects, err := decode(strings.ReplaceAll(manifest, "REGION", s.region))
	if err != nil || len(objects) != 1 {
		s.Fatalf("%d objects in the manifest: %v", len(objects), err)
	}
	object := objects[0]
	namespaced, err := kube.IsObjectNamespaced(object)
	if err != nil {
		s.Fatal(err)
	}
	if namespaced && object.GetNamespace() == "" {
		object.SetNamespace(s.namespace)
	}
	return object
}

// create creates the object in a manifest, which the API server must accept.
func (s *scenario) create(manifest string) *unstructured.Unstructured {
	s.Helper()
	object := s.object(manifest)
	if err := kube.Create(s.Context(), object); err != nil {
		s.Fatal(err)
	}
	return object
}

// accept asks the API server whether it would accept the object in a manifest, which
// it must, and creates nothing.
func (s *scenario) accept(manifest string) {
	s.Helper()
	if err := kube.Create(s.Context(), s.object(manifest), client.DryRunAll); err != nil {
		s.Errorf("%v: %s", err, manifest)
	}
}

// refuse asks the API server whether it would accept the object in a manifest, which
// it must not, for these reasons.
func (s *scenario) refuse(manifest string, want ...string) {
	s.Helper()
	refused(s.T, kube.Create(s.Context(), s.object(manifest), client.DryRunAll), want...)
}

// refused checks an error of the API server: it must say that an object is invalid,
// for these reasons, as FIELD: MESSAGE, in any order.
func refused(t *testing.T, err error, want ...string) {
	t.Helper()
	var status kerrors.APIStatus
	if !kerrors.IsInvalid(err) || !errors.As(err, &status) {
		t.Errorf("the API server should refuse for %q, but says: %v", want, err)
		return
	}
	var got []string
	for _, cause := range status.Status().Details.Causes {
		if cause.Field != "<nil>" { // which says that rules were left out after other errors
			got = append(got, cause.Field+": "+cause.Message)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the API server refuses for other reasons (-want +got):\n%s", diff)
	}
}

// patch changes an object as the JSON of a merge patch says, and returns what the API
// server says.
func (s *scenario) patch(object client.Object, patch string) error {
	s.Helper()
	return kube.Patch(s.Context(), object, client.RawPatch("application/merge-patch+json", []byte(patch)))
}

// change changes an object as the JSON of a merge patch says.
func (s *scenario) change(object client.Object, patch string) {
	s.Helper()
	if err := s.patch(object, patch); err != nil {
		s.Fatal(err)
	}
}

// eventually waits until an object passes a check.
func (s *scenario) eventually(object *unstructured.Unstructured, what string, check func() error) {
	s.Helper()
	err := within(plane, func() error {
		if err := kube.Get(s.Context(), client.ObjectKeyFromObject(object), object); err != nil {
			return err
		}
		return check()
	})
	if err != nil {
		content, _ := json.MarshalIndent(object.Object, "", "  ")
		s.Fatalf("%s: %v\n%s", what, err, content)
	}
}

// conditions waits until an object has conditions, as TYPE=STATUS, and returns the
// message of the last one.
func (s *scenario) conditions(object *unstructured.Unstructured, want ...string) (message string) {
	s.Helper()
	s.eventually(object, strings.Join(want, ", "), func() (err error) {
		message, err = hasConditions(object, want...)
		return err
	})
	return message
}

// hasConditions says which of the conditions, as TYPE=STATUS, an object doesn't have, and returns the
// message of the last one.
func hasConditions(object *unstructured.Unstructured, want ...string) (message string, err error) {
	for _, condition := range want {
		wantType, wantStatus, _ := strings.Cut(condition, "=")
		var status string
		status, message = conditionOf(object, wantType)
		if status != wantStatus {
			return message, fmt.Errorf("%s=%s: %s", wantType, status, message)
		}
	}
	return message, nil
}

// conditionOf returns the status and the message of a condition of an object.
func conditionOf(object *unstructured.Unstructured, name string) (status, message string) {
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, condition := range conditions {
		condition := condition.(map[string]any)
		if condition["type"] == name {
			status, _ = condition["status"].(string)
			message, _ = condition["message"].(string)
		}
	}
	return status, message
}

// remains checks that an object stays as it is while the provider looks at the
// external resource several times.
func (s *scenario) remains(object *unstructured.Unstructured, check func() error) {
	s.Helper()
	for range 30 {
		if err := kube.Get(s.Context(), client.ObjectKeyFromObject(object), object); err != nil {
			s.Fatal(err)
		}
		if err := check(); err != nil {
			s.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// delete deletes an object, and waits until it is gone.
func (s *scenario) delete(object *unstructured.Unstructured) {
	s.Helper()
	if err := kube.Delete(s.Context(), object); err != nil {
		s.Fatal(err)
	}
	s.gone(object)
}

// gone waits until an object is gone.
func (s *scenario) gone(object *unstructured.Unstructured) {
	s.Helper()
	if err := within(plane, func() error {
		err := kube.Get(s.Context(), client.ObjectKeyFromObject(object), object)
		switch {
		case kerrors.IsNotFound(err):
			return nil
		case err != nil:
			return err
		}
		_, message := conditionOf(object, "Synced")
		return fmt.Errorf("%s is still there: %s", object.GetName(), message)
	}); err != nil {
		s.Fatal(err)
	}
}

// field returns the value in an object at a path, such as spec.forProvider.vpcId.
func field(object *unstructured.Unstructured, path string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(object.Object, strings.Split(path, ".")...)
	return value
}

// externalName returns the name of the external resource of an object.
func externalName(object *unstructured.Unstructured) string {
	return object.GetAnnotations()["crossplane.io/external-name"]
}

// is returns an error unless a value is the wanted one. Both are compared as JSON.
func is(what string, got, want any) error {
	gotJSON, err := json.Marshal(got)
	if err != nil {
		return err
	}
	wantJSON, err := json.Marshal(want)
	if err != nil {
		return err
	}
	if !bytes.Equal(gotJSON, wantJSON) {
		return fmt.Errorf("%s is\n%s, want\n%s", what, gotJSON, wantJSON)
	}
	return nil
}

// contains says whether a text has all the parts.
func contains(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// edit replaces a text in a file, which has it once.
func edit(t *testing.T, file, old, text string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(content), old) != 1 {
		t.Fatalf("%s has %q not once:\n%s", file, old, content)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(content), old, text, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// addToAPI adds a field to what the API in memory takes, in the controller of a new kind.
func addToAPI(t *testing.T, folder, kind, field string) {
	t.Helper()
	const object = "type Object struct {\n"
	edit(t, filepath.Join(folder, "internal/controller/storage", kind, "memory.go"), object, object+field)
}
