package scopecopies

import (
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// embedsAny reports whether a struct embeds a type whose name is one of some.
func embedsAny(t *types.Struct, is func(name flavor.TypeName) bool) bool {
	for field := range t.Fields() {
		if field.Embedded() && is(gotypes.NameOf(field.Type())) {
			return true
		}
	}
	return false
}

const (
	metaPackage       = "k8s.io/apimachinery/pkg/apis/meta/v1"
	controllerRuntime = "sigs.k8s.io/controller-runtime"
)

func isMetadata(t types.Type) bool {
	return gotypes.NameOf(t) == flavor.TypeName{Package: metaPackage, Name: "ObjectMeta"}
}

// isName reports whether a type names an object and its namespace.
func isName(t types.Type) bool {
	return gotypes.NameOf(t) == flavor.TypeName{Package: "k8s.io/apimachinery/pkg/types", Name: "NamespacedName"}
}

// isRequest reports whether a type is a request to reconcile an object.
func isRequest(t types.Type) bool {
	return gotypes.NameOf(t) == flavor.TypeName{Package: controllerRuntime + "/pkg/reconcile", Name: "Request"}
}

// hasMetadata reports whether a struct embeds the metadata of an object, directly or not.
func hasMetadata(t types.Type) bool {
	object, _, _ := types.LookupFieldOrMethod(gotypes.Deref(t), true, nil, "ObjectMeta")
	field, ok := object.(*types.Var)
	return ok && isMetadata(field.Type())
}

// isReferenceShape reports whether a struct refers to an object of any namespace: it has a name and a
// namespace, and isn't an object or the name of one that was asked for.
func isReferenceShape(t types.Type) bool {
	t = gotypes.Deref(t)
	if gotypes.StructOf(t) == nil || isName(t) || isRequest(t) || isMetadata(t) || hasMetadata(t) {
		return false
	}
	for _, name := range []string{"Name", "Namespace"} {
		object, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		field, ok := object.(*types.Var)
		if !ok || !gotypes.IsString(gotypes.Deref(field.Type())) {
			return false
		}
	}
	return true
}

// isListOptions reports whether a type is an option for listing objects.
func isListOptions(t types.Type) bool {
	return gotypes.NameOf(t) == flavor.TypeName{Package: controllerRuntime + "/pkg/client", Name: "ListOptions"}
}

// elementOf returns the type of the elements of lists and maps, or of what a pointer points to.
func elementOf(t types.Type) types.Type {
	for {
		switch of := types.Unalias(t).(type) {
		case *types.Slice:
			t = of.Elem()
		case *types.Array:
			t = of.Elem()
		case *types.Map:
			t = of.Elem()
		case *types.Pointer:
			t = of.Elem()
		default:
			return t
		}
	}
}

// holdsReference reports whether a type is a reference with a namespace, or has one in it, such as
// CommonCredentialSelectors. Those to managed resources, which others may refer to, don't count in it.
func holdsReference(t types.Type) bool {
	seen := map[types.Type]bool{}
	var holds func(t types.Type, isPart bool) bool
	holds = func(t types.Type, isPart bool) bool {
		t = elementOf(t)
		of := gotypes.StructOf(t)
		if of == nil || seen[t] || hasMetadata(t) || isPart && gotypes.NameOf(t).Name == "NamespacedReference" {
			return false
		}
		seen[t] = true
		if isReferenceShape(t) || isPart && isName(t) {
			return true
		}
		for field := range of.Fields() {
			if holds(field.Type(), true) {
				return true
			}
		}
		return false
	}
	return holds(t, false)
}
