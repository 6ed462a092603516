package compare

import (
	"context"
	"fmt"
	"slices"

	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
)

// merges looks for an object whose list or map server-side apply merges otherwise. What is
// merged is judged by the library that the API server does it with.
func (s *search) merges(ctx context.Context, d *difference) (proof, bool) {
	all := slices.DeleteFunc(values(ctx, d.old, d.new), isEmpty)
	for _, stored := range all {
		for _, applied := range all {
			was, ok := merged(d.old, stored, applied)
			if !ok {
				continue
			}
			is, ok := merged(d.new, stored, applied)
			if !ok {
				continue
			}
			if len(apiserver.Differences(map[string]any{inLeaf: was}, map[string]any{inLeaf: is})) == 0 {
				continue
			}
			for object := range s.with(ctx, d.path, stored, false) {
				return proof{found: true, object: object, effect: effect{
					class: Stored, happens: "server-side apply would merge what is stored otherwise", field: d.path.String(),
					says: fmt.Sprintf("applied by somebody else with %s, it was %s and is %s", text(applied), text(was), text(is)),
				}}, true
			}
		}
	}
	return proof{}, false
}

// isEmpty reports whether a list or a map has nothing in it, or a value is neither.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	default:
		return true
	}
}

// merged returns what server-side apply makes of a stored value and one that somebody else
// applies. It reports false if they can't be merged.
func merged(s *props, stored, applied any) (any, bool) {
	atom, ok := atomOf(s)
	if !ok {
		return nil, false
	}
	parser := typed.Parser{Schema: smdschema.Schema{Types: []smdschema.TypeDef{{Name: inLeaf, Atom: atom}, {Name: untyped, Atom: anyAtom}}}}
	at := parser.Type(inLeaf)
	live, err := at.FromUnstructured(stored)
	if err != nil {
		return nil, false
	}
	other, err := at.FromUnstructured(applied)
	if err != nil {
		return nil, false
	}
	out, err := live.Merge(other)
	if err != nil {
		return nil, false
	}
	return out.AsValue().Unstructured(), true
}

// untyped is the name of the type of what is in lists and maps: anything, merged as a whole.
const untyped = "untyped"

var (
	untypedRef = smdschema.TypeRef{NamedType: new(untyped)}
	anyScalar  = smdschema.Untyped
	anyAtom    = smdschema.Atom{
		Scalar: &anyScalar,
		List:   &smdschema.List{ElementType: untypedRef, ElementRelationship: smdschema.Atomic},
		Map:    &smdschema.Map{ElementType: untypedRef, ElementRelationship: smdschema.Atomic},
	}
)

// atomOf returns how server-side apply merges the values of a schema.
func atomOf(s *props) (smdschema.Atom, bool) {
	switch typeName(s) {
	case "array":
		list := &smdschema.List{ElementType: untypedRef, ElementRelationship: smdschema.Atomic}
		if s.XListType != nil && *s.XListType != "atomic" {
			list.ElementRelationship, list.Keys = smdschema.Associative, s.XListMapKeys
		}
		return smdschema.Atom{List: list}, true
	case "object":
		m := &smdschema.Map{ElementType: untypedRef, ElementRelationship: smdschema.Separable}
		if s.XMapType != nil && *s.XMapType == "atomic" {
			m.ElementRelationship = smdschema.Atomic
		}
		return smdschema.Atom{Map: m}, true
	default:
		return smdschema.Atom{}, false
	}
}
