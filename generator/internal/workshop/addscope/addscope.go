// Package addscope sets up a provider with one scope, or with two by hand, so that mrgen writes one of them. If
// all kinds are cluster scoped, it makes namespaced source of them.
package addscope

import (
	"bytes"
	_ "embed" // of a file
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/scopecopies"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

const codeScope diag.Code = "two-scopes"

// SettingsFile is the file with mrgen's settings in the module root.
const SettingsFile = "mrgen.yaml"

// An Addition has the changes of a provider.
type Addition struct {
	// Pairs are the new settings of scopes.
	Pairs []scopepair.Pair
	// Files are new files and changed files of the author. Removed are files of the author that mrgen writes
	// from now on, with the paths of the generated files.
	Files   map[string][]byte
	Removed map[string]string
	// Exists is set if the author has written both scopes: the next run names declarations that exist twice.
	Exists bool
	// LacksConfigs is set if the scope that mrgen writes needs ProviderConfigs that don't exist yet.
	LacksConfigs bool
	// ByHand lists the edits left to the author.
	ByHand []layout.Step
}

// Options describe the provider.
type Options struct {
	// Root is the absolute path of the module's folder.
	Root string
	// Groups are the API groups of the other scope, by existing ones, if they don't follow the usual pattern.
	Groups map[string]string
	// IsOutput reports whether a file of that name in an API package is an output of mrgen.
	IsOutput func(name string) bool
	// PackageNames returns the names of packages by import path, as far as they are known.
	PackageNames func(importPaths []string) map[string]string
}

// Add returns the changes. The diagnostics report losses, and steps left to the author.
func Add(opts Options) (Addition, diag.List) {
	source, diags := layout.Read(opts.Root)
	if diags.HasErrors() {
		return Addition{}, diags
	}
	a := &adder{
		opts:    opts,
		source:  source,
		folders: readFolders(source),
		added:   Addition{Files: map[string][]byte{}, Removed: map[string]string{}},
	}
	a.add()
	return a.added, a.diags
}

type adder struct {
	opts    Options
	source  *layout.Module
	folders map[string]*folder
	added   Addition
	diags   diag.List
}

func (a *adder) errorf(at diag.Position, format string, args ...any) {
	a.diags = append(a.diags, diag.Errorf(at, codeScope, format, args...))
}

func (a *adder) add() {
	of := map[scopecopies.Scope][]string{}
	var configs []string
	for _, dir := range sorted(a.folders) {
		f := a.folders[dir]
		// crossplane-runtime v1 has no namespaced managed resources.
		if f.alone != nil {
			a.errorf(*f.alone,
				"managed resources of this version of crossplane-runtime are cluster scoped: move to github.com/crossplane/crossplane-runtime/v2 first")
		}
		for scope := range f.scopes {
			of[scope] = append(of[scope], dir)
		}
		if len(f.scopes) == 0 && f.configs {
			configs = append(configs, dir)
		}
	}
	namespaced, cluster := of[scopecopies.Namespaced], of[scopecopies.Cluster]
	switch {
	case a.diags.HasErrors():
	case len(namespaced) > 0 && len(cluster) > 0:
		a.addExisting(namespaced, cluster)
	case len(cluster) > 0:
		a.move(cluster, configs)
	case len(namespaced) > 0:
		a.extend(namespaced, configs)
	default:
		a.errorf(diag.Position{File: "."},
			"no package of this module has a managed resource: add one with mrgen add kind, or start in the module of a provider")
	}
	if a.diags.HasErrors() {
		return
	}
	a.addSettings()
}

// addExisting sets up a provider with both scopes, so that mrgen writes the cluster scope.
func (a *adder) addExisting(namespaced, cluster []string) {
	from, to := scopeFolders(namespaced, cluster)
	// mrgen can't copy a folder into itself.
	if from == "." || to == "." || strings.HasPrefix(from+"/", to+"/") || strings.HasPrefix(to+"/", from+"/") {
		a.errorf(a.folders[namespaced[0]].scopes[scopecopies.Namespaced],
			"the kinds of both scopes are not in folders beside each other: move them to folders such as apis/namespaced and apis/cluster")
		return
	}
	groups := map[string]string{}
	for _, dir := range namespaced {
		if other := a.folders[to+strings.TrimPrefix(dir, from)]; other != nil && other.group != "" {
			groups[a.folders[dir].group] = other.group
		}
	}
	pair := scopepair.Pair{Folders: Folders(from, to), Groups: Replacements(groups)}
	base := func(dir string) string { return path.Join(path.Dir(dir), path.Base(from)) }
	seen := map[string]bool{}
	for _, dir := range sorted(a.folders) {
		for d := dir; d != "."; d = path.Dir(d) {
			source := base(d)
			if path.Base(d) == path.Base(to) && path.Dir(d) != path.Dir(to) && !seen[d] && len(a.below(source)) > 0 {
				seen[d] = true
				pair.Code = append(pair.Code, Folders(source, d))
				pair.Tests = pair.Tests || slices.ContainsFunc(a.below(source), func(f *folder) bool { return f.HasTests })
			}
		}
	}
	a.added.Pairs, a.added.Exists = []scopepair.Pair{pair}, true
}

// scopeFolders returns the folders of both scopes: the paths of the two most similar packages, without their
// common end.
func scopeFolders(namespaced, cluster []string) (from, to string) {
	from, to = commonFolder(namespaced), commonFolder(cluster)
	most := 0
	for _, dir := range namespaced {
		for _, b := range cluster {
			a, same := dir, 0
			for ; a != "." && path.Base(a) == path.Base(b); same++ {
				a, b = path.Dir(a), path.Dir(b)
			}
			if same > most {
				from, to, most = a, b, same
			}
		}
	}
	return from, to
}

// below returns the packages in a folder or below it.
func (a *adder) below(dir string) []*folder {
	var found []*folder
	for d, f := range a.folders {
		if strings.HasPrefix(d+"/", dir+"/") {
			found = append(found, f)
		}
	}
	return found
}

// move makes namespaced source of cluster-scoped kinds.
func (a *adder) move(cluster, configs []string) {
	api := slices.Sorted(slices.Values(append(slices.Clone(cluster), configs...)))
	pair, ok := a.pairOf(api, clusterFolder, namespacedFolder)
	if !ok {
		return
	}
	pair = pair.Reversed()
	groups := map[string]string{}
	for _, dir := range api {
		if group := a.folders[dir].group; group != "" {
			groups[a.namespacedGroup(group, configs)] = group
		}
	}
	pair.Groups = Replacements(groups)
	texts := map[string]string{}
	files, diags := scopecopies.Files(scopecopies.Options{
		Root: a.opts.Root, Module: a.source.Path, Pairs: []scopepair.Pair{pair.Reversed()}, IsOutput: a.opts.IsOutput,
		Move: true, OnText: func(old, replaced string) { texts[replaced] = old },
		PackageNames: a.opts.PackageNames,
	})
	pair.Replace = Replacements(texts)
	a.diags = append(a.diags, diags...)
	if diags.HasErrors() {
		return
	}
	for _, name := range sorted(files) {
		c := files[name]
		dir, base := path.Dir(name), strings.TrimPrefix(path.Base(name), modules.CopyPrefix)
		a.addNew(path.Join(dir, base), withoutHeader(c.Content))
		// The author keeps writing ProviderConfigs in both scopes.
		if f := a.folders[path.Dir(c.Source)]; !f.configs || !isConfigFile(c.Content) {
			a.added.Removed[c.Source] = path.Join(path.Dir(c.Source), modules.CopyPrefix+base)
		}
	}
	a.keepConfigs(configs, pair)
	a.register(pair.Reversed(), namespacedFolder)
	a.added.Pairs = []scopepair.Pair{pair}
}

// pairOf returns a pair from existing folders, of API packages and their users, to new folders of the other
// scope. here and there are the names of the scopes' folders.
func (a *adder) pairOf(api []string, here, there string) (pair scopepair.Pair, ok bool) {
	if commonFolder(api) == "." {
		a.errorf(diag.Position{File: api[0]}, "the API packages are not in one folder: move them to one such as apis")
		return pair, false
	}
	users := a.usersOf(api)
	pair = scopepair.Pair{Folders: apiFolders(api, here, there), Code: a.codeFolders(users, here, there)}
	for _, dir := range users {
		pair.Tests = pair.Tests || a.folders[dir].HasTests
	}
	return pair, true
}

// helpersFolder is the folder for the functions that differ between scopes.
const helpersFolder = "internal/scope"

// extend sets up namespaced kinds, which stay in place, so that mrgen writes the cluster scope.
func (a *adder) extend(namespaced, configs []string) {
	api := slices.Sorted(slices.Values(append(slices.Clone(namespaced), configs...)))
	pair, ok := a.pairOf(api, namespacedFolder, clusterFolder)
	if !ok {
		return
	}
	groups := map[string]string{}
	for _, dir := range api {
		group := a.folders[dir].group
		common := a.commonGroup(group, configs)
		switch other := a.opts.Groups[group]; {
		case other != "":
			groups[group] = other
		// The group of ProviderConfigs ends every other group, so one pattern covers them all.
		case slices.ContainsFunc(configs, func(dir string) bool { return a.folders[dir].group == common }):
			groups[common], groups["*."+common] = clusterGroup(common), "*."+clusterGroup(common)
		case group != "":
			groups[group] = clusterGroup(group)
		}
	}
	pair.Groups = Replacements(groups)
	if len(configs) > 0 { // their controller reads credentials
		pair.Helpers.Text = helpersFolder
		if other := a.folders[helpersFolder]; other != nil {
			a.errorf(diag.Position{File: helpersFolder}, "a package that tells the scopes apart belongs here: move this one")
			return
		}
	}
	a.register(pair, clusterFolder)
	a.added.Pairs, a.added.LacksConfigs = []scopepair.Pair{pair}, len(configs) > 0
}

// clusterGroup returns the API group for cluster-scoped kinds: without the label m (for managed) after the
// first one, or else with the label cluster there.
func clusterGroup(group string) string {
	first, rest, _ := strings.Cut(group, ".")
	if rest, isManaged := strings.CutPrefix(rest, "m."); isManaged {
		return first + "." + rest
	}
	return first + ".cluster." + rest
}

// keepConfigs leaves ProviderConfigs of both scopes to the author, and adds ClusterProviderConfigs.
func (a *adder) keepConfigs(configs []string, pair scopepair.Pair) {
	maps.DeleteFunc(a.added.Removed, func(name, _ string) bool { return slices.Contains(configs, path.Dir(name)) })
	for _, dir := range configs {
		to, _ := pair.Reversed().Counterpart(dir)
		f := a.folders[dir]
		a.addNew(path.Join(to, "clusterproviderconfig.go"), fmt.Appendf(nil, clusterProviderConfig, f.Name))
	}
}

// addNew adds a file that must not exist yet.
func (a *adder) addNew(name string, content []byte) {
	if _, err := os.Lstat(filepath.Join(a.opts.Root, filepath.FromSlash(name))); err == nil {
		a.errorf(diag.Position{File: name, Line: 1},
			"the source of namespaced kinds belongs here: rename this file, or delete it if nothing needs it")
		return
	}
	a.added.Files[name] = content
}

// clusterProviderConfig is a file for a package with ProviderConfigs.
//
//go:embed clusterproviderconfig.go.txt
var clusterProviderConfig string

// isConfigFile reports whether a file declares ProviderConfigs.
func isConfigFile(content []byte) bool { return bytes.Contains(content, []byte("type ProviderConfig")) }

// namespacedGroup returns the API group for the namespaced kinds of a group.
func (a *adder) namespacedGroup(group string, configs []string) string {
	if given := a.opts.Groups[group]; given != "" {
		return given
	}
	// Crossplane's providers insert the label m, for managed, after the first label of the common end.
	common := a.commonGroup(group, configs)
	first, rest, _ := strings.Cut(common, ".")
	return strings.TrimSuffix(group, common) + first + ".m." + rest
}

// commonGroup returns the group of ProviderConfigs that a group ends with, or the group itself.
func (a *adder) commonGroup(group string, configs []string) string {
	common := group
	for _, dir := range configs {
		if of := a.folders[dir].group; of != "" && strings.HasSuffix(group, "."+of) {
			common = of
		}
	}
	return common
}

// Folders returns the setting for a folder and its copy.
func Folders(from, to string) scopepair.Folders {
	return scopepair.Folders{From: scopepair.Setting{Text: from}, To: scopepair.Setting{Text: to}}
}

// Replacements returns entries of the settings, sorted.
func Replacements(of map[string]string) []scopepair.Replacement {
	var all []scopepair.Replacement
	for _, from := range sorted(of) {
		all = append(all, scopepair.Replacement{Old: scopepair.Setting{Text: from}, New: scopepair.Setting{Text: of[from]}})
	}
	return all
}

// withoutHeader returns a copy without the generated header, for the author to continue.
func withoutHeader(content []byte) []byte {
	_, rest, _ := bytes.Cut(content, []byte("\n\n"))
	_, rest, _ = bytes.Cut(rest, []byte("\n\n"))
	return rest
}
