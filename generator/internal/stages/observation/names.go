package observation

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// names are the fields whose names are taken in a struct, or only the JSON names of those without a
// name in Go.
type names []*model.Field

// with returns the names and the names of fields.
func (n names) with(fields ...*model.Field) names { return append(slices.Clip(n), fields...) }

// has reports whether a name of the field is taken.
func (n names) has(f *model.Field) bool {
	return slices.ContainsFunc(n, func(other *model.Field) bool {
		return other.Name == f.Name || other.JSONName != "" && other.JSONName == f.JSONName
	})
}

// similar returns a field whose JSON name differs from f's only in case, or nil.
func (n names) similar(f *model.Field) *model.Field {
	var first *model.Field
	for _, other := range n {
		if other.JSONName != f.JSONName && strings.EqualFold(other.JSONName, f.JSONName) && (first == nil || other.JSONName <= first.JSONName) {
			first = other
		}
	}
	return first
}

// clashes returns the Go names of the fields of a struct whose names are taken.
func clashes(t *model.Type, taken names) []string {
	var clashing []string
	for _, f := range promoted(t, nil) {
		if taken.has(f) {
			clashing = append(clashing, f.Name)
		}
	}
	return clashing
}

// promoted returns the fields of a struct and of its inlined structs, without the field except
// and the fields that it promotes.
func promoted(t *model.Type, except *model.Field) []*model.Field {
	others := *t
	others.Fields = slices.DeleteFunc(slices.Clone(t.Fields), func(f *model.Field) bool { return f == except })
	var fields []*model.Field
	for _, f := range others.Inlined() {
		fields = append(fields, f)
	}
	return fields
}
