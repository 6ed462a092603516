package layout

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
)

// A ListInFile is a list in a file of the provider.
type ListInFile struct {
	List
	// File has the list, at the index Index among the lists of its kind. Package is the file's package.
	File    string
	Index   int
	Package *Package
	// IsGenerated is set if another program writes the file.
	IsGenerated bool
}

// places returns the provider's lists, by file, programs last.
func (m *Module) places(lists func(*ast.File) []List) []ListInFile {
	var found []ListInFile
	for _, p := range m.sorted() {
		for _, name := range slices.Sorted(maps.Keys(p.Files)) {
			for i, list := range lists(p.Files[name]) {
				found = append(found, ListInFile{List: list, File: name, Index: i, Package: p, IsGenerated: ast.IsGenerated(p.Files[name])})
			}
		}
	}
	return found
}

// best returns the first list with the highest rating, or nil if none has one above 0.
func best(places []ListInFile, rate func(ListInFile) int) *ListInFile {
	var found *ListInFile
	most := 0
	for i := range places {
		if n := rate(places[i]); n > most {
			found, most = &places[i], n
		}
	}
	return found
}

// Scheme returns the list that registers most of the API packages of a tree, or nil.
func (m *Module) Scheme(t Tree) *ListInFile {
	return best(m.places(m.SchemeLists), func(place ListInFile) int {
		n := 0
		for _, e := range place.Elements {
			if slices.ContainsFunc(t.Packages, func(p *Package) bool { return p.Dir == e.Dir }) {
				n++
			}
		}
		return n
	})
}

// controlled returns the API packages whose kinds a package's controllers handle: the ones that it imports, or
// those of the packages whose controllers it sets up.
func (m *Module) controlled(dir string) map[string]bool {
	if known, found := m.about[dir]; found {
		return known
	}
	about := map[string]bool{}
	// Before the recursion: packages may set up each other.
	m.about[dir] = about
	p := m.Packages[dir]
	if p == nil {
		return about
	}
	for imported := range p.Imports {
		if of := m.Packages[imported]; of != nil && of.API != nil {
			about[imported] = true
		}
	}
	for _, list := range p.lists {
		for _, e := range list.Elements {
			maps.Copy(about, m.controlled(e.Dir))
		}
	}
	return about
}

// isSum reports whether a package sets up the controllers of others.
func (m *Module) isSum(dir string) bool {
	p := m.Packages[dir]
	return p != nil && len(p.lists) > 0
}

// isAbout reports whether a package has a controller for kinds of a tree and, unless group is "", for managed
// resources of that API group.
func (m *Module) isAbout(dir string, t Tree, group string) bool {
	about := m.controlled(dir)
	return slices.ContainsFunc(t.Packages, func(p *Package) bool {
		return about[p.Dir] && (group == "" || p.API.Group == group && len(p.API.Managed) > 0)
	})
}

// A Setting is the place for the controller of a new kind.
type Setting struct {
	// Dir is the folder of the controller, or "".
	Dir string
	// Places are the lists to add it to.
	Places []ListInFile
}

// Controllers returns the place for the controller of a kind, in a package of a name: beside the controllers of
// its API group, or else beside those of the tree. word is the group's own label.
func (m *Module) Controllers(t Tree, group, word, name string) Setting {
	places := m.places(m.SetupLists)
	rate := func(place ListInFile) int { return m.rate(place, t, group) }
	first := best(places, rate)
	if first == nil {
		return Setting{}
	}
	setting := Setting{Dir: m.controllerDir(*first, t, group, word, name)}
	for _, place := range places {
		if place.Package == first.Package && rate(place) == rate(*first) {
			setting.Places = append(setting.Places, place)
		}
	}
	return setting
}

// rate rates how well a controller of a group fits into a list; 0 if the list has none of the tree. Controllers
// of the group count most, then covered groups of the tree, and then packages over programs. Controllers of the
// other scope count against it.
func (m *Module) rate(place ListInFile, t Tree, group string) int {
	const inGroup, ofTree, noProgram = 1 << 20, 1 << 10, 1 << 9
	rating := 0
	groups := map[string]bool{}
	for _, e := range place.Elements {
		if !m.isSum(e.Dir) && m.isAbout(e.Dir, t, group) {
			rating += inGroup
		}
		if !m.isAbout(e.Dir, t, "") {
			rating--
		}
		about := m.controlled(e.Dir)
		for _, p := range t.Packages {
			if about[p.Dir] {
				groups[p.API.Group] = true
			}
		}
	}
	if len(groups) == 0 {
		return 0
	}
	if place.Package.Name != "main" {
		rating += noProgram
	}
	return rating + ofTree*len(groups)
}

// controllerDir returns the folder for a controller beside those of a list: in a folder of its group if other
// groups have such folders.
func (m *Module) controllerDir(place ListInFile, t Tree, group, word, name string) string {
	dir, isFlat := path.Dir(place.Elements[len(place.Elements)-1].Dir), false
	for _, e := range place.Elements {
		parent := path.Dir(e.Dir)
		switch {
		case !m.isAbout(e.Dir, t, ""):
		case m.isSum(e.Dir):
			dir, isFlat = parent, false
		case m.isAbout(e.Dir, t, group):
			return path.Join(parent, name)
		case m.isGroupDir(parent, t):
			dir, isFlat = path.Dir(parent), false
		default:
			dir, isFlat = parent, slices.ContainsFunc(t.Packages, func(p *Package) bool {
				return m.controlled(e.Dir)[p.Dir] && len(p.API.Managed) > 0
			})
		}
	}
	if flat := path.Join(dir, name); isFlat && m.Packages[flat] == nil {
		return flat
	}
	return path.Join(dir, word, name)
}

// isGroupDir reports whether a folder is named like the first label of one of the tree's groups.
func (m *Module) isGroupDir(dir string, t Tree) bool {
	return slices.ContainsFunc(t.Packages, func(p *Package) bool {
		label, _, _ := strings.Cut(p.API.Group, ".")
		return p.API.Group != t.Group && label == path.Base(dir)
	})
}

// SetupFunction returns the function to set up a controller with at a place: SetupGated if the other
// controllers there wait until the CRDs of their kinds are established, too.
func (m *Module) SetupFunction(place ListInFile) string {
	for _, e := range slices.Backward(place.Elements) {
		isManaged := false
		for dir := range m.controlled(e.Dir) {
			isManaged = isManaged || len(m.Packages[dir].API.Managed) > 0
		}
		if isManaged && (e.Function == "Setup" || e.Function == "SetupGated") {
			return e.Function
		}
	}
	if place.Function == "Setup" {
		return "Setup"
	}
	return "SetupGated"
}

// ControllerOf returns the folder of the package of a name that is set up and handles one of the API packages,
// or "".
func (m *Module) ControllerOf(name string, apis []string) string {
	for _, place := range m.places(m.SetupLists) {
		for _, e := range place.Elements {
			if path.Base(e.Dir) != name || m.isSum(e.Dir) {
				continue
			}
			if p := m.Packages[e.Dir]; p != nil && slices.ContainsFunc(apis, func(api string) bool { return p.Imports[api] }) {
				return e.Dir
			}
		}
	}
	return ""
}

// Helpers returns the folders of two packages in providers made by mrgen init: the one that reads the
// credentials of managed resources of the tree, and the one that sets up controllers. Each is "" if it is
// missing.
func (m *Module) Helpers(t Tree) (config, setup string) {
	for _, p := range m.sorted() {
		has := func(function string) bool { _, found := p.functions[function]; return found }
		switch {
		case p.Name == "config" && has("Credentials") && p.functions["Setup"] > 0 && m.isAbout(p.Dir, t, ""):
			config = p.Dir
		case p.Name == "setup" && has("Managed") && has("Gated"):
			setup = p.Dir
		}
	}
	return config, setup
}
