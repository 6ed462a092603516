package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	gomodule "golang.org/x/mod/module"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// RequiredModule returns the folder of a module that the module of a package in a folder requires, in the module cache
// unless another folder replaces it. It returns "" if the module isn't required.
func (l *Listing) RequiredModule(modulePath, cache, dir string) string {
	home := l.Scope.Abs(l.Scope.ModuleOf(dir))
	mod := l.modFile(home)
	if mod == nil {
		return ""
	}
	var found gomodule.Version
	for _, r := range mod.Require {
		if r.Mod.Path == modulePath {
			found = r.Mod
		}
	}
	for _, r := range mod.Replace {
		if r.Old.Path == modulePath && (r.Old.Version == "" || r.Old.Version == found.Version) {
			found = r.New
		}
	}
	switch {
	case found.Path == "":
		return ""
	case found.Version != "":
		escaped, err := gomodule.EscapePath(found.Path)
		if err != nil {
			return ""
		}
		// A version is in the module cache, where capital letters are escaped.
		return cache + "/" + escaped + "@" + found.Version
	case filepath.IsAbs(found.Path):
		return filepath.ToSlash(found.Path)
	default: // a folder that replaces the module, relative to go.mod
		return filepath.ToSlash(filepath.Join(home, filepath.FromSlash(found.Path)))
	}
}

// modFile parses the go.mod in a folder. It returns nil if that can't be read.
func (l *Listing) modFile(dir string) *modfile.File {
	content, err := l.ReadFile(l.settings.ModFile(dir))
	if err != nil {
		return nil
	}
	file, err := modfile.Parse("go.mod", content, nil)
	if err != nil { // such as directives of a newer go command; this drops replacements
		file, _ = modfile.ParseLax("go.mod", content, nil)
	}
	return file
}

// RequirementOf returns the line of go.mod that requires a module for the package in a folder.
func (l *Listing) RequirementOf(modulePath, dir string) diag.Position {
	home := l.Scope.ModuleOf(dir)
	at := diag.Position{File: path.Join(home, "go.mod")}
	for _, r := range l.modFile(l.Scope.Abs(home)).Require {
		if r.Mod.Path == modulePath {
			at.Line = r.Syntax.Start.Line
		}
	}
	return at
}

// ReadInterfaces returns the interfaces that the package in a folder declares, see
// [model.Runtime.Interfaces], and what the files with these import; nil if its source can't be read.
func (l *Listing) ReadInterfaces(dir string) (interfaces map[string]map[string]string, imports map[string]bool) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, nil
	}
	imports = map[string]bool{}
	declared := map[string]*ast.InterfaceType{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") { // tests declare interfaces of their own
			continue
		}
		content, err := l.ReadFile(name)
		if err != nil {
			return nil, nil
		}
		if !bytes.Contains(content, []byte(" interface {")) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil
		}
		for _, importPath := range gosyntax.ImportPaths(file) {
			imports[importPath] = true
		}
		for _, spec := range gosyntax.Types(file) {
			if t, ok := spec.Type.(*ast.InterfaceType); ok {
				declared[spec.Name.Name] = t
			}
		}
	}
	interfaces = map[string]map[string]string{}
	for name := range declared {
		interfaces[name] = map[string]string{}
		addMethods(interfaces[name], declared, name, map[string]bool{})
	}
	return interfaces, imports
}

// addMethods adds the methods of an interface, and of the embedded interfaces of the same package.
func addMethods(methods map[string]string, declared map[string]*ast.InterfaceType, name string, seen map[string]bool) {
	if seen[name] || declared[name] == nil { // an interface of another package
		return
	}
	seen[name] = true
	for _, m := range declared[name].Methods.List {
		switch t := m.Type.(type) {
		case *ast.FuncType:
			for _, n := range m.Names {
				methods[n.Name] = valueType(t)
			}
		case *ast.Ident:
			addMethods(methods, declared, t.Name, seen)
		}
	}
}

// valueType returns the type that a getter returns, or a setter takes, without its
// package.
func valueType(f *ast.FuncType) string {
	fields := f.Params
	if f.Results != nil && len(f.Results.List) > 0 { // a getter; a setter has no results
		fields = f.Results
	}
	if len(fields.List) == 0 {
		return ""
	}
	prefix, expr := "", fields.List[0].Type
	for {
		switch t := expr.(type) {
		case *ast.StarExpr:
			prefix, expr = prefix+"*", t.X
		case *ast.ArrayType:
			prefix, expr = prefix+"[]", t.Elt
		case *ast.Ellipsis:
			prefix, expr = prefix+"...", t.Elt
		case *ast.SelectorExpr:
			return prefix + t.Sel.Name
		case *ast.Ident:
			return prefix + t.Name
		default:
			return prefix
		}
	}
}
