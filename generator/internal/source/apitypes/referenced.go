package apitypes

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/markers"
)

// referencedPackages returns the packages, other than the run's own, that reference markers name. Unless import cycles
// are known, it also returns the packages below the module root with such markers, so that cycles don't depend on the
// patterns. The paths of packages that must be loaded first are returned by the folder of the module that refers to
// them.
func (s *Source) referencedPackages() (found []*model.Package, unloaded map[string][]string) {
	unloaded = map[string][]string{}
	findsCycles := s.sources.opts.Cyclic == nil
	loaded := map[string]*loader.Package{}
	users := maps.Clone(s.users)
	s.Program.EachListed(func(pkg *loader.Package) {
		importPath := loader.NonVendorPath(pkg.PkgPath)
		loaded[importPath] = cmp.Or(loaded[importPath], pkg)
		dir := s.files.Relative(s.files.PackageDir(pkg))
		isOther := load.InModule(dir) && s.Packages[importPath] == nil
		if findsCycles && isOther && s.hasReferences(pkg) {
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
			if known, isKnown := s.sources.known.Load(importPath); isKnown { // another part of the run has loaded it
				found = append(found, known.(*model.Package))
				continue
			}
			switch pkg, problem := loaded[importPath], s.sources.listing.Unreadable(importPath); {
			case pkg != nil && problem == "":
				p, ofMarkers := s.referencedPackage(pkg)
				switch {
				case findsCycles:
					maps.Copy(next, ofMarkers)
				case p.Local:
					p = p.Declared() // other parts of the run need it, too
					s.sources.known.Store(importPath, p)
				}
				found = append(found, p)
			case problem == "": // not loaded yet
				home := s.Program.Scope.ModuleOf(users[importPath])
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

// hasReferences reports whether a file of the package seems to have a reference marker.
func (s *Source) hasReferences(pkg *loader.Package) bool {
	return slices.ContainsFunc(pkg.GoFiles, func(file string) bool {
		content, err := s.sources.listing.ReadFile(file)
		return err == nil && bytes.Contains(content, []byte(referenceMarkers))
	})
}

// referenceMarkers is the prefix of reference markers.
const referenceMarkers = "+" + markers.ReferencePrefix

// markerUsers returns the import paths of the packages that markers name, each with the
// folder of a package that has such a marker.
func (b *builder) markerUsers() map[string]string {
	homes := map[string]string{}
	for pkg := range b.indexed {
		homes[b.source.files.Relative(b.source.files.PackageDir(pkg))] = loader.NonVendorPath(pkg.PkgPath)
	}
	users := map[string]string{}
	for _, c := range b.index {
		for _, m := range c.markers {
			for _, name := range goNames(m.Value) {
				dir := path.Dir(m.Pos.File)
				importPath, _ := markers.SplitGoName(name)
				importPath = cmp.Or(importPath, homes[dir])                 // a name without a package is in the marker's own
				if user, found := users[importPath]; !found || dir < user { // the result must not depend on the order of a map
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

// referencedPackage returns the model of a package that the run only refers to. If it lies below the module root, it
// also returns the packages that its markers name.
func (s *Source) referencedPackage(pkg *loader.Package) (*model.Package, map[string]string) {
	s.Program.Parse(pkg)
	if _, err := s.Collector.MarkersInPackage(pkg); err != nil { // a run over the package reports its errors
		return &model.Package{Path: loader.NonVendorPath(pkg.PkgPath), Problem: s.files.RelativeText(err.Error())}, nil
	}
	s.Program.TypeCheck([]*loader.Package{pkg})
	b := s.newBuilder()
	b.addPackages([]*loader.Package{pkg})
	b.indexPackages([]*loader.Package{pkg})
	p := b.pkg(pkg)
	for _, o := range p.Objects {
		classify(o)
	}
	if !p.Local {
		return p, nil
	}
	return p, b.markerUsers()
}

// loadReferenced completes the model with the packages that markers name.
func (s *Source) loadReferenced(ctx context.Context) {
	// Packages that no package of the run imports are loaded, with one call of the go command a module. Their markers
	// may name more.
	for unloaded := s.relate(); len(unloaded) > 0; unloaded = s.relate() {
		for _, home := range slices.Sorted(maps.Keys(unloaded)) {
			s.sources.listing.LoadReferenced(ctx, home, unloaded[home])
		}
	}
}
