package synthetic

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var options = Options{Shape: Written, GoMod: []byte("module example.org/a\n\ngo 1.25.0\n"), GoSum: []byte("sums\n")}

func emitAll(t *testing.T, kinds int) map[string]string {
	t.Helper()
	o := options
	o.Kinds = kinds
	return emitFiles(t, o)
}

func emitFiles(t *testing.T, o Options) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := Emit(o, func(name string, content []byte) error {
		if _, doubled := files[name]; doubled {
			t.Errorf("%s is written twice", name)
		}
		files[name] = string(content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSameBytes(t *testing.T) {
	for _, shape := range Shapes {
		o := options
		o.Kinds, o.Shape = 40, shape
		first, second := emitFiles(t, o), emitFiles(t, o)
		if len(first) != len(second) {
			t.Errorf("%s: %d files, then %d", shape, len(first), len(second))
		}
		for name, content := range first {
			if second[name] != content {
				t.Errorf("%s: %s differs between two runs", shape, name)
			}
		}
	}
}

func TestWrite(t *testing.T) {
	o := options
	o.Kinds = 1
	if err := Write(t.TempDir(), o); err != nil {
		t.Error(err)
	}
	o.Kinds = 0
	if err := Write(t.TempDir(), o); err == nil {
		t.Error("a provider without kinds was written")
	}
	o = options
	o.Kinds, o.Shape = 1, "round"
	if err := Write(t.TempDir(), o); err == nil {
		t.Error("a provider of a shape that there isn't was written")
	}
	o = Options{Kinds: 1, Shape: Written, GoMod: []byte("go 1.25.0\n")}
	if err := Write(t.TempDir(), o); err == nil {
		t.Error("a go.mod without a module was taken")
	}
}

func TestKinds(t *testing.T) {
	counts := []int{1, 2, 3, 10, 11, 200}
	if os.Getenv("MRGEN_TEST_BUDGET") != "" {
		counts = append(counts, 2000)
	}
	for _, kinds := range counts {
		files := emitAll(t, kinds)
		count := 0
		perPackage := map[string]int{}
		for name, content := range files {
			if strings.Contains(content, "ForProvider ") {
				count++
				perPackage[path.Dir(name)]++
			}
		}
		if count != kinds {
			t.Errorf("%d kinds were written, want %d", count, kinds)
		}
		for folder, n := range perPackage {
			if n > 12 {
				t.Errorf("%s has %d kinds", folder, n)
			}
		}
		if !strings.HasPrefix(files["go.mod"], "module "+Module+"\n\ngo 1.25.0") {
			t.Errorf("go.mod is %q", files["go.mod"])
		}
	}
}

// TestShape holds what the package promises about fields and references.
func TestShape(t *testing.T) {
	var kinds, fields, nested, references, across, connections int
	files := emitAll(t, 400)
	for name, content := range files {
		if !strings.HasSuffix(name, "_types.go") || strings.HasPrefix(name, "apis/v1alpha1/") {
			continue
		}
		kinds++
		file, err := parser.ParseFile(token.NewFileSet(), name, content, 0)
		if err != nil {
			t.Fatal(err)
		}
		desired, composite := countFields(file)
		if desired < 50 || desired > 70 {
			t.Errorf("%s has %d fields below forProvider", name, desired)
		}
		fields += desired
		nested += composite
		references += strings.Count(content, "reference:type=")
		across += strings.Count(content, "reference:type=github.com")
		if strings.Contains(content, "+mrgen:connectionDetail:") {
			connections++
		}
	}
	for _, c := range []struct {
		what             string
		value, low, high float64
	}{
		{"fields a kind", float64(fields) / float64(kinds), 57, 63},
		{"structs, slices and maps among the fields", float64(nested) / float64(fields), 0.28, 0.38},
		{"references a kind", float64(references) / float64(kinds), 1, 3},
		{"references to other groups", float64(across) / float64(references), 0.3, 0.6},
		{"kinds with connection details", float64(connections) / float64(kinds), 0.15, 0.35},
	} {
		if c.value < c.low || c.value > c.high {
			t.Errorf("%s: %.2f is not between %.2f and %.2f", c.what, c.value, c.low, c.high)
		}
	}
}

// countFields counts the fields of all structs that parameters are made of, and those
// among them that are structs, slices or maps.
func countFields(file *ast.File) (fields, composite int) {
	structs := map[string]*ast.StructType{}
	parameters := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if s, ok := spec.Type.(*ast.StructType); ok {
				structs[spec.Name.Name] = s
				if strings.HasSuffix(spec.Name.Name, "Parameters") {
					parameters = spec.Name.Name
				}
			}
		}
		return true
	})
	var visit func(name string)
	visit = func(name string) {
		for _, f := range structs[name].Fields.List {
			fields++
			switch leaf, isComposite := leafOf(f.Type); {
			case structs[leaf] != nil:
				composite++
				visit(leaf)
			case isComposite:
				composite++
			}
		}
	}
	visit(parameters)
	return fields, composite
}

func leafOf(t ast.Expr) (name string, composite bool) {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name, false
	case *ast.StarExpr:
		return leafOf(t.X)
	case *ast.ArrayType:
		name, _ = leafOf(t.Elt)
		return name, true
	case *ast.MapType:
		name, _ = leafOf(t.Value)
		return name, true
	}
	return "", false
}

// TestNoCycles follows the references, which become imports, to earlier groups only.
func TestNoCycles(t *testing.T) {
	number := map[string]int{}
	for i, g := range plan(600) {
		if _, doubled := number[g.name]; doubled {
			t.Errorf("two groups are named %s", g.name)
		}
		number[g.name] = i
	}
	target := regexp.MustCompile(Module + `/apis/(cluster|namespaced)/(\w+)/`)
	for name, content := range emitAll(t, 600) {
		parts := strings.Split(name, "/")
		if len(parts) != 5 {
			continue
		}
		for _, m := range target.FindAllStringSubmatch(content, -1) {
			if m[1] != parts[1] || number[m[2]] >= number[parts[2]] {
				t.Errorf("%s refers to %s", name, m[0])
			}
		}
	}
}

func TestReplaceModule(t *testing.T) {
	got, err := replaceModule(bytes.Clone(options.GoMod))
	if err != nil || got != "module "+Module+"\n\ngo 1.25.0\n" {
		t.Errorf("%q, %v", got, err)
	}
}
