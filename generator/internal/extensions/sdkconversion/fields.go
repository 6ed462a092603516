package sdkconversion

import (
	"go/types"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

// A field is a struct's field, an embedded struct's, or a value behind a getter and a setter.
type field struct {
	marks
	name string
	typ  types.Type
	pos  diag.Position
	// owner is the name of the struct that declares the field.
	owner string
	// names are the names of the field in Go and in tags, without case and underscores.
	names []string
	// path are the fields that lead to it.
	path []part
	// get and set are methods in place of a Go field. saysSet means that get also returns whether the value is
	// set. takes is the type of set's parameter.
	get, set string
	saysSet  bool
	takes    types.Type
	// alternative is set if the field is a member of a oneof.
	alternative *alternative
	// isForced is set if the struct lists the fields to send even if they are empty, as Google's generator writes it.
	isForced bool
	// omitsZero is set if the tags omit unset values.
	omitsZero, immutable bool
	// enum are the values of a marker for an enumeration.
	enum []string
}

// A part is a field on the way to another.
type part struct {
	name string
	typ  types.Type
	// isMarked is set if a marker names the field on its path.
	isMarked bool
}

// label names a field as messages do.
func (f *field) label() string { return strings.TrimPrefix(f.owner+"."+f.name, ".") }

// way returns the names of the fields that lead to a field, and its own.
func (f *field) way() string {
	return strings.Join(append(each(f.path, func(p part) string { return p.name }), f.name), ".")
}

// structFields returns the fields of a struct, including fields of the structs named in within.
func (w *writer) structFields(t types.Type, within []string) []*field {
	key := types.TypeString(gotypes.Deref(t), nil) + "|" + strings.Join(within, ",")
	if known, ok := w.fields[key]; ok {
		return known
	}
	var found []*field
	w.visit(gotypes.Deref(t), nil, within, &found)
	w.fields[key] = found
	return found
}

func (w *writer) visit(t types.Type, way []part, within []string, found *[]*field) {
	s := gotypes.StructOf(t)
	if s == nil || len(way) > 5 { // a struct that embeds itself has no end
		return
	}
	owner := "struct"
	if named := gotypes.NamedOf(t); named != nil {
		owner = named.Obj().Name()
	}
	isForced := Forces(s)
	for i := range s.NumFields() {
		v, tag := s.Field(i), reflect.StructTag(s.Tag(i))
		jsonTag := tag.Get("json")
		switch {
		case jsonTag == "-":
			continue
		case !v.Exported():
			// encoding/json writes these fields, and a literal in another package can't name them.
			if v.Embedded() && gotypes.StructOf(v.Type()) != nil && w.isAPI(t) {
				w.errorf(w.program.Files.Position(v.Pos()), "%s embeds %s, whose fields conversions would leave out: export the struct", owner, v.Name())
			}
			continue
		}
		holds := gotypes.StructOf(v.Type()) != nil && !gotypes.IsTime(gotypes.Deref(v.Type()))
		// encoding/json inlines an embedded struct only without a name.
		isInline := v.Embedded() && (jsonTag == "" || jsonTag[0] == ',')
		isNamed := func(name string) bool { return gotypes.PlainName(name) == gotypes.PlainName(v.Name()) }
		next := append(slices.Clip(way), part{name: v.Name(), typ: v.Type()})
		switch {
		case holds && isInline:
			w.visit(gotypes.Deref(v.Type()), next, within, found)
		case holds && slices.ContainsFunc(within, isNamed):
			w.visit(gotypes.Deref(v.Type()), next, nil, found)
		case w.visitOneof(v, way, owner, found):
		default:
			f := &field{
				name:      v.Name(),
				typ:       v.Type(),
				owner:     owner,
				path:      way,
				pos:       w.program.Files.Position(v.Pos()),
				names:     gotypes.FieldNames(v, tag),
				omitsZero: strings.Contains(jsonTag, "omitempty") || strings.Contains(jsonTag, "omitzero"),
				isForced:  isForced,
			}
			w.readComment(f, v)
			*found = append(*found, f)
		}
	}
	w.visitMethods(t, way, owner, found)
}

// forced is the field with the names of the fields that a struct of Google's generator sends even if they are empty.
const forced = "ForceSendFields"

// Forces reports whether a struct has such a field.
func Forces(s *types.Struct) bool {
	return slices.ContainsFunc(slices.Collect(s.Fields()), func(v *types.Var) bool {
		list, isList := v.Type().(*types.Slice)
		return v.Name() == forced && isList && gotypes.IsString(list.Elem())
	})
}

// visitMethods adds the values behind getters and setters, where the struct has no exported field of that name.
func (w *writer) visitMethods(t types.Type, way []part, owner string, found *[]*field) {
	named := gotypes.NamedOf(t)
	if named == nil {
		return
	}
	for m := range named.Methods() {
		name, isGetter := strings.CutPrefix(m.Name(), "Get")
		result, saysSet := getter(t, m.Name())
		if saysSet {
			name = strings.TrimSuffix(name, "Ok")
		} else if _, other := getter(t, m.Name()+"Ok"); other {
			continue // GetXOk says more
		}
		switch {
		case !isGetter, name == "", result == nil, !hides(gotypes.StructOf(t), name): // the field itself can be read
			continue
		}
		f := &field{
			name:    name,
			typ:     result,
			owner:   owner,
			path:    way,
			pos:     w.program.Files.Position(m.Pos()),
			names:   []string{gotypes.PlainName(name)},
			get:     m.Name(),
			saysSet: saysSet,
		}
		if f.takes = setter(t, "Set"+name); f.takes != nil {
			f.set = "Set" + name
		}
		*found = append(*found, f)
	}
}

// hides reports whether a struct has only an unexported field of a name, as opaque protobuf messages do.
func hides(s *types.Struct, name string) bool {
	all := slices.Collect(s.Fields())
	// Open protobuf messages have a field state of their own beside State.
	if slices.ContainsFunc(all, func(v *types.Var) bool { return v.Name() == name }) {
		return false
	}
	return slices.ContainsFunc(all, func(v *types.Var) bool {
		return !v.Exported() && gotypes.PlainName(strings.TrimPrefix(v.Name(), "xxx_hidden_")) == gotypes.PlainName(name)
	})
}

// readComment reads the markers above a field in the module.
func (w *writer) readComment(f *field, v *types.Var) {
	// Markers in the SDK are other tools'.
	if !load.InModule(f.pos.File) {
		return
	}
	// The file's own lines are read, so ignore //line comments.
	at := w.program.Files.Fset.PositionFor(v.Pos(), false)
	lines, known := w.lines[at.Filename]
	if !known {
		content, _ := w.program.Read(at.Filename) // which has been parsed
		lines = strings.Split(string(content), "\n")
		w.lines[at.Filename] = lines
	}
	for n := at.Line - 2; n >= 0 && strings.HasPrefix(strings.TrimSpace(lines[n]), "//"); n-- {
		text, found := gosyntax.MarkerText(strings.TrimSpace(lines[n]))
		switch {
		case !found:
		case text == markers.Immutable: // a convention of Crossplane: updates need not send the field
			f.immutable = true
		case readEnum(text) != nil:
			f.enum = readEnum(text)
		default:
			pos := diag.Position{File: f.pos.File, Line: f.pos.Line - (at.Line - 1 - n), Column: strings.Index(lines[n], "//") + 1}
			w.mark(&f.marks, text, pos, f.name, markers.Field)
		}
	}
	// A mirror has its field's markers: a field that no request takes may still be observed.
	if f.find(markers.ConvertIgnore, f.name) != nil && isGenerated(f.pos) {
		f.marks.names, f.optional = nil, true
	}
}

// isGenerated reports whether a place is in a file that mrgen writes.
func isGenerated(pos diag.Position) bool {
	return strings.HasPrefix(path.Base(pos.File), "zz_generated.")
}
