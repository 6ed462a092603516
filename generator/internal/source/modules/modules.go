// Package modules resolves the patterns of a run: the folders that they cover, the Go modules of these folders, and the
// generated files below the module root, which are not part of the input.
//
// It reads folders, go.mod files and the headers of generated files. It only asks the go command which workspace a nested
// module is in.
package modules

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/goenv"
)

const codePattern diag.Code = "package-pattern"

// Options select packages, and name the Go files that the run writes into them.
type Options struct {
	// Root is the absolute path of the module's folder, see [FindRoot].
	Root string
	// Patterns select packages, relative to Root.
	Patterns []string
	// Outputs are the names of the Go files that the run writes. Files with these names that it may replace, according
	// to their header, are not part of the input.
	Outputs []string
	// Importers are the Outputs that import packages which the types in their own package don't need. They are not part
	// of the input of packages outside the patterns, either.
	Importers []string
	// OwnFiles are the names of the Go files that make packages of their own, and Own is one that
	// exists for the go command before it is written, or nil.
	OwnFiles []string
	Own      *OwnPackage
	// Anywhere are the names of the Go files that the run may write into any package of the root module. They are part of
	// the input.
	Anywhere []string
	// Copies are files that the run makes from others, by path relative to Root. They are part of the input as if they
	// were on disk.
	Copies map[string]*Copy
	// Written is set if the packages include the output of the run, see [Scope.Written].
	Written bool
}

// A Copy is a Go file that is made of another one.
type Copy struct {
	// Source is the original file, relative to the root. For a copy that is made from a setting, Setting is the position
	// of the setting, and Source is the folder that it is about.
	Source  string
	Setting diag.Position
	Content []byte
	// Marks are where its text comes from, sorted.
	Marks []SourceMark
	// API is set for files of API packages.
	API bool
	// Note is for the extension that makes the copy. Nothing else reads it.
	Note string
}

// A SourceMark says that the text of a copy from an offset on is the text of its source from a line and column on.
type SourceMark struct {
	Offset, Line, Column int
}

// IsMade reports whether the file is made from a setting, not from a file.
func (c *Copy) IsMade() bool { return c.Source == "" || c.Source[len(c.Source)-1] == '/' }

// CopyPrefix is the prefix of the names of copies.
const CopyPrefix = "zz_generated.scope_"

// A Scope is the part of a module that the patterns of a run cover.
type Scope struct {
	// Options are the options that the scope was made from.
	Options Options
	// Modules are the Go modules that the patterns reach, sorted by folder.
	Modules []Module
	// Generated are the Go files that the run replaces or that an earlier run wrote,
	// sorted, and relative to the root.
	Generated []string
	// Overlay is the content that the go command reads in place of generated files, by absolute path. It includes files
	// in packages outside the patterns whose imports would be loaded.
	Overlay map[string][]byte
	// Foreign are Go files of somebody else with the names of outputs, relative to the root. They are
	// part of the input.
	Foreign map[string]bool
	// Unlisted is set if a pattern names folders that no wildcard covers, so that [Files] leaves them out: through a
	// symbolic link, by an absolute path, or with an ignored name.
	Unlisted bool

	patterns []*regexp.Regexp
}

// A Module is a Go module with the patterns that select its packages.
type Module struct {
	// Dir is the folder, slash-separated and relative to the root, and Path is the module
	// path.
	Dir, Path string
	// Patterns are paths relative to the folder, with "..." for any part of them.
	Patterns []string
}

// New resolves the patterns. There is no scope if the diagnostics have errors.
func New(opts Options) (*Scope, diag.List) {
	r := &resolver{
		scope:    &Scope{Options: opts, Foreign: map[string]bool{}},
		modules:  modules{root: opts.Root},
		folders:  folders{root: opts.Root, read: map[string]listing{}},
		byModule: map[string][]string{},
	}
	rootPath := r.modules.path(".")
	if r.modules.diags.HasErrors() {
		return nil, r.modules.diags
	}
	r.scope.Unlisted = slices.ContainsFunc(opts.Patterns, isUnlisted)
	for _, pattern := range opts.Patterns {
		dir, diagnostic := patternDir(opts.Root, rootPath, pattern)
		if diagnostic != nil {
			r.diags = append(r.diags, *diagnostic)
			continue
		}
		r.scope.patterns = append(r.scope.patterns, dirPattern(dir))
		r.resolve(pattern, dir)
	}
	r.coverCopies()
	for _, dir := range slices.Sorted(maps.Keys(r.byModule)) {
		r.scope.Modules = append(r.scope.Modules, Module{Dir: dir, Path: r.modules.path(dir), Patterns: r.byModule[dir]})
	}
	r.searchModules()
	slices.Sort(r.scope.Generated)
	r.scope.Generated = slices.Compact(r.scope.Generated)
	r.scope.Overlay = r.overlay()
	diags := slices.Concat(r.modules.diags, r.diags)
	if diags.HasErrors() {
		return nil, diags
	}
	return r.scope, diags
}

// isUnlisted reports whether a pattern names folders that no wildcard covers.
func isUnlisted(pattern string) bool {
	return filepath.IsAbs(pattern) || slices.ContainsFunc(strings.Split(filepath.ToSlash(pattern), "/"), func(name string) bool {
		return strings.Trim(name, ".") != "" && IsIgnored(name)
	})
}

// Root returns the absolute path of the module's folder.
func (s *Scope) Root() string { return s.Options.Root }

// Covers reports whether the patterns cover a folder, slash-separated and relative to the
// root.
func (s *Scope) Covers(dir string) bool {
	return slices.ContainsFunc(s.patterns, func(p *regexp.Regexp) bool { return p.MatchString(dir) })
}

// Hides reports whether the file with an absolute path is not part of the input, since the
// run or an earlier one wrote it.
func (s *Scope) Hides(file string) bool {
	_, hidden := s.Overlay[file]
	return hidden
}

// ModuleOf returns the folder of the module that a folder belongs to, both slash-separated
// and relative to the root.
func (s *Scope) ModuleOf(dir string) string { return ModuleOf(s.Options.Root, dir) }

// Abs returns the absolute path of a file or folder, slash-separated and relative to the
// root.
func (s *Scope) Abs(name string) string {
	return filepath.Join(s.Options.Root, filepath.FromSlash(name))
}

// Rel returns a path relative to the root, slash-separated, if it lies below it.
func (s *Scope) Rel(file string) string {
	const separator = string(filepath.Separator)
	isClean := !strings.Contains(file, separator+separator) && !strings.Contains(file, separator+".") && !strings.HasSuffix(file, separator)
	if rest, found := strings.CutPrefix(file, s.Root()+separator); isClean && found && rest != "" {
		return filepath.ToSlash(rest) // true for most paths, which need no new string then
	}
	if rel, err := filepath.Rel(s.Root(), file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}

// patternDir returns what a pattern matches as a slash-separated path relative
// to the root, with its wildcards.
func patternDir(root, rootPath, pattern string) (string, *diag.Diagnostic) {
	outside := diag.Errorf(diag.Position{File: pattern}, codePattern,
		"the pattern leads out of module %s: name folders below the module root, such as ./apis/...", rootPath)
	slash := filepath.ToSlash(pattern)
	switch {
	case filepath.IsAbs(pattern):
		rel, err := filepath.Rel(root, pattern)
		if err != nil {
			return "", &outside
		}
		slash = filepath.ToSlash(rel)
	case slash == "." || slash == ".." || strings.HasPrefix(slash, "./") || strings.HasPrefix(slash, "../"):
	case slash == rootPath:
		slash = "."
	case strings.HasPrefix(slash, rootPath+"/"):
		slash = strings.TrimPrefix(slash, rootPath+"/")
	case slash == "..." || slash == "all":
		slash = "..."
	case strings.HasSuffix(slash, ".go"): // a file, as for the go command, and reported as one
	default:
		d := diag.Errorf(diag.Position{File: pattern}, codePattern,
			"this is not a package of module %s: write ./%s for a folder below the module root", rootPath, slash)
		return "", &d
	}
	slash = path.Clean(slash)
	if slash == ".." || strings.HasPrefix(slash, "../") {
		return "", &outside
	}
	return slash, nil
}

// Matcher returns a function that reports whether package patterns, relative to the root, cover a folder, like
// [Scope.Covers].
func Matcher(patterns []string) func(dir string) bool {
	s := &Scope{}
	for _, pattern := range patterns {
		s.patterns = append(s.patterns, dirPattern(path.Clean(filepath.ToSlash(pattern))))
	}
	return s.Covers
}

// dirPattern turns a path with wildcards into an expression for folders, by the
// rules of 'go help packages': "..." matches any string, and a trailing "/..."
// also matches nothing.
func dirPattern(dir string) *regexp.Regexp {
	if dir == "..." {
		return regexp.MustCompile(`.*`)
	}
	expr := strings.ReplaceAll(regexp.QuoteMeta(dir), `\.\.\.`, `.*`)
	if before, found := strings.CutSuffix(expr, `/.*`); found {
		expr = before + `(/.*)?`
	}
	return regexp.MustCompile(`^` + expr + `$`)
}

// resolver fills a scope.
type resolver struct {
	scope   *Scope
	modules modules
	folders folders
	// byModule has the patterns of each module, by its folder.
	byModule map[string][]string
	// lacks caches workspaceLacks, by module.
	lacks parallel.Memo[string, bool]
	// hidden are the files, relative to the root, that the overlay replaces.
	hidden []string
	diags  diag.List
}

// resolve records the packages and generated files that a path with wildcards selects.
func (r *resolver) resolve(pattern, dir string) {
	base := dir
	if i := strings.Index(dir, "..."); i >= 0 {
		base = path.Dir(dir[:i] + "x")
	}
	folder := r.scope.Abs(base)
	info, err := os.Stat(folder)
	if r.holdsCopies(base) && errors.Is(err, fs.ErrNotExist) { // copies may be the first files of their folder
		r.add(r.scope.ModuleOf(base), dir)
		return
	}
	if err == nil && !info.IsDir() {
		r.diags = append(r.diags, diag.Errorf(diag.Position{File: pattern}, codePattern,
			"this is a file, and mrgen reads packages: name its folder, ./%s", strings.TrimPrefix(path.Dir(base), ".")))
		return
	}
	if err != nil {
		r.diags = append(r.diags, diag.Errorf(diag.Position{File: pattern}, codePattern,
			"there is no folder %s in the module: name a folder with Go packages, such as ./apis/...", base))
		return
	}
	if real, err := filepath.EvalSymlinks(folder); err != nil || real != folder {
		r.scope.Unlisted = true
	}
	home := r.scope.ModuleOf(base)
	r.add(home, dir)

	matches := dirPattern(dir)
	err = fs.WalkDir(r.folders, base, func(rel string, entry fs.DirEntry, err error) error {
		if err != nil {
			r.diags = append(r.diags, diag.Errorf(diag.Position{File: rel}, codePattern,
				"cannot read the folder: %v: change its permissions, or leave it out of the patterns", diag.Cause(err)))
			return fs.SkipDir
		}
		if entry.IsDir() {
			if rel != base && (IsIgnored(entry.Name()) || base == dir) { // base == dir: there is no wildcard
				return fs.SkipDir
			}
			return nil
		}
		if entry.Name() == "go.mod" && path.Dir(rel) != home && strings.HasSuffix(dir, "...") {
			// the go command's patterns end at a nested module
			r.add(path.Dir(rel), path.Join(path.Dir(rel), "..."))
		}
		if matches.MatchString(path.Dir(rel)) && r.isGenerated(rel, entry.Name()) {
			r.scope.Generated, r.hidden = append(r.scope.Generated, rel), append(r.hidden, rel)
		}
		return nil
	})
	if err != nil {
		r.diags = append(r.diags, diag.Errorf(diag.Position{File: base}, codePattern, "cannot read the folder: %v", diag.Cause(err)))
	}
}

// add selects the packages of a module that the path with wildcards matches.
func (r *resolver) add(home, dir string) {
	modulePath := r.modules.path(home)
	if modulePath == "" {
		return // the error has been reported
	}
	rel := Within(home, dir)
	pattern := "./" + path.Clean(rel)
	// Import paths with wildcards would make the go command search all required modules, including modules that can't be
	// downloaded and that no API type needs. Only a nested module that the workspace doesn't use is selected by import
	// path: the go command would look for its folder in the module around it.
	if home != "." && r.lacks.Get(home, func() bool { return r.workspaceLacks(home) }) {
		pattern = path.Join(modulePath, rel)
	}
	if !slices.Contains(r.byModule[home], pattern) {
		r.byModule[home] = append(r.byModule[home], pattern)
	}
}

// workspaceLacks reports whether the workspace in effect doesn't use a nested module.
func (r *resolver) workspaceLacks(home string) bool {
	dir := r.scope.Abs(home)
	work := goenv.Workspace(context.Background(), dir)
	content, err := os.ReadFile(work)
	if err != nil {
		return false // no workspace, or one that the go command complains about
	}
	file, err := modfile.ParseWork(work, content, nil)
	return err == nil && !slices.ContainsFunc(file.Use, func(use *modfile.Use) bool {
		used := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(used) {
			used = filepath.Join(filepath.Dir(work), used)
		}
		return used == dir
	})
}
