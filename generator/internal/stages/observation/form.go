package observation

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/exclusion"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A form says how a type is made of a struct below spec.forProvider.
type form interface {
	// typeName returns the name of the type that is made of the struct t.
	typeName(t *model.Type) string
	// summary returns the first sentence of the comment for the type of that name.
	summary(name string, d *declaration) string
	// omit returns why the form has no such field, or "".
	omit(f *model.Field) string
	// keeps reports whether the form uses a type as it is.
	keeps(t *model.Type) bool
	// fieldMarkers returns the markers for the form's field that is made of f.
	fieldMarkers(f *model.Field) []string
	// check reports what is wrong, or dangerous, with a field that is part of the
	// form.
	check(p *planner, f *model.Field)
	// checkOmitted reports what is wrong, or uncertain, with a field that is left out.
	// If its name is taken, the form could not have it anyway.
	checkOmitted(p *planner, f *model.Field, taken bool)
}

// documentation returns the comment of a declaration: a sentence about the type,
// and what its author says about the source. That of spec.forProvider itself is
// left out, since it is about the desired state.
func documentation(d *declaration) string {
	summary := d.form.summary(d.name.Name, d)
	if d.source.Doc == "" || d.requests != nil {
		return summary
	}
	return summary + "\n\n" + d.source.Doc
}

const observedPrefix = "Observed"

// observed is the form of status.atProvider: a mirror of what can be observed,
// without constraints. The API server refuses a status that breaks one, and a
// default would be taken for an observed value.
type observed struct{ exclusions *exclusion.Rules }

func (observed) typeName(t *model.Type) string { return observedPrefix + exported(t.Name) }

func (observed) summary(name string, d *declaration) string {
	of := d.source.Name
	if d.requests != nil && len(d.requests.kinds()) > 0 {
		of = diag.And(d.requests.kinds())
	}
	return fmt.Sprintf("%s is the observed state of %s.", name, of)
}

func (o observed) omit(f *model.Field) string { return string(o.exclusions.Of(f)) }

// keeps holds for the types of other modules, names for basic types apart, since
// an observed value may lie outside of what the name stands for. It also holds
// for types that encode themselves: their fields say nothing about their JSON.
func (observed) keeps(t *model.Type) bool {
	return t.Name != "" && (t.Marshals || !t.Local && t.Kind != model.Basic)
}

func (observed) fieldMarkers(f *model.Field) []string {
	shape := schemaShape(f.Markers)
	// The names that the observed field does without may have markers too.
	if t := f.Type.Deref(); t.Kind != model.Struct && t.Local && !t.Marshals {
		shape = append(shape, schemaShape(t.Markers)...)
	}
	return withoutDuplicates(shape)
}

func (observed) check(p *planner, f *model.Field) {
	if t := f.Type.Leaf(); t.Local && t.Marshals {
		for _, m := range t.Markers {
			if isConstraint(m) {
				p.errorf(m.Pos, "%s is used as it is in status.atProvider, and +%s would have the API server refuse observed values: put the marker at the fields of spec.forProvider instead",
					t.Name, markerName(m.Text))
			}
		}
	}
}

func (o observed) checkOmitted(p *planner, f *model.Field, taken bool) {
	if m := f.OwnMarker(markers.Mirror); m != nil && m.Value.Bool() {
		p.errorf(m.Pos, "%s can't be both +mrgen:sensitive and +mrgen:mirror=true: remove one of the markers", f.Name)
	}
	if o.exclusions.Of(f).Guessed() && !taken {
		p.guessed[f] = true
	}
}

// initial is the form of spec.initProvider: what is merged into spec.forProvider
// when the external resource is created. Identifiers are left out: they are
// needed after that too. Any part of it may come from spec.forProvider, which is
// validated after the merge, so that no field is required, and no rule looks at
// more than one field.
type initial struct{}

func (initial) typeName(t *model.Type) string { return exported(t.Name) + "InitParameters" }

func (initial) summary(name string, d *declaration) string {
	return fmt.Sprintf("%s holds the fields of %s for spec.initProvider.\nThey are merged into spec.forProvider when the resource is created.",
		name, d.source.Name)
}

func (initial) omit(f *model.Field) string {
	if f.OwnMarker(markers.Identifier) != nil {
		return "it is an identifier"
	}
	return ""
}

// keeps holds for all types that no struct of this module is part of.
func (initial) keeps(t *model.Type) bool {
	for _, layer := range layers(t) {
		if layer.Name != "" && (layer.Marshals || !layer.Local) {
			return true
		}
	}
	return t.Leaf().Kind != model.Struct
}

func (initial) check(*planner, *model.Field) {}

func (initial) checkOmitted(*planner, *model.Field, bool) {}

func (i initial) fieldMarkers(f *model.Field) []string {
	partial := !i.keeps(f.Type)
	kept := []string{}
	if !f.Inline {
		kept = append(kept, markers.Optional)
	}
	all := f.Markers
	if partial && f.Type.Local {
		all = slices.Concat(all, f.Type.Markers)
	}
	for _, m := range all {
		switch name := markerName(m.Text); {
		case slices.Contains(notInitial, name), strings.HasPrefix(name, "mrgen:"):
		case partial && slices.Contains(wholeOnly, name):
		default:
			kept = append(kept, m.Text)
		}
	}
	return withoutDuplicates(kept)
}

// notInitial are the markers that spec.initProvider does without: they make a
// field required, give it a default, or forbid changes, which have no effect
// there.
var notInitial = []string{
	markers.Optional, markers.Required, markers.K8sOptional, markers.K8sRequired,
	markers.ValidationOptional, markers.ValidationRequired,
	markers.Default, markers.KubebuilderDefault,
	markers.Immutable, markers.K8sImmutable,
}

// wholeOnly are the markers that expect of a struct more than it has if parts of
// it are left to spec.forProvider. Map keys of lists are fields that need be
// required.
var wholeOnly = []string{
	markers.XValidation, markers.ItemsXValidation,
	markers.MinProperties, markers.ItemsMinProperties,
	markers.ListType, markers.ListMapKey, markers.K8sListType, markers.K8sListMapKey,
}

// exported returns a name with an upper-case first letter.
func exported(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}
