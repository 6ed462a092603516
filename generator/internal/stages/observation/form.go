package observation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A form derives a type from a struct below spec.forProvider.
type form interface {
	// typeName returns the name of the type for the struct t.
	typeName(t *model.Type) string
	// summary returns the first sentence of the comment for the type with that name.
	summary(name string, d *declaration) string
	// omit returns why the form omits a field of the struct t, or "".
	omit(t *model.Type, f *model.Field) string
	// keeps reports whether the form uses a type unchanged.
	keeps(t *model.Type) bool
	// fieldMarkers returns the markers of the form's field for f.
	fieldMarkers(f *model.Field) []string
	// option returns the option of the json tag of the form's field for f.
	option(f *model.Field) string
	// checkOmitted reports problems with a field that the form omits. If its name is taken,
	// the form could not have it anyway.
	checkOmitted(p *planner, f *model.Field, taken bool)
}

// documentation returns the comment of a declaration: a summary, and the author's comment on
// the source. It omits the comment on spec.forProvider, which describes the desired state.
func documentation(d *declaration) string {
	summary := d.form.summary(d.name.Name, d)
	if d.source.Doc == "" || d.uses != nil {
		return summary
	}
	return summary + "\n\n" + d.source.Doc
}

const observedPrefix = "Observed"

// observed is the form of status.atProvider: it mirrors spec.forProvider without constraints
// and defaults. The API server would reject a status that violates a constraint, and users
// would take a default for an observed value. The crd stage takes away those of types that
// are kept.
type observed struct{ exclusions *mirroring.Rules }

func (observed) typeName(t *model.Type) string { return observedPrefix + gosyntax.Exported(t.Name) }

func (observed) summary(name string, d *declaration) string {
	of := d.source.Name
	if d.uses != nil && len(d.uses.kinds()) > 0 {
		of = diag.And(d.uses.kinds())
	}
	return fmt.Sprintf("%s is the observed state of %s.", name, of)
}

func (o observed) omit(_ *model.Type, f *model.Field) string { return string(o.exclusions.Of(f)) }

// keeps returns true for types of other modules, except for named basic types: an observed
// value may not be one of their constants. It also does for types that encode themselves,
// whose fields don't determine their JSON.
func (observed) keeps(t *model.Type) bool {
	return t.Name != "" && (t.Marshals || !t.Local && t.Kind != model.Basic)
}

func (observed) fieldMarkers(f *model.Field) []string {
	shape := schemaShape(f.Markers)
	// A named type that the observed field replaces may have markers, too.
	t := f.Type.Deref()
	if t.Kind != model.Struct && t.Local && !t.Marshals {
		shape = append(shape, schemaShape(t.AllMarkers())...)
	}
	if t.IsBytes() { // also of a list of named bytes, which the schema of forProvider takes for a list
		shape = slices.DeleteFunc(shape, func(text string) bool {
			return text == markers.ValidationType+"=array" || strings.HasPrefix(text, markers.ItemsValidationPrefix)
		})
	}
	return withoutDuplicates(shape)
}

func (observed) option(*model.Field) string { return "omitempty" }

func (o observed) checkOmitted(p *planner, f *model.Field, taken bool) {
	if m := f.OwnMarker(markers.Mirror); m != nil && m.Value.Bool() {
		p.errorf(m.Pos, "%s can't be both +mrgen:sensitive and +mrgen:mirror=true: remove one of the markers", f.Name)
	}
	if o.exclusions.Of(f).Guessed() && !taken {
		p.guessed[f] = true
	}
}

// initial is the form of spec.initProvider, which Crossplane merges into spec.forProvider when
// it creates the external resource. It omits identifiers, which are needed after that, too.
// Any part of it may come from spec.forProvider. So none of its fields is required, but the keys
// of lists, which are not merged. See [planner.keepConstraints].
type initial struct{}

func (initial) typeName(t *model.Type) string { return gosyntax.Exported(t.Name) + "InitParameters" }

func (initial) summary(name string, d *declaration) string {
	return fmt.Sprintf("%s holds the fields of %s for spec.initProvider.\nThey are merged into spec.forProvider when the resource is created.",
		name, d.source.Name)
}

func (initial) omit(t *model.Type, f *model.Field) string {
	isIdentifier := func(f *model.Field) bool { return f.OwnMarker(markers.Identifier) != nil }
	reason := ""
	if isIdentifier(f) {
		reason = "it is an identifier"
	}
	for _, value := range t.Inlined() {
		if !slices.Contains(t.Companions(value), f.JSONName) {
			continue
		}
		if !isIdentifier(value) {
			return "" // whatever its own markers say
		}
		reason = "it stands for an identifier"
	}
	return reason
}

// keeps returns true for types that contain no struct of this module.
func (initial) keeps(t *model.Type) bool {
	for _, layer := range t.Layers() {
		if layer.Name != "" && (layer.Marshals || !layer.Local) {
			return true
		}
	}
	return t.Leaf().Kind != model.Struct
}

// option keeps lists and maps that users set to none, as the field does.
func (initial) option(f *model.Field) string {
	if f.Type.IsCollection() && f.OmitZero && !f.OmitEmpty {
		return "omitzero"
	}
	return "omitempty"
}

func (initial) checkOmitted(*planner, *model.Field, bool) {}

func (i initial) fieldMarkers(f *model.Field) []string {
	partial := !i.keeps(f.Type)
	kept := []string{} // omitempty makes the field optional
	all := f.Markers
	switch t := f.Type.Deref(); {
	case partial && f.Type.Kind == model.Struct:
		all = slices.Concat(all, t.Markers)
	case partial && t.Local && t.Kind != model.Struct:
		all = slices.Concat(all, t.AllMarkers())
	}
	for _, m := range all {
		switch name := m.Name(); {
		case slices.Contains(notInitial, name), strings.HasPrefix(name, "mrgen:"):
		case name == markers.Schemaless && !slices.Contains(f.Markers, m): // on a type it has no effect
		case partial && slices.Contains(wholeOnly, name):
		default:
			kept = append(kept, m.Text)
		}
	}
	return withoutDuplicates(kept)
}

// notInitial are the markers that spec.initProvider omits: they make a field required, give it a default, or forbid
// changes.
var notInitial = []string{
	markers.Optional, markers.Required, markers.K8sOptional, markers.K8sRequired,
	markers.ValidationOptional, markers.ValidationRequired,
	markers.Default, markers.KubebuilderDefault,
	markers.Immutable, markers.K8sImmutable,
}

// wholeOnly are the markers that a struct may violate if spec.forProvider supplies parts of
// it. The keys of a list must be required fields. [planner.keepConstraints] adds those that can be
// judged alone.
var wholeOnly = []string{
	markers.XValidation, markers.ItemsXValidation,
	markers.MinProperties, markers.ItemsMinProperties,
	markers.ListType, markers.ListMapKey, markers.K8sListType, markers.K8sListMapKey,
}
