package layout

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
)

// A Tree is the part of a provider with the kinds of one scope.
type Tree struct {
	Namespaced bool
	// Dir is the folder that the API packages are below.
	Dir string
	// Group is the common end of their API groups.
	Group string
	// Packages are the API packages, by folder.
	Packages []*Package
	// Foreign is set if another generator writes the kinds.
	Foreign bool
}

// Trees returns the parts of a provider, cluster-scoped kinds first. It is empty for a provider without kinds.
func (m *Module) Trees() []Tree {
	var trees []Tree
	for _, namespaced := range []bool{false, true} {
		if t := m.tree(namespaced); len(t.Packages) > 0 {
			trees = append(trees, t)
		}
	}
	return trees
}

// tree returns the part with the kinds of a scope.
func (m *Module) tree(namespaced bool) Tree {
	t := Tree{Namespaced: namespaced}
	for _, p := range m.sorted() {
		if p.API == nil || !p.API.has(namespaced) {
			continue
		}
		dir, group := p.home(m.isConfigured(p.API.Group))
		if len(t.Packages) == 0 {
			t.Dir, t.Group = dir, group
		}
		t.Dir, t.Group = CommonStart(t.Dir, dir), commonEnd(t.Group, group)
		t.Packages = append(t.Packages, p)
	}
	managed := slices.DeleteFunc(slices.Clone(t.Packages), func(p *Package) bool { return len(p.API.Managed) == 0 })
	t.Foreign = len(managed) > 0 && !slices.ContainsFunc(managed, func(p *Package) bool { return !p.API.Foreign })
	return t
}

// sorted returns the packages by folder, programs last.
func (m *Module) sorted() []*Package {
	key := func(p *Package) string { return strconv.FormatBool(p.Name == "main") + p.Dir }
	return slices.SortedFunc(maps.Values(m.Packages), func(a, b *Package) int { return strings.Compare(key(a), key(b)) })
}

// has reports whether a package has kinds of a scope.
func (a *API) has(namespaced bool) bool {
	// ProviderConfigs alone: a ClusterProviderConfig exists only beside namespaced kinds.
	if len(a.Managed) == 0 {
		return a.ClusterConfig == namespaced
	}
	return slices.ContainsFunc(a.Managed, func(g *flavor.Generation) bool { return g.Namespaced == namespaced })
}

// isConfigured reports whether an API group has ProviderConfigs, and so is the provider's own.
func (m *Module) isConfigured(group string) bool {
	for _, p := range m.Packages {
		if p.API != nil && p.API.Configs != nil && p.API.Group == group {
			return true
		}
	}
	return false
}

// home returns the folder above the folders of groups, if they are arranged like this one, and the common end
// of their API groups. The provider's own group is the end of the others.
func (p *Package) home(isOwn bool) (dir, group string) {
	parent := p.versionless()
	label, rest, _ := strings.Cut(p.API.Group, ".")
	// Only a folder named like the first label of the group is for this group alone.
	if len(p.API.Managed) == 0 || path.Base(parent) != label || !strings.Contains(rest, ".") {
		return parent, p.API.Group
	}
	if isOwn {
		rest = p.API.Group
	}
	return path.Dir(parent), rest
}

// versionless returns the folder of a package without its version.
func (p *Package) versionless() string {
	if path.Base(p.Dir) == p.API.Version {
		return path.Dir(p.Dir)
	}
	return p.Dir
}

// CommonStart returns the innermost folder that contains two folders.
func CommonStart(a, b string) string {
	for a != "." && a != b && !strings.HasPrefix(b, a+"/") {
		a = path.Dir(a)
	}
	return a
}

// commonEnd returns the common last labels of two domain names.
func commonEnd(a, b string) string {
	for a != b && !strings.HasSuffix(b, "."+a) {
		_, rest, found := strings.Cut(a, ".")
		if !found {
			return ""
		}
		a = rest
	}
	return a
}

// GroupOf returns the API group of the tree for a word: its first label, the whole group, or "" for the common
// end.
func (t Tree) GroupOf(word string) string {
	switch {
	case word == "":
		return t.Group
	case strings.Contains(word, "."):
		return word
	}
	return word + "." + t.Group
}

// GroupNamed returns the API group with a first label: one with managed resources of the tree, or a new one
// with the common end.
func (t Tree) GroupNamed(label string) string {
	var found []string
	for _, p := range t.Packages {
		if first, _, _ := strings.Cut(p.API.Group, "."); first == label && len(p.API.Managed) > 0 && !slices.Contains(found, p.API.Group) {
			found = append(found, p.API.Group)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return t.GroupOf(label)
}

// InGroup returns the packages with managed resources in an API group, by folder.
func (t Tree) InGroup(group string) []*Package {
	return slices.DeleteFunc(slices.Clone(t.Packages), func(p *Package) bool { return p.API.Group != group || len(p.API.Managed) == 0 })
}

// DirOf returns the folder for a version of a kind in an API group: beside its other versions, beside other
// kinds of the group, or a new one.
func (t Tree) DirOf(group, kind, version string) string {
	packages := t.InGroup(group)
	if declaring := slices.DeleteFunc(slices.Clone(packages), func(p *Package) bool { return !p.HasKind(kind) }); len(declaring) > 0 {
		packages = declaring
	}
	var parents []string
	var same []*Package
	for _, p := range packages {
		if p.API.Version == version {
			same = append(same, p)
		}
		if parent := p.versionless(); !slices.Contains(parents, parent) {
			parents = append(parents, parent)
		}
	}
	switch {
	case len(parents) > 1 || len(parents) == 1 && packages[0].isOfKind(kind):
		return path.Join(t.Dir, strings.ToLower(kind), version)
	case len(same) == 1:
		return same[0].Dir
	case len(parents) == 1:
		return path.Join(parents[0], version)
	}
	label, _, _ := strings.Cut(strings.TrimSuffix(group, "."+t.Group), ".")
	return path.Join(t.Dir, label, version)
}

// isOfKind reports whether the folder of a package is for one kind, other than the given one.
func (p *Package) isOfKind(other string) bool {
	folder := path.Base(p.versionless())
	label, _, _ := strings.Cut(p.API.Group, ".")
	return folder != label && !p.Declares(other) && slices.ContainsFunc(p.types(), func(name string) bool {
		return strings.ToLower(name) == folder && p.HasKind(name)
	})
}

// Generation returns the API generation for a new kind: from the kinds of a package, from most kinds in the
// tree, or one that fits its ProviderConfigs. Otherwise, it returns nil.
func (t Tree) Generation(dir string) *flavor.Generation {
	count := map[*flavor.Generation]int{}
	for _, p := range t.Packages {
		for _, g := range p.API.Managed {
			if g.Namespaced == t.Namespaced && p.Dir == dir {
				return g
			}
			if g.Namespaced == t.Namespaced {
				count[g]++
			}
		}
	}
	var most *flavor.Generation
	all := flavor.ManagedGenerations()
	for i := range all {
		if g := &all[i]; count[g] > 0 && (most == nil || count[g] > count[most]) {
			most = g
		}
	}
	for _, p := range t.Packages {
		if most == nil && p.API.Configs != nil {
			most = flavor.ManagedLike(p.API.Configs, t.Namespaced)
		}
	}
	return most
}

// Usage returns the folder and the name of the type that records the use of ProviderConfigs by kinds in a
// folder, or "".
func (t Tree) Usage(dir string) (folder, name string) {
	for _, p := range t.Packages {
		if p.API.Usage != "" && (folder == "" || p.Dir == dir) {
			folder, name = p.Dir, p.API.Usage
		}
	}
	return folder, name
}

// HasConfigs reports whether the tree has ProviderConfigs.
func (t Tree) HasConfigs() bool {
	return slices.ContainsFunc(t.Packages, func(p *Package) bool { return p.API.Configs != nil })
}

// HasClusterConfig reports whether the tree has ClusterProviderConfigs.
func (t Tree) HasClusterConfig() bool {
	return slices.ContainsFunc(t.Packages, func(p *Package) bool { return p.API.ClusterConfig })
}
