package modules

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

const codeModule diag.Code = "module"

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
			return "", diag.List{withoutModule(abs)}
		}
	}
}

// withoutModule says what to do in a folder that no go.mod is in or above: maybe a workspace is.
func withoutModule(dir string) diag.Diagnostic {
	for folder := dir; ; folder = filepath.Dir(folder) {
		content, err := os.ReadFile(filepath.Join(folder, "go.work"))
		work, parseErr := modfile.ParseWork("go.work", content, nil) // the go command says what is wrong in it
		if err == nil && parseErr == nil && len(work.Use) > 0 {
			var used []string
			for _, use := range work.Use {
				used = append(used, use.Path)
			}
			return diag.Errorf(diag.Position{File: "go.work"}, codeModule,
				"this workspace has no go.mod beside it: run mrgen in its modules, each with its settings: mrgen -C %s", strings.Join(used, ", or -C "))
		}
		if filepath.Dir(folder) == folder {
			return diag.Errorf(diag.Position{File: "go.mod"}, codeModule,
				"there is no go.mod in this folder or above it: run mrgen inside a Go module, or create one with 'go mod init'")
		}
	}
}

// ModulePath returns the path of the module at a root, "" if its go.mod can't be read.
func ModulePath(root string) string {
	m := modules{root: root}
	return m.path(".")
}

// CheckModFile reports errors in the go.mod in a folder by the rules of the go command, which are stricter than
// [ModulePath].
func CheckModFile(root, dir string) diag.List {
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

// modules reads the go.mod files below a root, each once.
type modules struct {
	root  string
	paths parallel.Memo[string, string]
	// diags are about files that could not be read.
	diags diag.List
}

// path returns the module path in the go.mod of a folder, or "".
func (m *modules) path(dir string) string {
	return m.paths.Get(dir, func() string { return m.readPath(dir) })
}

func (m *modules) readPath(dir string) (modulePath string) {
	file := path.Join(dir, "go.mod")
	content, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(file)))
	if err == nil {
		var parsed *modfile.File
		if parsed, err = modfile.ParseLax(file, content, nil); err == nil && parsed.Module != nil {
			// only the module path matters here: a newer go.mod may have unknown lines
			modulePath = parsed.Module.Mod.Path
		}
	}
	switch {
	case err != nil:
		m.diags = append(m.diags, modFileErrors(file, err)...)
	case modulePath == "":
		m.diags = append(m.diags, diag.Errorf(diag.Position{File: file}, codeModule, "go.mod names no module: add a module line"))
	}
	return modulePath
}

// importPath returns the import path of the package in a folder.
func (m *modules) importPath(dir string) string {
	home := ModuleOf(m.root, dir)
	return path.Join(m.path(home), Within(home, dir))
}

// Within returns the path of a folder relative to its module. Both are relative to the root.
func Within(home, dir string) string {
	if home == "." {
		return dir
	}
	return strings.TrimPrefix(strings.TrimPrefix(dir, home), "/")
}

// ModuleOf returns the folder of the module that a folder belongs to.
func ModuleOf(root, dir string) string {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(dir), "go.mod")); err == nil {
			return dir
		}
	}
	return "."
}
