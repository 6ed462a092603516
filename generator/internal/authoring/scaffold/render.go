package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"path"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"
)

//go:embed templates
var templates embed.FS

// Files are contents by their path, slash-separated and relative to the module root.
type Files map[string][]byte

// HeaderFile has what generated Go files begin with.
const HeaderFile = "hack/boilerplate.go.txt"

// Files returns the source of a new provider.
func (p Provider) Files() (Files, error) {
	files := Files{}
	for name, from := range map[string]string{
		"go.mod":                               "go.mod",
		"go.sum":                               "go.sum",
		"apis/apis.go":                         "apis.go",
		"apis/generate.go":                     "generate.go",
		"cmd/provider/main.go":                 "main.go",
		"internal/setup/setup.go":              "setup.go",
		"internal/version/version.go":          "version.go",
		registerFile:                           "register.go",
		"package/crossplane.yaml":              "crossplane.yaml",
		"mrgen.yaml":                           "mrgen.yaml",
		"Makefile":                             "Makefile",
		"Dockerfile":                           "Dockerfile",
		".github/workflows/ci.yml":             "ci.yml",
		".golangci.yml":                        "golangci.yml",
		".gitignore":                           "gitignore",
		".gitattributes":                       "gitattributes",
		"README.md":                            "README.md",
		"internal/setup/setup_test.go":         "setup_test.go",
		"hack/dev/main.go":                     "dev.go",
		HeaderFile:                             "boilerplate.go.txt",
		"LICENSE":                              "LICENSE",
		"renovate.json":                        "renovate.json",
		".dockerignore":                        "dockerignore",
		".gitlab-ci.yml":                       "gitlab-ci.yml",
		".github/CODEOWNERS":                   "CODEOWNERS",
		".github/PULL_REQUEST_TEMPLATE.md":     "pull_request_template.md",
		".github/ISSUE_TEMPLATE/bug_report.md": "bug_report.md",
		".github/ISSUE_TEMPLATE/feature_request.md": "feature_request.md",
		".github/workflows/codeql.yml":              "codeql.yml",
		".github/workflows/release.yml":             "release.yml",
	} {
		if err := files.render(name, "provider/"+from, p); err != nil {
			return nil, err
		}
	}
	for _, t := range p.Trees {
		data := treeData{Provider: p, Tree: t}
		for name, from := range map[string]string{
			path.Join(t.ConfigDir(), "doc.go"):                        "doc.go",
			path.Join(t.ConfigDir(), "register.go"):                   "register.go",
			path.Join(t.ConfigDir(), "types.go"):                      "types.go",
			path.Join(t.ControllerDir(), "config/config.go"):          "config.go",
			path.Join(t.ControllerDir(), "config/config_test.go"):     "config_test.go",
			path.Join(t.ExampleDir(), "provider/providerconfig.yaml"): "config.yaml",
		} {
			if err := files.render(name, "tree/"+from, data); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// treeData is the data of templates for a tree.
type treeData struct {
	Provider
	Tree Tree
}

// kindData is the data of templates for a kind.
type kindData struct {
	treeData
	kind Kind
}

func (d kindData) Kind() string    { return d.kind.Name }
func (d kindData) Version() string { return d.kind.Version }
func (d kindData) Package() string { return d.kind.Package() }
func (d kindData) Article() string { return d.kind.Article() }

// Remark returns the end of comments that tells the trees apart, which those don't have that are
// copied from one to the other.
func (d kindData) Remark() string {
	if d.IsCopied() {
		return ""
	}
	return d.Tree.Remark()
}

// GroupTitle returns the API group of the kind for comments.
func (d kindData) GroupTitle() string {
	if d.IsCopied() {
		return "the group " + d.kind.Group
	}
	return d.GroupName() + d.Tree.Remark()
}

// GroupName returns the API group of the kind.
func (d kindData) GroupName() string { return d.kind.Group + "." + d.Tree.Group }

// APIDir returns the folder of the kind's API package.
func (d kindData) APIDir() string { return path.Join(d.Tree.APIDir(), d.kind.Group, d.kind.Version) }

// ControllerDir returns the folder of the kind's controller.
func (d kindData) ControllerDir() string {
	return path.Join(d.Tree.ControllerDir(), d.kind.Group, d.kind.Package())
}

// groupFile is the file of an API package that names its group and version.
const groupFile = "groupversion_info.go"

// files returns the source of the kind in one tree, without its controller.
func (d kindData) files() (Files, error) {
	files := Files{}
	for name, from := range map[string]string{
		path.Join(d.APIDir(), groupFile):                    "group/" + groupFile,
		path.Join(d.APIDir(), d.kind.Package()+"_types.go"): "kind/types.go",
	} {
		if err := files.render(name, from, d); err != nil {
			return nil, err
		}
	}
	return files, d.example(files)
}

// example adds the manifest of the kind.
func (d kindData) example(files Files) error {
	return files.render(path.Join("examples", d.GroupName(), d.kind.Version, strings.ToLower(d.kind.Name)+".yaml"), "kind/example.yaml", d)
}

// controller returns the source of the kind's controller.
func (d kindData) controller() (Files, error) {
	files := Files{}
	for name, from := range map[string]string{
		d.kind.Package() + ".go":      "controller.go",
		"client.go":                   "client.go",
		"password.go":                 "password.go",
		"memory.go":                   "memory.go",
		d.kind.Package() + "_test.go": "controller_test.go",
	} {
		if err := files.render(path.Join(d.ControllerDir(), name), "kind/"+from, d); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// render adds a file from a template. It formats Go source, whose alignment depends on the data.
func (f Files) render(name, from string, data any) error {
	text, err := templates.ReadFile(path.Join("templates", from+".tmpl"))
	if err != nil {
		return err
	}
	t, err := template.New(from).Option("missingkey=error").Funcs(template.FuncMap{"yaml": scalar}).Parse(string(text))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return err
	}
	content := out.Bytes()
	if strings.HasSuffix(name, ".go") {
		if content, err = format.Source(content); err != nil {
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
