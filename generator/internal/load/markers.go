package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	codeMarker diag.Code = "marker"
	// CodeMisspelt is that of comments that were meant to be markers, and that nobody
	// reads.
	CodeMisspelt diag.Code = "misspelt-marker"
)

// A Correction is an edit of the author's source that puts a misspelt marker right.
type Correction struct {
	// Pos is where the text of the marker begins, after its plus sign if it has one. Old
	// is the text, up to the end of the line, and New takes its place.
	Pos      diag.Position
	Old, New string
	// Reported is where the marker is reported.
	Reported diag.Position
}

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
	// expr is the type of a field, and of what a type is made of, as the source writes
	// them.
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

// addFile associates the comments of a file with the declarations and fields
// they describe. Markers are those in the doc comment, and those in the last
// comment before it, as controller-tools has it. Problems with markers, and markers that
// describe nothing, are reported.
func (x commentIndex) addFile(s *Source, file *ast.File) (diag.List, []Correction) {
	v := x.visit(s, file)
	for _, group := range file.Comments {
		if !v.used[group] {
			v.unreached(group)
		}
	}
	return v.diags, v.corrections
}

// visit does so with the comments that describe something, and sorts the others.
func (x commentIndex) visit(s *Source, file *ast.File) *markerVisitor {
	v := &markerVisitor{
		source:   s,
		index:    x,
		comments: file.Comments,
		used:     map[*ast.CommentGroup]bool{},
		atEnd:    map[*ast.CommentGroup]bool{},
		isApart:  map[*ast.CommentGroup]bool{},
		free:     map[*ast.CommentGroup]bool{},
		// What mrgen writes has the words of comments that are checked where they come from.
		isOutput: slices.Contains(s.opts.Outputs, filepath.Base(s.fset.File(file.FileStart).Name())),
	}
	v.packageClause(file)
	previous := file.Name.End()
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
			v.typeDecl(gen, previous)
		}
		previous = decl.End()
	}
	var decls []ast.Decl
	decls, previous = file.Decls, file.Name.End()
	for _, group := range file.Comments {
		for len(decls) > 0 && decls[0].End() <= group.Pos() {
			decls, previous = decls[1:], decls[0].End()
		}
		if !v.used[group] && group.Pos() > previous && !v.isBeside(previous, group) &&
			(len(decls) == 0 || group.End() <= decls[0].Pos() && docOf(decls[0]) != group) {
			v.free[group] = true
		}
	}
	return v
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

type markerVisitor struct {
	source   *Source
	index    commentIndex
	comments []*ast.CommentGroup
	// used are the comments that describe something, and atEnd those at the end of the
	// line that declares a type or a field. Those that are apart from a field come before
	// the last one before its own.
	// Free ones stand between declarations: controller-tools takes their markers for some
	// of the package.
	used, atEnd, isApart, free map[*ast.CommentGroup]bool
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
			c.markers = append(c.markers, v.collect(group, markers.OnPackage)...)
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
	beside := previous
	if grouped {
		// What follows the parenthesis belongs to what it opens.
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

// fields visits the fields of the structs in the expression that a type is declared as.
func (v *markerVisitor) fields(in token.Pos, expr ast.Expr) {
	ast.Inspect(expr, func(node ast.Node) bool {
		structType, ok := node.(*ast.StructType)
		if !ok {
			return true
		}
		previous, beside := structType.Fields.Opening, token.NoPos
		for _, field := range structType.Fields.List {
			for _, name := range FieldNames(field) {
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
// comment group between previous and the doc comment, then the doc comment. What is on
// the line of the position beside, if that is valid, belongs to what ends there.
func (v *markerVisitor) describe(pos token.Pos, expr ast.Expr, doc *ast.CommentGroup, start, previous, beside token.Pos) {
	c := &comments{expr: expr, doc: docText(doc)}
	v.index[pos] = c
	if doc != nil {
		start = doc.Pos()
	}
	i, _ := slices.BinarySearchFunc(v.comments, start, func(g *ast.CommentGroup, p token.Pos) int { return int(g.Pos() - p) })
	on, above := markers.OnField, markers.OnField
	if expr == nil {
		// Of the comment before that of a type, the package has what is for packages.
		on, above = markers.OnType, markers.OnType|markers.OnPackage
	} else {
		for j := i - 2; j >= 0 && v.comments[j].Pos() >= previous; j-- {
			v.isApart[v.comments[j]] = true
		}
	}
	if i > 0 && v.comments[i-1].Pos() >= previous && !v.isBeside(beside, v.comments[i-1]) {
		c.markers = append(c.markers, v.collect(v.comments[i-1], above)...)
	}
	if doc != nil {
		c.markers = append(c.markers, v.collect(doc, on)...)
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

// isBeside reports whether a comment follows what ends at a position, on its line.
func (v *markerVisitor) isBeside(end token.Pos, comment *ast.CommentGroup) bool {
	file := v.source.fset.File(comment.Pos())
	return end.IsValid() && file.Line(end) == file.Line(comment.Pos())
}

// collect returns the markers of a comment on a target. Their problems are reported
// once, although a comment describes each of several fields on a line.
func (v *markerVisitor) collect(group *ast.CommentGroup, on markers.Target) (found []model.Marker) {
	first := !v.used[group]
	v.used[group] = true
	for _, comment := range group.List {
		text, isMarker := markerText(comment.Text)
		if !isMarker {
			if first && !v.isOutput {
				v.unmarked(comment, on)
			}
			continue
		}
		at := v.source.markerPosition(comment)
		value, problem := v.source.parseMarker(text, on)
		if problem != nil && first {
			v.report(comment, at, text, problem)
		}
		m := model.Marker{Text: text, Pos: at, Value: value}
		if problem != nil {
			m.Meant = problem.Meant
		}
		found = append(found, m)
	}
	return found
}

// parseMarker parses a marker on a target. Most are controller-tools', the same ones over
// and over: to find out each time what is wrong with them takes long.
func (s *Source) parseMarker(text string, on markers.Target) (*markers.Value, *markers.Problem) {
	if problem, known := s.foreignMarkers[on].Load(text); known {
		return nil, problem.(*markers.Problem)
	}
	value, problem := markers.Parse(text)
	if value == nil && problem == nil {
		problem = markers.CheckForeign(text, on)
		s.foreignMarkers[on].Store(text, problem)
	}
	return value, problem
}

// unmarked reports what was meant to be a marker in a comment that is none: lines without
// a plus sign, and markers in block comments.
func (v *markerVisitor) unmarked(comment *ast.Comment, on markers.Target) {
	if line, isLine := strings.CutPrefix(comment.Text, "//"); isLine {
		text := strings.TrimSpace(line)
		if problem := markers.CheckUnmarked(text, on); problem != nil {
			start := len(comment.Text) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
			v.report(comment, v.source.Position(comment.Pos()+token.Pos(start)), text, problem)
		}
		return
	}
	offset := 0
	for line := range strings.Lines(comment.Text) {
		text := strings.TrimRightFunc(strings.TrimLeft(strings.TrimSuffix(line, "*/"), " \t/*"), unicode.IsSpace)
		if text, found := strings.CutPrefix(text, "+"); found && markers.IsRead(text) {
			v.diags = append(v.diags, diag.Warningf(v.source.Position(comment.Pos()+token.Pos(offset+strings.IndexByte(line, '+'))), codeMarker,
				"the marker +%s has no effect in a comment of this form: write it on a line that begins with //", text))
		}
		offset += len(line)
	}
}

// report reports a problem with the marker at a position, which is that of its plus sign
// if it has one.
func (v *markerVisitor) report(comment *ast.Comment, at diag.Position, text string, problem *markers.Problem) {
	if v.isOutput && problem.Kind != markers.Invalid {
		return
	}
	d := v.source.markerProblem(at, problem)
	v.diags = append(v.diags, d)
	if c := problem.Correction; c != nil {
		start := v.source.Position(comment.Pos() + token.Pos(strings.Index(comment.Text, text)))
		v.corrections = append(v.corrections, Correction{Pos: start, Old: text, New: c.Apply(text), Reported: d.Pos})
	}
}

// unreached reports the markers of a comment that describes no type or field.
func (v *markerVisitor) unreached(group *ast.CommentGroup) {
	for _, comment := range group.List {
		text, found := markerText(comment.Text)
		if !found {
			continue
		}
		at := v.source.markerPosition(comment)
		value, problem := markers.Parse(text)
		switch {
		case problem != nil:
			v.report(comment, at, text, problem)
		case value != nil:
			v.diags = append(v.diags, unread(at, value, "the marker +%s describes nothing here: put it in the comment right above the type or field it is about"))
		case v.isOutput:
		case v.atEnd[group] && (markers.IsRead(text) || markers.CheckForeign(text, markers.OnField) != nil):
			v.diags = append(v.diags, diag.Warningf(at, codeMarker,
				"the marker +%s has no effect at the end of a line: put it in the comment above", text))
		case !isOfMarkers(group):
			// The rest may be source that is switched off.
		case v.isApart[group] && markers.IsRead(text):
			v.diags = append(v.diags, diag.Warningf(at, codeMarker,
				"the marker +%s has no effect here, since another comment follows: put it in the comment right above the field it is about", text))
		case v.free[group]:
			if problem := markers.CheckForeign(text, markers.OnPackage); problem != nil {
				v.report(comment, at, text, problem)
			}
		}
	}
}

// isOfMarkers reports whether all lines of a comment begin with a plus sign.
func isOfMarkers(group *ast.CommentGroup) bool {
	return !slices.ContainsFunc(group.List, func(c *ast.Comment) bool {
		_, isMarker := markerText(c.Text)
		return !isMarker
	})
}

// unread reports a well-formed marker that nobody reads. The format names it.
func unread(at diag.Position, value *markers.Value, format string) diag.Diagnostic {
	return markerProblem(at, &markers.Problem{
		Kind: value.Definition.Unread(), Message: fmt.Sprintf(format, value.Definition.Name),
	})
}

// markerProblem reports a problem with the marker whose plus sign is at pos. What
// concerns all of the marker is reported there.
func markerProblem(pos diag.Position, problem *markers.Problem) diag.Diagnostic {
	if problem.Offset > 0 {
		pos.Column += len("+") + problem.Offset
	}
	switch problem.Kind {
	case markers.Misspelt:
		return diag.Errorf(pos, CodeMisspelt, "%s", problem.Message)
	case markers.WithoutEffect:
		return diag.Warningf(pos, codeMarker, "%s", problem.Message)
	default:
		return diag.Errorf(pos, codeMarker, "%s", problem.Message)
	}
}

// markerProblem reports a problem with a marker as the options want it.
func (s *Source) markerProblem(pos diag.Position, problem *markers.Problem) diag.Diagnostic {
	d := markerProblem(pos, problem)
	if d.Code == CodeMisspelt && s.opts.MisspeltMarkers {
		d.Severity = diag.Warning
	}
	return d
}

// markerPosition returns where the plus sign of a marker comment is.
func (s *Source) markerPosition(comment *ast.Comment) diag.Position {
	return s.Position(comment.Pos() + token.Pos(strings.IndexByte(comment.Text, '+')))
}

// guardMarkers has controller-tools parse the markers of packages, and reports
// what it doesn't accept. Its parser panics on some texts: the marker is named.
func (s *Source) guardMarkers(pkgs []*loader.Package) (diags diag.List) {
	if err := registerPresences(s.Collector.Registry); err != nil {
		return diag.List{diag.Errorf(diag.Position{}, codeMarker, "%s", diag.Ours(err.Error()))}
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
			// What else is wrong with a marker follows from the first.
			for _, d := range s.positionedErrors(e) {
				if !slices.ContainsFunc(diags, func(other diag.Diagnostic) bool { return d.Pos.IsValid() && other.Pos == d.Pos }) {
					diags = append(diags, d)
				}
			}
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

// unknownArgument is what controller-tools says of an argument that a marker lacks.
var unknownArgument = regexp.MustCompile(`^unknown argument "([^"]+)"$`)

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
						if match := unknownArgument.FindStringSubmatch(message); match != nil {
							if near := markers.NearestArgument(text, match[1]); near != "" {
								message += ": did you mean " + near + "?"
							}
						}
						return diag.Errorf(s.markerPosition(comment), codeMarker, "cannot read the arguments of +%s: %s", text, message)
					}
				}
			}
		}
	}
	return diag.Errorf(s.Position(err.Pos), codeMarker, "%s", message)
}
