package modules

import (
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
)

const codeOwnPackage diag.Code = "own-package"

// An OwnPackage is a package that consists of files which mrgen writes.
type OwnPackage struct {
	// Path is the import path, Name the name in the package clause, and Dir the
	// folder relative to the module root.
	Path, Name, Dir string
}

// NewOwnPackage returns the package with that import path in the module at root, for files of these names. It refuses a
// package that lies in another module, can't be imported, or has files of the author other than tests.
func NewOwnPackage(root, importPath string, files []string) (*OwnPackage, diag.List) {
	m := &modules{root: root}
	modulePath := m.path(".")
	if m.diags.HasErrors() {
		return nil, m.diags
	}
	refused := func(at, format string, args ...any) (*OwnPackage, diag.List) {
		return nil, diag.List{diag.Errorf(diag.Position{File: at}, codeOwnPackage, format, args...)}
	}
	dir, below := strings.CutPrefix(importPath, modulePath+"/")
	if !below {
		return refused(importPath,
			"mrgen writes no package outside module %s: name one below it, such as %s/internal/registry", modulePath, modulePath)
	}
	p := &OwnPackage{Path: importPath, Name: path.Base(importPath), Dir: dir}
	if m.importPath(dir) != importPath { // a nested module has the folder
		return refused(importPath,
			"the folder %s belongs to the module in %s, which has no package of that import path: name one in a folder of module %s",
			dir, ModuleOf(root, dir), modulePath)
	}
	if !token.IsIdentifier(p.Name) || p.Name == "main" {
		return refused(importPath,
			"%s can't be the name of a package that others import: end the import path in a Go name, such as registry", p.Name)
	}
	if diags := p.Check(root, files, "resolvers.registry"); diags.HasErrors() {
		return nil, diags
	}
	return p, nil
}

// Check reports a file of the author in the package, which a setting names, and where mrgen writes files of these names.
func (p *OwnPackage) Check(root string, files []string, setting string) diag.List {
	for _, name := range goFiles(filepath.Join(root, filepath.FromSlash(p.Dir)), files) {
		return diag.List{diag.Errorf(diag.Position{File: path.Join(p.Dir, name)}, codeOwnPackage,
			"package %s must contain nothing but what mrgen writes: move this file, or name another package in %s", p.Path, setting)}
	}
	return nil
}

// goFiles returns the names of the Go files in a folder, except tests, files of some names, and files that another
// release of mrgen wrote under other names.
func goFiles(dir string, except []string) []string {
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // the folder need not exist; writing the plan reports other errors
	}
	for _, entry := range entries {
		name := entry.Name()
		if path.Ext(name) == ".go" && !slices.Contains(except, name) && !strings.HasSuffix(name, "_test.go") && !IsGenerated(filepath.Join(dir, name), false) {
			names = append(names, name)
		}
	}
	return names
}

// IsOwn reports whether mrgen writes the package with these files as a whole. Such a package is not part of the input.
func (s *Scope) IsOwn(goFiles []string) bool {
	return len(goFiles) > 0 &&
		!slices.ContainsFunc(goFiles, func(file string) bool { return !slices.Contains(s.Options.OwnFiles, filepath.Base(file)) })
}
