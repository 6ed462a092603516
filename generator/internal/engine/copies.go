package engine

import (
	"bytes"
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/compile"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// AddCopies adds the files that were made of others, in the folders that the run covers. It checks
// that they compile with all that the run writes, either where they change or everywhere.
func (e Engine) AddCopies(ctx context.Context, r *Run, sc *scope.Scope, checkAll bool) (diag.List, error) {
	copies := map[string]*scope.Copy{}
	for name, c := range sc.Options.Copies {
		if sc.Covers(path.Dir(name)) {
			copies[name] = c
			if err := r.Output.Artifacts.Add(name, c.Content); err != nil {
				return nil, err
			}
		}
	}
	checked := map[string][]string{} // by folder
	for name, c := range copies {
		if dir := path.Dir(name); checkAll || checked[dir] == nil && differs(sc, name, c) {
			checked[dir] = []string{}
		}
	}
	for name := range copies {
		if dir := path.Dir(name); checked[dir] != nil {
			checked[dir] = append(checked[dir], name)
		}
	}
	if len(checked) == 0 {
		return nil, nil
	}
	r.Settings.OnStage("compile")
	files := map[string][]byte{}
	for name, c := range sc.Options.Copies {
		files[name] = c.Content
	}
	for name, content := range r.Output.Artifacts.Files() {
		if path.Ext(name) == ".go" {
			files[name] = content
		}
	}
	return checkCopies(ctx, sc, files, checked)
}

// differs reports whether a copy differs from the file on disk.
func differs(sc *scope.Scope, name string, c *scope.Copy) bool {
	onDisk, err := os.ReadFile(sc.Abs(name))
	return err != nil || !bytes.Equal(onDisk, c.Content)
}

// checkCopies reports what does not compile in copies, by folder, in a module with the Go files of a
// run. What does not compile in their source, either, is for the compiler to report.
func checkCopies(ctx context.Context, sc *scope.Scope, files map[string][]byte, copies map[string][]string) (diag.List, error) {
	problems, _, diags, err := checkWhole(ctx, sc, files, copies)
	if err != nil || len(problems) == 0 {
		return diags, err
	}
	sources := map[string][]string{}
	for _, names := range copies {
		for _, name := range names {
			if source := sc.Options.Copies[name].Source; !strings.HasSuffix(source, "/") {
				sources[path.Dir(source)] = append(sources[path.Dir(source)], source)
			}
		}
	}
	inSource, _, more, err := checkWhole(ctx, sc, files, sources)
	diags = append(diags, more...)
	for _, p := range problems {
		if slices.ContainsFunc(inSource, func(s compile.Problem) bool { return s.Pos.File == p.Pos.File && s.Pos.Line == p.Pos.Line }) {
			continue
		}
		diags = append(diags, diag.Errorf(p.Pos, codeCopies, "the copy of this in %s does not compile: %s: change this, or mark the declaration with +mrgen:scope and write its counterpart there", p.Dir, p.Message))
	}
	return diags, err
}

// codeCopies is the code of diagnostics about what is copied to the other scope.
const codeCopies diag.Code = "two-scopes"

func checkWhole(ctx context.Context, sc *scope.Scope, files map[string][]byte, checked map[string][]string) ([]compile.Problem, []compile.Checked, diag.List, error) {
	var dirs []string
	for dir := range checked {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	program, diags := load.ListWritten(ctx, sc.Written(files, dirs))
	if diags.HasErrors() || ctx.Err() != nil {
		return nil, nil, diags, ctx.Err()
	}
	problems, packages, err := compile.Whole(ctx, program, checked)
	return problems, packages, diags, err
}
