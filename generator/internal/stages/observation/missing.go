package observation

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A missingType is the use of a type that nobody has declared.
type missingType struct {
	form form
	// typ is the missing type.
	typ *model.Type
	// field is the field of that type, and holder the struct with the field, which may embed
	// the type.
	field  *model.Field
	holder *model.Type
	// taken are the names of the author's own fields in the holder.
	taken names
	// object is the kind, and parameters its spec.forProvider, or nil.
	object     *model.Object
	parameters *model.Field
	// whole is set if the type stands for all of the parameters.
	whole bool
}

// mirrors reports whether the type is for status.atProvider.
func (r missingType) mirrors() bool {
	_, mirrors := r.form.(observed)
	return mirrors
}

// findMissingTypes returns the missing types of a kind.
func findMissingTypes(o *model.Object, exclusions *mirroring.Rules) []missingType {
	var uses []missingType
	common := missingType{object: o, parameters: o.Spec.Part("forProvider")}
	whole := func(f form, of, part *model.Field) bool {
		if part == nil || part.Type.Deref().Kind != model.Missing {
			return false
		}
		r := common
		r.form, r.typ, r.field, r.holder, r.whole = f, part.Type.Deref(), part, of.Type.Deref(), true
		uses = append(uses, r)
		return true
	}
	mirror := observed{exclusions}
	whole(initial{}, o.Spec, o.Spec.Part("initProvider"))
	if atProvider := o.Status.Part("atProvider"); atProvider != nil && !whole(mirror, o.Status, atProvider) {
		common.form = mirror
		w := &missingTypeWalker{common: common, seen: map[*model.Type]bool{}}
		w.typ(atProvider.Type)
		uses = append(uses, w.found...)
	}
	return uses
}

// missingTypeWalker looks for missing types in the author's types.
type missingTypeWalker struct {
	// common is the template of the missing types.
	common missingType
	seen   map[*model.Type]bool
	found  []missingType
}

// typ looks in a type that is not embedded.
func (w *missingTypeWalker) typ(t *model.Type) {
	t = t.Leaf()
	if t.Kind == model.Struct && !w.seen[t] {
		w.seen[t] = true
		w.fields(t, nil, nil)
	}
}

// fields looks in the fields of a struct. Path are the structs that embed it, and the outer
// names are the names of their fields.
func (w *missingTypeWalker) fields(t *model.Type, outer names, path []*model.Type) {
	if slices.Contains(path, t) {
		return
	}
	path = append(path, t)
	for _, f := range t.Fields {
		switch inner := f.Type.Leaf(); {
		case inner.Kind == model.Missing:
			if strings.HasPrefix(inner.Name, observedPrefix) {
				r := w.common
				r.typ, r.field, r.holder = inner, f, t
				if f.Inline {
					r.taken = outer.with(promoted(t, f)...)
				}
				w.found = append(w.found, r)
			}
		case f.Inline:
			w.fields(inner, outer.with(promoted(t, f)...), path)
		default:
			w.typ(f.Type)
		}
	}
}

// A missingTypeGroup has all uses of one type, and at least one.
type missingTypeGroup struct {
	name flavor.TypeName
	uses []missingType
}

// kinds returns the names of the kinds whose whole parameters the type mirrors.
func (g *missingTypeGroup) kinds() []string {
	var kinds []string
	for _, r := range g.uses {
		if r.whole && !slices.Contains(kinds, r.object.Name) {
			kinds = append(kinds, r.object.Name)
		}
	}
	return kinds
}

// groupMissingTypes groups missing types by name, in the order of the first use of each.
func groupMissingTypes(uses []missingType) []*missingTypeGroup {
	var groups []*missingTypeGroup
	for _, r := range uses {
		name := flavor.TypeName{Package: r.typ.Package, Name: r.typ.Name}
		i := slices.IndexFunc(groups, func(g *missingTypeGroup) bool { return g.name == name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &missingTypeGroup{name: name})
		}
		groups[i].uses = append(groups[i].uses, r)
	}
	return groups
}

// source returns the struct to derive a missing type from. It prefers structs in the
// package of the missing type. If there is none, or more than one, it reports that and
// returns nil.
func (p *planner) source(group *missingTypeGroup) *model.Type {
	first := group.uses[0]
	if p.packages[group.name.Package] == nil {
		p.errorf(first.field.Pos, "%s is declared nowhere, and package %s isn't generated: declare it, or mark the package +kubebuilder:object:generate=true and add it to the run",
			group.name.Name, group.name.Package)
		return nil
	}
	var candidates []*model.Type
	for _, r := range group.uses {
		for _, t := range r.candidates() {
			if !slices.Contains(candidates, t) {
				candidates = append(candidates, t)
			}
		}
	}
	near := slices.DeleteFunc(slices.Clone(candidates), func(t *model.Type) bool { return t.Package != group.name.Package })
	if len(near) > 0 {
		candidates = near
	}
	switch {
	case first.parameters != nil && !first.parameters.Type.Deref().IsKnown(): // reported where it is used
	case len(candidates) > 1:
		last := group.uses[len(group.uses)-1]
		p.errorf(last.field.Pos, "%s could be made of %s or of %s: use a name of its own for each kind",
			group.name.Name, qualifiedName(candidates[0]), qualifiedName(candidates[1]))
	case len(candidates) == 1:
		return candidates[0]
	case first.whole || first.object.Spec.Part("forProvider") == nil:
		p.errorf(first.field.Pos,
			"%s is declared nowhere, and %s has no struct spec.forProvider to make it of: declare it, or give the parameters that JSON name",
			group.name.Name, first.object.Name)
	default:
		p.errorf(first.field.Pos, "%s is declared nowhere, and spec.forProvider of %s holds no struct %s to make it of: declare it, or correct the name",
			group.name.Name, first.object.Name, strings.TrimPrefix(group.name.Name, observedPrefix))
	}
	return nil
}

// candidates returns the structs that the missing type may be derived from.
func (r missingType) candidates() []*model.Type {
	if r.parameters == nil {
		return nil
	}
	if r.whole {
		if t := r.parameters.Type.Deref(); t.Kind == model.Struct && t.Local {
			return []*model.Type{t}
		}
		return nil
	}
	var found []*model.Type
	for t := range r.parameters.Type.Leaves() {
		if t.Kind == model.Struct && t.Local && r.form.typeName(t) == r.typ.Name {
			found = append(found, t)
		}
	}
	return found
}

// checkTaken reports structs that embed the same type and declare different fields of it
// themselves: for some of them, the type would lack fields.
func (p *planner) checkTaken(group *missingTypeGroup, source *model.Type) {
	first := group.uses[0]
	for _, r := range group.uses[1:] {
		a, b := clashes(source, first.taken), clashes(source, r.taken)
		if !slices.Equal(a, b) {
			p.errorf(r.field.Pos, "%s is used in %s, which declares %s itself, and in %s, which declares %s: use it in one of them only",
				group.name.Name, first.holder.Name, listedFields(a), r.holder.Name, listedFields(b))
		}
	}
}

// warnSimilar warns about fields of the author whose JSON names differ from those of the
// source only in case: users would confuse them.
func (p *planner) warnSimilar(r missingType, source *model.Type) {
	for _, f := range promoted(source, nil) {
		other := r.taken.similar(f)
		if other == nil || r.taken.has(f) || r.form.omit(source, f) != "" {
			continue
		}
		p.diags = append(p.diags, diag.Warningf(other.Pos, codeObservation,
			"the JSON names %s, here, and %s, of %s below spec.forProvider, differ only by case: rename this one %s, or mark the other +mrgen:mirror=false",
			other.JSONName, f.JSONName, f.Name, f.JSONName))
	}
}

// listedFields joins the names of fields for a message.
func listedFields(names []string) string {
	if len(names) == 0 {
		return "none of its fields"
	}
	return diag.And(names)
}
