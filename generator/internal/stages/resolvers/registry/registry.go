// Package registry makes objects of kinds whose packages can't be imported where
// they are needed, since that would be an import cycle: resolvers look up what they
// refer to. The provider says where the kinds are, with AddScheme.
package registry

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// importPath is that of this package.
const importPath = "github.com/mrgen-io/mrgen/generator/internal/stages/resolvers/registry"

var (
	mutex   sync.RWMutex
	schemes []*runtime.Scheme
)

// AddScheme adds the kinds of a scheme to those that can be looked up. Call it with
// the scheme of the provider, before controllers start; kinds that are added to the
// scheme in the meantime are found, too. It may be called at any time, also while
// packages are initialized, and more than once.
func AddScheme(scheme *runtime.Scheme) {
	mutex.Lock()
	defer mutex.Unlock()
	if !slices.Contains(schemes, scheme) {
		schemes = append(schemes, scheme)
	}
}

// New returns a new object of a kind and a new list of such objects, as the
// interfaces of crossplane-runtime that the type arguments name. It is an error if
// no scheme has both.
func New[Managed, List any](group, version, kind string) (Managed, List, error) {
	gv := schema.GroupVersion{Group: group, Version: version}
	var list List
	managed, err := newObject[Managed](gv.WithKind(kind))
	if err == nil {
		list, err = newObject[List](gv.WithKind(kind + "List"))
	}
	return managed, list, err
}

// newObject returns a new object, of the first scheme that has the kind.
func newObject[T any](gvk schema.GroupVersionKind) (T, error) {
	mutex.RLock()
	defer mutex.RUnlock()
	var none T
	for _, scheme := range schemes {
		if !scheme.Recognizes(gvk) {
			continue
		}
		object, err := scheme.New(gvk)
		if err != nil {
			return none, err
		}
		typed, ok := object.(T)
		if !ok {
			return none, fmt.Errorf("%s is registered as %T, which is no %s", gvk, object, reflect.TypeFor[T]())
		}
		return typed, nil
	}
	return none, fmt.Errorf("%s is not registered: call AddScheme of %s with a scheme that has it", gvk, importPath)
}
