package setup

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource/fake"
	"github.com/crossplane/crossplane-runtime/v2/pkg/test"
)

// referencer is a managed resource whose references are resolved to annotations.
type referencer struct {
	fake.ModernManaged
	resolved map[string]string
	err      error
}

func (r *referencer) ResolveReferences(context.Context, client.Reader) error {
	meta.AddAnnotations(r, r.resolved)
	return r.err
}

// TestReferenceResolver checks that a patch has the newly resolved fields, and removes none.
func TestReferenceResolver(t *testing.T) {
	for name, tc := range map[string]struct {
		resolved     map[string]string
		err, refused error
		patch        string
	}{
		"Another":    {resolved: map[string]string{"first": "1", "second": "2"}, patch: `{"annotations":{"second":"2"},"resourceVersion":"7"}`},
		"Changed":    {resolved: map[string]string{"first": "2"}, patch: `{"annotations":{"first":"2"},"resourceVersion":"7"}`},
		"Same":       {resolved: map[string]string{"first": "1"}},
		"None":       {},
		"Unresolved": {resolved: map[string]string{"second": "2"}, err: errBroken},
		"Refused":    {resolved: map[string]string{"second": "2"}, refused: errBroken, patch: `{"annotations":{"second":"2"},"resourceVersion":"7"}`},
	} {
		t.Run(name, func(t *testing.T) {
			mg := &referencer{resolved: tc.resolved, err: tc.err}
			mg.ObjectMeta = metav1.ObjectMeta{Name: "example", ResourceVersion: "7", Annotations: map[string]string{"first": "1"}}
			patched := ""
			kube := &test.MockClient{MockPatch: func(_ context.Context, object client.Object, patch client.Patch, _ ...client.PatchOption) error {
				changes, err := patch.Data(object)
				if patched = string(changes); err != nil || patch.Type() != types.MergePatchType {
					t.Errorf("got a patch of type %s, %v", patch.Type(), err)
				}
				return tc.refused
			}}
			err := NewReferenceResolver[resource.Managed](kube).ResolveReferences(context.Background(), mg)
			if want := errors.Join(tc.err, tc.refused); (err != nil) != (want != nil) || err != nil && !errors.Is(err, errBroken) {
				t.Errorf("got the error %v, want %v", err, want)
			}
			if patched != tc.patch {
				t.Errorf("got the patch %s, want %s", patched, tc.patch)
			}
		})
	}
	if err := NewReferenceResolver[resource.Managed](nil).ResolveReferences(context.Background(), &fake.ModernManaged{}); err != nil {
		t.Errorf("without references, got the error %v", err)
	}
}
