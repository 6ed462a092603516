// Package bodies type-checks files with the bodies of their functions, in a program that includes the output of a run.
package bodies

import (
	"context"
	"errors"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// A Checked is a package with files that were checked as wholes, without tests, and the names and types in them.
type Checked struct {
	// Dir is the folder, relative to the module root, and Others are the other files, without the bodies
	// of functions.
	Dir           string
	Files, Others []*ast.File
	Types         *types.Package
	Info          *types.Info
}

// A Problem is an error in a file that was checked as a whole.
type Problem struct {
	// Pos is in the source of the file, and Dir is the folder of the file.
	Pos          diag.Position
	Dir, Message string
}

// Check type-checks files with the bodies of their functions, by the folders of their packages. In other files, it only
// checks the declarations that these depend on. Tests are checked with the tests beside them, or not at all unless tests
// is set.
func Check(ctx context.Context, s *load.Program, folders map[string][]string, tests bool) ([]Problem, []Checked, error) {
	u := compile.NewUniverse(s)
	w := &wholes{Universe: u, program: s, asked: map[*ast.File]string{}}
	dirs := slices.Sorted(maps.Keys(folders))
	w.folders = make([]*wholeFolder, len(dirs))
	failed := make([]error, len(dirs))
	err := parallel.Each(ctx, len(dirs), func(_ context.Context, i int) error {
		w.folders[i], failed[i] = w.parse(dirs[i], folders[dirs[i]], tests)
		return nil
	})
	for _, problem := range append(failed, err) { // the first folder's, no matter which was found first
		if problem != nil {
			return nil, nil, problem
		}
	}
	for _, f := range w.folders {
		w.problems = append(w.problems, f.unparsed...)
		u.Add(f.pkg)
		for _, file := range f.asked {
			w.asked[file] = f.pkg.Dir
		}
	}
	if _, err := u.LoadImports(ctx, w.files()); err != nil { // imports of tests aren't listed
		return nil, nil, err
	}
	w.outlineImports()
	for _, f := range w.folders {
		for _, file := range f.all() {
			u.NeedsOf(f.pkg, file, true)
		}
	}
	u.Settle()
	for _, f := range w.folders {
		f.pkg.Files = append(f.pkg.Files, f.files...)
	}
	if err := w.check(ctx); err != nil {
		return nil, nil, err
	}
	return w.problems, w.checked, nil
}

// wholes are packages with files that are checked as wholes.
type wholes struct {
	*compile.Universe
	program *load.Program
	folders []*wholeFolder
	// asked are the files whose errors count, with their folders.
	asked    map[*ast.File]string
	problems []Problem
	checked  []Checked
}

// A wholeFolder has the files of a folder that are checked as wholes. asked are all requested files. files are the
// requested ones of the package, and others its other files. tests are its requested tests, and byHand its other tests,
// which they may use. external are the tests beside the package. unparsed are the syntax errors in requested files.
type wholeFolder struct {
	pkg                                           *compile.Package
	unparsed                                      []Problem
	asked, files, others, byHand, tests, external []*ast.File
}

func (f *wholeFolder) all() []*ast.File { return slices.Concat(f.files, f.byHand, f.tests, f.external) }

// parse parses the files of a folder. Errors in the named files count.
func (w *wholes) parse(dir string, names []string, tests bool) (*wholeFolder, error) {
	importPath := w.program.ImportPath(dir)
	p := &compile.Package{Path: importPath, Dir: dir, Loaded: w.program.Find(dir, importPath)}
	f := &wholeFolder{pkg: p}
	var syntax scanner.ErrorList
	for _, name := range w.program.Built(dir, false) {
		isAsked := slices.Contains(names, name)
		file, err := w.program.ParseFile(name, isAsked)
		switch {
		case isAsked && errors.As(err, &syntax) && file != nil:
			// Other files need its declarations, and its error is reported once.
			at := diag.Position{File: name, Line: syntax[0].Pos.Line, Column: syntax[0].Pos.Column}
			f.unparsed, f.files = append(f.unparsed, Problem{Pos: at, Dir: dir, Message: syntax[0].Msg}), append(f.files, file)
		case err != nil && isAsked:
			return nil, err
		case err != nil:
		case isAsked:
			f.asked, f.files = append(f.asked, file), append(f.files, file)
		default:
			f.others = append(f.others, file)
		}
	}
	p.Declared = load.NewOutline(f.others, w.NameOf)
	if !tests {
		return f, nil
	}
	for _, name := range w.program.Built(dir, true) {
		file, err := w.program.ParseFile(name, true)
		if err != nil {
			continue // the go command reports it
		}
		isAsked := slices.Contains(names, name)
		if isAsked {
			f.asked = append(f.asked, file)
		}
		switch {
		case strings.HasSuffix(file.Name.Name, "_test"):
			f.external = append(f.external, file)
		case !isAsked:
			f.byHand = append(f.byHand, file) // a second declaration is an error in the later file
		default:
			f.tests = append(f.tests, file)
		}
	}
	return f, nil
}

// files returns all files that are checked as wholes.
func (w *wholes) files() []*ast.File {
	var files []*ast.File
	for _, f := range w.folders {
		files = append(files, f.all()...)
	}
	return files
}

// outlineImports parses the packages that files import. Nearly all of them are needed.
func (w *wholes) outlineImports() {
	var imported []*compile.Package
	for _, importPath := range gosyntax.ImportPaths(w.files()...) {
		if p := w.Find(importPath); p != nil {
			imported = append(imported, p)
		}
	}
	parallel.Do(len(imported), func(i int) { w.Outline(imported[i]) })
}

// check checks all packages below the module root, and then their tests.
func (w *wholes) check(ctx context.Context) error {
	byPackage := map[*compile.Package]*wholeFolder{}
	for _, f := range w.folders {
		byPackage[f.pkg] = f
	}
	all := w.Local()
	checked, problems := make([]Checked, len(all)), make([][]Problem, len(all))
	err := parallel.InOrder(ctx, all, w.ImportedBy, func(i int, p *compile.Package) {
		f := byPackage[p]
		if f == nil {
			p.Types = w.TypeCheck(p, p.Path, p.Files, nil, func(types.Error) {})
			return
		}
		var info *types.Info
		if len(f.files) > 0 { // only requested files need types for their names
			info = &types.Info{
				Types:      map[ast.Expr]types.TypeAndValue{},
				Defs:       map[*ast.Ident]types.Object{},
				Uses:       map[*ast.Ident]types.Object{},
				Selections: map[*ast.SelectorExpr]*types.Selection{},
			}
		}
		p.Types, problems[i] = w.checkFiles(p, p.Path, p.Files, info)
		checked[i] = Checked{Dir: p.Dir, Files: f.files, Others: f.others, Types: p.Types, Info: info}
	})
	if err != nil {
		return err
	}
	w.checked = slices.DeleteFunc(checked, func(c Checked) bool { return c.Info == nil })
	for _, found := range problems {
		w.note(found)
	}
	for _, f := range w.folders {
		// Other packages import the package without its tests.
		base := f.pkg.Types
		var found []Problem
		if len(f.byHand)+len(f.tests) > 0 {
			f.pkg.Types, found = w.checkFiles(f.pkg, f.pkg.Path, slices.Concat(f.byHand, f.pkg.Files, f.tests), nil)
			w.note(found)
		}
		if len(f.external) > 0 {
			_, found = w.checkFiles(f.pkg, f.pkg.Path+"_test", f.external, nil)
			w.note(found)
		}
		f.pkg.Types = base
	}
	return nil
}

// checkFiles checks the files of a package, and returns the errors in requested files.
func (w *wholes) checkFiles(p *compile.Package, importPath string, files []*ast.File, info *types.Info) (checked *types.Package, problems []Problem) {
	fset := w.program.Files.Fset
	byFile := map[*token.File]*ast.File{}
	for _, file := range files {
		if w.asked[file] != "" {
			byFile[fset.File(file.FileStart)] = file
		}
	}
	checked = w.TypeCheck(p, importPath, files, info, func(problem types.Error) {
		if file := byFile[fset.File(problem.Pos)]; file != nil && !compile.IsRemark(problem) {
			problems = append(problems, Problem{Pos: w.program.Files.Position(problem.Pos), Dir: w.asked[file], Message: problem.Msg})
		}
	})
	return checked, problems
}

// note notes problems.
func (w *wholes) note(problems []Problem) {
	for _, problem := range problems {
		if !slices.Contains(w.problems, problem) { // files are checked with tests and without: report their problems once
			w.problems = append(w.problems, problem)
		}
	}
}
