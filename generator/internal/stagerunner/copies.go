package stagerunner

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/scopecopies"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

// complete adds the files that follow from all units: copies for the other scope, and conversions
// between an SDK and the kinds. The log may be nil.
func (e Runner) complete(ctx context.Context, r *Run, sc *modules.Scope, log *readlog.Log) (diag.List, error) {
	copies := maps.Clone(sc.Options.Copies)
	// Folders that the patterns leave out are written by other runs.
	maps.DeleteFunc(copies, func(name string, _ *modules.Copy) bool { return !sc.Covers(path.Dir(name)) })
	for name, c := range copies {
		if err := r.Output.Artifacts.Add(name, c.Content); err != nil {
			return nil, err
		}
	}
	written := writtenConversions(r.Root)
	r.Generated = append(r.Generated, written...)
	without := *sc // without the conversions of earlier runs
	without.Generated = slices.Concat(sc.Generated, written)
	diags, err := e.addConversions(ctx, r, &without, log)
	if err != nil || diags.HasErrors() {
		return diags, err
	}
	problems, err := checkCopies(ctx, r, &without, copies) // copies may call conversions
	return append(diags, problems...), err
}

// checkCopies checks that copies compile with the output of the run, either in folders where copies change or
// everywhere.
func checkCopies(ctx context.Context, r *Run, sc *modules.Scope, copies map[string]*modules.Copy) (diag.List, error) {
	checked := map[string][]string{} // by folder
	for name, c := range copies {
		if dir := path.Dir(name); r.Settings.TypeCheck || checked[dir] == nil && differs(sc, name, c.Content) {
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
	defer r.Settings.Begin("compile")()
	return (&copyChecker{options: r.Settings.Options, scope: sc, files: r.goFiles(sc)}).check(ctx, checked)
}

// goFiles returns the copies, and the Go files that the run writes, by path.
func (r *Run) goFiles(sc *modules.Scope) map[string][]byte {
	files := map[string][]byte{}
	for name, c := range sc.Options.Copies {
		files[name] = c.Content
	}
	for name, content := range r.Output.Artifacts.Files() {
		if path.Ext(name) == ".go" {
			files[name] = content
		}
	}
	return files
}

// codeCopies is the code of diagnostics about copies for the other scope.
const codeCopies diag.Code = "two-scopes"

// A copyChecker checks copies in a module with the Go files of a run.
type copyChecker struct {
	options run.Options
	scope   *modules.Scope
	files   map[string][]byte
}

// check reports copies that don't compile, by folder, and places where they read namespaces other than their resources'.
func (c *copyChecker) check(ctx context.Context, copies map[string][]string) (diag.List, error) {
	problems, packages, diags, err := c.typeCheck(ctx, copies)
	if err != nil || diags.HasErrors() {
		return diags, err
	}
	diags = append(diags, c.judge(copies, packages)...)
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
	inSource, _, more, err := c.typeCheck(ctx, sources)
	diags = append(diags, more...)
	for _, p := range problems {
		of := byDir[p.Dir]
		isOn := func(at diag.Position) bool { return at.File == p.Pos.File && at.Line == p.Pos.Line }
		switch {
		case slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return isOn(d.Pos) && !of.IsMade() }): // a diagnostic on the line says why
		case slices.ContainsFunc(inSource, func(s compile.Problem) bool { return isOn(s.Pos) }):
		case of.IsMade() && reported[of.Setting]: // one cause has many effects
		case of.IsMade():
			reported[of.Setting] = true
			diags = append(diags, diag.Errorf(of.Setting, codeCopies, "the package that mrgen writes to %s does not compile with the modules that go.mod requires: %s: require version 2 of crossplane-runtime, or remove the setting", p.Dir, p.Message))
		default:
			diags = append(diags, diag.Errorf(p.Pos, codeCopies, "the copy of this in %s does not compile: %s: change it, name its counterpart in replace of scopes, or mark it +mrgen:scope=%s and write its counterpart there", p.Dir, p.Message, of.Scope))
		}
	}
	return diags, err
}

// judge reports places where copies read namespaces other than their resources'.
func (c *copyChecker) judge(copies map[string][]string, packages []scopecopies.Checked) diag.List {
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
		for _, pair := range c.options.Scopes {
			if judge := scopecopies.NewJudge(pair, module, of.Scope, apis); !of.IsMade() && judge.Local(path.Join(module, p.Dir)) {
				diags = append(diags, judge.Namespaces(p)...)
			}
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

// typeCheck type-checks files by the folders of their packages. It returns the packages as far as types are known.
func (c *copyChecker) typeCheck(
	ctx context.Context, checked map[string][]string,
) ([]compile.Problem, []scopecopies.Checked, diag.List, error) {
	program, diags := load.ListWritten(ctx, c.scope.Written(c.files, slices.Sorted(maps.Keys(checked))), c.testImports(checked), nil)
	if diags.HasErrors() || ctx.Err() != nil {
		return nil, nil, diags, ctx.Err()
	}
	problems, whole, err := compile.Whole(ctx, program, checked, true)
	var packages []scopecopies.Checked
	for _, p := range whole {
		packages = append(packages, scopecopies.Checked{Dir: p.Dir, Files: p.Files, Info: p.Info, Position: program.Files.Position})
	}
	return problems, packages, diags, err
}
