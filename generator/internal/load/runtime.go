package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	gomodule "golang.org/x/mod/module"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// addRuntimes adds what the versions of crossplane-runtime ask for that the objects of
// the model are made for. API packages don't import the package that says so, and to load
// it, with all that it imports, would take longer than the whole run: a few declarations
// are read from its source.
func (b *builder) addRuntimes() {
	b.Model.Runtimes = map[string]*model.Runtime{}
	for _, p := range b.Model.Packages {
		for _, o := range p.Objects {
			if g := o.Generation; g != nil && b.Model.Runtimes[g.Resource.Path] == nil {
				if root := b.runtimeRoot(g, p); root != "" {
					b.Model.Runtimes[g.Resource.Path] = b.runtime(root)
				}
			}
		}
	}
}

// runtimeRoot returns the folder of crossplane-runtime that goes with the types of a
// generation, for objects of a package, or "" if it can't be found.
func (b *builder) runtimeRoot(g *flavor.Generation, p *model.Package) string {
	modulePath := strings.TrimSuffix(g.Resource.Path, resourceFolder)
	types := b.packages[g.Embed.Package]
	if types == nil {
		return ""
	}
	dir := filepath.ToSlash(b.packageDir(types))
	if below, found := strings.CutPrefix(g.Embed.Package, modulePath); found {
		return strings.TrimSuffix(dir, below)
	}
	// The core types are in another module. Both are vendored, or in the module cache.
	if root, found := strings.CutSuffix(dir, "/vendor/"+g.Embed.Package); found {
		return root + "/vendor/" + modulePath
	}
	path, version, found := strings.Cut(dir, "@")
	_, below, _ := strings.Cut(version, "/")
	cache, inCache := strings.CutSuffix(path, "/"+strings.TrimSuffix(g.Embed.Package, "/"+below))
	if !found || !inCache {
		return ""
	}
	return b.requiredRoot(modulePath, cache, p)
}

// resourceFolder is that of the resource package in crossplane-runtime, and errorsFolder
// that of the package of errors.
const (
	resourceFolder = "/pkg/resource"
	errorsFolder   = "/pkg/errors"
)

// requiredRoot returns the folder of a module that the module of a package requires, in
// the module cache unless it is replaced by another folder; "" if it requires none.
func (b *builder) requiredRoot(modulePath, cache string, p *model.Package) string {
	home := b.moduleDir(module{dir: b.scope.home(p.Dir)})
	content, err := b.read(filepath.Join(home, "go.mod"))
	if err != nil {
		return ""
	}
	mod, err := modfile.ParseLax("go.mod", content, nil)
	if err != nil {
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
		return cache + "/" + escaped + "@" + found.Version
	case filepath.IsAbs(found.Path):
		return filepath.ToSlash(found.Path)
	default:
		return filepath.ToSlash(filepath.Join(home, filepath.FromSlash(found.Path)))
	}
}

// runtime reads what a version of crossplane-runtime asks for, once; nil if there is
// nothing to read.
func (l *listing) runtime(root string) *model.Runtime {
	if known, found := l.runtimes.Load(root); found {
		return known.(*model.Runtime)
	}
	resource, errors := filepath.FromSlash(root+resourceFolder), filepath.FromSlash(root+errorsFolder)
	if l.reads.log != nil && !l.isFixed(resource) {
		l.noteFolder(resource)
		l.noteFolder(errors)
	}
	var runtime *model.Runtime
	if interfaces := l.readInterfaces(resource); interfaces != nil {
		_, version, _ := strings.Cut(root[strings.LastIndex(root, "/")+1:], "@")
		info, err := os.Stat(errors)
		runtime = &model.Runtime{Version: version, Interfaces: interfaces, Errors: err == nil && info.IsDir()}
	}
	l.runtimes.Store(root, runtime)
	return runtime
}

// readInterfaces returns the interfaces that a package declares, see
// [model.Runtime.Interfaces]; nil if its source can't be read.
func (l *listing) readInterfaces(dir string) map[string]map[string]string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return nil
	}
	declared := map[string]*ast.InterfaceType{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		content, err := l.read(name)
		if err != nil {
			return nil
		}
		if !bytes.Contains(content, []byte(" interface {")) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, content, parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.TYPE {
				for _, spec := range decl.Specs {
					if t, ok := spec.(*ast.TypeSpec).Type.(*ast.InterfaceType); ok {
						declared[spec.(*ast.TypeSpec).Name.Name] = t
					}
				}
			}
		}
	}
	interfaces := map[string]map[string]string{}
	for name := range declared {
		interfaces[name] = map[string]string{}
		addMethods(interfaces[name], declared, name, map[string]bool{})
	}
	return interfaces
}

// addMethods adds the methods of an interface, those of interfaces of its package that
// it embeds included.
func addMethods(methods map[string]string, declared map[string]*ast.InterfaceType, name string, seen map[string]bool) {
	if seen[name] || declared[name] == nil {
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
	if f.Results != nil && len(f.Results.List) > 0 {
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
