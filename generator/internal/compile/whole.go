package compile

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// A Checked is a package with files that were checked as wholes, tests left out, and what is known
// of the names and types in them.
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

// Whole type-checks files with the bodies of their functions, by the folders of their packages, in a
// program that has all that a run writes. Of other files it checks the declarations that these
// depend on. Tests are checked with the tests beside them, or not at all unless tests is set.
func Whole(ctx context.Context, s *load.Program, folders map[string][]string, tests bool) ([]Problem, []Checked, error) {
	u := (&Checker{}).universe(s, ".")
	w := &wholes{universe: u, asked: map[*ast.File]string{}}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if err := w.add(dir, folders[dir], tests); err != nil {
			return nil, nil, err
		}
	}
	if err := w.loadImports(ctx); err != nil {
		return nil, nil, err
	}
	for _, f := range w.folders {
		for _, file := range f.all() {
			w.needsOf(f.unit, file, true)
		}
	}
	u.settle()
	for _, f := range w.folders {
		f.unit.files = append(f.unit.files, f.files...)
	}
	w.check()
	return w.problems, w.checked, ctx.Err()
}

// wholes are packages with files that are checked as wholes.
type wholes struct {
	*universe
	folders []*wholeFolder
	// asked are the files whose errors count, with their folders.
	asked    map[*ast.File]string
	problems []Problem
	checked  []Checked
}

// A wholeFolder has the files of a folder that are checked as wholes: those that were asked for in the
// package, the tests in it that weren't and were, which use each other, and the tests beside it.
type wholeFolder struct {
	unit                                   *unit
	files, others, byHand, tests, external []*ast.File
}

func (f *wholeFolder) all() []*ast.File { return slices.Concat(f.files, f.byHand, f.tests, f.external) }

func (w *wholes) add(dir string, names []string, tests bool) error {
	importPath := w.program.ImportPath(dir)
	p := &unit{path: importPath, dir: dir, code: w.program.Find(dir, importPath), whole: true}
	f := &wholeFolder{unit: p}
	w.folders, w.units[importPath] = append(w.folders, f), p
	for _, name := range w.program.Built(dir, false) {
		isAsked := slices.Contains(names, name)
		file, err := w.program.ParseFile(name, isAsked)
		switch {
		case err != nil && isAsked:
			return err
		case err != nil:
		case isAsked:
			w.asked[file], f.files = dir, append(f.files, file)
		default:
			f.others = append(f.others, file)
		}
	}
	p.declared = load.NewOutline(f.others, w.nameOf)
	if !tests {
		return nil
	}
	for _, name := range w.program.Built(dir, true) {
		file, err := w.program.ParseFile(name, true)
		if err != nil {
			continue // the go command reports it
		}
		if slices.Contains(names, name) {
			w.asked[file] = dir
		}
		switch {
		case strings.HasSuffix(file.Name.Name, "_test"):
			f.external = append(f.external, file)
		case w.asked[file] == "":
			f.byHand = append(f.byHand, file) // what is declared twice is an error in the later file
		default:
			f.tests = append(f.tests, file)
		}
	}
	return nil
}

// loadImports loads the packages that only tests import.
func (w *wholes) loadImports(ctx context.Context) error {
	var files []*ast.File
	for _, f := range w.folders {
		files = append(files, f.all()...)
	}
	if missing := w.missingIn(files); len(missing) > 0 {
		// Errors show where the packages are imported.
		_ = w.program.LoadCode(ctx, w.dir, missing)
	}
	return ctx.Err()
}

// check checks all packages below the module root, in the order of their imports.
func (w *wholes) check() {
	byUnit := map[*unit]*wholeFolder{}
	for _, f := range w.folders {
		byUnit[f.unit] = f
	}
	for _, p := range w.inOrder(w.local()) {
		if f := byUnit[p]; f == nil {
			w.checkUnit(p)
		} else if len(f.files) > 0 {
			info := &types.Info{
				Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
				Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
				FileVersions: map[*ast.File]string{},
			}
			p.types = w.checkFiles(p, p.path, p.files, info)
			w.checked = append(w.checked, Checked{Dir: p.dir, Files: f.files, Others: f.others, Types: p.types, Info: info})
		} else {
			p.types = w.checkFiles(p, p.path, p.files, nil)
		}
	}
	for _, f := range w.folders {
		base := f.unit.types
		if len(f.byHand)+len(f.tests) > 0 {
			f.unit.types = w.checkFiles(f.unit, f.unit.path, slices.Concat(f.byHand, f.unit.files, f.tests), nil)
		}
		if len(f.external) > 0 {
			w.checkFiles(f.unit, f.unit.path+"_test", f.external, nil)
		}
		f.unit.types = base
	}
}

// checkFiles checks the files of a package, and notes the errors in those that were asked for.
func (w *wholes) checkFiles(p *unit, importPath string, files []*ast.File, info *types.Info) *types.Package {
	fset := w.program.Files.Fset
	byFile := map[*token.File]*ast.File{}
	for _, file := range files {
		if w.asked[file] != "" {
			byFile[fset.File(file.FileStart)] = file
		}
	}
	return w.typeCheck(p, importPath, files, info, func(problem types.Error) {
		if file := byFile[fset.File(problem.Pos)]; file != nil && !isRemark(problem) {
			w.note(Problem{Pos: w.program.Files.Position(problem.Pos), Dir: w.asked[file], Message: problem.Msg})
		}
	})
}

// note notes a problem once: files are checked with tests and without.
func (w *wholes) note(problem Problem) {
	if !slices.Contains(w.problems, problem) {
		w.problems = append(w.problems, problem)
	}
}
