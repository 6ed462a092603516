package load

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/goenv"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// readSettings asks the go command for its settings. Before it, nothing may be read.
func (l *Listing) readSettings(ctx context.Context) diag.List {
	var err error
	if l.settings, err = goenv.Read(ctx, l.Scope.Root()); err != nil {
		return l.listFailure(modules.Module{Dir: "."}, err, "the packages")
	}
	if l.settings.Overlay && !goenv.UsesDriver() {
		return diag.List{diag.Errorf(diag.Position{File: "GOFLAGS"}, codeLoad,
			"mrgen needs -overlay itself: remove the flag, and write the files in their places")}
	}
	if l.isFixed(l.Scope.Root()) { // nothing in a module below such a folder would be logged
		l.log.MarkUnreliable()
	}
	return nil
}

// isFixed reports whether nothing at a path may change.
func (l *Listing) isFixed(path string) bool { return l.settings.IsFixed(path) }

// ReadFile returns the content of a file, which is the caller's, and logs it if it may change.
func (l *Listing) ReadFile(name string) ([]byte, error) {
	if c := l.Scope.Copy(name); c != nil {
		return bytes.Clone(c.Content), nil // callers blank the bodies of functions
	}
	if l.isFixed(name) {
		return os.ReadFile(name)
	}
	content, _, err := l.log.ReadFile(name)
	return content, err
}

// goFiles returns the absolute names of the Go files in a folder: copies, and files on disk that nothing hides.
func (l *Listing) goFiles(folder string) []string {
	names := l.Scope.CopiesIn(folder)
	entries, _ := os.ReadDir(folder) // the folder may not exist yet; if it has a package, it is logged
	for _, e := range entries {
		if name := filepath.Join(folder, e.Name()); readlog.IsSource(e.Name()) && filepath.Ext(name) == ".go" && !l.Scope.Hides(name) {
			names = append(names, name)
		}
	}
	return names
}

// noteInputs logs the files that the go command reads to list packages and their imports, except files that can't
// change.
func (l *Listing) noteInputs(pkgs []*loader.Package) {
	log := l.log
	if log == nil {
		return
	}
	folders := map[string]bool{}
	each(pkgs, func(pkg *loader.Package) {
		dir, found := l.sourceDir(pkg)
		if !found || l.isFixed(dir) {
			return
		}
		folders[dir] = true
		for _, imported := range pkg.Imports() {
			if _, found := l.sourceDir(imported); !found && !hasFiles(imported) { // otherwise the run writes all of its files
				log.MarkUnreliable() // a package that doesn't exist may appear anywhere
			}
		}
	})
	list := slices.Sorted(maps.Keys(folders))
	parallel.Do(len(list), func(i int) { l.NoteFolder(list[i]) })
}

// sourceDir returns the folder of a package, if it has other files than the run writes.
func (l *Listing) sourceDir(pkg *loader.Package) (string, bool) {
	for _, file := range slices.Concat(pkg.GoFiles, pkg.OtherFiles, pkg.IgnoredFiles) {
		if !l.Scope.Hides(file) {
			return filepath.Dir(file), true
		}
	}
	return "", false
}

// NoteFolder logs the files of a package that the go command reads in a folder, unless they can't change or were logged
// before.
func (l *Listing) NoteFolder(dir string) {
	log := l.log
	if log == nil || l.isFixed(dir) || log.Has(dir, readlog.Folder) {
		return
	}
	log.ReadLink(dir)
	entries, _ := log.ReadFolder(dir) // the log records that it can't be read
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if readlog.IsSource(e.Name()) && !e.IsDir() && !l.Scope.Hides(file) && !log.Has(file, readlog.File) {
			_, _, _ = log.ReadFile(file) // of tests, the go command reads the imports
		}
	}
	// A go.mod may appear in any folder above, up to the module's own.
	for above := dir; ; above = filepath.Dir(above) {
		file := filepath.Join(above, "go.mod")
		if log.Has(file, readlog.File) {
			return
		}
		if _, _, err := log.ReadFile(file); err == nil || above == filepath.Dir(above) {
			return
		}
	}
}

// built returns the absolute names of the Go files in a folder that are compiled, including generated ones.
func (l *Listing) built(dir string, tests bool) []string {
	folder := l.Scope.Abs(dir)
	names := l.goFiles(folder)
	slices.Sort(names)
	context := l.settings.Build
	context.OpenFile = func(name string) (io.ReadCloser, error) {
		content, err := l.ReadFile(name)
		return io.NopCloser(bytes.NewReader(content)), err
	}
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		match, err := context.MatchFile(folder, filepath.Base(name))
		return err != nil || !match || readlog.IsTest(name) != tests
	})
}
