package stage

import (
	"context"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
)

// A Pass gives a stage its input and collects its output.
type Pass struct {
	Source  *apitypes.Source
	Model   *model.Model
	Options Options
	// Definitions are the definitions of all kinds. A stage sets them if none has an error, for the stages after it.
	Definitions Definitions
	// Incomplete is set instead of Definitions if some have errors.
	Incomplete Incomplete
	// Imports are as in [Output]. A stage sets them.
	Imports importgraph.Graph

	// stage is the running stage.
	stage     Stage
	artifacts *artifact.Set
	// goPackages are what GoPackage returns, by folder.
	goPackages parallel.Memo[string, *gosrc.Package]
	// helpers are by the folder of the package that calls them.
	helpers sync.Map
	// reported is as in [Output].
	reported Definitions
	// diags are the diagnostics of the running stage.
	diags diag.List
}

// Report adds diagnostics.
func (p *Pass) Report(diags ...diag.Diagnostic) { p.diags = append(p.diags, diags...) }

// GoPackage returns the package to write Go files into, with the names that its author and
// earlier stages use.
func (p *Pass) GoPackage(importPath, name, dir string) *gosrc.Package {
	return p.goPackages.Get(dir, func() *gosrc.Package {
		pkg := gosrc.NewPackage(importPath, name)
		if p.Source.Program == nil {
			return pkg // the model was not read from source
		}
		known := p.Source.Program.Names(importPath, name, dir)
		pkg.Claim(maps.Keys(known.Declared))
		pkg.ClaimImports(maps.Keys(known.Imported))
		return pkg
	})
}

// Failed reports whether the stage has reported an error.
func (p *Pass) Failed() bool { return p.diags.HasErrors() }

// Emit adds an artifact. The path is slash-separated and relative to the module root. It returns an error if there is an
// artifact with that path, which is a bug.
func (p *Pass) Emit(path string, content []byte) error {
	if p.Source.Program != nil && p.Source.Program.Scope.Foreign[path] {
		// somebody else's file is part of the input: no stage may work on both
		p.Report(artifact.Foreign(path, p.stage.Off))
		return nil
	}
	return p.artifacts.Add(path, content)
}

// EmitEach calls a function for each package of the model, on all processors, and adds the files
// that it returns, by name, to the folder of the package.
func (p *Pass) EmitEach(render func(*model.Package) (map[string][]byte, error)) error {
	files := make([]map[string][]byte, len(p.Model.Packages))
	err := parallel.Each(context.Background(), len(files), func(_ context.Context, i int) (err error) {
		files[i], err = render(p.Model.Packages[i])
		return err
	})
	if err != nil {
		return err
	}
	for i, pkg := range p.Model.Packages {
		for name, content := range files[i] {
			if err := p.Emit(path.Join(pkg.Dir, name), content); err != nil {
				return err
			}
		}
	}
	return nil
}

// declaredBy returns the Go files with types that a stage has emitted, by path.
func (p *Pass) declaredBy(s Stage) map[string][]byte {
	files := map[string][]byte{}
	for name, content := range p.artifacts.Files() {
		if slices.Contains(GoFiles([]Stage{s}), path.Base(name)) {
			files[name] = content
		}
	}
	return files
}
