package flatten

import (
	"cmp"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Flatten returns the schema of a type without references and embedded types, and what
// is wrong with it, sorted. The schema is free to be changed: it shares no memory.
//
// Where a type is part of itself, the inner one has an empty schema. controller-tools
// does the same, but if types are part of each other, it depends on the order of a map
// which of them is the inner one.
func (t *Type) Flatten() (*apiextensionsv1.JSONSchemaProps, []error) {
	schema := t.resolved(map[*Type]bool{})
	m := &merger{}
	m.flatten(schema)
	slices.SortFunc(m.errors, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return schema, m.errors
}

// resolved returns a copy of the schema with the types that it refers to in place of
// the references, less those that are being resolved already.
func (t *Type) resolved(active map[*Type]bool) *apiextensionsv1.JSONSchemaProps {
	schema := t.schema.DeepCopy()
	t.resolve(schema, active)
	return schema
}

// resolve resolves the references in a part of the type's schema, and reports whether
// the part itself was one.
func (t *Type) resolve(part *apiextensionsv1.JSONSchemaProps, active map[*Type]bool) bool {
	eachChild(part, func(child *apiextensionsv1.JSONSchemaProps) bool { return t.resolve(child, active) })
	if part.Ref == nil {
		return false
	}
	to := t.references[*part.Ref]
	part.Ref = nil
	if to == nil {
		return true // that is an error, which is known
	}
	target := &apiextensionsv1.JSONSchemaProps{}
	if !active[to] {
		active[to] = true
		target = to.resolved(active)
		delete(active, to)
	}
	*part = both(target, part)
	return true
}

// both returns the schema of a field with its type and validation of its own. Its
// documentation hides that of the type.
func both(target, field *apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{
		AllOf:        []apiextensionsv1.JSONSchemaProps{*target, *field},
		Description:  cmp.Or(field.Description, target.Description),
		Title:        cmp.Or(field.Title, target.Title),
		ExternalDocs: cmp.Or(field.ExternalDocs, target.ExternalDocs),
		Example:      cmp.Or(field.Example, target.Example),
	}
}
