package linter

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// A visit identifies a struct whose fields are listed once.
type visit struct {
	of   *model.Type
	part Part
	list bool
}

// A walker lists the fields of a kind.
type walker struct {
	kind    *Kind
	parts   map[*model.Type]Part
	seen    map[visit]bool
	structs map[*model.Type]*siblings
	// isOwn reports whether mrgen writes a file.
	isOwn func(file string) bool
}

func (w *walker) object() {
	for _, f := range w.kind.Object.Type.Fields {
		switch {
		case f.Inline || f.Ignored || f.JSONName == "metadata" || f.JSONName == "": // not part of spec or status
		case !w.kind.Managed():
			w.field(&Field{
				Field:           f,
				Kind:            w.kind,
				Part:            Other,
				DeclaringStruct: w.kind.Object.Type,
				JSONParent:      w.kind.Object.Type,
				siblings:        &siblings{},
			})
		case f == w.kind.Object.Spec:
			w.structure(f.Type, &Field{Part: Spec, path: schema.Properties("spec")}, nil, true)
		case f == w.kind.Object.Status:
			w.structure(f.Type, &Field{Part: Status, path: schema.Properties("status")}, nil, true)
		}
	}
}

// structure lists the fields of a struct. in has the part, the list and the path that the struct is in. above
// is the field with the struct, or nil.
func (w *walker) structure(t *model.Type, in, above *Field, top bool) {
	outer := t.Leaf()
	v := visit{outer, in.Part, in.List != nil}
	// Encoding itself hides the fields.
	if outer.Kind != model.Struct || outer.Marshals || w.seen[v] {
		return
	}
	w.seen[v] = true
	fields := w.fieldsOf(outer)
	for _, s := range fields.structs {
		w.parts[s] |= in.Part
	}
	for i, f := range fields.fields {
		next := &Field{
			Field:           f,
			Kind:            w.kind,
			Part:            in.Part,
			DeclaringStruct: fields.owners[i],
			JSONParent:      outer,
			ParentField:     above,
			List:            in.List,
			above:           above,
			path:            in.path,
			siblings:        fields,
		}
		if top {
			next.ParentField = nil
		}
		w.field(next)
	}
}

// fieldsOf returns the fields of a struct in JSON.
func (w *walker) fieldsOf(outer *model.Type) *siblings {
	if known := w.structs[outer]; known != nil {
		return known
	}
	all := &siblings{values: map[string]*model.Field{}}
	w.structs[outer] = all
	for s, f := range outer.Inlined() {
		if !slices.Contains(all.structs, s) {
			all.structs = append(all.structs, s)
		}
		isHidden := s != outer && outer.Field(f.JSONName) != f // by a field of the same name
		if f.Inline || f.Ignored || f.JSONName == "" || isHidden {
			continue
		}
		all.fields, all.owners = append(all.fields, f), append(all.owners, s)
		if reference, selector := f.ReferenceNames(); reference != "" {
			all.values[reference], all.values[selector] = f, f
		}
	}
	return all
}

// field lists a field and the fields below it.
func (w *walker) field(f *Field) {
	part, isPart := partOf(f)
	if f.DeclaringStruct.Local && !IsOutside(f.Pos) && !isPart && !w.isOwn(f.Pos.File) {
		w.kind.Fields = append(w.kind.Fields, f) // generated fields can't be corrected
	}
	in := &Field{Part: f.Part, List: f.List}
	if isPart {
		f.Part, in.Part = part, part
	}
	for t, depth := f.Type.Deref(), 0; t.Elem != nil && depth < longestPath; t, depth = t.Elem.Deref(), depth+1 {
		if t.Kind == model.Slice && t.Elem.Deref().Kind == model.Struct && !isListMap(f.Field) {
			in.List = f
		}
	}
	w.structure(f.Type, in, f, isPart)
}

// partOf returns the part that a field of spec or status is, and whether it is one.
func partOf(f *Field) (Part, bool) {
	switch {
	case f.ParentField != nil: // nested deeper than spec and status
	case f.Part == Spec && f.JSONName == "forProvider":
		return ForProvider, true
	case f.Part == Spec && f.JSONName == "initProvider":
		return InitProvider, true
	case f.Part == Status && f.JSONName == "atProvider":
		return AtProvider, true
	}
	return f.Part, false
}

// isListMap reports whether keys identify the items of a list.
func isListMap(f *model.Field) bool {
	return slices.ContainsFunc(slices.Concat(f.Markers, f.Type.Deref().Markers), func(m model.Marker) bool {
		name := m.Name()
		return (name == markers.ListType || name == markers.K8sListType) && strings.HasSuffix(m.Text, "=map")
	})
}

// Words returns a comment as one line.
func Words(doc string) string { return strings.Join(strings.Fields(doc), " ") }

// IsOutside reports whether the author can't edit a position.
func IsOutside(p diag.Position) bool { return !p.IsValid() || p.IsOutside() }
