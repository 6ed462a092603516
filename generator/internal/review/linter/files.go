package linter

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// Exists reports whether there is a file or a folder, relative to the root of the module.
func (a *API) Exists(name string) bool {
	_, err := os.Stat(filepath.Join(a.Root, filepath.FromSlash(name)))
	return err == nil
}

// Text returns the content of a file, "" if it can't be read.
func (a *API) Text(name string) string {
	content, err := os.ReadFile(filepath.Join(a.Root, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(content)
}

// Module returns the path of the module.
func (a *API) Module() string { return modfile.ModulePath([]byte(a.Text("go.mod"))) }

// WantsOmitZero reports whether a list or a map of forProvider or initProvider should have the json option
// omitzero, so that users can set it to empty: mrgen compares and fills the field, and every library that
// encodes it knows the option.
func (a *API) WantsOmitZero(f *Field) bool {
	switch t := f.Type; {
	case f.Part&(ForProvider|InitProvider) == 0, !t.IsCollection(), t.IsBytes():
		return false
	case t.Marshals, t.Zeroes: // the type decides
		return false
	// An empty list of resolved values isn't a wish.
	case f.IsReference(), f.IsResolved(), a.Secret(f.Field) != "":
		return false
	default:
		return a.knowsOmitZero(f.Kind.Object.Package.Dir)
	}
}

// knowsOmitZero reports whether the module of a folder requires libraries that know omitzero.
func (a *API) knowsOmitZero(dir string) bool {
	a.code.reading.Lock()
	defer a.code.reading.Unlock()
	known, ok := a.code.omitZero[dir]
	if !ok {
		known = requiresOmitZero(a.goMod(dir))
		a.code.omitZero[dir] = known
	}
	return known
}

// goMod returns the go.mod of a folder, relative to the root, or of the nearest one around it.
func (a *API) goMod(dir string) []byte {
	for {
		text, above := a.Text(path.Join(dir, "go.mod")), path.Dir(dir)
		if text != "" || above == dir {
			return []byte(text)
		}
		dir = above
	}
}

func requiresOmitZero(goMod []byte) bool {
	file, err := modfile.Parse("go.mod", goMod, nil)
	if err != nil {
		return false
	}
	const apimachinery = "k8s.io/apimachinery"
	for _, r := range file.Replace {
		// A fork in a folder counts as a copy of the version that it replaces.
		if r.Old.Path == apimachinery && r.New.Version != "" {
			return semver.Compare(r.New.Version, model.OmitZeroSince) >= 0
		}
	}
	return slices.ContainsFunc(file.Require, func(r *modfile.Require) bool {
		return r.Mod.Path == apimachinery && semver.Compare(r.Mod.Version, model.OmitZeroSince) >= 0
	})
}

// YAML returns the first document of a file, or nil if it can't be read.
func (a *API) YAML(name string) *yaml.Node {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(a.Text(name)), &document); err != nil || len(document.Content) == 0 {
		return nil
	}
	return document.Content[0]
}

// A Constant is a constant of a declared type.
type Constant struct {
	Name string
	Pos  diag.Position
	// Documented is set if it or its group has a comment.
	Documented bool
}

// Constants returns the constants of a type in a folder, in the order of the source.
func (a *API) Constants(dir, typeName string) []Constant {
	a.code.reading.Lock()
	defer a.code.reading.Unlock()
	known, ok := a.code.constants[dir]
	if !ok {
		known = a.constants(dir)
		a.code.constants[dir] = known
	}
	return known[typeName]
}

// constants returns the constants of all types in a folder.
func (a *API) constants(dir string) map[string][]Constant {
	all := map[string][]Constant{}
	entries, err := os.ReadDir(filepath.Join(a.Root, filepath.FromSlash(dir)))
	if err != nil {
		return all // then there are no constants
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(entry.Name(), "zz_generated.") {
			continue
		}
		if content := a.Text(name); strings.Contains(content, "\nconst ") {
			addConstants(all, name, content)
		}
	}
	return all
}

// addConstants adds the constants of a file.
func addConstants(all map[string][]Constant, name, content string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return // load reports it
	}
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, s := range group.Specs {
			spec := s.(*ast.ValueSpec) //nolint:forcetypeassert // constants are
			typ, ok := spec.Type.(*ast.Ident)
			if !ok {
				continue
			}
			at := files.Position(spec.Names[0].Pos())
			all[typ.Name] = append(all[typ.Name], Constant{
				Name:       spec.Names[0].Name,
				Pos:        diag.Position{File: name, Line: at.Line, Column: at.Column},
				Documented: group.Doc != nil || spec.Doc != nil || spec.Comment != nil,
			})
		}
	}
}
