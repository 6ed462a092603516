// Package layout finds the places in a provider's source where it has its kinds, registers them with schemes,
// and sets up their controllers. It goes by declarations and references rather than by the names of files.
package layout

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// A Module is the Go source of a provider.
type Module struct {
	// Path is the path of the Go module.
	Path string
	// Packages are the packages of the module by folder, without tests.
	Packages map[string]*Package

	required map[string]string
	// about caches the API packages of the kinds that a package's controllers handle.
	about map[string]map[string]bool
}

// A Package is a Go package of the module.
type Package struct {
	// Dir is the folder relative to the root, and Name the name of the package.
	Dir, Name string
	// Files are its files by path, without tests and files generated from the kinds.
	Files map[string]*ast.File
	// API describes its kinds, nil without any.
	API *API
	// Builder and GroupVersion are the variables that register kinds, or "".
	Builder, GroupVersion string
	// Imports are the folders of the module's packages that it imports.
	Imports map[string]bool
	// HasTests is set if it has files with tests.
	HasTests bool

	// functions are its functions, with the numbers of parameters of those that set up controllers.
	functions map[string]int
	// Registers is set if it declares a function or a variable that adds types to schemes.
	Registers bool
	// lists are the lists of functions that set up controllers.
	lists []List
	fset  *token.FileSet
}

// Read reads the source of the module in a folder, and reports files that can't be parsed.
func Read(root string) (*Module, diag.List) {
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, diag.List{diag.Errorf(diag.Position{File: "go.mod"}, Code, "cannot read this: %v", diag.Cause(err))}
	}
	m := &Module{
		Path: modfile.ModulePath(content), Packages: map[string]*Package{},
		required: map[string]string{}, about: map[string]map[string]bool{},
	}
	if file, err := modfile.ParseLax("go.mod", content, nil); err == nil {
		for _, r := range file.Require {
			m.required[r.Mod.Path] = r.Mod.Version
		}
	}
	fset := token.NewFileSet()
	var diags diag.List
	modules.EachFolder(root, ".", func(dir string, names []string) {
		for _, base := range names {
			name := path.Join(dir, base)
			file := filepath.Join(root, filepath.FromSlash(name))
			// Files of mrgen and of the tools that it replaces follow from the kinds, except copies, which have kinds.
			isOutput := strings.HasPrefix(base, "zz_generated.") && !isCopy(base) && modules.IsGenerated(file, true)
			if isOutput || strings.HasSuffix(base, "_test.go") {
				continue
			}
			syntax, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				diags = append(diags, Unparsable(name, err))
				continue
			}
			m.add(name, syntax, fset)
		}
		if p := m.Packages[dir]; p != nil {
			p.HasTests = slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
		}
	})
	for _, p := range m.Packages {
		p.read(m)
	}
	for _, p := range m.Packages {
		for _, file := range p.Files {
			p.lists = append(p.lists, m.SetupLists(file)...)
		}
	}
	return m, diags.Sorted()
}

// Unparsable returns the diagnostic for a file that can't be parsed.
func Unparsable(name string, err error) diag.Diagnostic {
	at := diag.Position{File: name}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		at.Line, at.Column = list[0].Pos.Line, list[0].Pos.Column
		err = errors.New(list[0].Msg)
	}
	return diag.Errorf(at, Code, "cannot parse this file: %v: correct it first", diag.Cause(err))
}

// Code is the code of diagnostics about additions to a provider.
const Code diag.Code = "scaffold"

// A Step is something that is left to the author.
type Step struct {
	// Pos is where to do it.
	Pos diag.Position
	// Text says what to do, and Lines are what to write.
	Text  string
	Lines []string
}

// Announce registers a package that is about to be written, with kinds or a controller.
func (m *Module) Announce(dir string) {
	if m.Packages[dir] == nil {
		m.Packages[dir] = &Package{Dir: dir, Name: path.Base(dir), Registers: true, functions: map[string]int{"Setup": 2, "SetupGated": 2}}
	}
}

// isCopy reports whether a file has the name of a copy from the other scope. Such a file has kinds, though
// mrgen writes it.
func isCopy(name string) bool { return strings.HasPrefix(name, modules.CopyPrefix) }

// Source returns the files of a package by name, without copies from the other scope. p may be nil.
func (p *Package) Source() map[string]*ast.File {
	files := map[string]*ast.File{}
	if p == nil {
		return files
	}
	for name, file := range p.Files {
		if base := path.Base(name); !strings.HasPrefix(base, "zz_generated.") {
			files[base] = file
		}
	}
	return files
}

func (m *Module) add(name string, syntax *ast.File, fset *token.FileSet) {
	dir := path.Dir(name)
	p := m.Packages[dir]
	if p == nil {
		p = &Package{
			Dir: dir, Name: syntax.Name.Name, Files: map[string]*ast.File{},
			Imports: map[string]bool{}, functions: map[string]int{}, fset: fset,
		}
		m.Packages[dir] = p
	}
	p.Files[name] = syntax
}

// read reads the declarations of a package.
func (p *Package) read(m *Module) {
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		file := p.Files[name]
		for _, spec := range file.Imports {
			if dir, ours := m.dirOf(gosyntax.ImportPath(spec)); ours {
				p.Imports[dir] = true
			}
		}
		for _, decl := range file.Decls {
			gosyntax.EachName(decl, func(name *ast.Ident) { p.Registers = p.Registers || name.Name == addToScheme })
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				p.functions[f.Name.Name] = setupParameters(file, f.Type)
			}
		}
	}
	p.API = readAPI(p)
}

const addToScheme = "AddToScheme"

// AddsToScheme reports whether a function, such as SchemeBuilder.AddToScheme, adds kinds to a scheme by its name.
func AddsToScheme(function string) bool { return strings.HasSuffix("."+function, "."+addToScheme) }

// setupParameters returns the number of parameters of a function that sets up controllers, or 0 for others: the first
// ones are a manager and the options of controllers, and it returns an error.
func setupParameters(file *ast.File, f *ast.FuncType) int {
	var parameters []ast.Expr
	for _, field := range f.Params.List {
		for range max(1, len(field.Names)) {
			parameters = append(parameters, field.Type)
		}
	}
	if len(parameters) < 2 || f.Results == nil || f.Results.NumFields() != 1 || f.TypeParams != nil {
		return 0
	}
	result, ok := f.Results.List[0].Type.(*ast.Ident)
	imports := gosyntax.NewImports(file, path.Base)
	manager, options := named(imports, parameters[0]), named(imports, parameters[1])
	isManager := manager == "sigs.k8s.io/controller-runtime.Manager" || manager == "sigs.k8s.io/controller-runtime/pkg/manager.Manager"
	isOptions := options == "github.com/crossplane/crossplane-runtime/pkg/controller.Options" || options == "github.com/crossplane/crossplane-runtime/v2/pkg/controller.Options"
	if isManager && isOptions && ok && result.Name == "error" {
		return len(parameters)
	}
	return 0
}

// named returns the type that an expression names, with its package: "fmt.Stringer".
func named(imports *gosyntax.Imports, x ast.Expr) string {
	importPath, name := imports.Selected(x)
	return importPath + "." + name
}

// dirOf returns the folder of a package of the module.
func (m *Module) dirOf(importPath string) (dir string, ours bool) {
	if importPath == m.Path {
		return ".", true
	}
	return strings.CutPrefix(importPath, m.Path+"/")
}

// Version returns the version of a module that go.mod requires, or "".
func (m *Module) Version(modulePath string) string { return m.required[modulePath] }

// Requires reports whether go.mod requires a module in a version or a later one.
func (m *Module) Requires(modulePath, version string) bool {
	return semver.Compare(m.required[modulePath], version) >= 0 // no version is less than any
}

// Position returns the position of a node in a file of the package.
func (p *Package) Position(name string, pos token.Pos) diag.Position {
	at := p.fset.PositionFor(pos, false)
	return diag.Position{File: name, Line: at.Line, Column: at.Column}
}

// Declares reports whether the package declares a type.
func (p *Package) Declares(name string) bool { return slices.Contains(p.types(), name) }

// HasKind reports whether the package declares a kind: a type and its list.
func (p *Package) HasKind(name string) bool { return p.Declares(name) && p.Declares(name+"List") }

// Kinds returns the names of the managed resources that the package declares, sorted.
func (p *Package) Kinds() []string {
	names := p.types()
	if p.API == nil || len(p.API.Managed) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Sorted(slices.Values(names)), func(name string) bool {
		return !slices.Contains(names, name+"List") || strings.HasPrefix(name, "ProviderConfig") || name == "ClusterProviderConfig"
	})
}

// types returns the names of the types that the package declares.
func (p *Package) types() []string {
	var names []string
	for _, file := range p.Files {
		for _, spec := range gosyntax.Types(file) {
			names = append(names, spec.Name.Name)
		}
	}
	return names
}
