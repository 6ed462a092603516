package lateinit_test

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/internal/budget"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/internal/stages/helpers"
	"github.com/mrgen-io/mrgen/generator/internal/stages/observation"
	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
	"github.com/mrgen-io/mrgen/generator/run"
)

// judged are the kinds whose types testdata/lateinit has, each with the fields of its spec.
var judged = []struct {
	name, spec string
	// markers are those of the kind, of its field spec, and of the type of spec.
	markers [3]string
}{
	{"Plain", "ForProvider PlainParameters `json:\"forProvider\"`", [3]string{}},
	{"Lists", "ForProvider ListsParameters `json:\"forProvider\"`", [3]string{}},
	{"Structs", "ForProvider StructsParameters `json:\"forProvider\"`", [3]string{}},
	{"Checks", "ForProvider ChecksParameters `json:\"forProvider\"`", [3]string{}},
	{"Others", "ForProvider OthersParameters `json:\"forProvider\"`", [3]string{}},
	{"Refers", "ForProvider RefersParameters `json:\"forProvider\"`", [3]string{}},
	{"Fixed", "ForProvider FixedParameters `json:\"forProvider\"`", [3]string{}},
	{"Ruled", "// +kubebuilder:validation:XValidation:rule=\"!has(self.c) || self.c != 'x'\"\nForProvider RuledParameters `json:\"forProvider\"`", [3]string{
		"// +kubebuilder:validation:XValidation:rule=\"!has(self.spec.forProvider.f) || self.spec.forProvider.f != 'x'\"\n",
		"// +kubebuilder:validation:XValidation:rule=\"!has(self.forProvider.g) || self.forProvider.g != 'x'\"\n// +kubebuilder:validation:XValidation:rule=\"!has(self.forProvider.__in__) || self.forProvider.__in__ != 'x'\"\n",
		"// +kubebuilder:validation:XValidation:rule=\"!has(self.forProvider.a) || self.forProvider.a != 'x'\"\n// +kubebuilder:validation:XValidation:rule=\"!has(self.forProvider.e) || self.forProvider.e.b != 'x'\"\n",
	}},
	{"OnceField", "// +kubebuilder:validation:XValidation:rule=\"self == oldSelf\"\nForProvider OnceFieldParameters `json:\"forProvider\"`", [3]string{}},
	{"Once", "ForProvider OnceParameters `json:\"forProvider\"`", [3]string{}},
	{"Chains", "ForProvider ChainsParameters `json:\"forProvider\"`", [3]string{}},
	{"Embeds", "ForProvider EmbedsParameters `json:\"forProvider\"`", [3]string{}},
	{"Towers", "ForProvider TowersParameters `json:\"forProvider\"`", [3]string{}},
	{"Deeps", "ForProvider DeepsParameters `json:\"forProvider\"`", [3]string{}},
	{"Own", "ForProvider OwnParameters `json:\"forProvider\"`", [3]string{}},
	{"Initial", "ForProvider InitialParameters `json:\"forProvider\"`\nInitProvider InitialInitParameters `json:\"initProvider,omitempty\"`", [3]string{}},
	{"Pointed", "// +optional\nForProvider *PointedParameters `json:\"forProvider,omitempty\"`\n// +optional\nInitProvider *PointedInitParameters `json:\"initProvider,omitempty\"`", [3]string{}},
}

// provider writes a module with the kinds, what mrgen generates for them, and the judge.
func provider(t *testing.T, root, others string) {
	t.Helper()
	files := testmodule.ReadTree(t, testmodule.Repository(t, "testdata/lateinit"))
	template := files["apis/v1/kind.go.tmpl"]
	delete(files, "apis/v1/kind.go.tmpl")
	table := "package main\n\nimport (\n\t\"reflect\"\n\n\tv1 \"example.org/provider/apis/v1\"\n)\n\nvar kinds = []kind{\n"
	for _, k := range judged {
		spec, initial := "nil", "nil"
		if strings.Contains(k.spec, "InitProvider") {
			spec, initial = fmt.Sprintf("reflect.TypeFor[v1.%sSpec]()", k.name), fmt.Sprintf("reflect.TypeFor[v1.%sInitParameters]()", k.name)
		}
		table += fmt.Sprintf("\t{%q, reflect.TypeFor[v1.%sParameters](), reflect.TypeFor[v1.%sObservation](), %s, %s},\n", k.name, k.name, k.name, spec, initial)
		files["apis/v1/"+strings.ToLower(k.name)+".go"] = []byte(strings.NewReplacer("KIND", k.name, "SPEC\n", k.spec+"\n", "// MARKER\n", k.markers[0], "// FIELDMARKER\n", k.markers[1], "// SPECMARKER\n", k.markers[2]).Replace(string(template)))
	}
	files["judge/kinds.go"] = []byte(table + "}\n")
	// Other modules are elsewhere.
	elsewhere := map[string][]byte{"other/go.mod": []byte("module example.org/other\n\ngo 1.24\n"), "other/types.go": files["other/types.go"]}
	delete(files, "other/types.go")
	// The stand-in of quantities knows no forms.
	stubs := testmodule.Repository(t, "testdata/stubs")
	for name, content := range testmodule.ReadTree(t, filepath.Join(stubs, "apimachinery")) {
		elsewhere["apimachinery/"+name] = content
	}
	elsewhere["apimachinery/pkg/api/resource/types.go"] = []byte(quantity)
	mod := bytes.ReplaceAll(testmodule.GoMod(t), []byte(filepath.ToSlash(stubs)+"/apimachinery"), []byte(filepath.ToSlash(others)+"/apimachinery"))
	files["go.mod"] = append(mod, testmodule.Require("example.org/other", "v0.0.0", filepath.Join(others, "other"))...)
	testmodule.WriteTree(t, root, files)
	testmodule.WriteTree(t, others, elsewhere)

	options := run.Default()
	options.Dir, options.Packages = root, []string{"./apis/..."}
	run, diags, err := (engine.Engine{Stages: []pipeline.Stage{observation.Stage, deepcopy.Stage, helpers.Stage}}).Open(options).Evaluate(context.Background())
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	for name, content := range run.Output.Artifacts.Files() {
		if path.Base(name) == "zz_generated.observation.go" {
			comments(t, content)
		}
		testmodule.Write(t, filepath.Join(root, filepath.FromSlash(name)), content)
	}
}

const quantity = `// Package resource stands in for the package of that name in k8s.io/apimachinery.
package resource

import "encoding/json"

// Quantity is an amount, in one of several forms.
type Quantity struct {
	Value int64
	Form  string
}

// MarshalJSON returns a string.
func (q Quantity) MarshalJSON() ([]byte, error) { return json.Marshal(q.Form) }

// Cmp returns 0 if two quantities are the same amount.
func (q *Quantity) Cmp(other Quantity) int { return int(q.Value - other.Value) }

// DeepCopyInto copies the receiver.
func (q *Quantity) DeepCopyInto(out *Quantity) { *out = *q }

// DeepCopy returns a copy.
func (q *Quantity) DeepCopy() *Quantity { return &Quantity{q.Value, q.Form} }
`

// TestMethodsDoWhatTheySay runs the methods that are written for kinds with all shapes of fields, on random
// values. The program in testdata/lateinit/judge says by reflection what they should do.
func TestMethodsDoWhatTheySay(t *testing.T) {
	root := os.Getenv("JUDGE_DIR")
	if root == "" {
		root = t.TempDir()
	}
	provider(t, root, t.TempDir())
	command := exec.Command("go", "run", "-trimpath", "-ldflags=-s -w", "./judge", fmt.Sprintf("-runs=%d", budget.Of(150, 1500)))
	command.Dir = root
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// omitted says what the comments of methods say that they leave out. Methods that leave nothing out say
// nothing of that.
var omitted = map[string]string{
	"PlainParameters.LateInitialize":     "Only the desired state has hidden and secret. Never filled, as their markers say: kept.",
	"PlainParameters.Diff":               "Only the desired state has hidden and secret. Not compared, as their markers say: off.",
	"ListsParameters.LateInitialize":     "Never filled, as their markers say: keptAround.",
	"ListsParameters.Diff":               "Not compared, as their markers say: offAround. Compared without items and entries that only the observed state has: subMap, subList, subKeyed and around. Compared in any order: unordered.",
	"StructsParameters.LateInitialize":   "Not filled as a whole, since not all that they require is mirrored: hides and writes.",
	"ChecksParameters.LateInitialize":    "Not filled, since only the API server checks what constrains them: narrow, set, optKeyed, ruled, onceValue, tiny, typed, strange, host, odd and halves. Not filled as a whole, since only the API server checks what constrains them: partly, wholly and least. Not filled as a whole, since not all that they require is mirrored: keeps.",
	"RefersParameters.LateInitialize":    "Only the desired state has networkRef, networkSelector, valueRef, valueSelector, groupRefs, groupSelector, subnetRef and subnetSelector.",
	"RefersParameters.Diff":              "Only the desired state has networkRef, networkSelector, valueRef, valueSelector, groupRefs, groupSelector, subnetRef and subnetSelector.",
	"DeepsParameters.Diff":               "Compared without items and entries that only the observed state has: sub and subDeep. Compared in any order: needs.",
	"FixedParameters.LateInitialize":     "Not filled, since they can't change, and Go has always written them: region, loose and value.",
	"RuledParameters.LateInitialize":     "Not filled, since only the API server checks what constrains them: a, c, e, f, g and in.",
	"EmbedsParameters.LateInitialize":    "Not filled, since only the API server checks what constrains them: text. Not filled as a whole, since only the API server checks what constrains them: ruled.",
	"OnceParameters.LateInitialize":      "Not filled, since only the API server checks what constrains them: a, b and c.",
	"OnceFieldParameters.LateInitialize": "Not filled, since only the API server checks what constrains them: a and b.",
	"OwnParameters.LateInitialize":       "Only the observed state has more. Left out, since their types differ: count. Not filled as a whole, since not all that they require is mirrored: tag.",
	"OwnParameters.Diff":                 "Only the observed state has more. Left out, since their types differ: count.",
	"InitialParameters.Diff":             "Only the desired state has networkRef, networkSelector and secrets.",
	"InitialSpec.LateInitialize":         "Only the desired state has networkRef, networkSelector and secrets. Never filled, as their markers say: never.",
	"PointedSpec.CreateParameters":       "Left out, since their types differ: flag. Only spec.initProvider has more.",
}

// comments compares the second paragraphs of the comments of methods with what they should say.
func comments(t *testing.T, content []byte) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "observation.go", content, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv == nil {
			continue
		}
		_, second, _ := strings.Cut(f.Doc.Text(), "\n\n")
		if second != "" {
			said[f.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name+"."+f.Name.Name] = strings.Join(strings.Fields(second), " ")
		}
		for line := range strings.Lines(f.Doc.Text()) {
			if len("// "+strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("a line is long: %s", line)
			}
		}
	}
	if diff := cmp.Diff(omitted, said); diff != "" {
		t.Errorf("what methods leave out: -want +got:\n%s", diff)
	}
}
