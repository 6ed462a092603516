package scopecopies

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/bodies"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/markers"
)

// Extension returns the extension that adds the packages of the other scope to a run.
func Extension(pairs []scopepair.Pair) stagerunner.Extension {
	return stagerunner.Extension{
		Settings: pairs,
		Source: func(in *stagerunner.Input) (map[string]*modules.Copy, diag.List) {
			return Files(Options{
				Header:       strings.TrimSpace(in.Settings.Header),
				Root:         in.Root,
				Module:       modules.ModulePath(in.Root),
				Pairs:        pairs,
				IsOutput:     func(name string) bool { return slices.Contains(in.GoFiles(), name) },
				Log:          in.Log,
				PackageNames: func(importPaths []string) map[string]string { return PackageNames(in.Root, importPaths) },
			})
		},
		Finish: func(ctx context.Context, f *stagerunner.Finishing) (diag.List, error) {
			return checkCopies(ctx, f)
		},
	}
}

// checkCopies checks that copies compile with the output of the run, either in folders where copies change or
// everywhere.
func checkCopies(ctx context.Context, f *stagerunner.Finishing) (diag.List, error) {
	copies := f.WrittenSource()
	checked := map[string][]string{} // by folder
	for name, c := range copies {
		if dir := path.Dir(name); f.Settings.TypeCheck || checked[dir] == nil && f.Differs(name, c.Content) {
			checked[dir] = []string{}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(copies)) {
		if dir := path.Dir(name); checked[dir] != nil {
			checked[dir] = append(checked[dir], name)
		}
	}
	if len(checked) == 0 {
		return nil, nil
	}
	defer f.Settings.Begin("compile")()
	return (&copyChecker{scope: f.Scope, files: f.GoFiles()}).check(ctx, checked)
}

// A copyChecker checks copies in a module with the Go files of a run.
type copyChecker struct {
	scope *modules.Scope
	files map[string][]byte
}

// check reports copies that don't compile, by folder, and where they read namespaces that are empty.
func (c *copyChecker) check(ctx context.Context, copies map[string][]string) (diag.List, error) {
	program, problems, packages, diags, err := c.typeCheck(ctx, copies)
	if err != nil || diags.HasErrors() {
		return diags, err
	}
	diags = append(diags, c.checkNamespaces(program, copies, packages)...)
	if len(problems) == 0 {
		return diags, nil
	}
	sources := map[string][]string{}
	byDir := map[string]*modules.Copy{}
	for dir, names := range copies {
		for _, name := range names {
			of := c.scope.Options.Copies[name]
			if byDir[dir] = of; !of.IsMade() {
				sources[path.Dir(of.Source)] = append(sources[path.Dir(of.Source)], of.Source)
			}
		}
	}
	reported := map[diag.Position]bool{} // of settings
	// The compiler reports errors that the source has, too.
	_, inSource, _, more, err := c.typeCheck(ctx, sources)
	diags = append(diags, more...)
	for _, p := range problems {
		of := byDir[p.Dir]
		isOn := func(at diag.Position) bool { return at.File == p.Pos.File && at.Line == p.Pos.Line }
		switch {
		case slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return isOn(d.Pos) && !of.IsMade() }): // a diagnostic on the line says why
		case slices.ContainsFunc(inSource, func(s bodies.Problem) bool { return isOn(s.Pos) }):
		case of.IsMade() && reported[of.Setting]: // one cause has many effects
		case of.IsMade():
			reported[of.Setting] = true
			diags = append(diags, diag.Errorf(of.Setting, codeScope, "the package that mrgen writes to %s does not compile with the modules that go.mod requires: %s: require version 2 of crossplane-runtime, or remove the setting", p.Dir, p.Message))
		default:
			diags = append(diags, diag.Errorf(p.Pos, codeScope, "the copy of this in %s does not compile: %s: change it, name its counterpart in replace of scopes, or mark it +mrgen:scope=%s and write its counterpart there", p.Dir, p.Message, of.Note))
		}
	}
	return diags, err
}

// checkNamespaces reports where cluster scoped copies read namespaces that are empty.
func (c *copyChecker) checkNamespaces(program *load.Program, copies map[string][]string, packages []bodies.Checked) diag.List {
	module := modules.ModulePath(c.scope.Root())
	apis := map[string]bool{}
	for name, of := range c.scope.Options.Copies {
		if of.API {
			apis[path.Join(module, path.Dir(name))] = true
		}
	}
	var diags diag.List
	for _, p := range packages {
		of := c.scope.Options.Copies[copies[p.Dir][0]]
		if of.IsMade() || of.Note != Namespaced.String() {
			continue
		}
		for _, found := range emptyNamespaces(p, apis) {
			diags = append(diags, diag.Errorf(program.Files.Position(found.Sel.Pos()), codeScope, "managed resources have no namespace in cluster scope: use a function of helpers, or mark the declaration +%s=%s and write its counterpart in %s", markers.Scope, of.Note, p.Dir))
		}
	}
	return diags
}

// testImports returns the imports of tests among files.
func (c *copyChecker) testImports(checked map[string][]string) []string {
	var imports []string
	for _, name := range slices.Concat(slices.Collect(maps.Values(checked))...) {
		if readlog.IsTest(name) { // the go command doesn't list them with the package
			imports = append(imports, load.Imports(c.files[name])...)
		}
	}
	slices.Sort(imports)
	return slices.Compact(imports)
}

// typeCheck type-checks files by the folders of their packages. It returns the program that they join, and the packages
// as far as types are known.
func (c *copyChecker) typeCheck(
	ctx context.Context, checked map[string][]string,
) (*load.Program, []bodies.Problem, []bodies.Checked, diag.List, error) {
	program, diags := load.ListWritten(ctx, c.scope.Written(c.files, slices.Sorted(maps.Keys(checked))), c.testImports(checked), nil)
	if diags.HasErrors() || ctx.Err() != nil {
		return nil, nil, nil, diags, ctx.Err()
	}
	problems, packages, err := bodies.Check(ctx, program, checked, true)
	return program, problems, packages, diags, err
}
