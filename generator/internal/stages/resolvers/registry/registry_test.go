package registry

import (
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// newScheme returns a scheme with kinds of the group example.org.
func newScheme(kinds map[string]runtime.Object) *runtime.Scheme {
	s := runtime.NewScheme()
	for kind, object := range kinds {
		s.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.org", Version: "v1", Kind: kind}, object)
	}
	return s
}

func newKind(kind string) (metav1.Object, metav1.ListInterface, error) {
	return New[metav1.Object, metav1.ListInterface]("example.org", "v1", kind)
}

// reset empties the registry for a test.
func reset(t *testing.T) {
	t.Helper()
	schemes = nil
	t.Cleanup(func() { schemes = nil })
}

func TestNew(t *testing.T) {
	reset(t)
	late := newScheme(nil)
	AddScheme(late)
	AddScheme(newScheme(map[string]runtime.Object{
		"Zone": &metav1.PartialObjectMetadata{}, "ZoneList": &metav1.PartialObjectMetadataList{},
		"Lonely":   &metav1.PartialObjectMetadata{},
		"Swapped":  &metav1.PartialObjectMetadataList{},
		"Half":     &metav1.PartialObjectMetadata{},
		"HalfList": &metav1.PartialObjectMetadata{},
	}))
	late.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.org", Version: "v1", Kind: "Late"}, &metav1.PartialObjectMetadata{})
	late.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.org", Version: "v1", Kind: "LateList"}, &metav1.PartialObjectMetadataList{})

	const remedy = " is not registered: call AddScheme of " + importPath + " with a scheme that has it"
	for kind, wantErr := range map[string]string{
		"Zone":    "",
		"Late":    "",
		"None":    "example.org/v1, Kind=None" + remedy,
		"Lonely":  "example.org/v1, Kind=LonelyList" + remedy,
		"Swapped": "example.org/v1, Kind=Swapped is registered as *v1.PartialObjectMetadataList, which is no v1.Object",
		"Half":    "example.org/v1, Kind=HalfList is registered as *v1.PartialObjectMetadata, which is no v1.ListInterface",
	} {
		object, list, err := newKind(kind)
		switch {
		case wantErr != "":
			expect.True(t, err != nil && err.Error() == wantErr, "%s: got the error %v, want %s", kind, err, wantErr)
		case err != nil || object == nil || list == nil:
			t.Errorf("%s: got %v, %v and the error %v", kind, object, list, err)
		}
	}
}

// TestNewOfSeveralSchemes has a scheme that knows a kind by another type, or without
// its list, hide no other one, and the kind and its list come from one scheme.
func TestNewOfSeveralSchemes(t *testing.T) {
	reset(t)
	AddScheme(newScheme(map[string]runtime.Object{
		"Zone": &metav1.PartialObjectMetadataList{}, "ZoneList": &metav1.PartialObjectMetadataList{},
		"Network": &metav1.PartialObjectMetadata{},
		"Subnet":  &metav1.PartialObjectMetadata{}, "SubnetList": &metav1.PartialObjectMetadata{},
	}))
	for _, kind := range []string{"Zone", "Network", "Subnet"} {
		object, list, err := newKind(kind)
		expect.True(t, err != nil, "%s: got %T and %T", kind, object, list)
	}
	AddScheme(newScheme(map[string]runtime.Object{
		"Zone": &other{}, "ZoneList": &otherList{},
		"Network": &other{}, "NetworkList": &otherList{},
		"Subnet": &other{}, "SubnetList": &otherList{},
	}))
	for _, kind := range []string{"Zone", "Network", "Subnet"} {
		object, list, err := newKind(kind)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		_, isOther := object.(*other)
		_, isList := list.(*otherList)
		expect.True(t, isOther && isList, "%s: got %T and %T, which are of two schemes", kind, object, list)
	}
}

// other and otherList are Go types of another package for the same kind.
type (
	other     struct{ metav1.PartialObjectMetadata }
	otherList struct {
		metav1.PartialObjectMetadataList
	}
)

// TestAddSchemeNil has no scheme be one without kinds.
func TestAddSchemeNil(t *testing.T) {
	reset(t)
	AddScheme(nil)
	const want = "example.org/v1, Kind=Zone is not registered: call AddScheme of " + importPath + " with a scheme that has it"
	_, _, err := newKind("Zone")
	expect.True(t, err != nil && err.Error() == want, "got the error %v, want %s", err, want)
}

// TestNewIsNew has each caller get an object of its own.
func TestNewIsNew(t *testing.T) {
	reset(t)
	AddScheme(newScheme(map[string]runtime.Object{"Zone": &metav1.PartialObjectMetadata{}, "ZoneList": &metav1.PartialObjectMetadataList{}}))
	first, _, err := newKind("Zone")
	expect.NoError(t, err)
	first.SetName("first")
	second, _, err := newKind("Zone")
	expect.True(t, err == nil && second.GetName() == "", "got %v and the error %v", second, err)
}

func TestAddSchemeTwice(t *testing.T) {
	reset(t)
	s := newScheme(nil)
	AddScheme(s)
	AddScheme(s)
	expect.True(t, len(schemes) == 1, "got %d schemes", len(schemes))
}

// TestConcurrent is for the race detector.
func TestConcurrent(t *testing.T) {
	reset(t)
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			AddScheme(newScheme(map[string]runtime.Object{"Zone": &metav1.PartialObjectMetadata{}, "ZoneList": &metav1.PartialObjectMetadataList{}}))
			_, _, err := newKind("Zone")
			expect.True(t, err == nil, "%v", err)
			_, _, err = newKind("None")
			expect.True(t, err != nil && strings.Contains(err.Error(), "Kind=None"), "got the error %v", err)
		})
	}
	group.Wait()
}
