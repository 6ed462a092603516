package load

import (
	"bytes"
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
// names reference markers use, and the packages below the module root with such
// markers: how packages depend on each other shall not depend on the patterns.
// The paths of those that are to be loaded first are returned by the folder of the
// module that refers to them.
func (s *Source) referencedPackages() (found []*model.Package, unloaded map[string][]string) {
	unloaded = map[string][]string{}
	loaded := map[string]*loader.Package{}
	users := maps.Clone(s.users)
	eachOf(slices.Concat(s.roots, s.listed, s.external), func(pkg *loader.Package) {
		importPath := loader.NonVendorPath(pkg.PkgPath)
		loaded[importPath] = cmp.Or(loaded[importPath], pkg)
		if dir := s.relative(s.packageDir(pkg)); !s.acyclic && inModule(dir) && s.Packages[importPath] == nil && s.hasReferences(pkg) {
			users[importPath] = dir
		}
	})
	done := map[string]bool{}
	for len(users) > 0 {
		next := map[string]string{}
		for _, importPath := range slices.Sorted(maps.Keys(users)) {
			if done[importPath] || s.Packages[importPath] != nil {
				continue
			}
			done[importPath] = true
			switch pkg, problem := loaded[importPath], s.unreadable[importPath]; {
			case s.known[importPath] != nil:
				found = append(found, s.known[importPath])
			case pkg != nil && problem == "":
				s.reads.name(s.relative(s.packageDir(pkg)))
				p, ofMarkers := s.referencedPackage(pkg)
				found = append(found, p)
				maps.Copy(next, ofMarkers)
			case problem == "":
				home := s.scope.home(users[importPath])
				unloaded[home] = append(unloaded[home], importPath)
			default:
				found = append(found, &model.Package{Path: importPath, Problem: problem})
			}
		}
		users = next
	}
	slices.SortFunc(found, func(a, b *model.Package) int { return cmp.Compare(a.Path, b.Path) })
	return found, unloaded
}

// hasReferences reports whether a file of the package has a reference marker, or
// what looks like one.
func (s *Source) hasReferences(pkg *loader.Package) bool {
	return slices.ContainsFunc(pkg.GoFiles, func(file string) bool {
		content, err := s.read(file)
		return err == nil && bytes.Contains(content, []byte(referenceMarkers))
	})
}

// referenceMarkers is how reference markers begin.
const referenceMarkers = "+" + markers.ReferencePrefix

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

// referencedPackage returns the model of a package that a run only refers to, and
// if it is below the module root, the users of other packages in its markers. What
// is wrong with it is for a run over it to report.
func (s *Source) referencedPackage(pkg *loader.Package) (*model.Package, map[string]string) {
	if err := s.collectMarkers(pkg); err != nil {
		return &model.Package{Path: loader.NonVendorPath(pkg.PkgPath), Problem: s.relativeText(err.Error())}, nil
	}
	s.checkPackages(s.checkShared([]*loader.Package{pkg}))
	b := s.newBuilder()
	b.addPackages([]*loader.Package{pkg})
	b.indexPackages([]*loader.Package{pkg})
	p := b.pkg(pkg)
	for _, o := range p.Objects {
		classify(o)
	}
	if !p.Local || s.acyclic {
		return p, nil
	}
	return p, b.markerUsers()
}

// loadExternal loads the referenced packages that no package of the run imports,
// with one call of the go command a module, and what these refer to in turn.
func (s *Source) loadExternal(ctx context.Context) {
	referenced, unloaded := s.referencedPackages()
	for len(unloaded) > 0 {
		for _, home := range slices.Sorted(maps.Keys(unloaded)) {
			s.loadReferenced(ctx, home, unloaded[home])
		}
		referenced, unloaded = s.referencedPackages()
	}
	s.Model.Referenced = referenced
	s.Model.Imports = s.imports()
}

// loadReferenced loads packages that a module refers to. Each is external or
// unreadable then.
func (s *Source) loadReferenced(ctx context.Context, home string, paths []string) {
	for _, importPath := range paths {
		s.unreadable[importPath] = "there is no package with this import path"
	}
	paths = slices.DeleteFunc(paths, func(importPath string) bool { return !isImportPath(importPath) })
	if len(paths) == 0 {
		return
	}
	pkgs, err := s.list(ctx, module{dir: home, patterns: paths})
	if err != nil {
		for _, importPath := range paths {
			s.unreadable[importPath] = s.relativeText(err.Error())
		}
	}
	for _, pkg := range pkgs {
		importPath := loader.NonVendorPath(pkg.PkgPath)
		switch {
		case !slices.Contains(paths, importPath):
		case len(pkg.Errors) > 0:
			// What follows a semicolon is how the go command would go on.
			s.unreadable[importPath], _, _ = strings.Cut(s.relativeText(pkg.Errors[0].Msg), ";")
		default:
			delete(s.unreadable, importPath)
			s.external = append(s.external, pkg)
			s.noteInputs([]*loader.Package{pkg})
		}
	}
}

// isImportPath reports whether the go command takes a text for the import path of
// one package.
func isImportPath(text string) bool {
	reserved := []string{"all", "cmd", "std", "tool", "work"}
	return gomodule.CheckImportPath(text) == nil && !strings.Contains(text, "...") && !slices.Contains(reserved, text)
}
