package observation

import (
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// names are the names that are taken in a struct.
type names struct {
	goNames map[string]bool
	// jsonNames maps the names to their fields.
	jsonNames map[string]*model.Field
}

// with returns the names with those of fields added.
func (n names) with(fields ...*model.Field) names {
	added := n.withJSON(fields...)
	added.goNames = map[string]bool{}
	maps.Copy(added.goNames, n.goNames)
	for _, f := range fields {
		added.goNames[f.Name] = true
	}
	return added
}

// withJSON returns the names with the JSON names of fields added.
func (n names) withJSON(fields ...*model.Field) names {
	added := names{goNames: n.goNames, jsonNames: map[string]*model.Field{}}
	maps.Copy(added.jsonNames, n.jsonNames)
	for _, f := range fields {
		if f.JSONName != "" {
			added.jsonNames[f.JSONName] = f
		}
	}
	return added
}

// has reports whether a name of the field is taken.
func (n names) has(f *model.Field) bool {
	return n.goNames[f.Name] || n.jsonNames[f.JSONName] != nil
}

// similar returns a field whose JSON name differs from that of f only in case, or nil.
func (n names) similar(f *model.Field) *model.Field {
	for _, name := range slices.Sorted(maps.Keys(n.jsonNames)) {
		if name != f.JSONName && strings.EqualFold(name, f.JSONName) {
			return n.jsonNames[name]
		}
	}
	return nil
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
// and what it embeds.
func promoted(t *model.Type, except *model.Field) []*model.Field {
	others := *t
	others.Fields = slices.DeleteFunc(slices.Clone(t.Fields), func(f *model.Field) bool { return f == except })
	var fields []*model.Field
	for _, f := range others.Inlined() {
		fields = append(fields, f)
	}
	return fields
}
