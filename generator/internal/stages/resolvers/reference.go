package resolvers

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A resolver is the method of a kind that resolves its references, in source order.
type resolver struct {
	object     *model.Object
	references []*reference
}

// A reference is a field whose value comes from another managed resource.
type reference struct {
	// path leads from the kind to the struct with the field.
	path  []*model.Field
	field *model.Field
	value value
	// refField and selectorField are the Go names of the fields for the reference or references, and for the
	// selector.
	refField, selectorField string
	// policy is set if the selector has a policy, which crossplane-runtime v0.17 introduced.
	policy bool
	// target is the name of the kind that the reference refers to, declared in targetIn, and at is the name's
	// position in the marker. group and version identify its API.
	target         string
	targetIn       flavor.Import
	at             diag.Position
	group, version string
	// lookedUp is set if the resolver looks up the target in the registry, since importing
	// targetIn would close a cycle.
	lookedUp bool
	// clusterScoped is set if the target is cluster-scoped, and the referrer namespaced.
	clusterScoped bool
	// extractor extracts the value from the target. It is nil for the external name.
	extractor *extractor
}

// An extractor is a call that returns a function which extracts a value from a managed
// resource.
type extractor struct {
	// function is the name of the called function, which functionIn declares.
	function   string
	functionIn flavor.Import
	at         diag.Position
	arguments  []markers.CallArgument
	// namesIn is the package that declares the names in the arguments.
	namesIn flavor.Import
}

// A value is the type of the field of a reference.
type value struct {
	// slice is set if there are several values, and pointer if each is a pointer.
	slice, pointer bool
	// scalar is the type of a value: string, int64 or float64, or a type declared as one.
	scalar *model.Type
}

// isString reports whether each value is a plain string.
func (v value) isString() bool { return v.scalar.Basic == "string" && v.scalar.Package == "" }

// isNumber reports whether each value is a number.
func (v value) isNumber() bool { return v.scalar.Basic != "string" }

// valueOf returns the value of a field that a reference can be resolved to.
func valueOf(t *model.Type) (v value, ok bool) {
	if t.IsSlice() && !t.Generic {
		v.slice = true
		t = t.Elem
	}
	if t.Kind == model.Pointer {
		v.pointer = true
		t = t.Elem
	}
	v.scalar = t
	return v, t.Kind == model.Basic && !t.Generic && slices.Contains([]string{"string", "int64", "float64"}, t.Basic)
}

// findMarked returns the structs with reference markers in specs of managed resources, at any depth.
func findMarked(m *model.Model) map[*model.Type]bool {
	marked := map[*model.Type]bool{}
	for o := range model.Objects(slices.Concat(m.Packages, m.Referenced)) {
		if o.Role != model.Managed || o.Spec == nil {
			continue
		}
		for t := range o.Spec.Type.Leaves() {
			marked[t] = marked[t] || firstMarker(t) != nil
		}
	}
	return marked
}

// unusedMarkers returns a warning about reference markers in a kind that gets no method, or nil.
func unusedMarkers(o *model.Object) *diag.Diagnostic {
	why, remedy := "", "write "+method+", or remove the markers"
	switch {
	case o.Methods[method]:
		why, remedy = "has a "+method+" of its own", "remove them, or the method"
	case o.SkipMethods:
		why = "is marked +crossplane:generate:methods=false"
	case o.Generation == nil:
		why = "embeds no known spec of managed resources"
	default:
		return nil
	}
	return new(diag.Warningf(firstMarker(o.Spec.Type).Pos, codeReference,
		"%s %s, so the reference markers on its fields have no effect: %s", o.Name, why, remedy))
}

// firstMarker returns the first reference marker in the fields of a type, or nil.
func firstMarker(t *model.Type) (first *model.Marker) {
	model.EachField(t.Leaf().Fields, func(f *model.Field) bool {
		if first == nil {
			first = f.OwnMarker(markers.ReferenceType)
		}
		return first == nil
	})
	return first
}
