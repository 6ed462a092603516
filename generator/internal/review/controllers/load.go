package controllers

import (
	"context"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// CodeControllers is the code of diagnostics about packages whose code is not looked at.
const CodeControllers diag.Code = "controllers"

// Code is that of a module in SSA form: its own packages with the bodies of functions, others with as much
// of their declarations as it needs.
type Code struct {
	*ssa.Program
	files load.Files
	// packages are those of the module with bodies.
	packages []*ssa.Package
	local    map[*types.Package]bool
	// module is the path of the module.
	module string
}

// unread are generated files with nothing but methods that copy objects, or get and set what all managed
// resources have.
var unread = []string{"zz_generated.deepcopy.go", "zz_generated.managed.go", "zz_generated.managedlist.go",
	"zz_generated.pc.go", "zz_generated.pcu.go", "zz_generated.pculist.go"}

// Load loads the packages of a module that patterns select, as they are on disk.
func Load(ctx context.Context, root string, patterns []string) (*Code, diag.List, error) {
	covers, seen := modules.Matcher(patterns), map[string]bool{}
	modules.EachFolder(root, ".", func(folder string, names []string) {
		if covers(folder) && slices.ContainsFunc(names, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
			seen[folder] = true
		}
	})
	if len(seen) == 0 {
		return nil, diag.List{diag.Errorf(diag.Position{File: strings.Join(patterns, " ")}, CodeControllers,
			"lint.controllers: no Go packages match: name the folders with controllers and clients, such as ./internal/...")}, nil
	}
	onDisk := &modules.Scope{Options: modules.Options{Root: root}}
	listed, diags := load.ListWritten(ctx, onDisk.Written(nil, slices.Sorted(maps.Keys(seen))), nil, nil)
	if diags.HasErrors() || ctx.Err() != nil {
		return nil, diags, ctx.Err()
	}
	asked := map[string][]string{}
	for folder := range seen {
		whole := slices.DeleteFunc(listed.Built(folder, false), func(name string) bool { return slices.Contains(unread, path.Base(name)) })
		if len(whole) > 0 {
			asked[folder] = whole
		}
	}
	problems, checked, err := compile.Whole(ctx, listed, asked, false)
	if err != nil {
		return nil, nil, err
	}
	code := &Code{files: listed.Files, local: map[*types.Package]bool{}}
	code.module, _ = listed.Module(".")
	broken := map[string]bool{}
	for _, problem := range problems {
		broken[problem.Dir] = true
		diags = append(diags, diag.Warningf(problem.Pos, CodeControllers, "the package doesn't compile, so its code is not looked at: %s", problem.Message))
	}
	code.build(slices.DeleteFunc(checked, func(c compile.Checked) bool { return broken[c.Dir] }))
	return code, diags, nil
}

// build builds packages that compile.
func (code *Code) build(checked []compile.Checked) {
	code.Program = ssa.NewProgram(code.files.Fset, ssa.InstantiateGenerics)
	created := map[*types.Package]bool{}
	var imported func(list []*types.Package)
	imported = func(list []*types.Package) {
		for _, pkg := range list {
			if !created[pkg] {
				created[pkg] = true
				imported(pkg.Imports())
				code.CreatePackage(pkg, nil, nil, true)
			}
		}
	}
	for _, c := range checked {
		created[c.Types], code.local[c.Types] = true, true
	}
	for _, c := range checked {
		imported(c.Types.Imports())
		code.packages = append(code.packages, code.CreatePackage(c.Types, c.Files, c.Info, true))
	}
	parallel.Do(len(code.packages), func(i int) { code.packages[i].Build() })
}
