package fixes

import (
	"cmp"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
)

// Edit makes the edits of findings, each once. If a finding would make a field in keep a pointer, all its edits
// are left out. If requiredRules is set, generate writes rules for the required fields of forProvider.
//
// Edit returns the edited files, and the fields in them that are pointers now, or none if a diagnostic is an
// error.
func Edit(
	source Source, findings [][]diag.Edit, requiredRules bool, keep map[model.FieldName]bool,
) (*artifact.Set, []model.FieldName, diag.List, error) {
	l := &findingFix{
		editor: newEditor(source.Root),
		texts:  map[string]*goedit.Text{},
		done:   map[diag.Position][]string{},
		fields: map[diag.Position]declared{},
	}
	l.references = &referenceFix{editor: l.editor, uses: findUses(source.Model, requiredRules)}
	for owner := range l.references.uses {
		for _, f := range owner.Fields {
			l.fields[f.Pos] = declared{f, owner}
		}
	}
	var edits []diag.Edit
	for _, f := range findings {
		isKept := slices.ContainsFunc(f, func(e diag.Edit) bool { return e.Pointer && keep[fieldName(e)] })
		if !isKept {
			edits = append(edits, f...)
		}
	}
	// Markers at one place are sorted by name, so that the order of the rules doesn't matter.
	slices.SortStableFunc(edits, func(a, b diag.Edit) int {
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

// A findingFix makes the edits of findings.
type findingFix struct {
	*editor
	references *referenceFix
	// fields are the fields of the model by position.
	fields map[diag.Position]declared
	texts  map[string]*goedit.Text
	// done are the edits made at each position.
	done     map[diag.Position][]string
	pointers []model.FieldName
}

// A declared field is a field with the struct that declares it.
type declared struct {
	field *model.Field
	owner *model.Type
}

func fieldName(e diag.Edit) model.FieldName {
	return model.FieldName{Package: e.Package, Struct: e.Struct, Field: e.Field}
}

// isFirst reports whether an edit is the first of its kind at a position, and remembers it.
func (l *findingFix) isFirst(at diag.Position, kind string) bool {
	if slices.Contains(l.done[at], kind) {
		return false
	}
	l.done[at] = append(l.done[at], kind)
	return true
}

func (l *findingFix) edit(e diag.Edit) {
	switch {
	case e.Lines != nil:
		l.addLines(e)
	case e.Remove != "":
		// Several rules may remove the same marker.
		if f := l.open(e.Pos.File); f != nil && l.isFirst(e.Pos, e.With) {
			with := e.With
			if with != "" {
				with = "+" + with
			}
			if !f.ReplaceComment(e.Pos.Line, e.Pos.Column, "+"+e.Remove, with) {
				l.errorf(e.Pos,
					"the marker cannot be edited, since it is not at this place: write it on a line of its own, without line directives in the file")
			}
		}
	case e.Field == "":
		if f := l.open(e.Pos.File); f != nil && l.isFirst(e.Pos, e.Add) {
			isOne := func(t *ast.TypeSpec) bool { return t.Name.Name == e.Struct }
			if !f.InsertMarkerBeforeType("// +"+e.Add, isOne) {
				l.errorf(e.Pos, "the type cannot be edited, since it is not at this place: remove the line directives of the file")
			}
		}
	default:
		l.field(e)
	}
}

// field edits a field.
func (l *findingFix) field(e diag.Edit) {
	d := l.editor.field(e.Pos, e.Field)
	if d == nil || !l.isFirst(e.Pos, fmt.Sprint(e.Add, e.Option, e.Pointer)) {
		return
	}
	switch {
	case e.OmitReferenced:
		in, ok := l.fields[e.Pos]
		if !ok { // the source has changed since the finding
			l.errorf(e.Pos, "the field %s is not part of a kind any more: run mrgen lint again", e.Field)
			return
		}
		reference, _ := in.field.ReferenceNames()
		l.references.omit(&value{Field: d, model: in.field, owner: in.owner, reference: reference})
	case e.Add != "":
		d.InsertMarker("// +" + e.Add)
	case e.Option != "":
		d.AddOption(e.Option)
	case e.Pointer:
		d.MakePointer()
		l.pointers = append(l.pointers, fieldName(e))
	}
}

// addLines adds lines to a file that isn't Go source.
func (l *findingFix) addLines(e diag.Edit) {
	t := l.texts[e.Pos.File]
	if t == nil {
		content, err := os.ReadFile(filepath.Join(l.root, filepath.FromSlash(e.Pos.File)))
		if err != nil {
			l.errorf(diag.Position{File: e.Pos.File}, "the file cannot be edited: %v", diag.Cause(err))
			return
		}
		t = goedit.NewText(content)
		l.texts[e.Pos.File] = t
	}
	t.InsertLines(e.Pos.Line, e.Lines...)
}
