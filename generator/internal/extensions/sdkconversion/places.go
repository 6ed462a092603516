package sdkconversion

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// tests returns the package's test files. Generated functions must not take their names.
func (w *writer) tests() []*ast.File {
	var all []*ast.File
	for _, name := range w.program.Built(w.checked.Dir, true) {
		if file, err := w.program.ParseFile(name, false); err == nil && file.Name.Name == w.checked.Types.Name() {
			all = append(all, file)
		}
	}
	return all
}

// isReserved reports whether a function can't have a name though the package doesn't declare it: Go predeclares
// it, or a file imports a package of that name.
func (w *writer) isReserved(name string) bool {
	return name == "init" || types.Universe.Lookup(name) != nil || slices.ContainsFunc(w.checked.Files, func(file *ast.File) bool {
		return w.checked.Types.Scope().Innermost(file.Name.Pos()).Lookup(name) != nil
	})
}

// checkPlaces reports markers that nothing has read.
func (w *writer) checkPlaces() {
	for _, file := range w.checked.Files {
		for node := range ast.Preorder(file) {
			if s, isStruct := node.(*ast.StructType); isStruct { // may be a kind's
				w.noteRead(s.Fields, func(string) bool { return true })
			}
		}
		if w.checkMarkers(file) {
			continue // what a misspelt marker would begin counts nowhere
		}
		for c, text := range gosyntax.Markers(file.Comments...) {
			if name, _, _ := strings.Cut(text, "="); !w.counted[c] && (declares(text) || strings.HasPrefix(name, markers.Convert+":")) {
				w.errorf(w.program.Files.Position(c.Pos()),
					"+%s counts nowhere here: write +%s right above an interface or a function, and others right above a method of such an interface",
					strings.TrimSpace(name), markers.Convert)
			}
		}
	}
}

// checkMarkers reports misspelt markers of mrgen's, and whether there are any.
func (w *writer) checkMarkers(file *ast.File) (found bool) {
	for c, text := range gosyntax.Markers(file.Comments...) {
		if value, problem := markers.Parse(text); value == nil && problem != nil && problem.Kind == markers.Misspelt {
			w.errorf(w.program.Files.Position(c.Pos()), "%s", problem.Message)
			found = true
		}
	}
	return found
}

// noteRead notes the markers above fields or methods that are read there.
func (w *writer) noteRead(fields *ast.FieldList, reads func(text string) bool) {
	for _, f := range fields.List {
		w.note(f.Doc, reads)
	}
}

// note notes the markers of a comment that are read there, and reports whether there are any.
func (w *writer) note(doc *ast.CommentGroup, reads func(text string) bool) (found bool) {
	for c, text := range gosyntax.Markers(doc) {
		if reads(text) {
			w.counted[c], found = true, true
		}
	}
	return found
}

// checkMirrored reports fields that no conversion takes, and that are mirrored: Diff would name them for ever.
func (w *writer) checkMirrored() {
	unfilled := map[string]bool{}
	for _, m := range w.written() {
		if m.sends {
			continue
		}
		for _, f := range w.structFields(m.to, nil) {
			// Only what mirrors a field with the marker may stay unfilled.
			if isGenerated(f.pos) && !w.converts(m, f) {
				unfilled[strings.TrimPrefix(f.label(), "Observed")] = true
			}
		}
	}
	for _, m := range w.written() {
		for _, t := range m.types(true) {
			for _, f := range w.structFields(t, m.withinFor(true)) {
				of := f.find(markers.ConvertIgnore, f.name)
				if of != nil && unfilled[f.label()] && !isGenerated(of.pos) {
					w.errorf(of.pos, "no conversion takes %s, and spec.Diff would name it for ever: mark it +%s=false as well", f.label(), markers.Mirror)
				}
			}
		}
	}
}

// checkNames reports markers of methods that name nothing in what the method converts.
func (w *writer) checkNames() {
	fieldsOf := func(all []types.Type, within []string) (fields []*field) {
		for _, t := range all {
			fields = append(fields, w.structFields(t, within)...)
		}
		return fields
	}
	var labels []string
	for _, f := range w.functions {
		labels = append(labels, each(fieldsOf(f.types(true), f.withinFor(true)), (*field).label)...)
	}
	for _, m := range w.written() {
		fields := names(fieldsOf(m.types(true), m.withinFor(true)))
		for _, of := range m.names {
			isNamed := func(name string) bool { return name == of.name }
			known := fields
			switch of.kind {
			case markers.ConvertIgnore: // of a struct within the kind's, too
				known = slices.Concat(fields, labels)
			case markers.ConvertField:
				known = slices.Concat(fields, each(m.arguments, (*types.Var).Name))
			case markers.ConvertIn:
				isOther := func(f *field) bool { return gotypes.StructOf(f.typ) == nil }
				known = names(slices.DeleteFunc(fieldsOf(slices.Concat(m.types(true), m.types(false)), nil), isOther))
				isNamed = func(name string) bool { return gotypes.PlainName(name) == gotypes.PlainName(of.name) }
			}
			if !slices.ContainsFunc(known, isNamed) {
				w.errorf(of.pos, "%s converts no field %s%s: correct the marker", m.name, of.name, nearest(of.name, known))
			}
		}
	}
}
