package addscope

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// usersOf returns the folders of the packages that use an API's packages, directly or not. Programs, and
// packages above the others that only list them, don't count.
func (a *adder) usersOf(api []string) []string {
	users := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for _, dir := range sorted(a.folders) {
			f := a.folders[dir]
			if users[dir] || f.isAPI() || f.Name == "main" || slices.ContainsFunc(sorted(a.folders), func(other string) bool {
				return strings.HasPrefix(other, dir+"/") && (users[other] || slices.Contains(api, other))
			}) {
				continue
			}
			if slices.ContainsFunc(slices.Concat(api, sorted(users)), func(of string) bool { return f.Imports[of] }) {
				users[dir], changed = true, true
			}
		}
	}
	// A package above users that were found later only lists them.
	for dir := range maps.Clone(users) {
		for other := range users {
			if strings.HasPrefix(other, dir+"/") {
				delete(users, dir)
			}
		}
	}
	return sorted(users)
}

// The names of folders for resources of a scope.
const (
	namespacedFolder = "namespaced"
	clusterFolder    = "cluster"
)

// codeFolders returns the fewest folders with only the given packages, and their folders in the other scope.
func (a *adder) codeFolders(dirs []string, here, there string) []scopepair.Folders {
	var pairs []scopepair.Folders
	done := map[string]bool{}
	for _, dir := range dirs {
		// Code is in folders such as internal/controller.
		elements := strings.Split(dir, "/")
		n := min(2, len(elements)-1)
		parent := path.Join(elements[:n]...)
		from, to := path.Join(parent, elements[n]), path.Join(parent, there, elements[n])
		// The folder is named after the scope already: rename it rather than nest.
		switch {
		case elements[n] == here:
			to = path.Join(parent, there)
		case n == 2 && a.holdsOnly(parent, dirs):
			from, to = parent+"/*", path.Join(parent, there)+"/*"
		}
		if !done[from] {
			done[from] = true
			pairs = append(pairs, Folders(from, to))
		}
	}
	return pairs
}

// apiFolders returns the folder of existing API packages, and its folder in the other scope.
func apiFolders(dirs []string, here, there string) scopepair.Folders {
	parent := commonFolder(dirs)
	if path.Base(parent) == here {
		return Folders(parent, path.Join(path.Dir(parent), there))
	}
	return Folders(parent+"/*", path.Join(parent, there)+"/*")
}

// holdsOnly reports whether every package below a folder is in dirs.
func (a *adder) holdsOnly(parent string, dirs []string) bool {
	for dir := range a.folders {
		if strings.HasPrefix(dir, parent+"/") && !slices.Contains(dirs, dir) {
			return false
		}
	}
	return true
}
