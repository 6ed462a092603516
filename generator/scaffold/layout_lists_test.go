package scaffold_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestCalls holds that a statement is only taken for one that is there to call a function if nothing is
// lost with it.
func TestCalls(t *testing.T) {
	root := t.TempDir()
	testmodule.Write(t, root+"/go.mod", []byte("module example.org/p\n"))
	testmodule.Write(t, root+"/a/a.go", []byte(`package a

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	ctrl "sigs.k8s.io/controller-runtime"
)

func Setup(ctrl.Manager, controller.Options) error { return nil }
`))
	m, diags := layout.Read(root)
	expect.None(t, diags.Errors())
	for body, want := range map[string]int{
		"a.Setup(m, o)": 1, "must(a.Setup(m, o))": 1, "must(\"a\", a.Setup(m, o))": 1, "if err := a.Setup(m, o); err != nil { return }": 1,
		"if err := a.Setup(m, o); err != nil { return } else { run() }": 0, "err := a.Setup(m, o); run(err)": 0, "run(func() { a.Other() })": 0,
	} {
		file := expect.Value(parser.ParseFile(token.NewFileSet(), "b.go", "package b\n\nimport \"example.org/p/a\"\n\nfunc f() { "+body+" }\n", 0))(t)
		got := 0
		for _, list := range m.SetupLists(file) {
			for _, e := range list.Elements {
				if _, isStatement := e.Node.(ast.Stmt); isStatement && e.Dir == "a" {
					got++
				}
			}
		}
		expect.True(t, got == want, "%s: %d calls, want %d", body, got, want)
	}
}

// TestElements checks which functions in literals are elements of a list, and which of those another could copy.
func TestElements(t *testing.T) {
	root := t.TempDir()
	testmodule.Write(t, root+"/go.mod", []byte("module example.org/p\n"))
	m, diags := layout.Read(root)
	expect.None(t, diags.Errors())
	for list, want := range map[string]string{
		"[]f{a.Setup, b.Setup}": "a.Setup+ b.Setup+", "append(all, a.Setup)": "a.Setup+", "[]entry{{a.Setup, 1}, {{b.Setup}}}": "a.Setup+ b.Setup+",
		"[]entry{{\"a\", a.Setup}, {f: b.Setup}}": "a.Setup b.Setup+", "[]entry{entry{\"a\", a.Setup}}": "a.Setup",
		"map[string]f{\"a\": a.Setup, b: b.Setup}": "a.Setup b.Setup", "map[string][]f{\"a\": {a.Setup, b.Setup}}": "a.Setup b.Setup",
		"[][]f{{a.Setup, b.Setup}}": "a.Setup b.Setup",
	} {
		file := expect.Value(parser.ParseFile(token.NewFileSet(), "c.go", "package c\n\nimport (\n\"example.org/p/a\"\n\"example.org/p/b\"\n)\n\nvar x = "+list+"\n", 0))(t)
		var got []string
		for _, list := range m.Lists(file, func(_, function string) int { return len(function) }) {
			for _, e := range list.Elements {
				text := e.Dir + "." + e.Function
				if e.IsModel {
					text += "+"
				}
				got = append(got, text)
			}
		}
		expect.Equal(t, want, strings.Join(got, " "), "%s", list)
	}
}
