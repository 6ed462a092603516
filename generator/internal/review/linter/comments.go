package linter

import (
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/markers"
)

// A Straying comment has a marker that counts for what follows, though it stands below something else, or a line that is nearly one.
type Straying struct {
	Pos diag.Position
	// Text is the marker, without a plus sign. Written is the text in its place, if it is nearly one.
	Text, Written string
	// Below is the declaration above the marker, and Above the one that it counts for.
	Below, Above string
}

// bareNames matches a line that is a bare marker with another beginning.
var bareNames = regexp.MustCompile(`^[-@#$!]*(optional|required|nullable|immutable)$`)

// Straying returns the mistakes in the comments of hand-written API types, in the order of the source.
func (a *API) Straying() []Straying {
	var all []Straying
	for _, f := range a.sources() {
		if !f.isAPI || artifact.Owned(f.content) {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f.name, f.content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // which the compiler reports
		}
		for nodes := range sequences(file) {
			all = append(all, stranded(fset, f.name, file.Comments, nodes)...)
			for _, n := range nodes {
				if doc := docOf(n); doc != nil {
					all = append(all, nearly(fset, f.name, doc)...)
				}
			}
		}
	}
	return all
}

// sequences yields the declarations of a file, and the fields of each of its structs.
func sequences(file *ast.File) iter.Seq[[]ast.Node] {
	return func(yield func([]ast.Node) bool) {
		var declarations []ast.Node
		for _, d := range file.Decls {
			declarations = append(declarations, d)
		}
		if !yield(declarations) {
			return
		}
		for n := range ast.Preorder(file) {
			if s, ok := n.(*ast.StructType); ok {
				var fields []ast.Node
				for _, f := range s.Fields.List {
					fields = append(fields, f)
				}
				if !yield(fields) {
					return
				}
			}
		}
	}
}

// docOf returns the comment right above a field or declaration, or nil.
func docOf(n ast.Node) *ast.CommentGroup {
	switch n := n.(type) {
	case *ast.Field:
		return n.Doc
	case *ast.GenDecl:
		return n.Doc
	}
	return nil
}

// nameOf returns what a field or declaration declares, or "".
func nameOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Field:
		if len(n.Names) > 0 {
			return n.Names[0].Name
		}
		_, name := gosyntax.Selected(n.Type)
		return name
	case *ast.GenDecl:
		if spec, ok := n.Specs[0].(*ast.TypeSpec); ok {
			return spec.Name.Name
		}
	}
	return ""
}

// stranded returns the markers between two of some nodes that touch the first one, and not the second, for which they count.
func stranded(fset *token.FileSet, name string, comments []*ast.CommentGroup, nodes []ast.Node) []Straying {
	var all []Straying
	line := func(p token.Pos) int { return fset.Position(p).Line }
	for i := range max(len(nodes)-1, 0) {
		below, above := nodes[i], nodes[i+1]
		for _, group := range comments {
			isBetween := group.Pos() > below.End() && group.End() < above.Pos()
			if !isBetween || group == docOf(above) || nameOf(above) == "" || line(group.Pos()) != line(below.End())+1 {
				continue
			}
			for comment, text := range gosyntax.Markers(group) {
				if markers.IsRead(text) {
					at := positionIn(fset, name, comment.Pos()+token.Pos(strings.IndexByte(comment.Text, '+')))
					all = append(all, Straying{Pos: at, Text: text, Below: nameOf(below), Above: nameOf(above)})
				}
			}
		}
	}
	return all
}

// nearly returns the lines of a comment that lack the plus sign of a marker, or have another sign in its place.
func nearly(fset *token.FileSet, name string, doc *ast.CommentGroup) []Straying {
	var all []Straying
	var have []string
	for _, text := range gosyntax.Markers(doc) {
		have = append(have, strings.ToLower(text[strings.LastIndexByte(text, ':')+1:]))
	}
	for i, comment := range doc.List {
		written := lineOf(comment)
		match := bareNames.FindStringSubmatch(written)
		isWord := match != nil && match[1] == written
		if match == nil || slices.Contains(have, match[1]) || isWord && !isSentence(doc.List, i) {
			continue
		}
		at := positionIn(fset, name, comment.Pos()+token.Pos(strings.Index(comment.Text, written)))
		all = append(all, Straying{Pos: at, Text: match[1], Written: written})
	}
	return all
}

// lineOf returns the text of a line of a comment.
func lineOf(comment *ast.Comment) string {
	return strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
}

// isSentence reports whether a line of a comment neither continues a sentence nor is continued.
func isSentence(lines []*ast.Comment, i int) bool {
	textOf := func(i int) string { return lineOf(lines[i]) }
	ends := i == 0 || textOf(i-1) == "" || strings.ContainsRune(".:!?)", rune(textOf(i - 1)[len(textOf(i-1))-1]))
	_, isBelowMarker := gosyntax.MarkerText(lines[max(i-1, 0)].Text)
	begins := i == len(lines)-1 || textOf(i+1) == "" || strings.HasPrefix(textOf(i+1), "+")
	return (ends || isBelowMarker) && begins
}
