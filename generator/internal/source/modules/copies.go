package modules

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
)

// Copy returns the copy with an absolute path, or nil.
func (s *Scope) Copy(file string) *Copy {
	if len(s.Options.Copies) == 0 {
		return nil
	}
	return s.Options.Copies[s.Rel(file)]
}

// CopiesIn returns the absolute paths of the copies in a folder, sorted.
func (s *Scope) CopiesIn(dir string) []string {
	var files []string
	for _, name := range slices.Sorted(maps.Keys(s.Options.Copies)) {
		if file := s.Abs(name); filepath.Dir(file) == dir {
			files = append(files, file)
		}
	}
	return files
}

// holdsCopies reports whether a copy is in a folder or below it.
func (r *resolver) holdsCopies(dir string) bool {
	for name := range r.scope.Options.Copies {
		if dir == "." || strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// coverCopies covers the folders of copies whose source the run covers. Packages that aren't APIs are covered if any
// source or copy is covered.
func (r *resolver) coverCopies() {
	any := false
	for _, name := range slices.Sorted(maps.Keys(r.scope.Options.Copies)) {
		c, dir := r.scope.Options.Copies[name], path.Dir(name)
		any = any || r.scope.Covers(path.Dir(c.Source)) || r.scope.Covers(dir)
		if c.API && r.scope.Covers(path.Dir(c.Source)) && !r.scope.Covers(dir) {
			r.scope.patterns = append(r.scope.patterns, dirPattern(dir))
			r.resolve("./"+dir, dir)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.scope.Options.Copies)) {
		if dir := path.Dir(name); any && !r.scope.Covers(dir) && !r.scope.Options.Copies[name].API {
			// The go command needn't list it: it is written, and nothing is generated from it.
			r.scope.patterns = append(r.scope.patterns, dirPattern(dir))
			r.hideIn(dir, r.isCopy)
		}
	}
}

// hideIn hides the wanted files in a folder, which earlier runs wrote.
func (r *resolver) hideIn(dir string, wanted func(file string) bool) {
	entries, _ := r.folders.ReadDir(dir) // the folder may not exist yet
	for _, entry := range entries {
		if file := path.Join(dir, entry.Name()); !entry.IsDir() && wanted(file) {
			r.scope.Generated, r.hidden = append(r.scope.Generated, file), append(r.hidden, file)
		}
	}
}

// isCopy reports whether a file is a copy that a run wrote.
func (r *resolver) isCopy(file string) bool {
	if !strings.HasPrefix(path.Base(file), CopyPrefix) {
		return false
	}
	content, err := os.ReadFile(r.scope.Abs(file))
	return err == nil && artifact.Owned(content)
}

// EachFolder calls a function with the folders of a module at and below one of them, and the names of the Go files in
// them. It leaves out folders of other modules, and folders that the go command ignores. Paths are slash-separated and
// relative to the root.
func EachFolder(root, from string, visit func(folder string, goFiles []string)) {
	eachFolder(folders{root: root, read: map[string]listing{}}, from, visit)
}

func eachFolder(in folders, from string, visit func(folder string, goFiles []string)) {
	var walk func(folder string)
	walk = func(folder string) {
		// The go command reports folders that can't be read.
		entries, _ := in.ReadDir(folder)
		if folder != from && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "go.mod" }) {
			if _, err := os.Stat(filepath.Join(in.path(folder), "go.mod")); err == nil { // it may be a dangling link
				return
			}
		}
		visit(folder, goNames(entries))
		for _, entry := range entries {
			if entry.IsDir() && !IsIgnored(entry.Name()) {
				walk(path.Join(folder, entry.Name()))
			}
		}
	}
	from = path.Clean(from)
	if info, err := in.Stat(from); err == nil && info.IsDir() {
		walk(from)
	}
}

// Files returns the files below the root, nested modules included, whose name a function accepts, by their paths
// relative to the root. Like patterns with wildcards, it leaves out ignored folders.
func Files(root string, accepts func(name string) bool) []string {
	var files []string
	_ = fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // the go command reports folders that can't be read
			return nil
		case entry.IsDir() && name != "." && IsIgnored(entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && accepts(entry.Name()):
			files = append(files, name)
		}
		return nil
	})
	return files
}

// GoFiles returns the names of the Go files in a folder, except files that the go command ignores because of their
// names.
func GoFiles(root, folder string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	return goNames(entries), err
}

func goNames(entries []fs.DirEntry) []string {
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); !entry.IsDir() && path.Ext(name) == ".go" && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names
}

// unsearched are folders that wildcards leave out. node_modules has no Go packages, but many files.
var unsearched = []string{"testdata", "vendor", "node_modules"}

// IsIgnored reports whether patterns with wildcards leave out folders of that name.
func IsIgnored(name string) bool {
	return slices.Contains(unsearched, name) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
