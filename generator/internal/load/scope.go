package load

import (
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

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

const (
	codeModule  diag.Code = "module"
	codePattern diag.Code = "package-pattern"
)

// FindRoot returns the folder of the Go module that dir lies in, with symbolic
// links resolved: the nearest folder, from dir upwards, that holds a go.mod.
func FindRoot(dir string) (string, diag.List) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", diag.List{diag.Errorf(diag.Position{File: filepath.ToSlash(dir)}, codeModule,
			"cannot find the Go module: %v", diag.Cause(err))}
	}
	for root := abs; ; root = filepath.Dir(root) {
		if info, err := os.Stat(filepath.Join(root, "go.mod")); err == nil && info.Mode().IsRegular() {
			return root, nil
		}
		if filepath.Dir(root) == root {
			return "", diag.List{diag.Errorf(diag.Position{File: "go.mod"}, codeModule,
				"there is no go.mod in this folder or above it: run mrgen inside a Go module, or create one with 'go mod init'")}
		}
	}
}

// ModulePath returns the path of the module at a root, "" if its go.mod can't be read.
func ModulePath(root string) string {
	r := &scopeResolver{scope: &scope{root: root}, modulePaths: map[string]string{}}
	return r.modulePath(".")
}

// scope is what a run's patterns cover.
type scope struct {
	root     string
	patterns []*regexp.Regexp
	// modules are the Go modules that the patterns reach, the one at the root
	// first, nested ones by folder.
	modules []module
	// generated are the files that mrgen replaces or wrote earlier, relative to
	// the root, and hidden those of them that other files take the place of in the
	// eyes of the go command, together with such files in packages that the
	// patterns leave out.
	generated, hidden []string
	// followsLinks is set if a pattern begins with a path through a symbolic link.
	followsLinks bool
}

// module is a Go module with the patterns that select its packages.
type module struct {
	// dir is relative to the root, slash-separated.
	dir string
	// patterns are paths relative to the folder, with "..." for any part of them. Import
	// paths with wildcards would have the go command look for packages in all modules that
	// are required, also those that may be out of reach and that the API doesn't need.
	// Those of a nested module that a workspace lacks are import paths all the same: its
	// folder would be taken for one of the module around it.
	patterns []string
}

// covers reports whether the folder, relative to the root, matches a pattern.
func (s *scope) covers(dir string) bool {
	return slices.ContainsFunc(s.patterns, func(p *regexp.Regexp) bool { return p.MatchString(dir) })
}

// newScope resolves patterns, which are relative to root, and looks for the
// nested modules and the generated files below them. A file is generated if its
// name is one of the outputs, or if it says that mrgen wrote it.
func newScope(opts Options) (*scope, diag.List) {
	root := opts.Root
	s := &scope{root: root}
	r := &scopeResolver{scope: s, modulePaths: map[string]string{}, outputs: opts.Outputs, byModule: map[string][]string{}}
	rootPath := r.modulePath(".")
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	for _, pattern := range opts.Patterns {
		dir, diagnostic := patternDir(root, rootPath, pattern)
		if diagnostic != nil {
			r.diags = append(r.diags, *diagnostic)
			continue
		}
		s.patterns = append(s.patterns, dirPattern(dir))
		r.resolve(pattern, dir)
	}
	for _, dir := range slices.Sorted(maps.Keys(r.byModule)) {
		s.modules = append(s.modules, module{dir: dir, patterns: r.byModule[dir]})
	}
	r.searchModules(opts)
	for _, files := range []*[]string{&s.generated, &s.hidden} {
		slices.Sort(*files)
		*files = slices.Compact(*files)
	}
	return s, r.diags
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
	default:
		d := diag.Errorf(diag.Position{File: pattern}, codePattern,
			"%s is not a package of module %s: write ./%s for a folder below the module root", pattern, rootPath, slash)
		return "", &d
	}
	slash = path.Clean(slash)
	if slash == ".." || strings.HasPrefix(slash, "../") {
		return "", &outside
	}
	return slash, nil
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

// scopeResolver fills a scope.
type scopeResolver struct {
	*scope
	outputs     []string
	modulePaths map[string]string
	byModule    map[string][]string
	diags       diag.List
}

// modulePath returns the path of the module in the folder, or "".
func (r *scopeResolver) modulePath(dir string) string {
	if known, ok := r.modulePaths[dir]; ok {
		return known
	}
	file := path.Join(dir, "go.mod")
	content, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
	var modulePath string
	if err == nil {
		var parsed *modfile.File
		if parsed, err = modfile.ParseLax(file, content, nil); err == nil && parsed.Module != nil {
			modulePath = parsed.Module.Mod.Path
		}
	}
	switch {
	case err != nil:
		r.diags = append(r.diags, modFileErrors(file, err)...)
	case modulePath == "":
		r.diags = append(r.diags, diag.Errorf(diag.Position{File: file}, codeModule, "go.mod names no module: add a module line"))
	}
	r.modulePaths[dir] = modulePath
	return modulePath
}

// checkModFile reports what is wrong with a module's go.mod by the rules of the
// go command, which are stricter than what it takes to find the module's path.
func checkModFile(root, dir string) diag.List {
	file := path.Join(dir, "go.mod")
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err == nil {
		_, err = modfile.Parse(file, content, nil)
	}
	if err != nil {
		return modFileErrors(file, err)
	}
	return nil
}

func modFileErrors(file string, err error) diag.List {
	var syntax modfile.ErrorList
	if !errors.As(err, &syntax) {
		return diag.List{diag.Errorf(diag.Position{File: file}, codeModule, "cannot read go.mod: %v", diag.Cause(err))}
	}
	var diags diag.List
	for _, e := range syntax {
		diags = append(diags, diag.Errorf(diag.Position{File: file, Line: e.Pos.Line, Column: e.Pos.LineRune}, codeModule,
			"cannot read go.mod: %v", e.Err))
	}
	return diags
}

// resolve records what the path with wildcards selects.
func (r *scopeResolver) resolve(pattern, dir string) {
	base := dir
	if i := strings.Index(dir, "..."); i >= 0 {
		base = path.Dir(dir[:i] + "x")
	}
	if info, err := os.Stat(filepath.Join(r.root, filepath.FromSlash(base))); err != nil || !info.IsDir() {
		r.diags = append(r.diags, diag.Errorf(diag.Position{File: pattern}, codePattern,
			"there is no folder %s in the module: name a folder with Go packages, such as ./apis/...", base))
		return
	}
	if real, err := filepath.EvalSymlinks(filepath.Join(r.root, filepath.FromSlash(base))); err != nil || real != filepath.Join(r.root, filepath.FromSlash(base)) {
		r.followsLinks = true
	}
	home := r.home(base)
	r.add(home, dir)

	matches := dirPattern(dir)
	err := filepath.WalkDir(filepath.Join(r.root, filepath.FromSlash(base)), func(file string, entry fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(r.root, file)
		if relErr != nil {
			return relErr
		}
		rel = filepath.ToSlash(rel)
		if err != nil {
			r.diags = append(r.diags, diag.Errorf(diag.Position{File: rel}, codePattern,
				"cannot read the folder: %v: change its permissions, or leave it out of the patterns", diag.Cause(err)))
			return fs.SkipDir
		}
		if entry.IsDir() {
			switch {
			case rel == base:
			case ignoredDir(entry.Name()) || base == dir:
				return fs.SkipDir
			}
			return nil
		}
		if entry.Name() == "go.mod" && path.Dir(rel) != home && strings.HasSuffix(dir, "...") {
			r.add(path.Dir(rel), path.Join(path.Dir(rel), "..."))
		}
		if matches.MatchString(path.Dir(rel)) && r.isGenerated(file, entry.Name()) {
			r.generated, r.hidden = append(r.generated, rel), append(r.hidden, rel)
		}
		return nil
	})
	if err != nil {
		r.diags = append(r.diags, diag.Errorf(diag.Position{File: base}, codePattern, "cannot read the folder: %v", diag.Cause(err)))
	}
}

// home returns the folder of the module that the folder belongs to.
func (s *scope) home(dir string) string {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(dir), "go.mod")); err == nil {
			return dir
		}
	}
	return "."
}

// importPath returns the import path of the package in a folder.
func (r *scopeResolver) importPath(dir string) string {
	home := r.home(dir)
	if home == "." {
		return path.Join(r.modulePath(home), dir)
	}
	return path.Join(r.modulePath(home), strings.TrimPrefix(dir, home))
}

// add selects the packages of a module that the path with wildcards matches.
func (r *scopeResolver) add(home, dir string) {
	modulePath := r.modulePath(home)
	if modulePath == "" {
		return // reported by modulePath
	}
	rel := dir
	if home != "." {
		rel = strings.TrimPrefix(strings.TrimPrefix(dir, home), "/")
	}
	pattern := "./" + path.Clean(rel)
	if home != "." && r.workspaceLacks(home) {
		pattern = path.Join(modulePath, rel)
	}
	if !slices.Contains(r.byModule[home], pattern) {
		r.byModule[home] = append(r.byModule[home], pattern)
	}
}

// workspaceLacks reports whether a workspace is in effect that does not use a nested module.
func (s *scope) workspaceLacks(home string) bool {
	dir := filepath.Join(s.root, filepath.FromSlash(home))
	work := os.Getenv("GOWORK")
	for parent := filepath.Dir(dir); work == "" && parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
		if _, err := os.Stat(filepath.Join(parent, "go.work")); err == nil {
			work = filepath.Join(parent, "go.work")
		}
	}
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

// ignoredDir reports whether the go command leaves a folder with that name out
// of wildcards.
func ignoredDir(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") ||
		name == "testdata" || name == "vendor" || name == "node_modules"
}

// isGenerated reports whether a run replaces the file, or an earlier one wrote it.
func (r *scopeResolver) isGenerated(file, name string) bool {
	if slices.Contains(r.outputs, name) {
		return true
	}
	if !strings.HasPrefix(name, "zz_generated.") || !strings.HasSuffix(name, ".go") {
		return false
	}
	content, err := os.ReadFile(file)
	return err == nil && artifact.Owned(content)
}
