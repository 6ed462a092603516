// Package resolvers emits the methods that resolve references: they take the
// values of fields from other managed resources, to which the user refers by name
// or by labels.
//
// The stage first decides which references a kind has, and reports what is wrong
// with their markers; then it renders them.
package resolvers

import (
	"context"

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
	Name:    "resolvers",
	Doc:     "Writes the methods of managed resources that resolve references to others, and the package that they look kinds up in.",
	GoFiles: []pipeline.GoFile{{Name: file, AddsImports: true}, {Name: registryFile, Alone: true}},
	Run:     run,
}

func run(_ context.Context, pass *pipeline.Pass) error {
	planned := newPlan(pass.Model)
	for _, d := range planned.diags {
		pass.Report(d)
	}
	for _, m := range planned.missing {
		for _, d := range m.diagnostics() {
			pass.Report(d)
		}
	}
	if pass.Failed() {
		return nil
	}
	breakCycles(pass, planned.resolvers)
	if pass.Failed() {
		return nil
	}
	err := pass.EmitEach(func(p *model.Package) (map[string][]byte, error) {
		if len(planned.resolvers[p]) == 0 {
			return nil, nil
		}
		content, err := renderPackage(pass.GoPackage(p.Path, p.Name, p.Dir), p, pass.Model.Runtimes, pass.Options, planned.resolvers[p])
		return map[string][]byte{file: content}, err
	})
	if err != nil {
		return err
	}
	return emitRegistry(pass)
}

// A plan is what the stage decides before it renders anything.
type plan struct {
	resolvers map[*model.Package][]*resolver
	missing   []Missing
	diags     diag.List
}

// newPlan decides on the methods of each package. Other packages of the module than
// those of the run have methods, too, which import what they refer to; what is wrong
// with these is for a run over them to report.
func newPlan(m *model.Model) *plan {
	p := &plan{resolvers: map[*model.Package][]*resolver{}}
	marked := findMarked(m)
	for _, pkg := range m.Packages {
		p.add(m, pkg, marked)
	}
	for _, pkg := range m.Referenced {
		if pkg.Local {
			others := &plan{resolvers: p.resolvers}
			others.add(m, pkg, marked)
		}
	}
	return p
}

// add decides on the methods of a package.
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
