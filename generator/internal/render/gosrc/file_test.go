package gosrc_test

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestFile makes sure that a file is the same as jennifer would write it, whatever
// the names of its imports.
func TestFile(t *testing.T) {
	const header = "/*\nCopyright of somebody.\n*/"
	own := "example.org/own/v1"
	pkg := func(importPath string) flavor.Import {
		return flavor.Import{Path: importPath, Alias: path.Base(importPath)}
	}
	for name, imports := range map[string][]flavor.Import{
		"None":     nil,
		"Own":      {pkg(own)},
		"One":      {pkg("example.org/ec2/v1beta1")},
		"Standard": {pkg("fmt")},
		"Aliases":  {pkg("example.org/ec2/v1beta1"), pkg("example.org/sql/v1beta1"), pkg("example.org/ec2/v1beta1"), pkg("example.org/a/v1beta1")},
		"Numbers":  {pkg("example.org/a/v1"), pkg("example.org/v11"), pkg("example.org/b/v1")},
		"Reserved": {pkg("example.org/string"), pkg("example.org/range"), pkg("example.org/err")},
		"Shadows":  {pkg("example.org/fmt"), pkg("fmt"), pkg("context")},
		"Renamed":  {{Path: "k8s.io/apimachinery/pkg/apis/meta/v1", Alias: "metav1"}, {Path: "example.org/x", Alias: "metav1"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := gosrc.NewPackage(own, "v1").NewJennifer(header, gosrc.Variables())
			got := gosrc.NewPackage(own, "v1").NewFile(header, gosrc.Variables())
			want.Comment("F is a function.")
			want.Func().Id("F").Params().BlockFunc(func(g *jen.Group) {
				for _, i := range imports {
					if strings.Contains(i.Path, ".") {
						g.Add(want.Qualified(i, "", "Call")).Call()
					} else {
						g.Add(want.Standard(i.Path, "Call")).Call()
					}
				}
			})
			got.Function("F is a function.", "F()", func() {
				for _, i := range imports {
					if strings.Contains(i.Path, ".") {
						got.Line(got.Qualified(i, "Call"), "()")
					} else {
						got.Line(got.Standard(i.Path, "Call"), "()")
					}
				}
			})
			expected := expect.Value(want.Content())(t)
			content := expect.Value(got.Content())(t)
			// jennifer leaves a function without statements on one line.
			text := strings.ReplaceAll(string(content), "func F() {\n}", "func F() {}")
			expect.True(t, text == string(expected), "got:\n%s\nwant:\n%s", text, expected)
		})
	}
}

// TestLines makes sure that gofmt leaves lines as they are.
func TestLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var elements func(depth int) []gosrc.Element
	elements = func(depth int) []gosrc.Element {
		var list []gosrc.Element
		for i := range 1 + random.IntN(5) {
			e := gosrc.Element{Key: fmt.Sprintf("F%d%s", i, strings.Repeat("x", random.IntN(80)>>random.IntN(5))), Value: "a." + strings.Repeat("b", 1+random.IntN(60))}
			if depth > 0 && random.IntN(3) == 0 {
				e.Value, e.Elements = "T", elements(depth-1)
			}
			list = append(list, e)
		}
		return list
	}
	for range 200 {
		l := &gosrc.Lines{}
		l.Line("package p")
		l.Function("F is a function.", "F()", func() {
			l.Literal("x = T", elements(2), "")
			l.Blank()
			l.Blank()
			l.Block("for i := range y", func() {
				l.Literal("f(T", elements(1), ")")
			})
		})
		formatted, err := format.Source(l.Bytes())
		expect.Must(t, err == nil, "%v:\n%s", err, l)
		expect.Must(t, string(formatted) == l.String(), "got:\n%s\nwant:\n%s", l, formatted)
	}
}
