package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

const codeMarker diag.Code = "marker"

// markerText returns what follows the plus sign of a marker comment. Only line
// comments are markers.
func markerText(comment string) (text string, found bool) {
	line, found := strings.CutPrefix(comment, "//")
	if !found {
		return "", false
	}
	return strings.CutPrefix(strings.TrimSpace(line), "+")
}

// comments describe a type or a field.
type comments struct {
	doc     string
	markers []model.Marker
	// expr is the type of a field, as the source writes it.
	expr ast.Expr
}

// commentIndex has the comments of packages by the position of the name that
// they describe: a type's, a field's, or a package's in its clause. Embedded
// fields go by the name of their type.
type commentIndex map[token.Pos]*comments

// addFile associates the comments of a file with the declarations and fields
// they describe. Markers are those in the doc comment, and those in the last
// comment before it, as controller-tools has it. Problems with markers that
// mrgen owns, and owned markers that describe nothing, are reported.
func (x commentIndex) addFile(s *Source, file *ast.File) diag.List {
	v := &markerVisitor{source: s, index: x, comments: file.Comments, used: map[*ast.CommentGroup]bool{}}
	v.packageClause(file)
	previous := file.Name.End()
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
			v.typeDecl(gen, previous)
		}
		previous = decl.End()
	}
	for _, group := range file.Comments {
		if !v.used[group] {
			v.unreached(group)
		}
	}
	return v.diags
}

type markerVisitor struct {
	source   *Source
	index    commentIndex
	comments []*ast.CommentGroup
	used     map[*ast.CommentGroup]bool
	diags    diag.List
}

// packageClause records the comments before the package clause of a file.
func (v *markerVisitor) packageClause(file *ast.File) {
	c := &comments{doc: docText(file.Doc)}
	for _, group := range file.Comments {
		if group.End() < file.Package {
			c.markers = append(c.markers, v.collect(group)...)
		}
	}
	v.index[file.Name.Pos()] = c
}

// packageMarkers returns the markers before the package clauses of a package.
func (b *builder) packageMarkers(pkg *loader.Package) []model.Marker {
	var all []model.Marker
	for _, file := range pkg.Syntax {
		if c := b.index[file.Name.Pos()]; c != nil {
			b.reached[file.Name.Pos()] = true
			all = append(all, c.markers...)
		}
	}
	slices.SortStableFunc(all, func(a, b model.Marker) int { return a.Pos.Compare(b.Pos) })
	return all
}

func (v *markerVisitor) typeDecl(decl *ast.GenDecl, previous token.Pos) {
	grouped := decl.Lparen.IsValid()
	if grouped {
		previous = decl.Lparen
	}
	for _, spec := range decl.Specs {
		spec := spec.(*ast.TypeSpec)
		doc, start := spec.Doc, spec.Pos()
		if !grouped {
			doc, start = decl.Doc, decl.Pos()
		}
		v.describe(spec.Name.Pos(), nil, doc, start, previous)
		v.fields(spec.Type)
		previous = spec.End()
	}
}

// fields visits the fields of the structs in a type expression.
func (v *markerVisitor) fields(expr ast.Expr) {
	ast.Inspect(expr, func(node ast.Node) bool {
		structType, ok := node.(*ast.StructType)
		if !ok {
			return true
		}
		previous := structType.Fields.Opening
		for _, field := range structType.Fields.List {
			for _, name := range FieldNames(field) {
				v.describe(name.Pos(), field.Type, field.Doc, field.Pos(), previous)
			}
			previous = field.End()
			if field.Comment != nil {
				previous = field.Comment.End()
			}
		}
		return true
	})
}

// FieldNames returns the identifiers that name a field. For an embedded field
// that is the identifier of its type, as in go/types.
func FieldNames(field *ast.Field) []*ast.Ident {
	if len(field.Names) > 0 {
		return field.Names
	}
	for expr := field.Type; ; {
		switch t := expr.(type) {
		case *ast.Ident:
			return []*ast.Ident{t}
		case *ast.StarExpr:
			expr = t.X
		case *ast.ParenExpr:
			expr = t.X
		case *ast.SelectorExpr:
			expr = t.Sel
		case *ast.IndexExpr:
			expr = t.X
		case *ast.IndexListExpr:
			expr = t.X
		default:
			return nil
		}
	}
}

// describe records the comments for the name at pos: the markers of the last
// comment group between previous and the doc comment, then the doc comment.
func (v *markerVisitor) describe(pos token.Pos, expr ast.Expr, doc *ast.CommentGroup, start, previous token.Pos) {
	c := &comments{expr: expr, doc: docText(doc)}
	v.index[pos] = c
	if doc != nil {
		start = doc.Pos()
	}
	i, _ := slices.BinarySearchFunc(v.comments, start, func(g *ast.CommentGroup, p token.Pos) int { return int(g.Pos() - p) })
	if i > 0 && v.comments[i-1].Pos() >= previous && !v.sameLine(previous, v.comments[i-1].Pos()) {
		c.markers = append(c.markers, v.collect(v.comments[i-1])...)
	}
	if doc != nil {
		c.markers = append(c.markers, v.collect(doc)...)
	}
}

// docText returns the text of a doc comment without its markers.
func docText(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	text := &ast.CommentGroup{}
	for _, comment := range doc.List {
		if _, isMarker := markerText(comment.Text); !isMarker {
			text.List = append(text.List, comment)
		}
	}
	if len(text.List) == 0 {
		return ""
	}
	return strings.TrimSuffix(text.Text(), "\n")
}

func (v *markerVisitor) sameLine(a, b token.Pos) bool {
	file := v.source.fset.File(a)
	return file.Line(a) == file.Line(b)
}

// collect returns the markers of a comment. Their problems are reported once,
// although a comment describes each of several fields on a line.
func (v *markerVisitor) collect(group *ast.CommentGroup) (found []model.Marker) {
	first := !v.used[group]
	v.used[group] = true
	for _, comment := range group.List {
		text, isMarker := markerText(comment.Text)
		if !isMarker {
			continue
		}
		at := v.source.markerPosition(comment)
		value, problem := v.source.parseMarker(text)
		if problem != nil && first {
			v.diags = append(v.diags, markerProblem(at, problem))
		}
		found = append(found, model.Marker{Text: text, Pos: at, Value: value})
	}
	return found
}

// parseMarker parses a marker. Most are controller-tools', the same ones over and
// over: to find out each time that they look like none of mrgen's takes long.
func (s *Source) parseMarker(text string) (*markers.Value, *markers.Problem) {
	if _, known := s.foreignMarkers.Load(text); known {
		return nil, nil
	}
	value, problem := markers.Parse(text)
	if value == nil && problem == nil {
		s.foreignMarkers.Store(text, true)
	}
	return value, problem
}

// unreached reports the owned markers of a comment that describes no type or field.
func (v *markerVisitor) unreached(group *ast.CommentGroup) {
	for _, comment := range group.List {
		text, found := markerText(comment.Text)
		if !found {
			continue
		}
		at := v.source.markerPosition(comment)
		value, problem := v.source.parseMarker(text)
		switch {
		case problem != nil:
			v.diags = append(v.diags, markerProblem(at, problem))
		case value != nil:
			v.diags = append(v.diags, diag.Errorf(at, codeMarker,
				"the marker +%s describes nothing here: put it in the comment right above the type or field it is about", value.Definition.Name))
		}
	}
}

// markerProblem reports a problem with the marker whose plus sign is at pos. What
// concerns all of the marker is reported there.
func markerProblem(pos diag.Position, problem *markers.Problem) diag.Diagnostic {
	if problem.Offset > 0 {
		pos.Column += len("+") + problem.Offset
	}
	return diag.Errorf(pos, codeMarker, "%s", problem.Message)
}

// markerPosition returns where the plus sign of a marker comment is.
func (s *Source) markerPosition(comment *ast.Comment) diag.Position {
	return s.Position(comment.Pos() + token.Pos(strings.IndexByte(comment.Text, '+')))
}

// guardMarkers has controller-tools parse the markers of packages, and reports
// what it doesn't accept. Its parser panics on some texts: the marker is named.
func (s *Source) guardMarkers(pkgs []*loader.Package) (diags diag.List) {
	if err := registerPresences(s.Collector.Registry); err != nil {
		return diag.List{diag.Errorf(diag.Position{}, codeMarker, "internal error: %v", err)}
	}
	problems := make([]error, len(pkgs))
	inParallel(pkgs, func(i int, pkg *loader.Package) { problems[i] = s.collectMarkers(pkg) })
	for i, pkg := range pkgs {
		err := problems[i]
		var panicked *markerPanic
		if errors.As(err, &panicked) {
			diags = append(diags, s.panickingMarkers(pkg, panicked)...)
			continue
		}
		diags = append(diags, s.positionedErrors(err)...)
	}
	return diags
}

// markerPanic is a panic of controller-tools' marker parser.
type markerPanic struct{ value any }

func (p *markerPanic) Error() string { return fmt.Sprint(p.value) }

func (s *Source) collectMarkers(pkg *loader.Package) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &markerPanic{value}
		}
	}()
	_, err = s.Collector.MarkersInPackage(pkg)
	return err
}

// panickingMarkers looks for the markers that made the parser panic.
func (s *Source) panickingMarkers(pkg *loader.Package, panicked *markerPanic) diag.List {
	var diags diag.List
	for _, file := range pkg.Syntax {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if text, found := markerText(comment.Text); found && s.panics("+"+text) {
					diags = append(diags, diag.Errorf(s.markerPosition(comment), codeMarker,
						"cannot parse the marker: check its arguments and quotes"))
				}
			}
		}
	}
	if len(diags) == 0 {
		diags = append(diags, diag.Errorf(diag.Position{File: s.relative(s.packageDir(pkg))}, codeMarker,
			"cannot parse the markers of this package: %v", panicked))
	}
	return diags
}

func (s *Source) panics(text string) (panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	for _, target := range []ctmarkers.TargetType{ctmarkers.DescribesPackage, ctmarkers.DescribesType, ctmarkers.DescribesField} {
		if definition := s.Collector.Lookup(text, target); definition != nil {
			_, _ = definition.Parse(text)
		}
	}
	return false
}

// positionedErrors turns errors of controller-tools into diagnostics.
func (s *Source) positionedErrors(err error) diag.List {
	var list loader.ErrList
	var positioned loader.PositionedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &list):
		var diags diag.List
		for _, e := range list {
			diags = append(diags, s.positionedErrors(e)...)
		}
		return diags
	case errors.As(err, &positioned):
		return diag.List{s.rejectedMarker(positioned)}
	default:
		return diag.List{diag.Errorf(diag.Position{}, codeMarker, "%s", s.relativeText(err.Error()))}
	}
}

// parserPosition is where in the marker's text controller-tools found an error,
// in words that mean nothing to a user.
var parserPosition = regexp.MustCompile(` \(at <input>:\d+:\d+\)$`)

// rejectedMarker reports a marker that controller-tools can't parse. Its error
// is at the comment, without the name of the marker.
func (s *Source) rejectedMarker(err loader.PositionedError) diag.Diagnostic {
	message := parserPosition.ReplaceAllString(err.Error(), "")
	for _, pkg := range s.roots {
		for _, file := range pkg.Syntax {
			if err.Pos < file.FileStart || file.FileEnd <= err.Pos {
				continue
			}
			for _, group := range file.Comments {
				for _, comment := range group.List {
					text, found := markerText(comment.Text)
					if comment.Pos() == err.Pos && found {
						return diag.Errorf(s.markerPosition(comment), codeMarker, "cannot read the arguments of +%s: %s", text, message)
					}
				}
			}
		}
	}
	return diag.Errorf(s.Position(err.Pos), codeMarker, "%s", message)
}
