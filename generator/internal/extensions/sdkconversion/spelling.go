package sdkconversion

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// readEnum returns the values of a marker for an enumeration of texts, or nil.
func readEnum(text string) []string {
	for _, name := range []string{markers.Enum, markers.ItemsEnum} {
		if list, found := strings.CutPrefix(text, name+"="); found {
			return each(strings.Split(list, ";"), func(value string) string { return strings.Trim(value, "\"` ") })
		}
	}
	return nil
}

// constants returns the texts that the type of a field declares as constants. Types alone are checked, so these are syntax.
func (w *writer) constants(f *field) []string {
	named := gotypes.NamedOf(gotypes.Leaf(f.typ))
	if named == nil || !gotypes.IsString(named) {
		return nil
	}
	pkg := w.program.Find(w.checked.Dir, named.Obj().Pkg().Path())
	if pkg == nil {
		return nil
	}
	var all []string
	for _, file := range pkg.Parse() {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				spec := spec.(*ast.ValueSpec)
				of, _ := spec.Type.(*ast.Ident)
				for _, value := range spec.Values {
					if literal, ok := value.(*ast.BasicLit); ok && of != nil && of.Name == named.Obj().Name() {
						text, _ := strconv.Unquote(literal.Value) // which Go has parsed
						all = append(all, text)
					}
				}
			}
		}
	}
	return all
}

// checkSpelling reports values of the kind that the SDK spells otherwise: a conversion copies the text.
func (w *writer) checkSpelling(f *function, s *step) {
	kind, other := s.kind, s.sdk
	if kind == nil || other == nil || isGenerated(kind.pos) || s.value.callsAuthor() {
		return
	}
	values := slices.Concat(kind.enum, w.constants(kind))
	if len(values) == 0 {
		return
	}
	known := w.constants(other)
	for _, value := range values {
		i := slices.IndexFunc(known, func(text string) bool { return gotypes.PlainName(text) == gotypes.PlainName(value) })
		if i < 0 || slices.Contains(known, value) {
			continue
		}
		w.errorf(w.placeOf(kind, f.method), "%s may be %s, which %s spells %s: spell it so, or write a function for the two types, marked +%s",
			kind.label(), value, other.label(), known[i], markers.Convert)
	}
}

// callsAuthor reports whether a function of the author converts a value, or its items.
func (v *value) callsAuthor() bool {
	return v != nil && (v.way == byFunction && v.function.byHand != nil || v.elem.callsAuthor())
}
