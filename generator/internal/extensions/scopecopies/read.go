package scopecopies

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/markers"
)

// A source is a package to copy.
type source struct {
	// path is the import path, dir the folder, and to the copy's folder.
	path, dir, to string
	// name is the package's name, and newName the copy's.
	name, newName string
	// api is set for API packages.
	api   bool
	files []*sourceFile
	// declared are the positions of the author's declarations in the package of the copy, by name. Methods are
	// named after their types, with a dot. hasConfigs is set if ProviderConfigs or their usages are among them.
	declared   map[string]diag.Position
	hasConfigs bool
	// types are the types of the package, without its tests. skipped is set if it has nothing but
	// ProviderConfigs.
	types   *types.Package
	skipped bool
	// byName are its declarations.
	byName map[string]*item
}

// A sourceFile is a file of a package to copy.
type sourceFile struct {
	// name is relative to the root.
	name    string
	content []byte
	syntax  *ast.File
	isTest  bool
	// items are its declarations.
	items []*item
	// info describes the names and types in it.
	info *types.Info
}

// read reads the packages of the pair.
func (c *copier) read() {
	for i, folders := range append([]scopepair.Folders{c.pair.Folders}, c.pair.Code...) {
		c.walk(folders, i == 0)
	}
	c.order = slices.SortedFunc(maps.Values(c.packages), func(a, b *source) int { return strings.Compare(a.path, b.path) })
}

// walk reads the packages below the folders that are copied.
func (c *copier) walk(folders scopepair.Folders, api bool) {
	base, _, _ := strings.Cut(folders.From.Text+"/", "*")
	base = path.Clean(base)
	// Without it, all copies of the code would be stale. The folder of API packages has an error of its own.
	if _, err := os.Stat(filepath.Join(c.opts.Root, filepath.FromSlash(base))); err != nil && !api {
		c.report(diag.Errorf(folders.From.Pos, codeScope, "the folder %s with code to copy isn't there: correct the name, or remove the entry", base))
	}
	if meant := c.misspelt(path.Clean(folders.To.Text)); meant != "" {
		c.report(diag.Errorf(folders.To.Pos, codeScope, "the folder %s isn't there, and %s has copies: correct the name, or rename the folder", folders.To.Text, meant))
	}
	hasCopies := false
	modules.EachFolder(c.opts.Root, base, func(dir string, files []string) {
		if to, ok := folders.Counterpart(dir); ok {
			if i := slices.IndexFunc(files, isCopy); i >= 0 && !hasCopies {
				hasCopies = true
				c.report(diag.Errorf(folders.From.Pos, codeScope, "there are copies in the folder to copy from, such as %s: swap from and to, or delete them", path.Join(dir, files[i])))
			}
			c.readPackage(&source{path: path.Join(c.opts.Module, dir), dir: dir, to: to, api: api})
		}
	})
}

// isCopy reports whether a file is a copy, by its name.
func isCopy(name string) bool { return strings.HasPrefix(name, modules.CopyPrefix) }

// misspelt returns the folder with copies whose name a missing folder nearly has, or "". All of its copies would be stale.
func (c *copier) misspelt(folder string) string {
	elements := strings.Split(folder, "/")
	for i, element := range elements {
		above := filepath.Join(c.opts.Root, filepath.FromSlash(path.Join(elements[:i]...)))
		if _, err := os.Stat(filepath.Join(above, element)); err == nil {
			continue
		}
		var names []string
		entries, _ := os.ReadDir(above) // a pattern has an asterisk instead
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		near, found := markers.Nearest(element, names)
		if !found {
			return ""
		}
		elements[i] = near
	}
	meant, hasCopies := path.Join(elements...), false
	modules.EachFolder(c.opts.Root, meant, func(_ string, files []string) { hasCopies = hasCopies || slices.ContainsFunc(files, isCopy) })
	if meant == folder || !hasCopies {
		return ""
	}
	return meant
}

func (c *copier) readPackage(p *source) {
	for _, name := range c.goFiles(p.dir, p.api) {
		isTest := strings.HasSuffix(name, "_test.go")
		if isTest && !c.pair.Tests {
			continue
		}
		file := path.Join(p.dir, name)
		content, err := c.readFile(file)
		if err != nil {
			continue
		}
		content = artifact.UnixLineBreaks(content)
		syntax, err := parser.ParseFile(c.fset, file, content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			c.syntaxError(file, err)
			continue
		}
		if isIgnored(syntax) {
			continue
		}
		c.checkDotImports(syntax)
		p.files = append(p.files, &sourceFile{name: file, content: content, syntax: syntax, isTest: isTest})
		if !isTest {
			p.name = syntax.Name.Name
		}
	}
	if p.name == "" {
		return
	}
	p.newName = p.name
	if p.name == path.Base(p.dir) && token.IsIdentifier(path.Base(p.to)) {
		p.newName = path.Base(p.to)
	}
	c.packages[p.path] = p
}

// checkDotImports reports dot imports of packages with names that differ in the other scope: these are found by the
// names of their packages.
func (c *copier) checkDotImports(file *ast.File) {
	for _, spec := range file.Imports {
		importPath := gosyntax.ImportPath(spec)
		isReplaced := func(r scopepair.Replacement) bool { return strings.HasPrefix(r.Old.Text, importPath+".") }
		if spec.Name != nil && spec.Name.Name == "." && (scopedPackages()[importPath] || slices.ContainsFunc(c.pair.Replace, isReplaced)) {
			c.errorf(spec.Pos(), "names of this package differ in the other scope, and a dot import hides them: import it without the dot")
		}
	}
}

// scopedPackages returns the packages with names that differ between the scopes.
var scopedPackages = sync.OnceValue(func() map[string]bool {
	packages := map[string]bool{}
	for _, scope := range []Scope{Namespaced, Cluster} {
		for name := range counterparts(scope).names {
			packages[name.Package] = true
		}
	}
	return packages
})

// isIgnored reports whether no build has a file, as programs that go generate runs.
func isIgnored(file *ast.File) bool {
	return slices.ContainsFunc(file.Comments, func(group *ast.CommentGroup) bool {
		return group.End() < file.Package && slices.ContainsFunc(group.List, func(c *ast.Comment) bool { return c.Text == "//go:build ignore" })
	})
}

func (c *copier) syntaxError(file string, err error) {
	var all scanner.ErrorList
	if !errors.As(err, &all) {
		all = scanner.ErrorList{{Pos: token.Position{Filename: file}, Msg: err.Error()}}
	}
	for _, e := range all {
		c.report(diag.Errorf(diag.Position{File: file, Line: e.Pos.Line, Column: e.Pos.Column}, "syntax", "%s", e.Msg))
	}
}

// goFiles returns the names of the Go files in a folder that mrgen neither writes nor wrote.
func (c *copier) goFiles(dir string, isAPI bool) []string {
	names, _ := modules.GoFiles(c.opts.Root, dir) // none if the folder can't be read
	return slices.DeleteFunc(names, func(name string) bool { return c.isGenerated(path.Join(dir, name), isAPI) })
}

func (c *copier) readFile(name string) ([]byte, error) {
	content, _, err := c.opts.Log.ReadFile(filepath.Join(c.opts.Root, filepath.FromSlash(name)))
	return content, err
}

// isGenerated reports whether mrgen writes a file, which it does in API packages alone, or wrote it.
func (c *copier) isGenerated(file string, isAPI bool) bool {
	return modules.IsGenerated(filepath.Join(c.opts.Root, filepath.FromSlash(file)), isAPI && c.opts.IsOutput(path.Base(file)))
}

// readDeclared reads what the author declares in the package of a copy.
func (c *copier) readDeclared(p *source) {
	p.declared = map[string]diag.Position{}
	for _, name := range c.goFiles(p.to, p.api) {
		file := path.Join(p.to, name)
		content, err := c.readFile(file)
		if err != nil {
			continue
		}
		if !p.api && slices.ContainsFunc(p.files, func(f *sourceFile) bool {
			return path.Base(f.name) == name && len(fileMarkers(f.syntax)) == 0
		}) {
			c.report(diag.Errorf(diag.Position{File: file}, codeScope,
				"%s is copied to this folder, which has a file of this name: delete it, or mark the source with +mrgen:scope=%s before its package clause", path.Join(p.dir, name), c.scope))
			continue
		}
		syntax, err := parser.ParseFile(c.fset, file, content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // which is reported when it is loaded
		}
		if e := FindEmbedded(syntax); e.Configs != nil || e.Usage != nil {
			p.hasConfigs = true
		}
		for _, decl := range syntax.Decls {
			for _, i := range itemsOf(decl) {
				for _, declared := range i.names {
					p.declared[nameFrom(syntax, declared)] = c.position(i.node.Pos())
				}
			}
		}
	}
}

func (c *copier) offset(pos token.Pos) int { return c.fset.PositionFor(pos, false).Offset }

// checkGroups reports entries for a group and for the groups below it whose replacements differ in the letters of one label.
func (c *copier) checkGroups() {
	for i, entry := range c.pair.Groups {
		for _, other := range c.pair.Groups[:i] {
			if strings.TrimPrefix(entry.Old.Text, "*.") == strings.TrimPrefix(other.Old.Text, "*.") && isMisspelt(entry.New.Text, other.New.Text) {
				c.report(diag.Errorf(entry.New.Pos, codeScope, "%s replaces %s, and %s replaces %s: correct one of them",
					entry.New.Text, entry.Old.Text, other.New.Text, other.Old.Text))
			}
		}
	}
}

// isMisspelt reports whether two groups differ in a few letters of one label.
func isMisspelt(a, b string) bool {
	labels, others := strings.Split(strings.TrimPrefix(a, "*."), "."), strings.Split(strings.TrimPrefix(b, "*."), ".")
	if len(labels) != len(others) {
		return false
	}
	unlike, near := 0, 0
	for i, label := range labels {
		if label == others[i] {
			continue
		}
		unlike++
		if _, isNear := markers.Nearest(label, others[i:i+1]); isNear {
			near++
		}
	}
	return unlike == 1 && near == 1
}

// findGroups finds the API groups of the source.
func (c *copier) findGroups() {
	c.checkGroups()
	unmatched := map[string]*ast.Comment{}
	for _, p := range c.order {
		for _, f := range p.files {
			if !p.api || p.skipped || f.isTest {
				continue
			}
			for comment, text := range gosyntax.Markers(f.syntax.Comments...) {
				group, found := strings.CutPrefix(text, markers.GroupName+"=")
				if !found || c.groups[group] != "" {
					continue
				}
				c.groups[group] = c.pair.CounterpartGroup(group)
				if c.groups[group] == "" {
					unmatched[group] = comment
					c.groups[group] = group // and report it once
				}
			}
		}
	}
	if len(unmatched) == 0 { // otherwise an entry may be misspelt
		c.checkUnmatched()
	}
	for _, group := range slices.Sorted(maps.Keys(unmatched)) {
		if entry := c.misspeltEntry(group); entry != nil {
			c.report(diag.Errorf(entry.Pos, codeScope, "no group of the source matches %s, and the group %s matches no entry: correct one of them", entry.Text, group))
			continue
		}
		c.errorf(unmatched[group].Pos(), "the group %s matches no entry of groups of scopes in the settings: correct it, or add an entry", group)
	}
}

// misspeltEntry returns the entry of groups that a group nearly matches and no group of the source does, or nil.
func (c *copier) misspeltEntry(group string) *scopepair.Setting {
	labels := strings.Split(group, ".")
	for _, entry := range c.pair.Groups {
		name, isWildcard := strings.CutPrefix(entry.Old.Text, "*.")
		end := strings.Split(name, ".")
		if !isWildcard && len(end) != len(labels) {
			continue
		}
		_, isNear := markers.Nearest(strings.Join(labels[max(len(labels)-len(end), 0):], "."), []string{strings.Join(end, ".")})
		if isNear && !c.matchesGroup(entry) {
			return &entry.Old
		}
	}
	return nil
}

// matchesGroup reports whether an entry of groups matches a group of the source.
func (c *copier) matchesGroup(entry scopepair.Replacement) bool {
	only := scopepair.Pair{Groups: []scopepair.Replacement{entry}}
	return slices.ContainsFunc(slices.Collect(maps.Keys(c.groups)), func(group string) bool { return only.CounterpartGroup(group) != "" })
}

// checkUnmatched warns of entries of groups that match no group of the source. A provider without kinds has entries for the kinds to
// come. In a provider's own group, above the others, may be nothing to copy.
func (c *copier) checkUnmatched() {
	for _, entry := range c.pair.Groups {
		end := strings.TrimPrefix(entry.Old.Text, "*.")
		isNeeded := c.matchesGroup(entry) || len(c.groups) == 0
		for group := range c.groups {
			isNeeded = isNeeded || group == end || strings.HasSuffix(group, "."+end)
		}
		if !isNeeded {
			c.report(diag.Warningf(entry.Old.Pos, codeScope, "no group of the source matches %s: correct the entry, or remove it", entry.Old.Text))
		}
	}
}
