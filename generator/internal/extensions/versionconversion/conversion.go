// Package versionconversion emits the functions that convert a kind between its versions, for controller-runtime's
// conversion webhook: the stored version is the hub.
//
// The stage first plans each pair of versions as plain data, and then renders the plan. Package mapping pairs the
// fields. A value that the other version has no place for is a [lossyField]: generated code keeps it in an annotation.
package versionconversion

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
)

const codeConversion diag.Code = "conversion"

const (
	file     = "zz_generated.conversion.go"
	testFile = "zz_generated.conversion_test.go"
)

// Extension returns the extension that adds conversions to a run of [run.ConvertVersions], and, if asked, a test beside
// them.
func Extension(tests bool) stagerunner.Extension {
	return stagerunner.Extension{Settings: struct{ VersionTests bool }{tests}, Stages: []stage.Stage{newStage(tests)}}
}

// newStage returns the stage that writes the conversions of kinds whose versions differ.
func newStage(tests bool) stage.Stage {
	return stage.Stage{
		Name:             "conversion",
		Doc:              "Writes the functions that convert a kind from one version to another.",
		GoFiles:          []stage.GoFile{{Name: file, ForeignImports: true}, {Name: testFile, ForeignImports: true}},
		Off:              "set versions.mode to check",
		ReadsDefinitions: true,
		Run:              func(_ context.Context, pass *stage.Pass) error { return run(pass, tests) },
	}
}

func run(pass *stage.Pass, tests bool) error {
	p := &planner{secrets: mirroring.New(pass.Model.Managed()), packages: map[string]*packagePlan{}}
	for _, d := range pass.Definitions {
		if d.Converted {
			p.kind(d)
		}
	}
	p.checkImports(pass.Model)
	pass.Report(p.diags...)
	// A conversion that loses values must not exist beside the error that says so.
	if p.diags.HasErrors() {
		return nil
	}
	for _, plan := range p.sorted() {
		if err := emit(pass, plan, tests); err != nil {
			return err
		}
	}
	return nil
}

// emit writes the files of a package.
func emit(pass *stage.Pass, plan *packagePlan, tests bool) error {
	of := plan.of
	into := pass.GoPackage(of.Path, of.Name, of.Dir)
	content, err := renderPackage(into, plan, pass.Options.Header, pass.Helpers(of))
	if err == nil {
		err = pass.Emit(path.Join(of.Dir, file), content)
	}
	if err != nil || !tests || len(plan.spokes) == 0 { // hubs alone convert nothing
		return err
	}
	content, err = renderTest(into, plan, pass.Options.Header)
	if err != nil {
		return err
	}
	return pass.Emit(path.Join(of.Dir, testFile), content)
}

// A packagePlan says what to write into a package.
type packagePlan struct {
	of *model.Package
	// hubs are the kinds whose stored version is in the package, without a hand-written method Hub. spokes are
	// the conversions of other versions.
	hubs   []*model.Object
	spokes []*spoke
}

// plan returns the plan for a package.
func (p *planner) plan(of *model.Package) *packagePlan {
	if p.packages[of.Path] == nil {
		p.packages[of.Path] = &packagePlan{of: of}
	}
	return p.packages[of.Path]
}

// sorted returns the plans by import path, so that output doesn't depend on map order.
func (p *planner) sorted() []*packagePlan {
	return slices.SortedFunc(maps.Values(p.packages), func(a, b *packagePlan) int { return cmp.Compare(a.of.Path, b.of.Path) })
}
