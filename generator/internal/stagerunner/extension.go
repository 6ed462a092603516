package stagerunner

import (
	"context"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

// An Extension is the only implementation of [run.Extension]. Its functions may be nil.
type Extension struct {
	// Settings are what the extension's work depends on, as plain data: runs with other settings have another memory.
	Settings any
	// Stages run when the definitions are made.
	Stages []stage.Stage `json:"-"`
	// Source returns files that are source of the run, though they aren't on disk, by path. The run writes them, too. It
	// returns none if a diagnostic is an error.
	Source func(*Input) (map[string]*modules.Copy, diag.List) `json:"-"`
	// Files are the names of the Go files that the extension writes into packages of the author. Unlike other output, the
	// go command reads them, since the author's code calls their functions.
	Files []string `json:"-"`
	// Finish adds files when all stages have run.
	Finish func(context.Context, *Finishing) (diag.List, error) `json:"-"`
}

// Extends implements [run.Extension].
func (Extension) Extends() {}

// extensionsOf returns the extensions of a run.
func extensionsOf(options run.Options) []Extension {
	var all []Extension
	for _, e := range options.Extensions {
		all = append(all, e.(Extension))
	}
	return all
}

// filesOf returns the names of the files of extensions.
func filesOf(extensions []Extension) []string {
	var names []string
	for _, e := range extensions {
		names = append(names, e.Files...)
	}
	return names
}

// withStages inserts the stages of extensions where there are definitions.
func withStages(stages []stage.Stage, extensions []Extension) []stage.Stage {
	at := slices.IndexFunc(stages, func(s stage.Stage) bool { return s.ReadsDefinitions })
	if at < 0 {
		at = len(stages)
	}
	var added []stage.Stage
	for _, e := range extensions {
		added = append(added, e.Stages...)
	}
	return slices.Insert(slices.Clone(stages), at, added...)
}

// A Finishing is a run whose stages have run.
type Finishing struct {
	*Run
	// Scope has the packages of the run. Its generated files are the ones that the run replaces or deletes.
	Scope *modules.Scope
	// Log records what an extension reads. It may be nil.
	Log *readlog.Log
}

// Replace adds files of earlier runs that this run replaces or deletes.
func (f *Finishing) Replace(files []string) {
	f.Generated = append(f.Generated, files...)
	scope := *f.Scope
	scope.Generated = slices.Concat(f.Scope.Generated, files)
	f.Scope = &scope
}

// GoFiles returns the source that extensions have added, and the Go files that the run writes, by path.
func (f *Finishing) GoFiles() map[string][]byte {
	files := map[string][]byte{}
	for name, c := range f.Scope.Options.Copies {
		files[name] = c.Content
	}
	for name, content := range f.Output.Artifacts.Files() {
		if path.Ext(name) == ".go" {
			files[name] = content
		}
	}
	return files
}

// Differs reports whether a file on disk has another content, or can't be read.
func (f *Finishing) Differs(name string, content []byte) bool { return differs(f.Scope, name, content) }

// WrittenSource returns the source that extensions have added, as far as the run writes it. Other runs write folders that
// the patterns leave out.
func (f *Finishing) WrittenSource() map[string]*modules.Copy {
	files := maps.Clone(f.Scope.Options.Copies)
	maps.DeleteFunc(files, func(name string, _ *modules.Copy) bool { return !f.Scope.Covers(path.Dir(name)) })
	return files
}

// finish adds the files that follow from all units.
func (in *Input) finish(ctx context.Context, r *Run, sc *modules.Scope) (diag.List, error) {
	f := &Finishing{Run: r, Scope: sc, Log: in.Log}
	for name, c := range f.WrittenSource() {
		if err := r.Output.Artifacts.Add(name, c.Content); err != nil {
			return nil, err
		}
	}
	var diags diag.List
	for _, e := range in.extensions {
		if e.Finish == nil {
			continue
		}
		problems, err := e.Finish(ctx, f)
		if diags = append(diags, problems...); err != nil || diags.HasErrors() {
			return diags, err
		}
	}
	return diags, nil
}

// source returns the files that extensions add to the source.
func (in *Input) source() (map[string]*modules.Copy, diag.List) {
	all := map[string]*modules.Copy{}
	var diags diag.List
	for _, e := range in.extensions {
		if e.Source != nil {
			files, problems := e.Source(in)
			maps.Copy(all, files)
			diags = append(diags, problems...)
		}
	}
	return all, diags
}
