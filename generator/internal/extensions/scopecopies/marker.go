package scopecopies

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/markers"
)

// scopeMarker is a marker that names the scope of a file or a declaration.
type scopeMarker struct {
	pos   token.Pos
	scope string
}

// scopeMarkers returns the markers in comments that name a scope.
func scopeMarkers(groups ...*ast.CommentGroup) []scopeMarker {
	var found []scopeMarker
	for comment, text := range gosyntax.Markers(groups...) {
		if value, _ := markers.Parse(text); value != nil && value.Definition.Name == markers.Scope {
			at := comment.Pos() + token.Pos(strings.IndexByte(comment.Text, '+'))
			found = append(found, scopeMarker{at, value.Text("")})
		}
	}
	return found
}

// checkMarkers reports markers of mrgen in other code than APIs that are misspelt, or that say of which
// scope something is where nothing is declared. Those of APIs are checked with these.
func (c *copier) checkMarkers(p *source) {
	if p.api {
		return
	}
	for _, f := range p.files {
		for comment, text := range gosyntax.Markers(f.syntax.Comments...) {
			c.checkMarker(comment, text)
		}
	}
}

// checkMarker reports a marker of mrgen that can't be read, or that isn't among those that are.
func (c *copier) checkMarker(comment *ast.Comment, text string) {
	at := comment.Pos() + token.Pos(strings.IndexByte(comment.Text, '+'))
	value, problem := markers.Parse(text)
	switch {
	case problem != nil:
		c.errorf(at, "%s", problem.Message)
	case value != nil && value.Definition.Name == markers.Scope && !c.readMarkers[at]:
		c.errorf(at, "the marker +%s describes nothing here: put it above the declaration or the package clause that it is about", markers.Scope)
	}
}

// fileMarkers returns the markers before the package clause of a file.
func fileMarkers(file *ast.File) []scopeMarker {
	after := slices.IndexFunc(file.Comments, func(group *ast.CommentGroup) bool { return group.End() >= file.Package })
	if after < 0 {
		after = len(file.Comments)
	}
	return scopeMarkers(file.Comments[:after]...)
}

// isMarked reports whether one of the markers says that something is of the scope of the
// source. One that names the other scope is wrong.
func (c *copier) isMarked(found []scopeMarker) bool {
	for _, m := range found {
		c.readMarkers[m.pos] = true
		if m.scope != c.scope.String() {
			c.errorf(m.pos, "this is part of the %s scope, from which the other is copied: write +%s=%s for what is not to be copied", c.scope, markers.Scope, c.scope)
		}
	}
	return len(found) > 0
}
