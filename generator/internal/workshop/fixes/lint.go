package fixes

import (
	"cmp"
	"go/ast"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
)

// Lint makes the edits of findings, each once. The fields in keep don't become pointers, nor
// are they edited otherwise for a finding that asks for that. Whether rules stand for required
// fields of forProvider is up to the settings of the run.
//
// Lint returns the edited files, and the fields in them that are pointers now; none if a
// diagnostic is an error.
func Lint(source Source, findings []linter.Finding, requiredRules bool, keep map[model.FieldName]bool) (*artifact.Set, []model.FieldName, diag.List, error) {
	l := &lintFix{editor: newEditor(source.Root), texts: map[string]*goedit.Text{}, done: map[lintEdit]bool{}}
	l.references = &referenceFix{editor: l.editor, uses: findUses(source.Model, requiredRules)}
	var edits []linter.Edit
	for _, f := range findings {
		isKept := slices.ContainsFunc(f.Edits, func(e linter.Edit) bool { return e.Pointer && keep[fieldName(e)] })
		if !isKept {
			edits = append(edits, f.Edits...)
		}
	}
	// Markers at one place are sorted by their names, whatever they were found by.
	slices.SortStableFunc(edits, func(a, b linter.Edit) int {
		return cmp.Compare(goedit.MarkerName("// +"+a.Add), goedit.MarkerName("// +"+b.Add))
	})
	for _, e := range edits {
		l.edit(e)
	}
	set, diags, err := l.set()
	if err != nil || diags.HasErrors() {
		return set, nil, diags, err
	}
	for name, text := range l.texts {
		content, err := text.Bytes()
		if err != nil {
			return nil, nil, nil, err
		}
		if err := set.Add(name, content); err != nil {
			return nil, nil, nil, err
		}
	}
	return set, l.pointers, diags, nil
}

// A lintFix makes edits.
type lintFix struct {
	*editor
	references *referenceFix
	texts      map[string]*goedit.Text
	done       map[lintEdit]bool
	pointers   []model.FieldName
}

// A lintEdit tells edits apart, so that each is made once.
type lintEdit struct {
	at      diag.Position
	what    string
	pointer bool
}

func fieldName(e linter.Edit) model.FieldName {
	return model.FieldName{Package: e.Owner.Package, Struct: e.Owner.Name, Field: e.Field.Name}
}

// isFirst reports whether there was no such edit yet.
func (l *lintFix) isFirst(at diag.Position, what string, pointer bool) bool {
	e := lintEdit{at, what, pointer}
	first := !l.done[e]
	l.done[e] = true
	return first
}

func (l *lintFix) edit(e linter.Edit) {
	switch {
	case e.File != "":
		l.addLines(e)
	case e.Remove != nil:
		if f := l.open(e.Remove.Pos.File); f != nil && l.isFirst(e.Remove.Pos, e.With, false) {
			with := e.With
			if with != "" {
				with = "+" + with
			}
			if !f.ReplaceComment(e.Remove.Pos.Line, e.Remove.Pos.Column, "+"+e.Remove.Text, with) {
				l.errorf(e.Remove.Pos, "the marker cannot be edited, since it is not at this place: write it on a line of its own, without line directives in the file")
			}
		}
	case e.Type != nil:
		if f := l.open(e.Type.Pos.File); f != nil && l.isFirst(e.Type.Pos, e.Add, false) {
			isOne := func(t *ast.TypeSpec) bool { return t.Name.Name == e.Type.Name }
			if !f.InsertMarkerBeforeType("// +"+e.Add, isOne) {
				l.errorf(e.Type.Pos, "the type cannot be edited, since it is not at this place: remove the line directives of the file")
			}
		}
	default:
		l.field(e)
	}
}

// field edits a field.
func (l *lintFix) field(e linter.Edit) {
	d := l.editor.field(e.Field)
	if d == nil || !l.isFirst(e.Field.Pos, e.Add+e.Option, e.Pointer) {
		return
	}
	switch {
	case e.Value:
		reference, _ := e.Field.ReferenceNames()
		l.references.omit(&value{Field: d, model: e.Field, owner: e.Owner, reference: reference})
	case e.Add != "":
		d.InsertMarker("// +" + e.Add)
	case e.Replaced != "":
		d.ReplaceOption(e.Replaced, e.Option)
	case e.Option != "":
		d.AddOption(e.Option)
	case e.Pointer:
		d.MakePointer()
		l.pointers = append(l.pointers, fieldName(e))
	}
}

// addLines adds lines to a file that is no Go source.
func (l *lintFix) addLines(e linter.Edit) {
	t := l.texts[e.File]
	if t == nil {
		content, err := os.ReadFile(filepath.Join(l.root, filepath.FromSlash(e.File)))
		if err != nil {
			l.errorf(diag.Position{File: e.File}, "the file cannot be edited: %v", diag.Cause(err))
			return
		}
		t = goedit.NewText(content)
		l.texts[e.File] = t
	}
	t.InsertLines(e.Line, e.Lines...)
}
