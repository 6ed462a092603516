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
	// File has the list, at that index among those of its kind. Package is the one of the file.
	File    string
	Index   int
	Package *Package
	// IsGenerated is set if another program writes the file.
	IsGenerated bool
}

// places returns the lists of the provider, by file, those of programs last.
func (m *Module) places(lists func(*ast.File) []List) []ListInFile {
	var found, programs []ListInFile
	for _, p := range m.sorted() {
		for _, name := range slices.Sorted(maps.Keys(p.Files)) {
			for i, list := range lists(p.Files[name]) {
				place := ListInFile{List: list, File: name, Index: i, Package: p, IsGenerated: ast.IsGenerated(p.Files[name])}
				if p.Name == "main" {
					programs = append(programs, place)
				} else {
					found = append(found, place)
				}
			}
		}
	}
	return append(found, programs...)
}

// Scheme returns the list that has most of the API packages of a tree registered, or nil.
func (m *Module) Scheme(t Tree) *ListInFile {
	var best *ListInFile
	most := 0
	places := m.places(m.SchemeLists)
	for i := range places {
		n := 0
		for _, e := range places[i].Elements {
			if slices.ContainsFunc(t.Packages, func(p *Package) bool { return p.Dir == e.Dir }) {
				n++
			}
		}
		if n > most {
			best, most = &places[i], n
		}
	}
	return best
}

// controlled returns the API packages whose kinds the controllers of a package are about: those that
// it imports, or those of the packages whose controllers it sets up.
func (m *Module) controlled(dir string) map[string]bool {
	if known, found := m.about[dir]; found {
		return known
	}
	about := map[string]bool{}
	m.about[dir] = about
	p := m.Packages[dir]
	if p == nil {
		return about
	}
	for imported := range p.imports {
		if of := m.Packages[imported]; of != nil && of.API != nil {
			about[imported] = true
		}
	}
	for _, list := range m.setupLists(p) {
		for _, e := range list.Elements {
			maps.Copy(about, m.controlled(e.Dir))
		}
	}
	return about
}

// setupLists returns the lists in a package of functions that set up controllers.
func (m *Module) setupLists(p *Package) []List {
	if p == nil {
		return nil
	}
	if !p.hasLists {
		p.hasLists = true
		for _, file := range p.Files {
			p.lists = append(p.lists, m.SetupLists(file)...)
		}
	}
	return p.lists
}

// isSum reports whether a package sets up the controllers of others.
func (m *Module) isSum(dir string) bool { return len(m.setupLists(m.Packages[dir])) > 0 }

// isAbout reports whether a package has a controller of kinds of a tree, and of managed resources of an
// API group unless that is "".
func (m *Module) isAbout(dir string, t Tree, group string) bool {
	about := m.controlled(dir)
	return slices.ContainsFunc(t.Packages, func(p *Package) bool {
		return about[p.Dir] && (group == "" || p.API.Group == group && len(p.API.Managed) > 0)
	})
}

// A Setting says where a controller of a new kind is to be.
type Setting struct {
	// Dir is the folder of the controller, "" if there is none.
	Dir string
	// Places are the lists that it is to be in.
	Places []ListInFile
}

// Controllers returns where the controller of a kind is to be, whose package has a name: beside those of
// its API group if there are any, or else beside those of the tree. word is the group's own label.
func (m *Module) Controllers(t Tree, group, word, name string) Setting {
	places := m.places(m.SetupLists)
	rate := func(place ListInFile) int { return m.rate(place, t, group) }
	var best *ListInFile
	for i := range places {
		if n := rate(places[i]); n > 0 && (best == nil || n > rate(*best)) {
			best = &places[i]
		}
	}
	if best == nil {
		return Setting{}
	}
	setting := Setting{Dir: m.controllerDir(*best, t, group, word, name)}
	for _, place := range places {
		if place.Package == best.Package && rate(place) == rate(*best) {
			setting.Places = append(setting.Places, place)
		}
	}
	return setting
}

// rate says how well a controller of a group fits into a list; 0 if that has none of the tree. Where
// controllers of the group are listed, their number counts; else it is how many groups of the tree are
// covered, by packages rather than programs, and without controllers of the other scope.
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

// controllerDir returns the folder for a controller beside those of a list: in a folder of its group
// if those of other groups are in such folders.
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

// isGroupDir reports whether a folder is called as the first label of one of the tree's groups.
func (m *Module) isGroupDir(dir string, t Tree) bool {
	return slices.ContainsFunc(t.Packages, func(p *Package) bool {
		label, _, _ := strings.Cut(p.API.Group, ".")
		return p.API.Group != t.Group && label == path.Base(dir)
	})
}

// SetupFunction returns the function of a controller that is set up at a place: SetupGated, if the other
// controllers of managed resources there wait until the CRDs of their kinds are established, too.
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

// ControllerOf returns the folder of the package that is set up, called by a name, and about one of
// the API packages; "" if there is none.
func (m *Module) ControllerOf(name string, apis []string) string {
	for _, place := range m.places(m.SetupLists) {
		for _, e := range place.Elements {
			if path.Base(e.Dir) != name || m.isSum(e.Dir) {
				continue
			}
			if p := m.Packages[e.Dir]; p != nil && slices.ContainsFunc(apis, func(api string) bool { return p.imports[api] }) {
				return e.Dir
			}
		}
	}
	return ""
}

// Helpers returns the folder of the package that reads the credentials of managed resources of the
// tree, and that of the one that sets up controllers, as in a provider that mrgen init has made.
// They are "" if there are none.
func (m *Module) Helpers(t Tree) (config, setup string) {
	for _, p := range m.sorted() {
		switch {
		case p.Name == "config" && p.HasFunction("Credentials") && p.setups["Setup"] > 0 && m.isAbout(p.Dir, t, ""):
			config = p.Dir
		case p.Name == "setup" && p.HasFunction("Managed") && p.HasFunction("Gated"):
			setup = p.Dir
		}
	}
	return config, setup
}
