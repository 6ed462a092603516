// Package scopecopies writes the packages of one scope from those of the other: of kinds that
// exist both namespaced and cluster scoped, the author writes one.
//
// What corresponds is in package flavor. Names are resolved, and types followed, within the
// packages that are copied; of other modules, only the names are known that the copied files
// use. The text of the source is edited where a name, a marker or a group differs, so that all
// else stays as it is.
package scopecopies

import (
	"bytes"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

const codeScope diag.Code = "two-scopes"

// Options say what to copy.
type Options struct {
	// Root is the absolute path of the module's folder, and Module the module path.
	Root, Module string
	Pairs        []scopepair.Pair
	// Header is the text at the top of copies whose source has none, as comments. It may be empty.
	Header string
	// IsOutput reports whether a file of that name in an API package is an output of the run.
	IsOutput func(name string) bool
	// PackageNames returns the names of packages by their import paths, as far as they are known.
	PackageNames func(importPaths []string) map[string]string
	// Move is set if the copies are to be the source from then on: ProviderConfigs are copied,
	// too, and warnings say where something is lost.
	Move bool
	// OnText is told of literals with an API group that a move replaces, for which the settings
	// need an entry to have them back. It may be nil.
	OnText func(old, replaced string)
	// Log logs each read file. It may be nil.
	Log *readlog.Log
}

// Files returns the files of the other scope, by their paths relative to the root. There are
// none if the diagnostics have errors.
func Files(opts Options) (map[string]*modules.Copy, diag.List) {
	files := map[string]*modules.Copy{}
	var diags diag.List
	for i := range opts.Pairs {
		diags = append(diags, checkFolders(&opts.Pairs[i])...)
	}
	if diags.HasErrors() {
		return nil, diags
	}
	for i := range opts.Pairs {
		c := newCopier(opts, &opts.Pairs[i])
		c.run()
		for _, name := range slices.Sorted(maps.Keys(c.files)) {
			if other := files[name]; other != nil && !bytes.Equal(other.Content, c.files[name].Content) {
				c.report(diag.Errorf(c.pair.Pos, codeScope, "two pairs of scopes write %s: use disjoint folders", name))
			}
			files[name] = c.files[name]
		}
		diags = append(diags, c.diags...)
	}
	if diags.HasErrors() {
		return nil, diags
	}
	return files, diags
}

// copier copies the packages of a pair.
type copier struct {
	opts Options
	pair *scopepair.Pair
	fset *token.FileSet
	// scope is that of the source, table what corresponds in the other one, and types the package
	// with the types of its generation.
	scope Scope
	table correspondence
	types flavor.Import
	// packages are the source, by import path, and order are those to copy, sorted by path.
	packages map[string]*source
	order    []*source
	// groups are the API groups of the source, each with its counterpart.
	groups map[string]string
	// replaced are the names and literals that the settings replace. used are those that occur.
	replaced map[string]*scopepair.Replacement
	used     map[*scopepair.Replacement]bool
	stubs    *stubs
	// readMarkers are the positions of the markers above files and declarations.
	readMarkers map[token.Pos]bool
	files       map[string]*modules.Copy
	diags       diag.List
}

func newCopier(opts Options, pair *scopepair.Pair) *copier {
	c := &copier{
		opts: opts, pair: pair, fset: token.NewFileSet(),
		packages: map[string]*source{}, groups: map[string]string{},
		replaced: map[string]*scopepair.Replacement{}, used: map[*scopepair.Replacement]bool{},
		files: map[string]*modules.Copy{}, readMarkers: map[token.Pos]bool{},
	}
	for i := range pair.Replace {
		r := &pair.Replace[i]
		c.replaced[r.Old.Text] = r
	}
	return c
}

func (c *copier) report(d diag.Diagnostic) { c.diags = append(c.diags, d) }

// errorf reports an error at a position in the source.
func (c *copier) errorf(pos token.Pos, format string, args ...any) {
	c.report(diag.Errorf(c.position(pos), codeScope, format, args...))
}

// position returns where pos is. The names of files are relative to the root.
func (c *copier) position(pos token.Pos) diag.Position {
	p := c.fset.PositionFor(pos, false)
	return diag.Position{File: p.Filename, Line: p.Line, Column: p.Column}
}

func (c *copier) run() {
	c.read()
	if c.diags.HasErrors() {
		return
	}
	if len(c.order) == 0 {
		c.report(diag.Errorf(c.pair.Folders.From.Pos, codeScope, "there are no Go packages below %s: name the folder with the API types of one scope", c.pair.Folders.From.Text))
		return
	}
	c.findScope()
	if c.diags.HasErrors() {
		return
	}
	c.table = counterparts(c.scope)
	if c.opts.Move {
		maps.Copy(c.table.names, usageCounterparts(c.scope))
	}
	for _, p := range c.order {
		c.readDeclared(p)
	}
	c.check()
	for _, p := range c.order {
		c.plan(p)
		c.checkMarkers(p)
	}
	c.findGroups()
	for _, p := range c.order {
		for _, f := range p.files {
			if !p.skipped { // has other things than ProviderConfigs
				c.copyFile(p, f)
			}
		}
	}
	c.writeHelpers()
	for i := range c.pair.Replace {
		if r := &c.pair.Replace[i]; !c.used[r] && !c.diags.HasErrors() {
			c.report(diag.Errorf(r.Old.Pos, codeScope, "%s occurs nowhere in the copied source: remove the entry", r.Old.Text))
		}
	}
}

// isFolder reports whether a text is the path of a folder below the root.
func isFolder(text string) bool {
	isIgnored := slices.ContainsFunc(strings.Split(text, "/"), modules.IsIgnored) // the go command finds no packages there
	return path.Clean(text) == text && filepath.IsLocal(text) && text != "." && !isIgnored
}

// checkFolders reports folders that can't be copied.
func checkFolders(pair *scopepair.Pair) diag.List {
	var diags diag.List
	for _, folders := range append([]scopepair.Folders{pair.Folders}, pair.Code...) {
		from, to := folders.From, folders.To
		for _, folder := range []scopepair.Setting{from, to} {
			if !isFolder(folder.Text) {
				diags = append(diags, diag.Errorf(folder.Pos, codeScope, "%s is not the path of a folder below the module root: write it as apis/cluster", folder.Text))
			}
		}
		switch {
		case len(diags) > 0:
		case strings.Count(from.Text, "*") != strings.Count(to.Text, "*"):
			diags = append(diags, diag.Errorf(to.Pos, codeScope, "%s and %s must have the same number of asterisks, each of which stands for one element of the path", from.Text, to.Text))
		case strings.HasPrefix(from.Text+"/", to.Text+"/") || strings.HasPrefix(to.Text+"/", from.Text+"/"):
			diags = append(diags, diag.Errorf(to.Pos, codeScope, "neither of %s and %s may be in the other: name folders beside each other", from.Text, to.Text))
		}
	}
	return diags
}
