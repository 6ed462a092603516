package apitypes

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// comments describe a type or a field.
type comments struct {
	doc     string
	markers []model.Marker
	// expr is the type of a field in the source. of is the type in the declaration of a type.
	expr, of ast.Expr
	// in is the name of the type whose declaration has the field.
	in token.Pos
	// nameless is set for a field of a struct without a name.
	nameless bool
}

// commentIndex has the comments of packages by the position of the name that
// they describe: a type's, a field's, or a package's in its clause. Embedded
// fields go by the name of their type.
type commentIndex map[token.Pos]*comments

// at returns the comments of a name, or empty ones.
func (i commentIndex) at(name token.Pos) *comments { return cmp.Or(i[name], noComments) }

var noComments = &comments{}

// visit associates the comments of a file with the declarations and fields that they describe. It reports problems with
// markers, and markers that describe nothing.
func (s *Source) visit(file *ast.File) *markerVisitor {
	v := &markerVisitor{
		source:   s,
		index:    commentIndex{},
		comments: file.Comments,
		used:     map[*ast.CommentGroup]bool{},
		atEnd:    map[*ast.CommentGroup]bool{},
		isApart:  map[*ast.CommentGroup]bool{},
		free:     map[*ast.CommentGroup]bool{},
		declared: map[*ast.CommentGroup]bool{}, constants: map[*ast.CommentGroup]bool{},
		// mrgen copies comments into its output. They are checked in the original.
		isOutput: s.isOutput(s.files.Fset.File(file.FileStart).Name()),
	}
	v.packageClause(file)
	previous := file.Name.End()
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
			v.typeDecl(gen, previous)
		}
		for _, doc := range docsOf(decl) {
			v.declared[doc] = true
			gen, isGen := decl.(*ast.GenDecl)
			// the comment above a group in parentheses is not about each constant
			v.constants[doc] = isGen && gen.Tok == token.CONST && (doc != gen.Doc || !gen.Lparen.IsValid())
		}
		previous = decl.End()
	}
	var decls []ast.Decl
	decls, previous = file.Decls, file.Name.End()
	for _, group := range file.Comments {
		for len(decls) > 0 && decls[0].End() <= group.Pos() {
			decls, previous = decls[1:], decls[0].End()
		}
		if v.used[group] {
			continue
		}
		isBeforeAll := len(decls) == 0 || group.End() <= decls[0].Pos() && docOf(decls[0]) != group
		if isBeforeAll && group.Pos() > previous && !v.isBeside(previous, group) {
			// controller-tools reads the markers of comments between declarations as the package's
			v.free[group] = true
		}
		v.unreached(group)
	}
	return v
}

// isOutput reports whether the run writes a file.
func (s *Source) isOutput(file string) bool {
	return s.Program.Scope.Copy(file) != nil || s.Program.Added[s.Program.Scope.Rel(file)]
}

// docOf returns the comment of a declaration, if it has one.
func docOf(decl ast.Decl) *ast.CommentGroup {
	switch decl := decl.(type) {
	case *ast.GenDecl:
		return decl.Doc
	case *ast.FuncDecl:
		return decl.Doc
	}
	return nil
}

// docsOf returns the comments of functions, variables and constants, and the comment above a group in parentheses.
func docsOf(decl ast.Decl) []*ast.CommentGroup {
	docs := []*ast.CommentGroup{docOf(decl)}
	if gen, ok := decl.(*ast.GenDecl); ok {
		for _, spec := range gen.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok {
				docs = append(docs, spec.Doc)
			}
		}
	}
	return docs
}

type markerVisitor struct {
	source   *Source
	index    commentIndex
	comments []*ast.CommentGroup
	// used are the comments that describe something. atEnd are comments at the end of the line that declares a type or a
	// field. isApart are comments before a field that other comments follow. free are comments between declarations:
	// controller-tools reads their markers as the package's.
	used, atEnd, isApart, free map[*ast.CommentGroup]bool
	// declared are comments of functions, variables and constants, and constants are comments of a line of constants.
	declared, constants map[*ast.CommentGroup]bool
	// isOutput is set in files that the run writes.
	isOutput    bool
	diags       diag.List
	corrections []Correction
}

// packageClause records the comments before the package clause of a file.
func (v *markerVisitor) packageClause(file *ast.File) {
	c := &comments{doc: docText(file.Doc)}
	for _, group := range file.Comments {
		if group.End() < file.Package {
			c.markers = append(c.markers, v.collect(group, markers.OnPackage, nil)...)
		}
	}
	v.index[file.Name.Pos()] = c
}

// packageMarkers returns the markers before the package clauses of a package.
func (b *builder) packageMarkers(pkg *loader.Package) []model.Marker {
	var all []model.Marker
	for _, file := range pkg.Syntax {
		b.reached[file.Name.Pos()] = true
		all = append(all, b.index.at(file.Name.Pos()).markers...)
	}
	slices.SortStableFunc(all, func(a, b model.Marker) int { return a.Pos.Compare(b.Pos) })
	return all
}

func (v *markerVisitor) typeDecl(decl *ast.GenDecl, previous token.Pos) {
	grouped := decl.Lparen.IsValid()
	beside := previous
	if grouped {
		// A comment on the line of the parenthesis belongs to the first declaration.
		previous, beside = decl.Lparen, token.NoPos
	}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.TypeSpec)
		doc, start := spec.Doc, spec.Pos()
		if !grouped {
			doc, start = decl.Doc, decl.Pos()
		}
		v.describe(spec.Name.Pos(), nil, doc, start, previous, beside)
		v.index[spec.Name.Pos()].of = spec.Type
		if spec.Comment != nil {
			v.atEnd[spec.Comment] = true
		}
		v.fields(spec.Name.Pos(), spec.Type)
		previous, beside = spec.End(), spec.End()
	}
}

// fields visits the fields of the structs in the declaration of a type.
func (v *markerVisitor) fields(in token.Pos, expr ast.Expr) {
	ast.Inspect(expr, func(node ast.Node) bool {
		structType, ok := node.(*ast.StructType)
		if !ok {
			return true
		}
		previous, beside := structType.Fields.Opening, token.NoPos
		for _, field := range structType.Fields.List {
			for _, name := range gosyntax.FieldNames(field) {
				v.describe(name.Pos(), field.Type, field.Doc, field.Pos(), previous, beside)
				c := v.index[name.Pos()]
				c.in, c.nameless = in, structType != ast.Unparen(expr)
			}
			previous = field.End()
			if field.Comment != nil {
				previous = field.Comment.End()
				v.atEnd[field.Comment] = true
			}
			beside = previous
		}
		return true
	})
}

// describe records the comments for the name at pos: the markers in the last comment between previous and the doc
// comment, then the markers in the doc comment. If beside is valid, a comment on its line belongs to the declaration
// that ends there.
func (v *markerVisitor) describe(pos token.Pos, expr ast.Expr, doc *ast.CommentGroup, start, previous, beside token.Pos) {
	c := &comments{expr: expr, doc: docText(doc)}
	v.index[pos] = c
	if doc != nil {
		start = doc.Pos()
	}
	// As for controller-tools, markers are in the doc comment and in the last comment before it.
	i, _ := slices.BinarySearchFunc(v.comments, start, func(g *ast.CommentGroup, p token.Pos) int { return int(g.Pos() - p) })
	on, above := markers.OnField, markers.OnField
	if expr == nil {
		// Markers for packages in the comment above the type's own are the package's.
		on, above = markers.OnType, markers.OnType|markers.OnPackage
	} else {
		for j := i - 2; j >= 0 && v.comments[j].Pos() >= previous; j-- {
			v.isApart[v.comments[j]] = true
		}
	}
	if i > 0 && v.comments[i-1].Pos() >= previous && !v.isBeside(beside, v.comments[i-1]) {
		c.markers = append(c.markers, v.collect(v.comments[i-1], above, expr)...)
	}
	if doc != nil {
		c.markers = append(c.markers, v.collect(doc, on, expr)...)
	}
}

// boundOf returns the end of the names of markers that bound a type's values, or "".
func boundOf(expr ast.Expr) string {
	switch t := expr.(type) {
	case *ast.StarExpr:
		return boundOf(t.X)
	case *ast.ArrayType:
		return "Items"
	case *ast.MapType:
		return "Properties"
	case *ast.Ident:
		switch basic, _ := types.Universe.Lookup(t.Name).(*types.TypeName); {
		case basic == nil:
		case t.Name == "string":
			return "Length"
		case t.Name != "bool":
			return "imum"
		}
	}
	return ""
}

// isProse reports whether a line with a problem isn't a marker at all: it continues the sentence of the line above, or
// is an item of a list.
func isProse(lines []*ast.Comment, i int, problem *markers.Problem) bool {
	if problem.Words && i > 0 && isUnfinished(lines[i-1].Text) {
		return true
	}
	if !isItem(lines[i]) {
		return false
	}
	// a single item may be a marker with a space after the plus sign
	return i > 0 && isItem(lines[i-1]) || i+1 < len(lines) && isItem(lines[i+1])
}

// unfinished are words that no sentence ends with.
var unfinished = []string{"a", "an", "and", "as", "because", "but", "by", "for", "from", "if", "is", "of", "or", "since", "so", "than",
	"that", "the", "when", "with"}

// isUnfinished reports whether a line of a comment certainly ends within a sentence.
func isUnfinished(line string) bool {
	words := strings.Fields(strings.TrimPrefix(line, "//"))
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return strings.HasSuffix(last, ",") || slices.Contains(unfinished, strings.ToLower(last))
}

// isItem reports whether a line of a comment begins like an item of a list.
func isItem(line *ast.Comment) bool {
	text := strings.TrimSpace(strings.TrimPrefix(line.Text, "//"))
	return strings.HasPrefix(text, "+ ") || strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ")
}

// docText returns the text of a doc comment without its markers.
func docText(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	text := &ast.CommentGroup{}
	for _, comment := range doc.List {
		if _, isMarker := gosyntax.MarkerText(comment.Text); !isMarker {
			text.List = append(text.List, comment)
		}
	}
	if len(text.List) == 0 {
		return ""
	}
	return strings.TrimSuffix(text.Text(), "\n")
}

// isBeside reports whether a comment is on the line of a position where a declaration ends.
func (v *markerVisitor) isBeside(end token.Pos, comment *ast.CommentGroup) bool {
	file := v.source.files.Fset.File(comment.Pos())
	return end.IsValid() && file.Line(end) == file.Line(comment.Pos())
}

// collect returns the markers of a comment on a target, for a field with its type.
func (v *markerVisitor) collect(group *ast.CommentGroup, on markers.Target, of ast.Expr) (found []model.Marker) {
	// Several fields on a line share a comment: report its problems once.
	first := !v.used[group]
	v.used[group] = true
	for i, comment := range group.List {
		text, isMarker := gosyntax.MarkerText(comment.Text)
		if !isMarker {
			if first && !v.isOutput {
				v.unmarked(comment, on)
			}
			continue
		}
		at := v.source.markerPosition(comment)
		value, problem := v.source.parseMarker(text, on)
		if problem != nil && isProse(group.List, i, problem) {
			continue
		}
		if problem != nil && first {
			v.report(comment, at, text, problem.Choose(boundOf(of)))
		}
		m := model.Marker{Text: text, Pos: at, Value: value}
		if problem != nil {
			m.Meant = problem.Meant
		}
		found = append(found, m)
	}
	return found
}
