package gosyntax

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"slices"
	"strings"
)

// Types iterates over the types that a file declares, each with its declaration group.
func Types(file *ast.File) iter.Seq2[*ast.GenDecl, *ast.TypeSpec] {
	return func(yield func(*ast.GenDecl, *ast.TypeSpec) bool) {
		for _, decl := range file.Decls {
			if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.TYPE {
				for _, spec := range group.Specs {
					if !yield(group, spec.(*ast.TypeSpec)) {
						return
					}
				}
			}
		}
	}
}

// Embeds reports whether a type is a struct that embeds a type with that name from another package.
func Embeds(t ast.Expr, name string) bool {
	of, ok := t.(*ast.StructType)
	return ok && slices.ContainsFunc(of.Fields.List, func(field *ast.Field) bool {
		selector, ok := field.Type.(*ast.SelectorExpr)
		return ok && len(field.Names) == 0 && selector.Sel.Name == name
	})
}

// MarkerText returns the text after the plus sign of a marker comment.
func MarkerText(comment string) (text string, found bool) {
	line, found := strings.CutPrefix(comment, "//")
	if !found { // only line comments are markers
		return "", false
	}
	return strings.CutPrefix(strings.TrimSpace(line), "+")
}

// Markers iterates over the markers in comments, which may be nil, with the text after the plus sign.
func Markers(groups ...*ast.CommentGroup) iter.Seq2[*ast.Comment, string] {
	return func(yield func(*ast.Comment, string) bool) {
		for _, group := range groups {
			if group == nil {
				continue
			}
			for _, comment := range group.List {
				if text, found := MarkerText(comment.Text); found && !yield(comment, text) {
					return
				}
			}
		}
	}
}

// IsCode reports whether a comment holds code, apart from markers: a field with a tag, the beginning or end of a block,
// or declarations or statements.
func IsCode(group *ast.CommentGroup) bool {
	var code strings.Builder
	for _, comment := range group.List {
		line := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		switch _, isMarker := MarkerText(comment.Text); {
		case isMarker:
		case strings.Contains(line, "`json:"), strings.HasSuffix(line, "{"), strings.HasSuffix(line, "}"):
			return true
		default:
			code.WriteString(line + "\n")
		}
	}
	if strings.TrimSpace(code.String()) == "" {
		return false
	}
	// It may be fields, declarations or statements.
	return slices.ContainsFunc([]string{"type _ struct {\n%s}", "%s", "func _() {\n%s}"}, func(form string) bool {
		_, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+fmt.Sprintf(form, code.String()), parser.SkipObjectResolution)
		return err == nil
	})
}
