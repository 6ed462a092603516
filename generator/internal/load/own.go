package load

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

const codeOwnPackage diag.Code = "own-package"

// An OwnPackage is a package that consists of one file, which mrgen writes.
type OwnPackage struct {
	// Path is the import path, Name the name in the package clause, and Dir the
	// folder relative to the module root.
	Path, Name, Dir string
}

// NewOwnPackage returns the package with that import path in the module at root,
// for a file of that name. It refuses a package that lies in another module, can't
// be imported, or has files of the author. Tests are no such files.
func NewOwnPackage(root, importPath, file string) (*OwnPackage, diag.List) {
	r := &scopeResolver{scope: &scope{root: root}, modulePaths: map[string]string{}}
	modulePath := r.modulePath(".")
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	refused := func(at, format string, args ...any) (*OwnPackage, diag.List) {
		return nil, diag.List{diag.Errorf(diag.Position{File: at}, codeOwnPackage, format, args...)}
	}
	dir, below := strings.CutPrefix(importPath, modulePath+"/")
	if !below {
		return refused(importPath, "mrgen writes no package outside module %s: name one below it, such as %s/internal/registry", modulePath, modulePath)
	}
	p := &OwnPackage{Path: importPath, Name: path.Base(importPath), Dir: dir}
	if r.importPath(dir) != importPath {
		return refused(importPath, "the folder %s belongs to the module in %s, which has no package of that import path: name one in a folder of module %s",
			dir, r.home(dir), modulePath)
	}
	if !token.IsIdentifier(p.Name) || p.Name == "main" {
		return refused(importPath, "%s can't be the name of a package that others import: end the import path in a Go name, such as registry", p.Name)
	}
	for _, name := range goFiles(filepath.Join(root, filepath.FromSlash(dir)), file) {
		return refused(path.Join(dir, name), "package %s is to hold nothing but what mrgen writes: move this file, or name another import path", importPath)
	}
	return p, nil
}

// goFiles returns the names of the Go files in a folder, if there is one, but for
// tests and one other file.
func goFiles(dir, except string) []string {
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // where files are to be written, the plan for that says more
	}
	for _, entry := range entries {
		name := entry.Name()
		if path.Ext(name) == ".go" && name != except && !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
	}
	return names
}

// isOwn reports whether a package is one that mrgen writes as a whole. It is no
// input.
func isOwn(pkg *loader.Package, file string) bool {
	return len(pkg.GoFiles) == 1 && filepath.Base(pkg.GoFiles[0]) == file
}

// overlay returns what takes the place of generated files in the eyes of the go
// command. A package that mrgen writes as a whole always exists, and is empty, so
// that others may import it before it is written.
func (l *listing) overlay(opts Options) map[string][]byte {
	files := make(map[string][]byte, len(l.scope.hidden)+1)
	absolute := func(file string) string { return filepath.Join(l.root, filepath.FromSlash(file)) }
	for _, file := range l.scope.hidden {
		files[absolute(file)] = []byte(hiddenFile)
		if path.Base(file) == opts.OwnFile && len(goFiles(filepath.Dir(absolute(file)), opts.OwnFile)) == 0 {
			files[absolute(file)] = packageClause(absolute(file))
		}
	}
	if opts.Own != nil {
		files[absolute(path.Join(opts.Own.Dir, opts.OwnFile))] = []byte("package " + opts.Own.Name + "\n")
	}
	return files
}

// packageClause returns the package clause of a file, or that of its folder if it
// can't be read.
func packageClause(file string) []byte {
	name := filepath.Base(filepath.Dir(file))
	if parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly); err == nil {
		name = parsed.Name.Name
	} else if !token.IsIdentifier(name) {
		name = "ignored"
	}
	return []byte("package " + name + "\n")
}

// searchModules looks through the modules of the run for generated files where no
// pattern matches: those that the go command must not see all the same, and
// packages that mrgen wrote as a whole, which are stale if the settings name them
// no more. They are kept as long as a file imports them that the run can't change.
func (r *scopeResolver) searchModules(opts Options) {
	var importers, own []string
	for _, m := range r.modules {
		base := filepath.Join(r.root, filepath.FromSlash(m.dir))
		// What can't be read is for the go command to report, if it matters.
		_ = filepath.WalkDir(base, func(file string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return fs.SkipDir
			case entry.IsDir():
				if _, err := os.Stat(filepath.Join(file, "go.mod")); file != base && (err == nil || ignoredDir(entry.Name())) {
					return fs.SkipDir
				}
				return nil
			}
			rel, err := filepath.Rel(r.root, file)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			switch name := entry.Name(); {
			case name == opts.OwnFile:
				own = append(own, rel)
			case slices.Contains(opts.Importers, name) && !r.covers(path.Dir(rel)):
				importers = append(importers, rel)
			}
			return nil
		})
	}
	r.hidden = append(r.hidden, importers...)
	for _, file := range own {
		content, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		if err == nil && !artifact.Owned(content) {
			continue
		}
		r.hidden = append(r.hidden, file)
		if !r.imported(path.Dir(file), importers) {
			r.generated = append(r.generated, file)
		} else {
			r.generated = slices.DeleteFunc(r.generated, func(other string) bool { return other == file })
		}
	}
}

// imported reports whether any of the files imports the package in a folder.
func (r *scopeResolver) imported(dir string, files []string) bool {
	importPath := strconv.Quote(r.importPath(dir))
	return slices.ContainsFunc(files, func(file string) bool {
		content, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		return err == nil && strings.Contains(string(content), importPath)
	})
}
