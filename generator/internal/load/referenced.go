package load

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	gomodule "golang.org/x/mod/module"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// referencedPackages returns the packages, other than those of the run, whose
// names reference markers use. What no package of the run imports is left to
// [Source.loadExternal].
func (b *builder) referencedPackages() []*model.Package {
	users := b.markerUsers()
	maps.DeleteFunc(users, func(importPath, _ string) bool { return b.Packages[importPath] != nil })
	if len(users) == 0 {
		return nil
	}
	imported := map[string]*loader.Package{}
	b.eachPackage(func(pkg *loader.Package) { imported[loader.NonVendorPath(pkg.PkgPath)] = pkg })
	var found []*model.Package
	for _, importPath := range slices.Sorted(maps.Keys(users)) {
		if pkg := imported[importPath]; pkg != nil {
			found = append(found, b.referencedPackage(pkg))
			continue
		}
		if b.external[importPath] == nil {
			home := b.scope.home(users[importPath])
			b.external[importPath] = &model.Package{Path: importPath, Problem: "there is no package with this import path"}
			b.unloaded[home] = append(b.unloaded[home], importPath)
		}
		found = append(found, b.external[importPath])
	}
	return found
}

// markerUsers returns the import paths of the packages whose names markers use,
// each with the folder of a package that has such a marker.
func (b *builder) markerUsers() map[string]string {
	homes := map[string]string{}
	for pkg := range b.indexed {
		homes[b.relative(b.packageDir(pkg))] = loader.NonVendorPath(pkg.PkgPath)
	}
	users := map[string]string{}
	for _, c := range b.index {
		for _, m := range c.markers {
			for _, name := range goNames(m.Value) {
				dir := path.Dir(m.Pos.File)
				importPath, _ := markers.SplitGoName(name)
				importPath = cmp.Or(importPath, homes[dir])
				if user, found := users[importPath]; !found || dir < user {
					users[importPath] = dir
				}
			}
		}
	}
	return users
}

// goNames returns the names of types and functions in the arguments of a marker.
func goNames(v *markers.Value) []string {
	if v == nil {
		return nil
	}
	var names []string
	for _, a := range v.Definition.Arguments {
		if a.Type == markers.GoType || a.Type == markers.GoCall {
			name, _, _ := strings.Cut(v.Text(a.Name), "(")
			names = append(names, name)
		}
	}
	return names
}

// referencedPackage returns the model of a package that a run only refers to.
// What is wrong with it is for a run over it to report.
func (s *Source) referencedPackage(pkg *loader.Package) *model.Package {
	if err := s.collectMarkers(pkg); err != nil {
		return &model.Package{Path: loader.NonVendorPath(pkg.PkgPath), Problem: s.relativeText(err.Error())}
	}
	s.Checker.Check(pkg)
	b := s.newBuilder()
	b.addPackages([]*loader.Package{pkg})
	b.indexPackage(pkg)
	p := b.pkg(pkg)
	for _, o := range p.Objects {
		classify(o)
	}
	return p
}

// loadExternal loads the referenced packages that no package of the run imports,
// with one call of the go command a module.
func (s *Source) loadExternal(ctx context.Context, overlay map[string][]byte) {
	for _, home := range slices.Sorted(maps.Keys(s.unloaded)) {
		paths := slices.DeleteFunc(s.unloaded[home], func(importPath string) bool { return !isImportPath(importPath) })
		if len(paths) == 0 {
			continue
		}
		pkgs, err := s.list(ctx, module{dir: home, patterns: paths}, overlay)
		if err != nil {
			for _, importPath := range paths {
				s.external[importPath].Problem = s.relativeText(err.Error())
			}
		}
		for _, pkg := range pkgs {
			p := s.external[loader.NonVendorPath(pkg.PkgPath)]
			switch {
			case p == nil:
			case len(pkg.Errors) > 0:
				// What follows a semicolon is how the go command would go on.
				p.Problem, _, _ = strings.Cut(s.relativeText(pkg.Errors[0].Msg), ";")
			default:
				*p = *s.referencedPackage(pkg)
			}
		}
	}
	clear(s.unloaded)
}

// isImportPath reports whether the go command takes a text for the import path of
// one package.
func isImportPath(text string) bool {
	reserved := []string{"all", "cmd", "std", "tool", "work"}
	return gomodule.CheckImportPath(text) == nil && !strings.Contains(text, "...") && !slices.Contains(reserved, text)
}
