// Package resolvers emits the methods that resolve references: they take the
// values of fields from other managed resources, to which the user refers by name
// or by labels.
//
// The stage first decides which references a kind has, and reports what is wrong
// with their markers; then it renders them.
package resolvers

import (
	"context"
	"path"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

const codeReference diag.Code = "reference"

// The file and the method are those of angryjet, so that a switch to mrgen
// changes headers and errors only.
const (
	file   = "zz_generated.resolvers.go"
	method = "ResolveReferences"
)

// Stage writes ResolveReferences for managed resources with reference markers. A
// method that the author declared is left out. If the settings name a registry, the
// stage writes that, too.
var Stage = pipeline.Stage{
	Name:        "resolvers",
	Doc:         "Writes the methods of managed resources that resolve references to others, and the package that they look kinds up in.",
	GoFiles:     []string{file},
	AddsImports: true,
	OwnFile:     registryFile,
	Run:         run,
}

func run(_ context.Context, pass *pipeline.Pass) error {
	planned := plan(pass)
	if pass.Failed() {
		return nil
	}
	breakCycles(pass, planned)
	if pass.Failed() {
		return nil
	}
	for _, p := range pass.Model.Packages {
		if len(planned[p]) == 0 {
			continue
		}
		content, err := renderPackage(p, pass.Options, planned[p])
		if err != nil {
			return err
		}
		if err := pass.Emit(path.Join(p.Dir, file), content); err != nil {
			return err
		}
	}
	return emitRegistry(pass)
}

// plan decides on the methods of each package, and reports what is wrong with those
// of the run. Other packages of the module have methods, too, which import what they
// refer to.
func plan(pass *pipeline.Pass) map[*model.Package][]*resolver {
	planned := map[*model.Package][]*resolver{}
	marked := findMarked(pass.Model)
	add := func(p *model.Package, report func(diag.Diagnostic)) {
		for _, o := range p.Objects {
			if o.Role != model.Managed || o.Spec == nil || !marked[o.Spec.Type.Leaf()] {
				continue
			}
			if unused := unusedMarkers(o); unused != nil {
				report(*unused)
				continue
			}
			c := &collector{model: pass.Model, marked: marked, object: o}
			c.part(o.Spec)
			for _, d := range c.diags {
				report(d)
			}
			planned[p] = append(planned[p], &resolver{object: o, references: c.found})
		}
	}
	for _, p := range pass.Model.Packages {
		add(p, pass.Report)
	}
	for _, p := range pass.Model.Referenced {
		if p.Local {
			add(p, func(diag.Diagnostic) {}) // for a run over it to report
		}
	}
	return planned
}
