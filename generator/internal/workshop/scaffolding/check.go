package scaffolding

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// Check returns what keeps the files from compiling beside those on disk. Edited are the existing
// ones among them.
//
// It type-checks packages of the module with their tests, and ignores errors about other modules:
// to load these would take a hundred times as long, and the templates use them correctly.
func Check(root, module string, files Files, edited map[string]bool) []string {
	c := &checker{root: root, module: module, files: files, edited: edited, fset: token.NewFileSet(), packages: map[string]*types.Package{}}
	folders := map[string]bool{}
	for name := range files {
		if strings.HasSuffix(name, ".go") {
			folders[path.Dir(name)] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if _, err := c.check(folder, true); err != nil {
			return []string{err.Error()}
		}
	}
	return c.problems
}

// Clashes returns the problems of [Check] that don't depend on generated code: names that are
// declared twice.
func Clashes(root, module string, files Files, edited map[string]bool) []string {
	return slices.DeleteFunc(Check(root, module, files, edited), func(problem string) bool { return !strings.Contains(problem, "redeclared") })
}

// A checker type-checks packages of a module, and imports these for each other.
type checker struct {
	root, module string
	files        Files
	edited       map[string]bool
	fset         *token.FileSet
	// packages are the checked packages by folder, without tests, and nil while one is checked.
	packages map[string]*types.Package
	problems []string
}

var errOutside = errors.New("packages of other modules are not checked")

// Import returns a package of the module.
func (c *checker) Import(importPath string) (*types.Package, error) {
	folder, found := strings.CutPrefix(importPath, c.module+"/")
	if !found {
		return nil, errOutside
	}
	if known, found := c.packages[folder]; found && known != nil {
		return known, nil
	} else if found {
		return nil, errOutside // a cycle, which the go command reports
	}
	c.packages[folder] = nil
	checked, err := c.check(folder, false)
	if checked == nil && err == nil {
		err = errOutside // another module below this one
	}
	c.packages[folder] = checked
	return checked, err
}

// isOurs reports whether a problem is in one of the files, and doesn't follow from the missing
// packages of other modules: from their names in imports of the author, or from the fields and
// methods of their types.
func (c *checker) isOurs(problem types.Error) bool {
	name := c.fset.Position(problem.Pos).Filename
	_, isNew := c.files[name]
	foreign := []string{"could not import", " has no field or method ", "missing method"}
	if c.edited[name] {
		foreign = append(foreign, "undefined: ", " imported ")
	}
	return isNew && !strings.HasPrefix(problem.Msg, "\t") && // a continuation of the problem before
		!slices.ContainsFunc(foreign, func(text string) bool { return strings.Contains(problem.Msg, text) })
}

func (c *checker) check(folder string, tests bool) (*types.Package, error) {
	parsed, err := c.parse(folder, tests)
	if err != nil || len(parsed) == 0 {
		return nil, err
	}
	config := types.Config{Importer: c, Error: func(err error) {
		var problem types.Error
		if tests && errors.As(err, &problem) && c.isOurs(problem) {
			c.problems = append(c.problems, c.fset.Position(problem.Pos).Filename+": "+problem.Msg)
		}
	}}
	checked, _ := config.Check(c.module+"/"+folder, c.fset, parsed, nil) // c.problems has them
	return checked, nil
}

// parse parses the package in a folder. The author's files come first, so that clashes are reported
// in the new ones.
func (c *checker) parse(folder string, tests bool) ([]*ast.File, error) {
	contents := Files{}
	for name, content := range c.files {
		if path.Dir(name) == folder {
			contents[name] = content
		}
	}
	ours := slices.Sorted(maps.Keys(contents))
	var names []string
	goFiles, err := modules.GoFiles(c.root, folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errors.New(folder + ": " + diag.Cause(err).Error())
	}
	for _, name := range goFiles {
		if name = path.Join(folder, name); contents[name] != nil {
			continue
		}
		content, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(name)))
		if err != nil {
			return nil, errors.New(name + ": " + diag.Cause(err).Error())
		}
		names, contents[name] = append(names, name), content
	}
	var parsed []*ast.File
	for _, name := range append(names, ours...) {
		if !strings.HasSuffix(name, ".go") || !tests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(c.fset, name, contents[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if len(parsed) == 0 || file.Name.Name == parsed[0].Name.Name {
			parsed = append(parsed, file) // others are external tests
		}
	}
	return parsed, nil
}
