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
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

const codeControllers diag.Code = "controllers"

// A program is the module in SSA form: its own packages with the bodies of functions, others with as much
// of their declarations as it needs.
type program struct {
	*ssa.Program
	files load.Files
	// packages are those of the module with bodies, and checked what is known of their syntax.
	packages []*ssa.Package
	checked  []compile.Checked
	local    map[*types.Package]bool
}

// unread are generated files with nothing but methods that copy objects, or get and set what all managed
// resources have.
var unread = []string{"zz_generated.deepcopy.go", "zz_generated.managed.go", "zz_generated.managedlist.go", "zz_generated.pc.go", "zz_generated.pcu.go", "zz_generated.pculist.go"}

// loadProgram loads the packages that patterns select, as they are on disk.
func loadProgram(ctx context.Context, root string, patterns []string) (*program, diag.List, error) {
	covers, seen := scope.Matcher(patterns), map[string]bool{}
	scope.EachFolder(root, ".", func(folder string, names []string) {
		if covers(folder) && slices.ContainsFunc(names, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
			seen[folder] = true
		}
	})
	if len(seen) == 0 {
		return nil, diag.List{diag.Errorf(diag.Position{File: strings.Join(patterns, " ")}, codeControllers,
			"lint.controllers: no Go packages match: name the folders with controllers and clients, such as ./internal/...")}, nil
	}
	onDisk := &scope.Scope{Options: scope.Options{Root: root}}
	listed, diags := load.ListWritten(ctx, onDisk.Written(nil, slices.Sorted(maps.Keys(seen))), nil)
	if diags.HasErrors() || ctx.Err() != nil {
		return nil, diags, ctx.Err()
	}
	asked := map[string][]string{}
	for folder := range seen {
		var whole []string
		for _, name := range listed.Built(folder, false) {
			if !slices.Contains(unread, path.Base(name)) {
				whole = append(whole, name)
			}
		}
		if len(whole) > 0 {
			asked[folder] = whole
		}
	}
	problems, checked, err := compile.Whole(ctx, listed, asked, false)
	if err != nil {
		return nil, nil, err
	}
	p := &program{files: listed.Files, checked: checked, local: map[*types.Package]bool{}}
	broken := map[string]bool{}
	for _, problem := range problems {
		broken[problem.Dir] = true
		diags = append(diags, diag.Warningf(problem.Pos, codeControllers, "the package doesn't compile, so its code is not looked at: %s", problem.Message))
	}
	p.build(broken)
	return p, diags, nil
}

// build builds the packages that compile.
func (p *program) build(broken map[string]bool) {
	p.Program = ssa.NewProgram(p.files.Fset, ssa.InstantiateGenerics)
	created := map[*types.Package]bool{}
	var imported func(list []*types.Package)
	imported = func(list []*types.Package) {
		for _, pkg := range list {
			if !created[pkg] {
				created[pkg] = true
				imported(pkg.Imports())
				p.CreatePackage(pkg, nil, nil, true)
			}
		}
	}
	for _, c := range p.checked {
		if !broken[c.Dir] {
			created[c.Types], p.local[c.Types] = true, true
		}
	}
	for _, c := range p.checked {
		if !broken[c.Dir] {
			imported(c.Types.Imports())
			p.packages = append(p.packages, p.CreatePackage(c.Types, c.Files, c.Info, true))
		}
	}
	p.checked = nil // which takes much memory
	parallel.Do(len(p.packages), func(i int) { p.packages[i].Build() })
}
