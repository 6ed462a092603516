// Package registry makes objects of kinds whose packages can't be imported where
// they are needed, since that would be an import cycle: resolvers look up what they
// refer to. The provider says where the kinds are, with AddScheme.
package registry

import (
	"cmp"
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
// packages are initialized, and more than once. A nil scheme has no kinds.
func AddScheme(scheme *runtime.Scheme) {
	mutex.Lock()
	defer mutex.Unlock()
	if scheme != nil && !slices.Contains(schemes, scheme) {
		schemes = append(schemes, scheme)
	}
}

// New returns a new object of a kind and a new list of such objects, as the
// interfaces of crossplane-runtime that the type arguments name. Both come from the
// first scheme that has them so. It is an error if none has, the first one's with
// the kind.
func New[Managed, List any](group, version, kind string) (managed Managed, list List, err error) {
	mutex.RLock()
	defer mutex.RUnlock()
	gv := schema.GroupVersion{Group: group, Version: version}
	for _, scheme := range schemes {
		if !scheme.Recognizes(gv.WithKind(kind)) {
			continue
		}
		object, objectErr := newObject[Managed](scheme, gv.WithKind(kind))
		objects, listErr := newObject[List](scheme, gv.WithKind(kind+"List"))
		if objectErr == nil && listErr == nil {
			return object, objects, nil
		}
		err = cmp.Or(err, objectErr, listErr)
	}
	return managed, list, cmp.Or(err, notRegistered(gv.WithKind(kind)))
}

// newObject returns a new object of a scheme.
func newObject[T any](scheme *runtime.Scheme, gvk schema.GroupVersionKind) (T, error) {
	var none T
	if !scheme.Recognizes(gvk) {
		return none, notRegistered(gvk)
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

func notRegistered(gvk schema.GroupVersionKind) error {
	return fmt.Errorf("%s is not registered: call AddScheme of %s with a scheme that has it", gvk, importPath)
}
