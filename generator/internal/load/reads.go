package load

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// reads is what the packages of a listing are read from, as far as it may change: all but
// the module cache and Go itself.
type reads struct {
	log *inputs.Log
	// fixed are the folders that have nothing that may change.
	fixed []string

	mu           sync.Mutex
	dependencies Dependencies
}

// Dependencies say which packages a run has read, by their folders. These are relative to
// the module root, if they lie below it. Packages are left out that have no files but what
// the run writes.
type Dependencies struct {
	// Imports are the folders of what the package in a folder imports.
	Imports map[string][]string
	// Named are the folders of packages that markers name.
	Named map[string]bool
}

// Dependencies returns what the run has read so far.
func (l *listing) Dependencies() Dependencies {
	l.reads.mu.Lock()
	defer l.reads.mu.Unlock()
	return Dependencies{Imports: maps.Clone(l.reads.dependencies.Imports), Named: maps.Clone(l.reads.dependencies.Named)}
}

// name notes that a marker names a package in a folder.
func (r *reads) name(dir string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dependencies.Named[dir] = true
}

// beginReading finds out, while packages are listed, which folders have nothing that may
// change, and returns a function that waits for that.
func (l *listing) beginReading(ctx context.Context, log *inputs.Log) (done func()) {
	l.reads = reads{log: log, dependencies: Dependencies{Imports: map[string][]string{}, Named: map[string]bool{}}}
	if log == nil {
		return func() {}
	}
	log.Begin()
	wait := parallel.Start(func() error {
		var err error
		l.reads.fixed, err = fixedFolders(ctx, l.root)
		return err
	})
	return func() {
		if wait() != nil || l.isFixed(l.root) {
			log.Forget()
		}
	}
}

// fixedFolders returns the folders of Go and of the module cache.
func fixedFolders(ctx context.Context, dir string) ([]string, error) {
	command := exec.CommandContext(ctx, "go", "env", "GOROOT", "GOMODCACHE")
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("ask the go command for its folders: %w", err)
	}
	var folders []string
	for line := range bytes.Lines(out) {
		if folder := strings.TrimSpace(string(line)); folder != "" {
			folders = append(folders, folder+string(filepath.Separator))
		}
	}
	return folders, nil
}

// isFixed reports whether nothing at a path may change.
func (l *listing) isFixed(path string) bool {
	return slices.ContainsFunc(l.reads.fixed, func(folder string) bool { return strings.HasPrefix(path, folder) })
}

// read returns the content of a file, and logs it if it may change.
func (l *listing) read(name string) ([]byte, error) {
	if l.isFixed(name) {
		return os.ReadFile(name)
	}
	content, _, err := l.reads.log.ReadFile(name)
	return content, err
}

// testNames returns the names of the tests in a folder.
func (l *listing) testNames(dir string) []string {
	var names []string
	entries, _ := os.ReadDir(dir) // is there, and logged, if it has a package
	for _, e := range entries {
		if inputs.IsSource(e.Name()) && inputs.IsTest(e.Name()) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}

// noteInputs logs what the go command reads to list packages and what they import, as far
// as it may change.
func (l *listing) noteInputs(pkgs []*loader.Package) {
	log := l.reads.log
	if log == nil {
		return
	}
	folders := map[string]bool{}
	l.reads.mu.Lock()
	eachOf(pkgs, func(pkg *loader.Package) {
		dir, found := l.sourceDir(pkg)
		if !found || l.isFixed(dir) {
			return
		}
		folders[dir] = true
		name := l.relative(dir)
		l.reads.dependencies.Imports[name] = append(l.reads.dependencies.Imports[name], l.importedFolders(pkg)...)
	})
	l.reads.mu.Unlock()
	list := slices.Sorted(maps.Keys(folders))
	parallel.Do(len(list), func(i int) { l.noteFolder(list[i]) })
}

// importedFolders returns the folders of what a package imports, as far as they may
// change. What is nowhere may be anywhere tomorrow.
func (l *listing) importedFolders(pkg *loader.Package) []string {
	var folders []string
	for _, imported := range pkg.Imports() {
		dir, found := l.sourceDir(imported)
		switch {
		case found && !l.isFixed(dir):
			folders = append(folders, l.relative(dir))
		case !found && !l.isHidden(imported):
			l.reads.log.Forget()
		}
	}
	slices.Sort(folders)
	return folders
}

// sourceDir returns the folder of a package that has files other than those that the run
// writes.
func (l *listing) sourceDir(pkg *loader.Package) (string, bool) {
	for _, file := range slices.Concat(pkg.GoFiles, pkg.OtherFiles, pkg.IgnoredFiles) {
		if _, hidden := l.hidden[file]; !hidden {
			return filepath.Dir(file), true
		}
	}
	return "", false
}

// isHidden reports whether a package has files, and the run writes all of them.
func (l *listing) isHidden(pkg *loader.Package) bool {
	_, found := l.sourceDir(pkg)
	return !found && len(pkg.GoFiles)+len(pkg.IgnoredFiles) > 0
}

// noteFolder logs what the go command reads of a package in a folder, unless it was.
func (l *listing) noteFolder(dir string) {
	log := l.reads.log
	if log.Has(dir, inputs.Folder) {
		return
	}
	log.ReadLink(dir)
	entries, _ := log.ReadFolder(dir) // what can't be read is no input
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		_, hidden := l.hidden[file]
		switch {
		case hidden || e.IsDir() || !inputs.IsSource(e.Name()):
		case inputs.IsTest(e.Name()):
			log.ReadHeader(file)
		case !log.Has(file, inputs.File):
			_, _, _ = log.ReadFile(file)
		}
	}
	// A module may begin at each folder above, up to where one does.
	for above := dir; ; above = filepath.Dir(above) {
		file := filepath.Join(above, "go.mod")
		if log.Has(file, inputs.File) {
			return
		}
		if _, _, err := log.ReadFile(file); err == nil || above == filepath.Dir(above) {
			return
		}
	}
}
