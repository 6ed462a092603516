// Package crd makes the CustomResourceDefinitions of the kinds with controller-tools, runs
// the API server's validation on them, and emits them.
package crd

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	codeKind diag.Code = "kind"
	codeYAML diag.Code = "yaml"
)

// Stage makes the definitions for later stages, and writes a CRD for each kind. The documents match
// controller-gen's, except for the annotation with controller-gen's version.
var Stage = stage.Stage{
	Name: "crd",
	Doc:  "Writes CustomResourceDefinitions that the API server's own validation accepts.",
	Run:  runStage,
}

func runStage(ctx context.Context, pass *stage.Pass) error {
	results, err := makeAll(ctx, pass, findKinds(pass))
	if err != nil {
		return err
	}
	definitions := make(stage.Definitions, 0, len(results))
	for _, r := range results {
		definitions = append(definitions, r.definition)
		pass.Report(r.decided...)
	}
	pass.Report(checkValues(pass)...)
	problems := pass.Source.PackageErrors()
	pass.Report(problems...)
	checkNames(pass, definitions)
	for _, r := range results {
		// Errors of the API server would repeat the loader's.
		if !concerns(pass.Model, problems, r.definition) {
			pass.Report(r.refused...)
		}
	}
	if pass.Failed() {
		pass.Incomplete = incomplete(pass.Model, problems, results)
		return nil
	}
	checkWebhooks(pass, definitions)
	for _, r := range results {
		pass.Report(r.written...)
		if r.content == nil { // only an MRD is written
			continue
		}
		if err := pass.Emit(path.Join(setOf(pass.Options, r.definition).CRDDir, r.definition.FileName()), r.content); err != nil {
			return err
		}
	}
	if !pass.Failed() {
		pass.Definitions = definitions
	}
	return nil
}

// setOf returns the settings for the CRD of a kind, by the package of its first version.
func setOf(options stage.Options, d stage.Definition) run.CRDSet {
	return options.CRDSet(d.Objects[0].Package.Dir)
}

// concerns reports whether one of the problems may affect a kind: the API server's errors would only repeat it.
func concerns(m *model.Model, problems diag.List, d stage.Definition) bool {
	return slices.ContainsFunc(problems, func(p diag.Diagnostic) bool {
		dir := p.Pos.File
		// A problem without a line is about a folder.
		if p.Pos.Line > 0 {
			dir = path.Dir(dir)
		}
		isIn := func(o *model.Object) bool { return o.Package.Dir == dir }
		hasKinds := slices.ContainsFunc(m.Packages, func(p *model.Package) bool { return p.Dir == dir && len(p.Objects) > 0 })
		// Any kind may use a package without kinds.
		return !hasKinds || slices.ContainsFunc(d.Objects, isIn)
	})
}

// incomplete returns the definitions whose schemas have no errors.
func incomplete(m *model.Model, problems diag.List, results []*result) stage.Incomplete {
	// A problem at a field that no kind has may concern any of them.
	isAnywhere := slices.ContainsFunc(problems, func(p diag.Diagnostic) bool {
		return !slices.ContainsFunc(results, func(r *result) bool { return r.hasFieldAt(p.Pos) })
	})
	var found stage.Incomplete
	for _, r := range results {
		isHit := isAnywhere && concerns(m, problems, r.definition) ||
			slices.ContainsFunc(problems, func(p diag.Diagnostic) bool { return r.hasFieldAt(p.Pos) })
		if r.failed || r.conflicts.HasErrors() || isHit {
			found.Missing = append(found.Missing, r.definition.Objects[0])
		} else {
			found.Made = append(found.Made, r.definition)
		}
	}
	return found
}

// hasFieldAt reports whether the objects of a kind have a field in a line.
func (r *result) hasFieldAt(at diag.Position) bool {
	isAt := func(f *model.Field) bool { return f.Pos.File == at.File && f.Pos.Line == at.Line }
	return slices.ContainsFunc(r.definition.Objects, func(o *model.Object) bool { return o.Type.HoldsField(isAt) })
}

// A kind is an API kind with the Go types of its versions.
type kind struct {
	group, name string
	objects     []*model.Object
}

// findKinds returns the kinds of the model, sorted by group and name.
func findKinds(pass *stage.Pass) []*kind {
	type key struct{ group, name string }
	kinds := map[key]*kind{}
	for o := range model.Objects(pass.Model.Packages) {
		p := o.Package
		if o.List {
			continue
		}
		if p.Group == "" {
			// controller-gen would write a CRD without a group.
			// Types without kubebuilder's root marker may be no kinds at all.
			if o.Role != model.Unmanaged || o.HasMarker(markers.ObjectRoot) {
				pass.Report(diag.Errorf(o.Pos, codeKind,
					"%s has no API group: add a +groupName marker to the package comment of %s", o.Name, p.Path))
			}
			continue
		}
		id := key{p.Group, o.Name}
		if kinds[id] == nil {
			kinds[id] = &kind{group: p.Group, name: o.Name}
		}
		k := kinds[id]
		same := slices.IndexFunc(k.objects, func(other *model.Object) bool { return other.Package.Version == p.Version })
		if same >= 0 {
			pass.Report(diag.Errorf(o.Pos, codeKind, "%s of %s/%s is declared in package %s too: keep one of them, or correct the group or version of one",
				o.Name, p.Group, p.Version, k.objects[same].Package.Path))
			continue
		}
		k.objects = append(k.objects, o)
	}
	for _, k := range kinds {
		slices.SortFunc(k.objects, func(a, b *model.Object) int { return cmp.Compare(a.Package.Version, b.Package.Version) })
	}
	return slices.SortedFunc(maps.Values(kinds),
		func(a, b *kind) int { return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name)) })
}

// checkNames reports kinds of one group with the same plural, which would share a file, or with another name in common.
// The API server establishes only one of them.
func checkNames(pass *stage.Pass, definitions stage.Definitions) {
	taken := map[string]*model.Object{}
	for _, d := range definitions {
		o := d.Objects[0]
		if other := taken[d.CRD.Name]; other != nil {
			pass.Report(diag.Errorf(o.Pos, codeKind,
				"%s and %s have the same plural %q in group %s: set another with +kubebuilder:resource:path=",
				o.Name, other.Name, d.CRD.Spec.Names.Plural, d.CRD.Spec.Group))
			continue
		}
		taken[d.CRD.Name] = o
	}
	short := map[string]*model.Object{}
	for _, d := range definitions {
		o := d.Objects[0]
		for i, name := range append([]string{d.CRD.Spec.Names.Singular}, d.CRD.Spec.Names.ShortNames...) {
			key, what := name+"."+d.CRD.Spec.Group, "short name"
			if i == 0 {
				what = "singular"
			} else if name == d.CRD.Spec.Names.Plural || name == d.CRD.Spec.Names.Singular {
				pass.Report(diag.Warningf(cmp.Or(nthMarker(o.Type.Markers, markers.Resource, 0), o.Pos), codeMarker,
					"the short name %q of %s is its singular or plural, which the API server refuses for a CRD that it has: remove it", name, o.Name))
				continue
			}
			if other := cmp.Or(taken[key], short[key]); other != nil && other != o {
				pass.Report(diag.Errorf(o.Pos, codeKind, "the %s %q of %s in group %s is a name of %s, too: remove it, or choose another",
					what, name, o.Name, d.CRD.Spec.Group, other.Name))
				continue
			}
			short[key] = o
		}
	}
}
