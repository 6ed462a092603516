package lateinit_test

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/internal/stages/deepcopy"
	"github.com/mrgen-io/mrgen/generator/internal/stages/helpers"
	"github.com/mrgen-io/mrgen/generator/internal/stages/observation"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
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
	run, diags, err := (stagerunner.Runner{Stages: []stage.Stage{observation.Stage, deepcopy.Stage, helpers.Stage}}).Open(options).Evaluate(context.Background())
	expect.Must(t, err == nil && !diags.HasErrors(), "%v %v", err, diags)
	for name, content := range run.Output.Artifacts.Files() {
		testmodule.Write(t, filepath.Join(root, filepath.FromSlash(name)), content)
	}
}

//go:embed testdata/quantity.go
var quantity string

// TestMethodsDoWhatTheySay runs the methods that are written for kinds with all shapes of fields, on random
// values. The program in testdata/lateinit/judge says by reflection what they should do.
func TestMethodsDoWhatTheySay(t *testing.T) {
	root := os.Getenv("JUDGE_DIR")
	if root == "" {
		root = t.TempDir()
	}
	provider(t, root, filepath.Join(filepath.Dir(root), "others"))
	command := exec.Command("go", "run", "-trimpath", "-ldflags=-s -w", "./judge", fmt.Sprintf("-runs=%d", budget.Of(150, 1500)))
	command.Dir = root
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
	output, err := command.CombinedOutput()
	expect.True(t, err == nil, "%v\n%s", err, output)
}
