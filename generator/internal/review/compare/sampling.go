package compare

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// sampling returns a sampler of minimal values that contain the target.
func sampling(target schema.Path) *validobject.Sampler {
	return &validobject.Sampler{Bare: true, Wanted: func(c schema.Cursor) bool {
		return len(c.Path) <= len(target) && target.HasPrefix(c.Path) || chosen(c, target) == inBranch
	}}
}

// everything returns a sampler of values with every field in the schema.
func everything() *validobject.Sampler {
	return &validobject.Sampler{Bare: true, Defaulted: true, Wanted: func(c schema.Cursor) bool { return chosen(c, nil) != inOther }}
}

// How alternatives of an object treat a field.
const (
	inNone = iota
	inBranch
	inOther
)

// chosen reports how oneOf and anyOf of the object around c treat its field: inBranch if the chosen alternative
// requires it. The chosen one is the first that suits the target.
func chosen(c schema.Cursor, target schema.Path) int {
	if c.Above == nil || c.Above.Schema == nil {
		return inNone
	}
	object, name, wanted := c.Above.Schema, c.Path[len(c.Path)-1].Name, ""
	if at := c.Above.Path; len(target) > len(at) && target.HasPrefix(at) {
		wanted = target[len(at)].Name
	}
	told := inNone
	for _, branches := range [][]apiextensionsv1.JSONSchemaProps{object.OneOf, object.AnyOf} {
		if len(branches) == 0 {
			continue
		}
		// Prefer the alternative with the target, then one that holds anyway.
		branch := slices.IndexFunc(branches, func(b apiextensionsv1.JSONSchemaProps) bool { return slices.Contains(b.Required, wanted) })
		if branch < 0 {
			branch = slices.IndexFunc(branches, func(b apiextensionsv1.JSONSchemaProps) bool {
				return slices.ContainsFunc(b.Required, func(name string) bool { return schema.Always(object, name) })
			})
		}
		for i, b := range branches {
			if !slices.Contains(b.Required, name) {
				continue
			}
			if i == max(branch, 0) {
				return inBranch
			}
			told = inOther
		}
	}
	return told
}
