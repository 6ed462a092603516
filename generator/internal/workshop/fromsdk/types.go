package fromsdk

import (
	"go/types"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// exported returns what a package exports, of one kind of objects, by name.
func exported[T types.Object](p *types.Package) (all []T) {
	for _, name := range p.Scope().Names() {
		if o, ok := p.Scope().Lookup(name).(T); ok && o.Exported() {
			all = append(all, o)
		}
	}
	return all
}

func isList(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// itemOf returns the type of a list's items, and any other type itself.
func itemOf(t types.Type) types.Type {
	if list, ok := t.Underlying().(*types.Slice); ok {
		return list.Elem()
	}
	return t
}

// itemsOf returns the type of items of lists and of values of maps, and how Go writes what holds them; nil for bytes, and for keys
// that aren't texts.
func itemsOf(t types.Type) (holder string, item types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if !gotypes.IsBytes(t) {
			return "[]", u.Elem()
		}
	case *types.Map:
		if gotypes.IsString(u.Key()) {
			return "map[string]", u.Elem()
		}
	}
	return "", nil
}

func isInteger(t types.Type) bool {
	b := gotypes.BasicOf(t)
	return b != nil && b.Info()&types.IsInteger != 0
}

// kindOf returns the type that a kind has for a text or a whole number.
func kindOf(t types.Type) string {
	if !isInteger(t) {
		return "string"
	}
	switch gotypes.BasicOf(t).Kind() {
	case types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16:
		return "int32"
	}
	return "int64"
}
