package observation

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/fieldmarkers"
	"github.com/mrgen-io/mrgen/generator/internal/lateinit"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// methodMarkers are the markers that omit methods, for a kind or a package, and off has the
// arguments with which they do.
var (
	methodMarkers = map[lateinit.Method]string{
		lateinit.LateInitialize:  markers.LateInitialize,
		lateinit.Diff:            markers.Diff,
		lateinit.ImmutableFields: markers.Diff,
	}
	off = map[string]string{markers.LateInitialize: "false", markers.Diff: string(fieldmarkers.Off)}
)

// A mirror is a type of spec.forProvider that status.atProvider mirrors.
type mirror struct {
	// parameters is the type, and field a field of that type.
	parameters *model.Type
	field      *model.Field
	// kinds are those that use the type, and observed are the types of their
	// status.atProvider.
	kinds    []*model.Object
	observed []*model.Type
	// mirrored is the type that mrgen writes: one of observed, or one that all of them
	// embed. It is nil if there are several.
	mirrored *model.Type
}

// planMethods adds the methods of mirrored types of spec.forProvider to the plans of their
// packages.
func (p *planner) planMethods(groups []*missingTypeGroup, sources []*model.Type) {
	all := mirrors(groups, sources)
	filling := p.planSpecs(all)
	for _, m := range all {
		methods := p.wantedMethods(m)
		if !slices.ContainsFunc(m.kinds, func(o *model.Object) bool { return !filling[o.Spec.Type.Deref()] }) {
			// The methods of all specs fill them, and know what initProvider gives.
			methods = slices.DeleteFunc(methods, func(method lateinit.Method) bool { return method == lateinit.LateInitialize })
		}
		if len(methods) == 0 {
			continue
		}
		observed := m.methodsObserve()
		if observed == nil {
			var names, kinds, without []string
			for _, method := range methods {
				names = append(names, string(method))
				without = append(without, "+"+methodMarkers[method]+"="+off[methodMarkers[method]])
			}
			for _, o := range m.kinds {
				kinds = append(kinds, o.Name)
			}
			p.diags = append(p.diags, diag.Warningf(m.field.Pos, codeObservation,
				"%s gets no methods %s, since package %s has no single type for status.atProvider of %s: declare one there, or leave the methods out with %s",
				m.parameters.Name, diag.And(names), m.parameters.Package, diag.And(kinds), diag.And(slices.Compact(without))))
			continue
		}
		plan := p.planOf(m.parameters.Package)
		plan.parameters = append(plan.parameters, lateinit.Parameters{
			Desired:   m.parameters,
			Observed:  observed,
			Methods:   methods,
			Treatment: p.treatment(m),
			Kinds:     m.kinds,
		})
	}
}

// mirrors returns the types of spec.forProvider that are mirrored as a whole, in the order of
// the missing types.
func mirrors(groups []*missingTypeGroup, sources []*model.Type) []*mirror {
	var found []*mirror
	for i, group := range groups {
		for _, r := range group.uses {
			if !r.mirrors() || r.parameters == nil || sources[i] != r.parameters.Type.Deref() || !r.whole && !r.field.Inline {
				continue
			}
			at := slices.IndexFunc(found, func(m *mirror) bool { return m.parameters == sources[i] })
			if at < 0 {
				at = len(found)
				found = append(found, &mirror{parameters: sources[i], field: r.parameters, mirrored: r.typ})
			}
			m := found[at]
			m.kinds = append(m.kinds, r.object)
			if m.mirrored != r.typ {
				m.mirrored = nil
			}
			if atProvider := r.object.Status.Part("atProvider").Type.Deref(); !slices.Contains(m.observed, atProvider) {
				m.observed = append(m.observed, atProvider)
			}
		}
	}
	return found
}

// methodsObserve returns the type that the methods take. If all kinds have the same type of
// status.atProvider, it is that, which includes the author's own fields, and else the type
// that mrgen writes for all of them. It is nil if the package of the parameters doesn't
// declare the type, since it could not import another package.
func (m *mirror) methodsObserve() *model.Type {
	if len(m.observed) == 1 && m.observed[0].Package == m.parameters.Package {
		return m.observed[0]
	}
	if m.mirrored != nil && m.mirrored.Package == m.parameters.Package {
		return m.mirrored
	}
	return nil
}

// wantedMethods returns the methods that no marker of the kinds or their packages omits, and
// whose names the author doesn't use.
func (p *planner) wantedMethods(m *mirror) []lateinit.Method {
	return slices.DeleteFunc(lateinit.Methods(), func(method lateinit.Method) bool {
		_, declared := m.parameters.Methods[string(method)]
		return p.packages[m.parameters.Package] == nil || declared || m.parameters.GoField(string(method)) != nil ||
			slices.ContainsFunc(m.kinds, func(o *model.Object) bool { return isOff(o, methodMarkers[method]) })
	})
}

// isOff reports whether the marker of a kind, or else of its package, is false or off.
func isOff(o *model.Object, marker string) bool {
	m := kindMarker(o, marker)
	return m != nil && m.Value.Text("") == off[marker]
}

// kindMarker returns the marker of a kind, or else of its package, or nil.
func kindMarker(o *model.Object, marker string) *model.Marker {
	return model.FindMarker(slices.Concat(o.Type.Markers, o.Package.Markers), marker)
}

// treatment returns the treatment of the fields of parameters. It reports kinds that share
// them and ask for different ones.
func (p *planner) treatment(m *mirror) fieldmarkers.Treatment {
	first := fieldmarkers.OfKind(m.kinds[0])
	for _, o := range m.kinds[1:] {
		if other := fieldmarkers.OfKind(o); other != first {
			at := o.Pos
			for _, of := range []*model.Object{o, m.kinds[0]} {
				if marker := kindMarker(of, markers.Diff); marker != nil {
					at = marker.Pos
					break
				}
			}
			p.errorf(at, "%s and %s share %s, and +mrgen:diff is %s for one and %s for the other: move the marker to the fields",
				m.kinds[0].Name, o.Name, m.parameters.Name, first.Comparison, other.Comparison)
		}
	}
	return first
}

// warnTreatment warns about markers that compare a field in a way that makes no difference to
// its type, once a field.
func (p *planner) warnTreatment(kinds []*model.Object) {
	for _, o := range kinds {
		if f := o.Spec.Part("forProvider"); f != nil {
			model.EachField(f.Type.Leaf().Fields, p.warnComparison)
		}
	}
}

// warnComparison warns about a marker of a field that asks for what only lists and maps have.
func (p *planner) warnComparison(f *model.Field) bool {
	m := f.OwnMarker(markers.Diff)
	if m == nil {
		return true
	}
	what, has := "", false
	switch fieldmarkers.Comparison(m.Value.Text("")) {
	case fieldmarkers.Unordered:
		what, has = "list", consistsOf(f.Type, model.Slice)
	case fieldmarkers.Subset:
		what, has = "list or map", consistsOf(f.Type, model.Slice) || consistsOf(f.Type, model.Map)
	default:
		return true
	}
	if !has {
		p.diags = append(p.diags, diag.Warningf(m.Pos, codeObservation,
			"+%s has no effect on %s, which is not a %s and contains none: remove the marker", m.Text, f.Name, what))
	}
	return true
}

// consistsOf reports whether a type, or a type in it, is of a kind. Bytes are a text.
func consistsOf(t *model.Type, kind model.Kind) bool {
	is := func(t *model.Type) bool {
		return slices.ContainsFunc(t.Layers(), func(t *model.Type) bool { return t.Kind == kind && !t.IsBytes() })
	}
	return is(t) || t.HoldsField(func(f *model.Field) bool { return is(f.Type) })
}
