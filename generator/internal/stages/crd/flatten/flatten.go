package flatten

import (
	"cmp"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// Flatten returns the schema of a type without references and embedded types, and its conflicts,
// sorted. The caller may change the schema, which shares no memory with others.
//
// If a type contains itself, the inner one has an empty schema. controller-tools does the same,
// but if types contain each other, it is map order that decides which is the inner one.
func (t *Type) Flatten() (*apiextensionsv1.JSONSchemaProps, []Conflict) {
	r := &resolver{active: map[*Type]bool{}}
	flat := &apiextensionsv1.JSONSchemaProps{}
	r.copy(flat, t)
	m := &merger{}
	m.flatten(nil, flat)
	slices.SortFunc(m.conflicts, func(a, b Conflict) int { return cmp.Or(a.Path.Compare(b.Path), cmp.Compare(a.Error(), b.Error())) })
	return flat, m.conflicts
}

// A Conflict is a value with two types, such as those of the field's declaration and of a
// marker.
type Conflict struct {
	// Path leads to the value.
	Path  schema.Path
	Types [2]string
}

// Error returns the message of controller-tools.
func (c Conflict) Error() string {
	return fmt.Sprintf("conflicting types in allOf branches in schema: %s vs %s", c.Types[0], c.Types[1])
}

// resolver replaces references with the schemas of types.
type resolver struct {
	// active are the types that are being resolved.
	active map[*Type]bool
	// form is what is kept of the types that are being resolved.
	form Form
	// place is where the value of the type that is resolved next is.
	place place
}

// copy copies the schema of a type and resolves its references, except for those to types that
// are being resolved already.
func (r *resolver) copy(into *apiextensionsv1.JSONSchemaProps, from *Type) {
	from.schema.DeepCopyInto(into)
	around := r.form
	if from.form == Inherited || r.form == Observed {
		r.form.reduce(into, r.place)
	} else {
		r.form = from.form
	}
	r.resolve(into, from)
	hide(into)
	r.form = around
}

// resolve resolves the references in a part of a type's schema, and reports whether the
// part itself was one.
func (r *resolver) resolve(part *apiextensionsv1.JSONSchemaProps, of *Type) bool {
	around := r.place
	eachChild(part, func(step schema.Step, child *apiextensionsv1.JSONSchemaProps) bool {
		r.place = around.enter(part, step)
		return r.resolve(child, of)
	})
	r.place = around
	if part.Ref == nil {
		return false
	}
	to := of.references[*part.Ref]
	part.Ref = nil
	if to == nil {
		return true // that is an error, which is known
	}
	both := make([]apiextensionsv1.JSONSchemaProps, 2)
	target, field := &both[0], &both[1]
	if !r.active[to] {
		r.active[to] = true
		r.copy(target, to)
		delete(r.active, to)
	}
	*field = *part
	// The documentation of a field overrides that of its type.
	*part = apiextensionsv1.JSONSchemaProps{
		AllOf:        both,
		Description:  cmp.Or(field.Description, target.Description),
		Title:        cmp.Or(field.Title, target.Title),
		ExternalDocs: cmp.Or(field.ExternalDocs, target.ExternalDocs),
		Example:      cmp.Or(field.Example, target.Example),
	}
	return true
}
