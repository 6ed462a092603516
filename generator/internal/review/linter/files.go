package linter

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
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

// Below yields the names of the files below a folder, at any depth. It leaves out what can't be read.
func (a *API) Below(folder string) iter.Seq[string] {
	return func(yield func(string) bool) {
		_ = filepath.WalkDir(filepath.Join(a.Root, filepath.FromSlash(folder)), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return nil //nolint:nilerr // such as a folder that isn't there
			}
			rel, _ := filepath.Rel(a.Root, file) // it is below
			if !yield(filepath.ToSlash(rel)) {
				return fs.SkipAll
			}
			return nil
		})
	}
}

// Matching yields the names and the contents of the files that match patterns, in their order. The patterns have the form of [path.Match].
// One that begins with **/ is for names of files at any depth, but not in hidden folders and those without code of the provider.
func (a *API) Matching(patterns ...string) iter.Seq2[string, string] {
	return func(yield func(name, content string) bool) {
		for _, pattern := range patterns {
			files, _ := filepath.Glob(filepath.Join(a.Root, filepath.FromSlash(pattern))) // the patterns are right
			if base, isDeep := strings.CutPrefix(pattern, "**/"); isDeep {
				files = a.deep(base)
			}
			for _, file := range files {
				rel, _ := filepath.Rel(a.Root, file) // it is below
				if name := filepath.ToSlash(rel); !yield(name, a.Text(name)) {
					return
				}
			}
		}
	}
}

// deep returns the files at any depth whose names match a pattern.
func (a *API) deep(pattern string) []string {
	var files []string
	_ = filepath.WalkDir(a.Root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // such as a folder that nobody may read
		case entry.IsDir() && file != a.Root && (strings.HasPrefix(entry.Name(), ".") || slices.Contains(skipped, entry.Name())):
			return fs.SkipDir
		}
		if matches, _ := path.Match(pattern, entry.Name()); matches && !entry.IsDir() {
			files = append(files, file)
		}
		return nil
	})
	return files
}

// LineAt returns the number of the line with an offset in a file's content.
func LineAt[T string | []byte](content T, offset int) int {
	return 1 + strings.Count(string(content[:offset]), "\n")
}

// Module returns the path of the module.
func (a *API) Module() string { return modfile.ModulePath([]byte(a.Text("go.mod"))) }

// imported matches the path of an import in a declaration of its own or in parentheses.
var imported = regexp.MustCompile(`(?m)^(?:import)?[ \t]*\w*[ \t]*"([\w.-]+\.[\w-]+/[^"\s]+)"$`)

// Unimportable returns the remedies for imports in hand-written source that can't be resolved, by position: of packages that the module
// lacks, and of its own packages by the path of another module, as after a fork.
func (a *API) Unimportable() map[diag.Position]string {
	file, err := modfile.ParseLax("go.mod", []byte(a.Text("go.mod")), nil)
	if err != nil || file.Module == nil {
		return nil
	}
	found := map[diag.Position]string{}
	foreign := map[diag.Position]string{} // of the module's own packages by another path
	for _, f := range a.sources() {
		for _, m := range imported.FindAllSubmatchIndex(f.content, -1) {
			name := string(f.content[m[2]:m[3]])
			at := diag.Position{File: f.name, Line: LineAt(f.content, m[2])}
			dir, isLocal := strings.CutPrefix(name, file.Module.Mod.Path+"/")
			isRequired := slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return strings.HasPrefix(name+"/", r.Mod.Path+"/") })
			switch {
			case isRequired, artifact.Owned(f.content), isLocal && a.Exists(dir):
			case isLocal:
				found[at] = "this module has no package " + dir + ": correct the import, or generate it"
			default:
				if dir := a.folderOf(name); dir != "" {
					foreign[at] = "go.mod calls this module " + file.Module.Mod.Path + ": write " + file.Module.Mod.Path + "/" + dir
				}
			}
		}
	}
	if len(foreign) > 0 { // a renamed module has one cause
		first := slices.MinFunc(slices.Collect(maps.Keys(foreign)), diag.Position.Compare)
		why := foreign[first]
		if more := len(foreign) - 1; more > 0 {
			why = fmt.Sprintf("%d imports name packages of this module otherwise, first %s:%d: correct the name here, or write %s in each",
				more+1, first.File, first.Line, file.Module.Mod.Path)
			first = diag.Position{File: "go.mod", Line: file.Module.Syntax.Start.Line}
		}
		found[first] = why
	}
	return found
}

// folderOf returns the folder of this module that the import path of another module ends in, or "".
func (a *API) folderOf(importPath string) string {
	elements := strings.Split(importPath, "/")
	for i := 2; i < len(elements); i++ {
		if dir := strings.Join(elements[i:], "/"); a.Exists(dir) {
			return dir
		}
	}
	return ""
}

// DeclaresVariable reports whether a package may declare a variable, by its import path. Of other modules' packages, only
// the module is looked up.
func (a *API) DeclaresVariable(importPath, name string) bool {
	file, err := modfile.ParseLax("go.mod", []byte(a.Text("go.mod")), nil)
	if err != nil || file.Module == nil {
		return true // nobody knows
	}
	dir, isLocal := strings.CutPrefix(importPath, file.Module.Mod.Path+"/")
	if !isLocal {
		return slices.ContainsFunc(file.Require, func(r *modfile.Require) bool {
			return strings.HasPrefix(importPath+"/", r.Mod.Path+"/")
		})
	}
	declaration := regexp.MustCompile(`(?m)^(var\s+|\s+)` + name + `\b`)
	return slices.ContainsFunc(a.sources(), func(f codeFile) bool {
		return path.Dir(f.name) == dir && declaration.Match(f.content)
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
	// Value is its text, or "" if it is another expression.
	Value string
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
			value := ""
			if len(spec.Values) > 0 {
				if literal, isLiteral := spec.Values[0].(*ast.BasicLit); isLiteral && literal.Kind == token.STRING {
					value, _ = strconv.Unquote(literal.Value)
				}
			}
			all[typ.Name] = append(all[typ.Name], Constant{
				Name:       spec.Names[0].Name,
				Pos:        positionIn(files, name, spec.Names[0].Pos()),
				Value:      value,
				Documented: group.Doc != nil || spec.Doc != nil || spec.Comment != nil,
			})
		}
	}
}

// positionIn returns a position in a file of the module.
func positionIn(files *token.FileSet, name string, pos token.Pos) diag.Position {
	at := files.Position(pos)
	return diag.Position{File: name, Line: at.Line, Column: at.Column}
}
