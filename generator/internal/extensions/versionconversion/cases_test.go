package versionconversion

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// casesFile has kinds in two versions or three, and what is planned for them.
const casesFile = "testdata/cases.txtar"

// TestCases plans the conversions of kinds: what either version keeps for the other one, and what is
// said. TestLosslessOrError compiles those that are converted, and judges them.
func TestCases(t *testing.T) {
	newBatch(1).cases(t, func(f *txtar.File, source, want, got string) {
		if *testmodule.Update {
			f.Data = []byte(source + "\n= want\n" + got + "\n")
		} else if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got, want)
		}
	})
}

// TestKindsApart plans the kinds of all cases together: nothing that is planned or said of one depends
// on another.
func TestKindsApart(t *testing.T) {
	all := newPlanner()
	b, n := newBatch(1), 0
	b.eachCase(t, func(_ int, f *txtar.File, sources []string) {
		n++
		alone, objects := b.parse(t, fmt.Sprintf("Case%d", n), sources)
		all.diags, all.packages = nil, map[string]*packagePlan{}
		all.kind(definitionOf(objects))
		got, want := outcome(all), outcome(alone)
		expect.True(t, got == want, "%s: after other kinds\n%s\nand alone\n%s", f.Name, got, want)
	})
	expect.True(t, n != 0, "no cases")
}

// cases adds the cases that are converted, and shows what was planned for all of them.
func (b *batch) cases(t *testing.T, show func(f *txtar.File, source, want, got string)) {
	t.Helper()
	archive := b.eachCase(t, func(i int, f *txtar.File, sources []string) {
		source, want, _ := strings.Cut(string(f.Data), "\n= want\n")
		prefix := fmt.Sprintf("Case%d", i)
		p, objects := b.parse(t, prefix, sources)
		got := strings.NewReplacer(prefix, "", strings.ToLower(prefix), "").Replace(outcome(p))
		show(f, source, strings.TrimSpace(want), got)
		if p.diags.HasErrors() {
			return
		}
		for i, o := range objects {
			h := b.halves()[i]
			h.source.WriteString(h.noting(o.source, prefix+"Kind"))
			fmt.Fprintf(&h.source, deepCopies, prefix+"Kind")
		}
		if b.add(p); strings.Contains(got, "where a field moves into it") {
			b.madeFor = append(b.madeFor, prefix+"Kind")
		}
	})
	if *testmodule.Update {
		testmodule.Write(t, casesFile, txtar.Format(archive))
	}
}

// eachCase visits the cases, each with its source in all versions.
func (b *batch) eachCase(t *testing.T, visit func(i int, f *txtar.File, sources []string)) *txtar.Archive {
	t.Helper()
	archive := expect.Value(txtar.ParseFile(casesFile))(t)
	for i := range archive.Files {
		source, _, _ := strings.Cut(string(archive.Files[i].Data), "\n= want\n")
		visit(i, &archive.Files[i], regexp.MustCompile(`(?m)^= v1(alpha1|beta1)\n`).Split(strings.TrimPrefix(source, "= v1\n"), -1))
	}
	return archive
}

// outcome says what a plan keeps for each side, and what it reports.
func outcome(p *planner) string {
	var lines []string
	for _, plan := range p.sorted() {
		for _, s := range plan.spokes {
			version, hub := s.version(spokeSide), "v1"
			if version != "v1alpha1" {
				hub += " to " + version
			}
			lines = append(lines, lostOf(hub, "", s.hubLosses)...)
			lines = append(lines, lostOf(version, "", s.losses)...)
		}
	}
	for _, d := range p.diags {
		severity := "warning: "
		if d.Severity == diag.Error {
			severity = ""
		}
		lines = append(lines, fmt.Sprintf("%s: %s%s", d.Pos, severity, d.Message))
	}
	return strings.Join(lines, "\n")
}

// lostOf returns a line for each value that a version keeps.
func lostOf(version, path string, p *lossyField) []string {
	if p == nil {
		return nil
	}
	var lines []string
	if p.lossy || p.isSecret {
		line := version + path
		for i, isSet := range []bool{p.isMissing, p.isCustom, p.isSecret} {
			if isSet {
				line += ", " + []string{"missing", "custom", "secret"}[i]
			}
		}
		lines = append(lines, strings.TrimSpace(line+": "+p.why))
	}
	for _, name := range slices.Sorted(maps.Keys(p.fields)) {
		lines = append(lines, lostOf(version, path+"."+name, p.fields[name])...)
	}
	lines = append(lines, lostOf(version, path+"{}", p.values)...)
	return append(lines, lostOf(version, path+fmt.Sprint(p.keys), p.items)...)
}

// parsed is an object with the source that it is declared in.
type parsed struct {
	*model.Object
	source string
}

// nullable matches fields that take null.
var nullable = regexp.MustCompile(`(?m)(// \+nullable\n.*)` + "`$")

// parse plans a kind whose versions are given as source, whose declarations get a prefix.
func (b *batch) parse(t *testing.T, prefix string, sources []string) (*planner, []parsed) {
	t.Helper()
	var objects []parsed
	shared := map[string]*model.Type{}
	for i, source := range sources {
		h := b.halves()[i]
		for _, match := range regexp.MustCompile(`(?m)^(?:type|func) (\w+)|\(\w+ \*?(\w+)\) \w+\(`).FindAllStringSubmatch(strings.Join(sources, "\n"), -1) {
			name, prefix := match[1]+match[2], prefix
			if !token.IsExported(name) {
				prefix = strings.ToLower(prefix)
			}
			source = regexp.MustCompile(`\b`+name+`(To|From)?\b`).ReplaceAllString(source, prefix+name+"$1")
			source = strings.ReplaceAll(source, prefix+prefix, prefix)
		}
		source = strings.ReplaceAll(source, "convertedBy=", "convertedBy="+prefix)
		source = nullable.ReplaceAllString(source, `$1 nullable:"true"`+"`") // for tests of what is converted
		r := &reader{half: h, types: map[string]*model.Type{}, hub: shared}
		o := r.read(t, prefix+"Kind", source)
		if i == 0 {
			shared = r.types
		}
		meta := "metav1.TypeMeta `json:\",inline\"`\nmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n"
		objects = append(objects, parsed{o, "\n" + strings.Replace(source, "type "+prefix+"Kind struct {\n", "type "+prefix+"Kind struct {\n"+meta, 1)})
	}
	p := newPlanner()
	p.kind(definitionOf(objects))
	return p, objects
}

func definitionOf(versions []parsed) stage.Definition {
	var objects []*model.Object
	for _, v := range versions {
		objects = append(objects, v.Object)
	}
	return definition(objects...)
}

// authors matches the beginning of functions and methods of the author.
var authors = regexp.MustCompile(`(?m)^func (?:\(\w+ \*?(\w+)\) )?(\w+)\(.*\{`)

// noting returns source in which functions of the author note that they are called, apart from methods
// of the kind, and those that have no counterpart for the other direction.
func (h *half) noting(source, kind string) string {
	return authors.ReplaceAllStringFunc(source, func(function string) string {
		name := authors.FindStringSubmatch(function)
		other := map[string]string{"ConvertTo": "ConvertFrom", "ConvertFrom": "ConvertTo"}[name[2]]
		if name[1] == kind || name[1] != "" && !strings.Contains(source, name[1]+") "+other+"(") {
			return function
		}
		body := strings.IndexByte(function, '{') + 1
		h.functions = append(h.functions, name[1]+name[2])
		return fmt.Sprintf("%s called[%q] = true; %s", function[:body], name[1]+name[2], function[body:])
	})
}

// A reader makes the model of declarations.
type reader struct {
	*half
	file  *token.FileSet
	types map[string]*model.Type
	// hub has the types of the hub, which a spoke may name.
	hub   map[string]*model.Type
	decls map[string]*ast.TypeSpec
	// methods are by the names of types.
	methods map[string]map[string]diag.Position
}

func (r *reader) read(t *testing.T, kind, source string) *model.Object {
	t.Helper()
	r.file, r.decls, r.methods = token.NewFileSet(), map[string]*ast.TypeSpec{}, map[string]map[string]diag.Position{}
	syntax, err := parser.ParseFile(r.file, r.pkg.Dir+"/types.go", "package p\n"+source, parser.ParseComments)
	expect.Must(t, err == nil, "%v in\n%s", err, source)
	if r.pkg.Functions == nil {
		r.pkg.Functions = map[string]*model.Function{}
	}
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok {
					r.decls[spec.Name.Name] = spec
				}
			}
		case *ast.FuncDecl:
			if decl.Recv == nil {
				f := &model.Function{Pos: r.at(decl.Pos())}
				f.Parameters = make([]flavor.TypeName, decl.Type.Params.NumFields())
				f.Results = make([]flavor.TypeName, decl.Type.Results.NumFields())
				if n := len(decl.Type.Params.List); n > 0 {
					_, f.Variadic = decl.Type.Params.List[n-1].Type.(*ast.Ellipsis)
				}
				r.pkg.Functions[decl.Name.Name] = f
				continue
			}
			of := decl.Recv.List[0].Type
			if pointer, ok := of.(*ast.StarExpr); ok {
				of = pointer.X
			}
			name := of.(*ast.Ident).Name
			if r.methods[name] == nil {
				r.methods[name] = map[string]diag.Position{}
			}
			r.methods[name][decl.Name.Name] = r.at(decl.Pos())
		}
	}
	root := r.typeOf(ast.NewIdent(kind))
	o := r.object(kind)
	o.Type.Fields = append(o.Type.Fields, root.Fields...)
	o.Pos, o.Type.Pos, o.Methods = root.Pos, root.Pos, map[string]bool{}
	for name := range root.Methods {
		o.Methods[name] = true
	}
	for _, f := range root.Fields {
		if f.JSONName == "spec" {
			o.Spec = f
		}
	}
	return o
}

func (r *reader) at(pos token.Pos) diag.Position {
	p := r.file.Position(pos)
	return diag.Position{File: p.Filename, Line: p.Line - 1, Column: p.Column}
}

func (r *reader) typeOf(expr ast.Expr) *model.Type {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return &model.Type{Kind: model.Pointer, Elem: r.typeOf(expr.X)}
	case *ast.ArrayType:
		return &model.Type{Kind: model.Slice, Elem: r.typeOf(expr.Elt)}
	case *ast.MapType:
		return &model.Type{Kind: model.Map, Key: r.typeOf(expr.Key), Elem: r.typeOf(expr.Value)}
	case *ast.SelectorExpr:
		if known := r.hub[expr.Sel.Name]; known != nil {
			return known
		}
		return encoded[slices.IndexFunc(encoded, func(t *model.Type) bool { return t.Name == expr.Sel.Name })]
	}
	name := expr.(*ast.Ident).Name
	spec := r.decls[name]
	if spec == nil {
		return basic(name)
	}
	if known := r.types[name]; known != nil {
		return known
	}
	t := &model.Type{Name: name, Package: r.pkg.Path, PackageName: r.pkg.Name, Local: true, Pos: r.at(spec.Pos()), Methods: r.methods[name]}
	r.types[name] = t
	syntax, ok := spec.Type.(*ast.StructType)
	if !ok {
		of := r.typeOf(spec.Type)
		t.Kind, t.Basic, t.Elem, t.Key = of.Kind, of.Basic, of.Elem, of.Key
		return t
	}
	t.Kind = model.Struct
	for _, field := range syntax.Fields.List {
		f := &model.Field{Pos: r.at(field.Pos()), Type: r.typeOf(field.Type), Tagged: true, Embedded: len(field.Names) == 0}
		if f.Name = f.Type.Deref().Name; !f.Embedded {
			f.Name = field.Names[0].Name
			f.Pos = r.at(field.Names[0].Pos())
		}
		tag, _ := strconv.Unquote(field.Tag.Value)
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		f.Ignored = name == "-"
		f.JSONName, f.OmitEmpty, f.OmitZero, f.Inline = name, strings.Contains(options, "omitempty"), strings.Contains(options, "omitzero"), options == "inline"
		for line := range strings.Lines(field.Doc.Text() + "\n") {
			marker, isMarker := strings.CutPrefix(strings.TrimSpace(line), "+")
			if !isMarker {
				continue
			}
			m := model.Marker{Text: marker, Pos: f.Pos}
			if value, problem := markers.Parse(marker); problem == nil {
				m.Value = value
			}
			if f.Required = f.Required || marker == "required"; marker != "required" {
				f.Markers = append(f.Markers, m)
			}
		}
		t.Fields = append(t.Fields, f)
	}
	return t
}
