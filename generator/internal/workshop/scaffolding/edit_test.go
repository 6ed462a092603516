package scaffolding

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// added matches what is added to a file.
var added = regexp.MustCompile(`(?s)«(.*?)»`)

// TestEdit adds a package to files that authors have written in several ways, and
// expects all but the two new lines to stay as they are.
func TestEdit(t *testing.T) {
	for name, text := range map[string]string{
		"as init writes it": `import (
	"k8s.io/apimachinery/pkg/runtime"

«	storagev1 "example.org/provider/apis/storage/v1"
»	configv1alpha1 "example.org/provider/apis/v1alpha1"
)

var AddToSchemes = runtime.SchemeBuilder{
	configv1alpha1.SchemeBuilder.AddToScheme,
«	storagev1.SchemeBuilder.AddToScheme,
»}
`,
		"comments and odd layout": `import (
	av1 "example.org/provider/apis/a/v1" // first
«	storagev1 "example.org/provider/apis/storage/v1"
»	"k8s.io/apimachinery/pkg/runtime"
)

var AddToSchemes = append(runtime.SchemeBuilder{},
	// The oldest.
		av1.AddToScheme, // it has its own function
«		storagev1.SchemeBuilder.AddToScheme,
»
	// The end.
)
`,
		"one line, name taken": "import (\n\tstoragev1 \"example.org/provider/apis/other/v1\"\n«\tstoragev1x2 \"example.org/provider/apis/storage/v1\"\n»)\n\n" +
			"var schemes = list(storagev1.AddToScheme«, storagev1x2.SchemeBuilder.AddToScheme»)\n",
		"one line, comma": "import (\n«\tstoragev1 \"example.org/provider/apis/storage/v1\"\n»\t\"example.org/provider/apis/v1\"\n)\n\n" +
			"var schemes = builder{v1.AddToScheme, «storagev1.SchemeBuilder.AddToScheme, »/* last */}\n",
		"a single import": "import \"example.org/provider/apis/other\"\n«import storagev1 \"example.org/provider/apis/storage/v1\"\n»\n" +
			"var schemes = other.List(other.AddToScheme«, storagev1.SchemeBuilder.AddToScheme»)\n",
		"there already": "import (\n\tstorage \"example.org/provider/apis/storage/v1\"\n)\n\nvar schemes = builder{storage.SchemeBuilder.AddToScheme}\n",
	} {
		t.Run(name, func(t *testing.T) {
			root, text := t.TempDir(), "package apis\n\n"+text
			before, after := added.ReplaceAllString(text, ""), added.ReplaceAllString(text, "$1")
			files := map[string]string{"go.mod": "module example.org/provider\n", "apis/apis.go": before}
			for _, folder := range []string{"apis/v1", "apis/v1alpha1", "apis/a/v1", "apis/other", "apis/other/v1", "apis/storage/v1"} {
				files[folder+"/register.go"] = "package " + path.Base(folder) + "\n\nfunc AddToScheme() {}\n"
			}
			for name, content := range files {
				testmodule.Write(t, filepath.Join(root, name), []byte(content))
			}
			source, diags := layout.Read(root)
			expect.None(t, diags)
			apis := source.Packages["apis"]
			lists := source.SchemeLists(apis.Files["apis/apis.go"])
			expect.Must(t, len(lists) == 1, "found %d lists", len(lists))
			a := addition{
				Addition: Addition{Files: Files{"apis/apis.go": []byte(before)}, Edited: map[string]bool{}},
				provider: Provider{Module: "example.org/provider", source: source}, root: root,
			}
			a.register(layout.ListInFile{List: lists[0], File: "apis/apis.go", Package: apis},
				registration{alias: "storagev1", folder: "apis/storage/v1", function: "SchemeBuilder.AddToScheme", lists: source.SchemeLists})
			expect.Must(t, len(a.diags)+len(a.ByHand) == 0, "%v %v", a.diags, a.ByHand)
			expect.Equal(t, after, string(a.Files["apis/apis.go"]), "the file differs")
		})
	}
}

// TestReserved checks that no package of an SDK takes a name that a template declares: packages have names without capitals.
func TestReserved(t *testing.T) {
	t.Parallel()
	declares, declared := regexp.MustCompile(`(?m)^(?:func|type|var|const) ([a-z0-9]+)\b`), map[string]bool{}
	for _, folder := range []string{"templates/kind", "templates/shared"} {
		entries := expect.Value(templates.ReadDir(folder))(t)
		for _, entry := range entries {
			text := expect.Value(templates.ReadFile(folder + "/" + entry.Name()))(t)
			for _, found := range declares.FindAllStringSubmatch(string(text), -1) {
				declared[found[1]] = true
				name := found[1]
				expect.True(t, name == "init" || slices.Contains(sdkReserved, name), "%s declares %s, which sdkReserved lacks", entry.Name(), name)
			}
		}
	}
	expect.True(t, len(declared) != 0, "the templates declare nothing")
}
