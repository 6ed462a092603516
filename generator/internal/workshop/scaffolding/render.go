package scaffolding

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/testdata"
)

// templates are by their folders: those of a new provider, of each tree of one, of an API package, and of
// a kind. In the folder for providers, they have the paths of what they make.
//
//go:embed all:templates
var templates embed.FS

// Files are contents by their path, slash-separated and relative to the module root.
type Files map[string][]byte

// HeaderFile has what generated Go files begin with.
const HeaderFile = "hack/boilerplate.go.txt"

// Files returns the source of a new provider.
func (p Provider) Files() (Files, error) {
	files := Files{}
	err := fs.WalkDir(templates, "templates/provider", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		from := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".tmpl")
		return files.render(strings.TrimPrefix(from, "provider/"), from, p)
	})
	if err != nil {
		return nil, err
	}
	if err := files.addSetup(setupDir, path.Base(setupDir)); err != nil {
		return nil, err
	}
	for _, t := range p.Trees {
		data := kindData{
			Provider: p, Tree: t, kind: Kind{Version: configVersion}, dir: t.ConfigDir(), generation: flavor.Latest(t.Namespaced),
		}
		templates := map[string]string{
			path.Join(t.ConfigDir(), "doc.go"):                        "doc.go",
			path.Join(t.ConfigDir(), "register.go"):                   "register.go",
			path.Join(t.ConfigDir(), "types.go"):                      "types.go",
			path.Join(t.ControllerDir(), "config/config.go"):          "config.go",
			path.Join(t.ControllerDir(), "config/config_test.go"):     "config_test.go",
			path.Join(t.ExampleDir(), "provider/providerconfig.yaml"): "config.yaml",
		}
		if !p.IsCopied() { // or else mrgen writes a package that tells the scopes apart
			templates["internal/secrets/secrets.go"], templates["internal/secrets/secrets_test.go"] = "secrets.go", "secrets_test.go"
		}
		for name, from := range templates {
			if err := files.render(name, "tree/"+from, data); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// setupDir is the folder of the package with which a new provider sets up controllers alike.
const setupDir = "internal/setup"

// addSetup adds files of that package to another one: those with these names, or all.
func (f Files) addSetup(dir, packageName string, names ...string) error {
	entries, err := testdata.Setup.ReadDir("setup")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if len(names) > 0 && !slices.Contains(names, entry.Name()) {
			continue
		}
		content, err := testdata.Setup.ReadFile(path.Join("setup", entry.Name()))
		if err != nil {
			return err
		}
		f[path.Join(dir, entry.Name())] = bytes.Replace(content, []byte("package setup\n"), []byte("package "+packageName+"\n"), 1)
	}
	return nil
}

// embedded is a type to embed, with its package unless that is the one of the other types.
type embedded struct {
	Name   string
	Import flavor.Import
}

// embedAs returns a type as a file names it that imports the types of a generation.
func embedAs(of flavor.TypeName, types flavor.Import) embedded {
	if of.Package == types.Path {
		return embedded{Name: types.Alias + "." + of.Name}
	}
	from := flavor.NewImport(of.Package, path.Base(of.Package))
	return embedded{Name: from.Alias + "." + of.Name, Import: from}
}

// render adds a file from a template. It formats Go source, whose alignment depends on the data.
func (f Files) render(name, from string, data any) error {
	text, err := templates.ReadFile(path.Join("templates", from+".tmpl"))
	if err != nil {
		return err
	}
	t, err := template.New(from).Option("missingkey=error").Funcs(template.FuncMap{
		"lower": strings.ToLower,
		"yaml":  scalar,
	}).Parse(string(text))
	if err == nil {
		_, err = t.ParseFS(templates, "templates/shared/*.tmpl")
	}
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return err
	}
	content := out.Bytes()
	if strings.HasSuffix(name, ".go") {
		formatted := format.Source
		if bytes.Contains(text, []byte("Imports")) {
			formatted = func(content []byte) ([]byte, error) { return withoutUnused(nil, content) }
		}
		if content, err = formatted(content); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	f[name] = content
	return nil
}

// scalar returns a string as YAML, quoted if necessary.
func scalar(text string) (string, error) {
	encoded, err := yaml.Marshal(text)
	return strings.TrimSuffix(string(encoded), "\n"), err
}
