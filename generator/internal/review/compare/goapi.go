package compare

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// A Source is the Go files of a package, by path.
type Source map[string][]byte

// GoAPI returns findings about what importers of packages would lose, by the folder of each.
// What another finding says of the field in objects is not said of the Go field again. Found
// are those findings.
func GoAPI(old map[string]Source, new func(folder string) Source, found []Finding) []Finding {
	reported := map[string]bool{}
	for _, f := range found {
		reported[lastName(f.Path)] = true
	}
	var all []Finding
	for _, folder := range slices.Sorted(maps.Keys(old)) {
		all = append(all, goPackage(folder, old[folder], new(folder), reported)...)
	}
	return all
}

// lastName returns the JSON name that a path ends with.
func lastName(at string) string {
	at = strings.TrimRight(at, "[]{}")
	return at[strings.LastIndexByte(at, '.')+1:]
}

func goPackage(folder string, old, new Source, reported map[string]bool) []Finding {
	was, is := parsePackage(folder, old), parsePackage(folder, new)
	if was.types == nil {
		return nil // there was none
	}
	finding := func(what, identifier string) Finding {
		return Finding{
			Pos: is.position(folder, identifier), Kind: folder, Path: identifier, Class: Client, What: what,
			Happens: "programs that import the package would not compile", Advice: "keep the identifier, and declare it deprecated",
			Counterexample: &Counterexample{Says: fmt.Sprintf("%s.%s: %s", was.types.Name(), identifier, what)},
		}
	}
	if is.types == nil {
		f := finding("the package "+folder+" was removed", was.types.Name())
		f.Counterexample.Says = "no package in " + folder
		return []Finding{f}
	}
	var all []Finding
	for _, c := range apidiff.Changes(was.types, is.types).Changes {
		if c.Compatible {
			continue
		}
		identifier, what, ok := strings.Cut(c.Message, ": ")
		if !ok || strings.Contains(what, "invalid type") || strings.Contains(what, "unknown") {
			continue
		}
		identifier = strings.TrimPrefix(identifier, "./")
		if name, isField := was.jsonName(identifier); isField && reported[name] {
			continue
		}
		all = append(all, finding(what, identifier))
	}
	return all
}

// A goSide is a package as it was or is.
type goSide struct {
	files []*ast.File
	set   *token.FileSet
	types *types.Package
}

// parsePackage type-checks the declarations of a package. What it imports is made up: a type
// of another package is known by its name, which is what two sides have in common. So no
// other package is loaded, and neither side need compile.
func parsePackage(folder string, source Source) goSide {
	s := goSide{set: token.NewFileSet()}
	for _, name := range slices.Sorted(maps.Keys(source)) {
		file, err := parser.ParseFile(s.set, name, source[name], parser.SkipObjectResolution)
		if err == nil && file.Name.Name != "main" {
			s.files = append(s.files, file)
		}
	}
	if len(s.files) == 0 {
		return s
	}
	config := types.Config{
		Importer: newImporter(s.files), IgnoreFuncBodies: true, FakeImportC: true,
		Error: func(error) {}, // what can't be resolved is the same on both sides
	}
	s.types, _ = config.Check(folder, s.set, s.files, nil)
	return s
}

// position returns where an identifier is declared, or what it belongs to, or the package.
func (s goSide) position(folder, identifier string) diag.Position {
	if s.types == nil {
		return diag.Position{File: folder}
	}
	if structure, i := s.field(identifier); structure != nil {
		return s.at(structure.Field(i).Pos())
	}
	name, _, _ := strings.Cut(identifier, ".")
	if object := s.types.Scope().Lookup(strings.Trim(name, "(*)")); object != nil {
		return s.at(object.Pos())
	}
	return s.at(s.files[0].Name.Pos()) // without files there are no types
}

// field returns the struct that declares a field, "T.F", and the index of that, or nil.
func (s goSide) field(identifier string) (structure *types.Struct, index int) {
	name, member, _ := strings.Cut(identifier, ".")
	object := s.types.Scope().Lookup(strings.Trim(name, "(*)"))
	if object == nil {
		return nil, 0
	}
	structure, ok := object.Type().Underlying().(*types.Struct)
	for i := 0; ok && i < structure.NumFields(); i++ {
		if structure.Field(i).Name() == member {
			return structure, i
		}
	}
	return nil, 0
}

func (s goSide) at(pos token.Pos) diag.Position {
	p := s.set.Position(pos)
	return diag.Position{File: p.Filename, Line: p.Line, Column: p.Column}
}

// jsonName returns the JSON name of a field, "T.F".
func (s goSide) jsonName(identifier string) (string, bool) {
	structure, i := s.field(identifier)
	if structure == nil {
		return "", false
	}
	tagged, _, _ := strings.Cut(reflect.StructTag(structure.Tag(i)).Get("json"), ",")
	return tagged, tagged != ""
}

// An importer makes up packages: they have the types that files name.
type importer map[string]*types.Package

func newImporter(files []*ast.File) importer {
	packages := importer{}
	for _, file := range files {
		for _, spec := range file.Imports {
			if imported := gosyntax.ImportPath(spec); packages[imported] == nil {
				packages[imported] = types.NewPackage(imported, packageName(imported))
				packages[imported].MarkComplete()
			}
		}
		imports := gosyntax.NewImports(file, packageName)
		ast.Inspect(file, func(node ast.Node) bool {
			if imported, selected := imports.Selected(node); imported != "" && packages[imported].Scope().Lookup(selected) == nil {
				name := types.NewTypeName(token.NoPos, packages[imported], selected, nil)
				types.NewNamed(name, types.NewStruct(nil, nil), nil)
				packages[imported].Scope().Insert(name)
			}
			return true
		})
	}
	return packages
}

// packageName returns how a package is probably called: it need not be right where an import
// has a name, and is the same on both sides elsewhere.
func packageName(imported string) string {
	name := path.Base(imported)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(imported))
	}
	if _, after, ok := strings.Cut(name, "go-"); ok {
		name = after
	}
	name, _, _ = strings.Cut(name, ".")
	return strings.ReplaceAll(name, "-", "")
}

func (i importer) Import(imported string) (*types.Package, error) {
	if pkg := i[imported]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("%s is not imported", imported)
}
