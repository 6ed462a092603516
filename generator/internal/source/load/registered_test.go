package load

import (
	"maps"
	"os"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

type object struct{ runtime.Object }

func (*object) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

type (
	Added     struct{ object }
	Pointed   struct{ object }
	New       struct{ object }
	Named     struct{ object }
	Appended  struct{ object }
	Listed    struct{ object }
	Builder   struct{ object }
	Unrelated struct{ object }
)

// A builder registers types as controller-runtime's does.
type builder struct {
	scheme  *runtime.Scheme
	version schema.GroupVersion
}

func (b builder) Register(objects ...runtime.Object) { b.scheme.AddKnownTypes(b.version, objects...) }

// TestRegistered has a scheme tell the types that this file registers in the ways that providers do.
func TestRegistered(t *testing.T) {
	b := builder{runtime.NewScheme(), schema.GroupVersion{Group: "a", Version: "v1"}}
	b.scheme.AddKnownTypes(b.version, &Added{}, // beside others
		(*Pointed)(nil), new(New))
	b.scheme.AddKnownTypeWithName(b.version.WithKind("Named"), &Named{})
	b.Register(&Builder{})
	objects := []runtime.Object{&Listed{}}
	objects = append(objects, &Appended{})
	b.scheme.AddKnownTypes(b.version, objects...)
	expect.True(t, (&Unrelated{}).Object == nil, "it is empty")
	content := expect.Value(os.ReadFile("registered_test.go"))(t)
	got := slices.Sorted(maps.Keys(registered(content)))
	want := slices.Sorted(maps.Keys(b.scheme.KnownTypes(b.version)))
	expect.True(t, slices.Equal(got, want), "got %q, and the scheme has %q", got, want)
}
