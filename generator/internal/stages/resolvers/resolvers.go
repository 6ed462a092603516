// Package resolvers emits the methods that resolve references: they set fields to values of other managed
// resources, which users refer to by name or by labels.
//
// The stage first collects the references of a kind, then reports errors in their markers, and then renders the
// methods.
package resolvers

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

const codeReference diag.Code = "reference"

// The file and the method have angryjet's names, so that a switch to mrgen changes only headers and errors.
const (
	// File is the file with the methods, in each package with references.
	File   = "zz_generated.resolvers.go"
	method = "ResolveReferences"
)

// Stage writes ResolveReferences for managed resources with reference markers, unless the
// author declared the method, and the registry, if the settings name one.
var Stage = stage.Stage{
	Name:    "resolvers",
	Doc:     "Writes the methods of managed resources that resolve references to others, and the package that they look kinds up in.",
	GoFiles: []stage.GoFile{{Name: File, ForeignImports: true}, {Name: registryFile, OwnPackage: true}},
	Run:     runStage,
}

func runStage(_ context.Context, pass *stage.Pass) error {
	planned := newPlan(pass.Model)
	pass.Report(planned.diags...)
	for _, m := range planned.missing {
		pass.Report(m.diagnostics()...)
	}
	if pass.Failed() {
		return nil
	}
	pass.Imports = breakCycles(pass, planned.resolvers)
	if pass.Failed() {
		return nil
	}
	err := pass.EmitEach(func(p *model.Package) (map[string][]byte, error) {
		if len(planned.resolvers[p]) == 0 {
			return nil, nil
		}
		helpers := pass.Helpers(p)
		if pass.Options.ReconcilerResolver {
			helpers.Call("NewReferenceResolver") // the author's controllers call it
		}
		content, err := renderPackage(pass.GoPackage(p.Path, p.Name, p.Dir), p, pass.Model.Runtimes, pass.Options, helpers, planned.resolvers[p])
		return map[string][]byte{File: content}, err
	})
	if err != nil {
		return err
	}
	return emitRegistry(pass)
}

// A plan is the stage's decisions, made before anything is rendered.
type plan struct {
	resolvers map[*model.Package][]*resolver
	missing   []Missing
	diags     diag.List
}

// newPlan plans the methods of each package, including packages of the module that the run doesn't cover: their
// methods import packages, too.
func newPlan(m *model.Model) *plan {
	p := &plan{resolvers: map[*model.Package][]*resolver{}}
	marked := findMarked(m)
	for _, pkg := range m.Packages {
		p.add(m, pkg, marked)
	}
	for _, pkg := range m.Referenced {
		// Errors there are for a run that covers the package.
		if pkg.Local {
			others := &plan{resolvers: p.resolvers}
			others.add(m, pkg, marked)
		}
	}
	return p
}

// add plans the methods of a package.
func (p *plan) add(m *model.Model, pkg *model.Package, marked map[*model.Type]bool) {
	for _, o := range pkg.Objects {
		if o.Role != model.Managed || o.Spec == nil || !marked[o.Spec.Type.Leaf()] {
			continue
		}
		if unused := unusedMarkers(o); unused != nil {
			p.diags = append(p.diags, *unused)
			continue
		}
		c := &collector{model: m, marked: marked, object: o}
		c.part(o.Spec)
		p.resolvers[pkg] = append(p.resolvers[pkg], &resolver{object: o, references: c.found})
		p.missing = append(p.missing, c.missing...)
		p.diags = append(p.diags, c.diags...)
	}
}
