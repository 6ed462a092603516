package observation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// The reasons to omit a field that don't depend on the form.
const (
	reasonAuthor = "the author declares a field of that name"
	reasonHidden = "a field of the outer struct has that name"
	reasonEmpty  = "all of its fields are left out"
)

// fieldBuilder makes the fields of a declaration.
type fieldBuilder struct {
	*planner
	*declaration
}

func (b *fieldBuilder) omit(f *model.Field, reason string) {
	b.omissions = append(b.omissions, omission{f, reason})
}

// addFields adds a field for each field of t.
func (b *fieldBuilder) addFields(t *model.Type, taken names) {
	// An omitted field must not come back through an embedded struct that has a field with
	// the same JSON name.
	hidden := taken
	for _, f := range t.Fields {
		if !f.Inline && b.form.omit(t, f) != "" {
			hidden = hidden.with(&model.Field{JSONName: f.JSONName})
		}
	}
	for _, f := range t.Fields {
		switch reason := b.form.omit(t, f); {
		case f.Ignored:
			// Not part of the JSON form.
		case !f.Inline && f.JSONName == "":
			b.errorf(f.Pos, "the embedded field %s is not a struct: give it a name in its json tag", f.Name)
		case reason != "":
			b.form.checkOmitted(b.planner, f, taken.has(f))
			b.omit(f, reason)
		case f.Inline:
			b.addEmbedded(t, f, hidden)
		case taken.has(f):
			b.omit(f, b.takenReason(f))
		default:
			b.addField(t, f)
		}
	}
}

// takenReason says whose field has the name of f.
func (b *fieldBuilder) takenReason(f *model.Field) string {
	if b.taken().has(f) {
		return reasonAuthor
	}
	return reasonHidden
}

// addEmbedded adds an inlined struct of t. If some of its fields have hidden names, it adds
// the others one by one, since other declarations share the type for the struct.
func (b *fieldBuilder) addEmbedded(t *model.Type, f *model.Field, hidden names) {
	inner := f.Type.Deref()
	if len(clashes(inner, hidden)) > 0 {
		b.addFields(inner, hidden.with(direct(t)...))
		return
	}
	converted := field{tag: ",inline", doc: f.Doc, markers: b.form.fieldMarkers(f), source: f, pos: f.Pos}
	if b.form.keeps(inner) {
		// A nil pointer omits the fields that the struct would always write.
		converted.typ = &model.Type{Kind: model.Pointer, Elem: inner}
	} else if converted.typ = b.convert(f, inner); converted.typ == nil {
		return
	}
	b.fields = append(b.fields, converted)
}

// direct returns the fields of a struct that aren't inlined.
func direct(t *model.Type) []*model.Field {
	return slices.DeleteFunc(slices.Clone(t.Fields), func(f *model.Field) bool { return f.Inline })
}

// addField adds an optional field for the field f of t.
func (b *fieldBuilder) addField(t *model.Type, f *model.Field) {
	if converted := b.convert(f, f.Type); converted != nil {
		b.fields = append(b.fields, field{
			name:    f.Name,
			typ:     optional(converted),
			tag:     f.JSONName + "," + b.form.option(f),
			doc:     f.Doc,
			markers: b.qualify(t, b.form.fieldMarkers(f)),
			source:  f,
			pos:     f.Pos,
		})
	}
}

// qualify returns markers in t as the package of the declaration must write them.
func (b *fieldBuilder) qualify(t *model.Type, texts []string) []string {
	if t.Package == b.name.Package {
		return texts
	}
	qualified := make([]string, len(texts))
	for i, text := range texts {
		qualified[i] = qualifiedReference(text, t.Package)
	}
	return qualified
}

// optional returns the type, or a pointer to it if its zero value doesn't mean unset.
func optional(t *model.Type) *model.Type {
	switch t.Kind {
	case model.Pointer, model.Slice, model.Map:
		return t
	default:
		return &model.Type{Kind: model.Pointer, Elem: t}
	}
}

// convert returns the form's type for a type of the field f. It returns nil if there is none:
// because of an error, which it reports, or because every field of the type is omitted.
func (b *fieldBuilder) convert(f *model.Field, t *model.Type) *model.Type {
	switch {
	case t.Generic:
		b.errorf(f.Pos, "%s has the generic type %s, which the schema of a CRD can't express: declare a type without type parameters", f.Name, t.Name)
		return nil
	case t.Leaf().Kind == model.Missing: // load reports it
		return nil
	case t.Leaf().Kind == model.Opaque:
		if !b.refused[f] { // by another form
			b.errorf(f.Pos, "%s has the type %s, which mrgen can't write into %s: use apiextensionsv1.JSON",
				f.Name, cmp.Or(t.Leaf().Name, t.Leaf().Basic), b.name.Name)
		}
		b.refused[f] = true
		return nil
	case t.Kind == model.Struct && t.Name == "":
		b.errorf(f.Pos, "%s has a struct type without a name, which the schema of a CRD can't express: declare a type for it", f.Name)
		return nil
	case b.form.keeps(t):
		return t
	case model.Named(f.Markers, markers.Schemaless) != nil && !t.Leaf().Generic: // without a schema, nothing in it is required
		return t
	}
	if cycle := b.cycle(t); cycle != nil {
		b.errorf(f.Pos, "%s makes %s recursive (%s), which the schema of a CRD can't express: use apiextensions JSON at some level",
			f.Name, cycle[0], strings.Join(cycle, " → "))
		return nil
	}
	if t.Kind == model.Struct {
		return b.convertStruct(f, t)
	}
	b.sources = append(b.sources, t)
	defer func() { b.sources = b.sources[:len(b.sources)-1] }()
	return b.convertElements(f, t)
}

// convertElements returns the form's type for a type other than a struct.
func (b *fieldBuilder) convertElements(f *model.Field, t *model.Type) *model.Type {
	switch t.Kind {
	case model.Pointer:
		elem := b.convert(f, t.Elem)
		if elem == nil || elem.Kind == model.Pointer {
			return elem
		}
		return &model.Type{Kind: model.Pointer, Elem: elem}
	case model.Slice:
		if elem := b.convert(f, t.Elem); elem != nil {
			return &model.Type{Kind: model.Slice, Elem: elem}
		}
		return nil
	case model.Map:
		key, elem := b.convert(f, t.Key), b.convert(f, t.Elem)
		if key == nil || elem == nil {
			return nil
		}
		return &model.Type{Kind: model.Map, Key: key, Elem: elem}
	default:
		return &model.Type{Kind: model.Basic, Name: t.Basic, Basic: t.Basic}
	}
}

// convertStruct returns a reference to the form's type for a struct.
func (b *fieldBuilder) convertStruct(f *model.Field, t *model.Type) *model.Type {
	part := b.derive(b.form, t, b.name.Package)
	if part.empty() && part.uses == nil {
		b.omit(f, reasonEmpty)
		return nil
	}
	part.within = b.declaration
	of := part.name.Package
	return &model.Type{Kind: model.Struct, Name: part.name.Name, Package: of, PackageName: b.packages[of].Name, Local: true}
}
