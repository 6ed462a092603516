package controllertools

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// Flatten returns the schema of a type without references and embedded types, and its conflicts, sorted. The
// caller may change the schema: it shares no memory with others.
//
// If a type contains itself, the inner occurrence has an empty schema. controller-tools does the same, except
// that map order decides the inner one among types that contain each other.
func (t *Type) Flatten() (*schema.Props, []Conflict) {
	r := &resolver{active: map[*Type]bool{}}
	flat := &schema.Props{}
	r.copy(flat, t)
	m := &merger{}
	m.flatten(nil, flat)
	slices.SortFunc(m.conflicts, func(a, b Conflict) int { return cmp.Or(a.Path.Compare(b.Path), cmp.Compare(a.Error(), b.Error())) })
	return flat, m.conflicts
}

// A Conflict is a value with two types, such as the declared type and a marker's.
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
	// form is the form of the types being resolved: which constraints they keep.
	form Form
	// place is the place of the value whose type is resolved next.
	place place
}

// copy copies the schema of a type and resolves its references, except references to types that are being
// resolved already.
func (r *resolver) copy(into *schema.Props, from *Type) {
	from.schema.DeepCopyInto(into)
	around := r.form
	// Everything in an observed value is observed, regardless of its own form.
	if from.form == Inherited || r.form == Observed {
		r.form.reduce(into, r.place)
	} else {
		r.form = from.form
	}
	r.resolve(into, from)
	hide(into)
	r.form = around
}

// resolve resolves the references in a part of a type's schema, and reports whether the part was a reference
// itself.
func (r *resolver) resolve(part *schema.Props, of *Type) bool {
	around := r.place
	schema.Each(part, func(step schema.Step, child *schema.Props) bool {
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
		return true // reported already
	}
	both := make([]schema.Props, 2)
	target, field := &both[0], &both[1]
	// A recursive type ends in an empty schema.
	if !r.active[to] {
		r.active[to] = true
		r.copy(target, to)
		delete(r.active, to)
	}
	*field = *part
	*part = schema.Props{AllOf: both}
	// The field's documentation overrides the type's.
	schema.Fill(part, field, schema.Documentation)
	schema.Fill(part, target, schema.Documentation)
	return true
}
