package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/mrgen-io/admission/matrix"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
)

// TestMatrix guards that the API server admits and refuses what the cases of the
// admission module say, word for word. That module runs them through the libraries of
// the API server: what it proves there in seconds is true.
func TestMatrix(t *testing.T) {
	t.Parallel()
	cases, err := matrix.Load(os.DirFS(".."), "admission/cases")
	if err != nil || len(cases) == 0 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	own := startPlane(t, controlplane.StartAPIServer)
	kube, err := newClient(own)
	if err != nil {
		t.Fatal(err)
	}
	m := judge{t, own, kube}
	crds := make(map[string]*apiextensionsv1.CustomResourceDefinition)
	for _, c := range cases {
		crds[c.CRD.Name] = c.CRD
	}
	for _, crd := range crds {
		m.installWithoutRules(crd)
	}
	for i, c := range cases {
		if c.Violates {
			m.store(nameOf(i), c)
		}
	}
	for _, crd := range crds {
		m.addRules(crd)
	}
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			judge{t, own, kube}.run(nameOf(i), c)
		})
	}
}

// nameOf returns the name of the object of a case.
func nameOf(i int) string { return fmt.Sprintf("case-%d", i) }

// A judge asks an API server what it makes of cases.
type judge struct {
	*testing.T
	plane *controlplane.ControlPlane
	kube  client.Client
}

// installWithoutRules installs a CRD whose schema accepts everything, so that objects
// can be stored that its rules refuse.
func (j judge) installWithoutRules(crd *apiextensionsv1.CustomResourceDefinition) {
	j.Helper()
	lax := crd.DeepCopy()
	everything := true
	for i := range lax.Spec.Versions {
		lax.Spec.Versions[i].Schema.OpenAPIV3Schema = &apiextensionsv1.JSONSchemaProps{
			Type: "object", XPreserveUnknownFields: &everything,
		}
	}
	if err := j.kube.Create(j.Context(), lax); err != nil {
		j.Fatal(err)
	}
	if err := within(j.plane, func() error {
		return j.kube.Create(j.Context(), emptyObject(crd), client.DryRunAll)
	}); err != nil {
		j.Fatal(err)
	}
}

// addRules makes a CRD what it is meant to be, and returns when its schema counts: all
// kinds require a spec.
func (j judge) addRules(crd *apiextensionsv1.CustomResourceDefinition) {
	j.Helper()
	stored := &apiextensionsv1.CustomResourceDefinition{}
	if err := j.kube.Get(j.Context(), client.ObjectKeyFromObject(crd), stored); err != nil {
		j.Fatal(err)
	}
	stored.Spec = crd.Spec
	if err := j.kube.Update(j.Context(), stored); err != nil {
		j.Fatal(err)
	}
	if err := within(j.plane, func() error {
		if err := j.kube.Create(j.Context(), emptyObject(crd), client.DryRunAll); !kerrors.IsInvalid(err) {
			return fmt.Errorf("an empty %s should be refused: %w", crd.Spec.Names.Kind, err)
		}
		return nil
	}); err != nil {
		j.Fatal(err)
	}
}

// emptyObject returns an object of the kind of a CRD that has nothing but a name.
func emptyObject(crd *apiextensionsv1.CustomResourceDefinition) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	version := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Storage })
	object.SetAPIVersion(crd.Spec.Group + "/" + crd.Spec.Versions[version].Name)
	object.SetKind(crd.Spec.Names.Kind)
	object.SetName("empty")
	if crd.Spec.Scope == apiextensionsv1.NamespaceScoped {
		object.SetNamespace("default")
	}
	return object
}

// store stores the object that a case is about to change.
func (j judge) store(name string, c matrix.Case) {
	j.Helper()
	object := objectOf(name, c.Stored)
	if err := j.kube.Create(j.Context(), object); err != nil {
		j.Fatalf("%s: the stored object is refused: %v", c.Name, err)
	}
	if c.Stored["status"] == nil {
		return
	}
	object.Object["status"] = objectOf(name, c.Stored).Object["status"]
	if err := j.kube.Status().Update(j.Context(), object); err != nil {
		j.Fatalf("%s: the stored status is refused: %v", c.Name, err)
	}
}

// run makes the request of a case, and compares what comes of it.
func (j judge) run(name string, c matrix.Case) {
	if c.Stored != nil && !c.Violates {
		j.store(name, c)
	}
	object, err := objectOf(name, c.Object), error(nil)
	if c.Operation != matrix.Create {
		stored := objectOf(name, c.Stored)
		if err := j.kube.Get(j.Context(), client.ObjectKeyFromObject(object), stored); err != nil {
			j.Fatal(err)
		}
		object.SetResourceVersion(stored.GetResourceVersion())
	}
	switch c.Operation {
	case matrix.Create:
		err = j.kube.Create(j.Context(), object, client.DryRunAll)
	case matrix.Update:
		err = j.kube.Update(j.Context(), object, client.DryRunAll)
	case matrix.UpdateStatus:
		err = j.kube.Status().Update(j.Context(), object, client.DryRunAll)
	}
	if diff := cmp.Diff(c.Refused, causes(err)); diff != "" {
		j.Errorf("refused for other reasons (-want +got):\n%s", diff)
	}
	if err == nil {
		if diff := cmp.Diff(map[string]any(c.Admitted), matrix.Common(c.Admitted, object.Object)); diff != "" {
			j.Errorf("admitted in another form (-want +got):\n%s", diff)
		}
	}
}

// objectOf returns an object with a name of its own.
func objectOf(name string, object matrix.Object) *unstructured.Unstructured {
	u := (&unstructured.Unstructured{Object: object}).DeepCopy()
	u.SetName(name)
	return u
}

// causes returns why the API server refuses a request, sorted, as FIELD: MESSAGE.
func causes(err error) []string {
	var status kerrors.APIStatus
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &status), status.Status().Details == nil, len(status.Status().Details.Causes) == 0:
		// An object that can't be decoded. The API server says first of what kind.
		_, reason, _ := strings.Cut(err.Error(), " cannot be handled as a ")
		_, reason, _ = strings.Cut(reason, ": ")
		return []string{reason}
	}
	var all []string
	for _, cause := range status.Status().Details.Causes {
		all = append(all, cause.Field+": "+cause.Message)
	}
	slices.Sort(all)
	return all
}
