package compile

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/internal/budget"
)

const copied = `package p

func (in *T) DeepCopyInto(out *T) {
	*out = *in
	if in.A != nil {
		in, out := &in.A, &out.A
		*out = new(string)
		**out = **in
	}
	if in.B != nil {
		in, out := &in.B, &out.B
		*out = new(string)
		**out = **in
	}
	if in.C != nil {
		in, out := &in.C, &out.C
		*out = new(string)
		**out = **in
	}
}

func (in *T) DeepCopy() *T {
	if in == nil {
		return nil
	}
	out := new(T)
	in.DeepCopyInto(out)
	return out
}

func (in *U) DeepCopyInto(out *U) {
	*out = *in
	if in.A != nil {
		in, out := &in.A, &out.A
		*out = new(string)
		**out = **in
	}
}

func (in *U) DeepCopy() *U {
	if in == nil {
		return nil
	}
	out := new(U)
	in.DeepCopyInto(out)
	return out
}
`

// TestAbridge makes sure that what repeats is left out, and what differs in a type stays.
func TestAbridge(t *testing.T) {
	author := parsed(t, token.NewFileSet(), "types.go", "package p\ntype T struct { A, B *string; C *int }\ntype U struct { A *string }\n")
	got := string(newAbridger([]*ast.File{author}).abridge([]byte(copied)))
	if strings.Count(got, "\n") != strings.Count(copied, "\n") || len(got) != len(copied) {
		t.Error("positions have changed")
	}
	var lines []string
	for line := range strings.Lines(got) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimRight(line, " \n"))
		}
	}
	want := []string{
		"package p",
		"func (in *T) DeepCopyInto(out *T) {", "\t*out = *in",
		"\tif in.A != nil {", "\t\tin, out := &in.A, &out.A", "\t\t*out = new(string)", "\t\t**out = **in", "\t}",
		"\tif in.C != nil {", "\t\tin, out := &in.C, &out.C", "\t\t*out = new(string)", "\t\t**out = **in", "\t}",
		"}",
		"func (in *T) DeepCopy() *T {", "\tif in == nil {", "\t\treturn nil", "\t}", "\tout := new(T)", "\tin.DeepCopyInto(out)", "\treturn out", "}",
		"func (in *U) DeepCopyInto(out *U) {", "\t*out = *in", "}",
		"func (in *U) DeepCopy() *U {", " return nil", "}",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, ambiguous := range []string{copied + "\nconst c = `a`\n", copied + "\n/* b */\n"} {
		if string(newAbridger([]*ast.File{author}).abridge([]byte(ambiguous))) != ambiguous {
			t.Error("a line may begin within a literal or a comment")
		}
	}
}

// TestAbridgedCodeFails writes packages with copies at random, most of which don't compile since a
// type or a part of the code is another one, and makes sure that this shows in what is left.
func TestAbridgedCodeFails(t *testing.T) {
	const seed = 1
	random := rand.New(rand.NewPCG(seed, seed))
	failing, shorter := 0, 0
	packages := budget.Of(200, 10_000)
	for i := range packages {
		authors, copies := randomCopies(random)
		fset := token.NewFileSet()
		var files []*ast.File
		for j, source := range authors {
			files = append(files, parsed(t, fset, fmt.Sprint(j), source))
		}
		short := string(newAbridger(files).abridge([]byte(copies)))
		whole := typeErrors(fset, append(files, parsed(t, fset, "whole", copies)))
		left := typeErrors(fset, append(files[:len(files):len(files)], parsed(t, fset, "short", short)))
		if (len(whole) == 0) != (len(left) == 0) {
			t.Fatalf("package %d of seed %d\nwhole: %v\nshort: %v\n%s\n%s\nshort:\n%s", i, seed, whole, left, strings.Join(authors, "\n"), copies, short)
		}
		if len(whole) > 0 {
			failing++
		}
		if short != copies {
			shorter++
		}
	}
	t.Logf("of %d packages %d don't compile, and %d were abridged", packages, failing, shorter)
	if failing < packages/4 || failing > packages*3/4 || shorter < packages/2 {
		t.Error("that proves little")
	}
}

func parsed(t *testing.T, fset *token.FileSet, name, source string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v in\n%s", err, source)
	}
	return file
}

// typeErrors type-checks a package that may import one and another.
func typeErrors(fset *token.FileSet, files []*ast.File) []error {
	const one, another = "package q; type N struct{}; func (*N) DeepCopyInto(*N) {}", "package q; type N struct{}; type M string"
	var problems []error
	config := types.Config{Error: func(err error) { problems = append(problems, err) }, Importer: importer(func(importPath string) (*types.Package, error) {
		source := map[string]string{"one": one, "another": another}[importPath]
		if source == "" {
			return nil, errors.New("not found")
		}
		file, err := parser.ParseFile(fset, importPath, source, 0)
		if err != nil {
			return nil, err
		}
		return (&types.Config{}).Check(importPath, fset, []*ast.File{file}, nil)
	})}
	_, _ = config.Check("p", fset, files, nil)
	return problems
}

// randomCopies returns files with structs, and one with their copies.
func randomCopies(random *rand.Rand) (authors []string, copies string) {
	// What copies a type.
	code := map[string]string{
		"*string":        "*out = new(string)\n\t\t**out = **in",
		"*int":           "*out = new(int)\n\t\t**out = **in",
		"[]string":       "*out = make([]string, len(*in))\n\t\tcopy(*out, *in)",
		"map[string]int": "*out = make(map[string]int, len(*in))\n\t\tfor key, val := range *in {\n\t\t\t(*out)[key] = val\n\t\t}",
		"*q.N":           "*out = new(q.N)\n\t\t(*in).DeepCopyInto(*out)",
		"*Own":           "*out = new(Own)\n\t\t(*in).DeepCopyInto(*out)",
	}
	all := []string{"*string", "*string", "*string", "*int", "[]string", "map[string]int", "*q.N", "*Own"}
	importPath := []string{"one", "one", "one", "one", "one", "one", "another"}
	imported := importPath[random.IntN(len(importPath))]
	var text strings.Builder
	fmt.Fprintf(&text, "package p\n\nimport q %q\n\nvar _ q.N\n\nfunc (in *Own) DeepCopyInto(out *Own) {\n\t*out = *in\n}\n", imported)
	for i := range 2 {
		author := fmt.Sprintf("package p\nimport q %q\nvar _ q.N\n", importPath[random.IntN(len(importPath))])
		if i == 0 {
			author += "type Own struct{}\n"
		}
		for j := range 2 {
			name := fmt.Sprintf("T%d%d", i, j)
			author += "type " + name + " struct {\n"
			fmt.Fprintf(&text, "\nfunc (in *%[1]s) DeepCopyInto(out *%[1]s) {\n\t*out = *in\n", name)
			for field := range 1 + random.IntN(5) {
				t := all[random.IntN(len(all))]
				copied := t
				if random.IntN(50) == 0 {
					copied = all[random.IntN(len(all))]
				}
				author += fmt.Sprintf("\tF%d %s\n", field, t)
				fmt.Fprintf(&text, "\tif in.F%[1]d != nil {\n\t\tin, out := &in.F%[1]d, &out.F%[1]d\n\t\t%[2]s\n\t}", field, code[copied])
				if random.IntN(50) == 0 {
					text.WriteString(" else {\n\t\tout.F0 = new(string)\n\t}")
				}
				text.WriteString("\n")
			}
			author += "}\n"
			calls := name
			if random.IntN(40) == 0 {
				calls = "Own"
			}
			fmt.Fprintf(&text, "}\n\nfunc (in *%[1]s) DeepCopy() *%[1]s {\n\tif in == nil {\n\t\treturn nil\n\t}\n\tout := new(%[2]s)\n\tin.DeepCopyInto(out)\n\treturn out\n}\n", name, calls)
		}
		authors = append(authors, author)
	}
	return authors, text.String()
}
