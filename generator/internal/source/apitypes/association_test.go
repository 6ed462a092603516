package apitypes

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestMarkersDescribeWhatControllerToolsHas checks on random files that markers describe
// the packages, types and fields that they describe to controller-tools.
func TestMarkersDescribeWhatControllerToolsHas(t *testing.T) {
	for seed := range uint64(budget.Of(400, 2000)) {
		source := randomComments(rand.New(rand.NewPCG(seed, 0)))
		want, got := theirTargets(t, source), ourTargets(t, source)
		diff := cmp.Diff(want, got)
		expect.Must(t, diff == "", "seed %d: -controller-tools +ours:\n%s\n%s", seed, diff, source)
	}
}

// randomComments returns a Go file with markers +probe=1, +probe=2 and so on, in comments
// wherever they may be.
func randomComments(r *rand.Rand) string {
	var b strings.Builder
	probes := 0
	comment := func(indent string) {
		for range r.IntN(3) {
			for range 1 + r.IntN(2) {
				if r.IntN(3) == 0 {
					b.WriteString(indent + "// Words.\n")
					continue
				}
				probes++
				fmt.Fprintf(&b, "%s// +probe=%d\n", indent, probes)
			}
			if r.IntN(2) == 0 {
				b.WriteString("\n")
			}
		}
	}
	atEnd := func() {
		if r.IntN(3) == 0 {
			probes++
			fmt.Fprintf(&b, " // +probe=%d", probes)
		}
		b.WriteString("\n")
	}
	field := func(i int, indent string) {
		comment(indent)
		switch r.IntN(5) {
		case 0:
			fmt.Fprintf(&b, "%sE%d", indent, i)
		case 1:
			fmt.Fprintf(&b, "%sA%d, B%d int `json:\"a\"`", indent, i, i)
		case 2:
			fmt.Fprintf(&b, "%sS%d struct {", indent, i)
			atEnd()
			comment(indent + "\t")
			fmt.Fprintf(&b, "%s\tInner int\n", indent)
			comment(indent + "\t")
			fmt.Fprintf(&b, "%s}", indent)
		default:
			fmt.Fprintf(&b, "%sF%d map[string]int `json:\"f\"`", indent, i)
		}
		atEnd()
	}
	typeSpec := func(i int, prefix, indent string) {
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "%sT%d []string", prefix, i)
			atEnd()
			return
		}
		fmt.Fprintf(&b, "%sT%d struct {", prefix, i)
		atEnd()
		for j := range r.IntN(4) {
			field(j, indent+"\t")
		}
		comment(indent + "\t")
		b.WriteString(indent + "}")
		atEnd()
	}
	comment("")
	b.WriteString("package p\n\n")
	comment("")
	if r.IntN(2) == 0 {
		b.WriteString("import \"fmt\"\n")
	}
	for i := range 1 + r.IntN(5) {
		comment("")
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "var v%d = fmt.Sprint()", i)
			atEnd()
		case 1:
			fmt.Fprintf(&b, "func f%d() {\n", i)
			comment("\t")
			b.WriteString("}\n")
		case 2:
			b.WriteString("type (")
			atEnd()
			for j := range 1 + r.IntN(3) {
				comment("\t")
				typeSpec(10*i+j, "\t", "\t")
			}
			comment("\t")
			b.WriteString(")\n")
		default:
			typeSpec(i, "type ", "")
		}
		b.WriteString("\n")
	}
	comment("")
	return b.String()
}

// theirTargets returns what the markers of a file describe to controller-tools: the
// package, or the names of types and fields, with the line of each.
func theirTargets(t *testing.T, source string) map[string][]string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
	expect.Must(t, err == nil, "%v\n%s", err, source)
	registry := &ctmarkers.Registry{}
	for _, target := range []ctmarkers.TargetType{ctmarkers.DescribesPackage, ctmarkers.DescribesType, ctmarkers.DescribesField} {
		expect.NoError(t, registry.Define("probe", target, 0))
	}
	collector := &ctmarkers.Collector{Registry: registry}
	values := expect.Value(collector.MarkersInPackage(&loader.Package{Package: &packages.Package{Syntax: []*ast.File{file}}}))(t)
	targets := map[string][]string{}
	add := func(target string, values ctmarkers.MarkerValues) {
		for _, v := range values["probe"] {
			probe := fmt.Sprint(v)
			targets[probe] = append(targets[probe], target)
			slices.Sort(targets[probe])
		}
	}
	for node, values := range values {
		switch node := node.(type) {
		case *ast.File:
			add("package", values)
		case *ast.TypeSpec:
			add(fmt.Sprintf("type %s:%d", node.Name.Name, files.Position(node.Name.Pos()).Line), values)
		case *ast.Field:
			for _, name := range gosyntax.FieldNames(node) {
				add(fmt.Sprintf("field %s:%d", name.Name, files.Position(name.Pos()).Line), values)
			}
		}
	}
	return targets
}

// ourTargets returns what the markers describe to us.
func ourTargets(t *testing.T, source string) map[string][]string {
	t.Helper()
	s := newSource()
	file := expect.Value(parser.ParseFile(s.files.Fset, "p.go", source, parser.ParseComments|parser.SkipObjectResolution))(t)
	v := s.visit(file)
	index := v.index
	targets := map[string][]string{}
	add := func(text, target string) {
		probe := strings.TrimPrefix(text, "probe=")
		targets[probe] = append(targets[probe], target)
		slices.Sort(targets[probe])
	}
	ast.Inspect(file, func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		if !ok || index[name.Pos()] == nil {
			return true
		}
		for _, m := range index[name.Pos()].markers {
			target := fmt.Sprintf("type %s:%d", name.Name, s.files.Fset.Position(name.Pos()).Line)
			switch {
			case name == file.Name:
				target = "package"
			case index[name.Pos()].expr != nil:
				target = strings.Replace(target, "type", "field", 1)
			}
			add(m.Text, target)
		}
		return true
	})
	for group := range v.free {
		for _, comment := range group.List {
			if text, found := gosyntax.MarkerText(comment.Text); found {
				add(text, "package")
			}
		}
	}
	return targets
}
