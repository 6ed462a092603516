// Package observation emits the types that are derived from spec.forProvider: the types of
// status.atProvider, which mirrors it, and of spec.initProvider.
//
// It follows Crossplane's design document on observe-only resources: status.atProvider is a
// superset of spec.forProvider. The stage first makes a plan, which is plain data, and then
// renders it.
package observation

import (
	"context"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

const codeObservation diag.Code = "observation"

const file = "zz_generated.observation.go"

// Stage writes the types below status.atProvider and spec.initProvider that authors use but
// don't declare.
var Stage = stage.Stage{
	Name:     "observation",
	Doc:      "Writes the types of status.atProvider and spec.initProvider that mirror spec.forProvider.",
	GoFiles:  []stage.GoFile{{Name: file}},
	Declares: declares,
	Run:      run,
}

// declares returns the missing types that the stage declares unless the author does: those
// that status.atProvider is made of, and the type of spec.initProvider.
func declares(m *model.Model) []flavor.TypeName {
	var missing []flavor.TypeName
	add := func(in *model.Type) {
		for t := range in.Leaves() {
			if name := (flavor.TypeName{Package: t.Package, Name: t.Name}); t.Kind == model.Missing && !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
		}
	}
	for _, o := range m.Managed() {
		if f := o.Spec.Part("initProvider"); f != nil && f.Type.Deref().Kind == model.Missing {
			add(f.Type)
		}
		if f := o.Status.Part("atProvider"); f != nil {
			add(f.Type)
		}
	}
	return missing
}

func run(_ context.Context, pass *stage.Pass) error {
	p := newPlan(pass.Model, pass.Source)
	pass.Report(p.diags...)
	for _, plan := range p.plans {
		of := plan.source
		content, err := p.renderPackage(pass.GoPackage(of.Path, of.Name, of.Dir), plan, pass.Options.Header, pass.Helpers(of))
		if err != nil {
			return err
		}
		if err := pass.Emit(path.Join(of.Dir, file), content); err != nil {
			return err
		}
	}
	return nil
}
