package versionconversion

import (
	"go/token"
	"maps"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/markers"
)

// A side is one of the two versions of a conversion.
type side bool

const (
	hubSide   side = true
	spokeSide side = false
)

// A lossyField is a part of an object that may not survive the way to the other version and back. Generated
// code declares the same tree with the type LossyField of package kept.
type lossyField struct {
	// lossy is set if the value itself may be lost or changed; pos is the position of its field, and why says
	// what the other version does to it.
	lossy bool
	pos   diag.Position
	why   string
	// isMissing is set if the other version lacks the field.
	isMissing bool
	// isCustom is set if the author's code converts the value: mrgen can't know what that loses.
	isCustom bool
	// isSecret is set if the value may hold a secret, which is never kept.
	isSecret bool
	// fields, values and items are the lossy fields below the value. Items are found by keys; without keys
	// there is only one item.
	fields        map[string]*lossyField
	values, items *lossyField
	keys          []string
}

// isEmpty reports whether nothing is lost.
func (p *lossyField) isEmpty() bool {
	if p == nil {
		return true
	}
	return !p.lossy && len(p.fields) == 0 && p.values == nil && p.items == nil
}

// eachLossy visits the fields whose values are kept.
func (p *lossyField) eachLossy(visit func(*lossyField)) {
	if p == nil {
		return
	}
	if p.lossy {
		visit(p)
	}
	for _, name := range slices.Sorted(maps.Keys(p.fields)) {
		p.fields[name].eachLossy(visit)
	}
	p.values.eachLossy(visit)
	p.items.eachLossy(visit)
}

// lossAnalyzer finds the lossy fields in the objects of one side.
type lossAnalyzer struct {
	*planner
	spoke *spoke
	side  side
	// open are the pairs on the current path, and recursive the pairs that contain themselves.
	open, recursive map[*mapping.Pair]bool
	// inStatus is set below the status, which controllers write as a whole.
	inStatus bool
	// within is the field with a secret that the analyzer is in, if any.
	within *model.Field
}

// pick returns the value of the given side.
func pick[T any](s side, hub, spoke T) T {
	if s == hubSide {
		return hub
	}
	return spoke
}

// version returns the name of the version of a side.
func (s *spoke) version(of side) string {
	return pick(of, s.hub, s.object).Package.Version
}

// pair returns the lossy fields of a struct, or nil if nothing is lost.
func (t *lossAnalyzer) pair(p *mapping.Pair) *lossyField {
	// A recursive type has no finite tree of lossy fields: it is an error below if anything in it is lost.
	if t.open[p] {
		t.recursive[p] = true
		return nil
	}
	t.open[p] = true
	found := &lossyField{fields: map[string]*lossyField{}}
	isRoot, shared := p == t.spoke.root, sharedEmbeds(p)
	for _, f := range p.Fields {
		if isRoot {
			t.inStatus = f.JSONName == "status"
		}
		at := t.field(f)
		access := pick(t.side, f.Target, f.Source)
		// Assigning through a nil embedded pointer is skipped, so even equal fields can get lost.
		if (f.Target.Indirect() || f.Source.Indirect()) && shared[f.Target.Path[0]] == nil {
			at = t.lossy(at, access.Field(), "is in an embedded struct that may be nil")
		}
		found.add(access.Field().JSONName, at)
	}
	t.unrelated(p, found)
	other := t.spoke.version(!t.side)
	for _, a := range pick(t.side, p.TargetOnly, p.SourceOnly) {
		found.add(a.Field().JSONName, t.oneSided(p, a.Field(), "is not part of "+other))
	}
	delete(t.open, p)
	if found.isEmpty() {
		return nil
	}
	if t.recursive[p] {
		of := pick(t.side, p.Target, p.Source)
		found.eachLossy(func(lost *lossyField) {
			t.errorf(lost.pos,
				"this field %s, and %s is part of itself, so that mrgen can't keep it: give both versions the field, or write methods %s and %s of %s",
				lost.why, of.Name, versions.ConvertToMethod, versions.ConvertFromMethod, p.Source.Name)
		})
	}
	return found
}

// add adds the lossy fields of a field, if there are any.
func (p *lossyField) add(name string, below *lossyField) {
	if !below.isEmpty() {
		p.fields[name] = below
	}
}

// lossy returns a field whose value itself is lost.
func (t *lossAnalyzer) lossy(at *lossyField, f *model.Field, why string) *lossyField {
	if at == nil {
		at = &lossyField{}
	}
	at.lossy, at.pos, at.why = true, f.Pos, why
	switch {
	case t.secret(f) == nil: // not a secret: safe in an annotation
	case at.fields == nil: // the value itself may be secret: lost rather than kept
		at.isSecret = true
	// Only some fields in the struct are secret: keep the others.
	default:
		t.guard(at, f)
	}
	return at
}

// custom returns the lossy field for a value that code of the author converts.
func (t *lossAnalyzer) custom(f *model.Field) *lossyField {
	at := t.lossy(nil, f, "is converted by its author")
	at.isCustom = true
	return at
}

// unrelated adds fields whose types don't correspond, which is an error unless methods of the
// author convert the struct.
func (t *lossAnalyzer) unrelated(p *mapping.Pair, found *lossyField) {
	for _, f := range p.Unrelated {
		target, source := f.Target.Field(), f.Source.Field()
		if convertsItself(p) {
			at := pick(t.side, target, source)
			found.add(at.JSONName, t.custom(at))
			// Mirrors in status and initProvider are derived: the error belongs to forProvider's field alone.
			continue
		}
		at := pick(t.side, target, source)
		areMirrors := t.spoke.mirrors[target] != nil && t.spoke.mirrors[source] != nil
		if areMirrors && t.secret(target) == nil && t.secret(source) == nil {
			found.add(at.JSONName, t.around(pick(t.side, p.Target, p.Source), at,
				"has another type in "+t.spoke.version(!t.side), map[*model.Type]bool{}))
			continue
		}
		if t.side == spokeSide { // reported for the hub, once
			continue // said of the hub
		}
		if f.Relation != nil || !isWritable(target.Type) {
			t.errorf(target.Pos,
				"%s of %s, in package %s, can't be reached from package %s, which converts it from %s: export the types and the structs that it is embedded through",
				target.JSONName, p.Target.Name, p.Target.PackageName, t.spoke.object.Package.Name, t.spoke.object.Package.Version)
			continue
		}
		remedy := correction(target, source)
		// Terraform-style providers write a nested block as a list of one.
		if mapping.IsList(target.Type) != mapping.IsList(source.Type) {
			remedy += ", or mark it +" + markers.Singleton + " if the list has but one item"
		}
		t.errorf(target.Pos, "%s of %s has the type %s in %s, and %s in %s (%s), which convert with loss: %s",
			target.JSONName, p.Target.Name, typeName(target.Type), t.spoke.version(hubSide), typeName(source.Type), t.spoke.version(spokeSide),
			source.Pos, remedy)
	}
}

// isWritable reports whether code in other packages can write a type.
func isWritable(t *model.Type) bool {
	leaf := t.Leaf()
	return leaf.Package == "" || token.IsExported(leaf.Name)
}

// oneSided returns the lossy fields of a field that the other version lacks. Nested fields that have moved
// elsewhere are left out.
func (t *lossAnalyzer) oneSided(p *mapping.Pair, f *model.Field, why string) *lossyField {
	if t.spoke.isMoved(f) {
		return nil
	}
	t.noteRequired(f)
	if convertsItself(p) {
		return t.custom(f)
	}
	return t.around(pick(t.side, p.Target, p.Source), f, why, map[*model.Type]bool{})
}

// noteRequired notes a field that the other version lacks, if this one requires it.
// Controllers rewrite the status, and a default fills the field: neither blocks an update.
func (t *lossAnalyzer) noteRequired(f *model.Field) {
	if !f.Required || t.inStatus || f.HasDefault() {
		return
	}
	// One warning a field, with every version that lacks it.
	i := slices.IndexFunc(t.required, func(known *requiredField) bool { return known.Field == f })
	if i < 0 {
		i = len(t.required)
		t.required = append(t.required, &requiredField{Field: f, kind: t.spoke.hub.Name, version: t.spoke.version(t.side)})
	}
	if other := t.spoke.version(!t.side); !slices.Contains(t.required[i].lackedBy, other) {
		t.required[i].lackedBy = append(t.required[i].lackedBy, other)
	}
}

// around returns the lossy fields of a field that the other version lacks, except the nested fields that have
// moved elsewhere. Losing a secret is an error.
func (t *lossAnalyzer) around(holder *model.Type, f *model.Field, why string, seen map[*model.Type]bool) *lossyField {
	of := f.Type.Deref()
	// Nothing in it has moved (or it is recursive): it is kept as one value.
	if of.Kind != model.Struct || seen[of] || !of.HoldsField(t.spoke.isMoved) {
		if secret := t.secret(f); secret != nil {
			t.lostSecret(holder, f, secret, why)
			return nil
		}
		at := t.lossy(nil, f, why)
		at.isMissing = true
		return at
	}
	defer t.enter(f)()
	seen[of] = true
	at := &lossyField{isMissing: true, fields: map[string]*lossyField{}}
	for _, a := range model.JSONFields(of) {
		if !t.spoke.isMoved(a.Field()) {
			at.add(a.Field().JSONName, t.around(of, a.Field(), why, seen))
		}
	}
	delete(seen, of)
	return t.lossy(at, f, why)
}

// field returns the lossy fields of a field that both versions have, or nil if the value survives.
func (t *lossAnalyzer) field(f *mapping.Field) *lossyField {
	at, other := pick(t.side, f.Target, f.Source).Field(), pick(t.side, f.Source, f.Target).Field()
	defer t.enter(at)()
	if f.Relation.Shape == mapping.Custom {
		return t.custom(at)
	}
	below := t.value(f.Relation, at)
	why := t.loss(f.Relation, at, other)
	// omitzero drops a struct whose last field got lost, and with it that it was set.
	if below != nil && at.Type.Kind == model.Struct && at.OmitZero {
		why = "is not written if nothing in it is left in " + t.spoke.version(!t.side)
	}
	if why != "" {
		// Secrets are never kept in annotations, so the list's other items couldn't come back.
		if f.Relation.Shape == mapping.One && t.secret(at) != nil {
			t.errorf(at.Pos, "%s %s, and may hold secrets, and all but one would be lost: give both versions a list, or convert it with +%s",
				at.JSONName, why, markers.ConvertedBy)
		}
		below = t.lossy(below, at, why)
	}
	return below
}

// value returns the lossy fields in values of a relation.
func (t *lossAnalyzer) value(r *mapping.Relation, at *model.Field) *lossyField {
	switch r.Shape {
	case mapping.Struct:
		return t.pair(r.Pair)
	case mapping.Number:
		// For example int64 to int32, which clamps.
		if from, to := pick(t.side, r.Target, r.Source), pick(t.side, r.Source, r.Target); !holdsAll(model.Base(to), model.Base(from)) {
			why := "has numbers that " + t.spoke.version(!t.side) + " does not"
			if secret := t.secret(at); secret != nil {
				holds, remedy := t.whySecret(at, secret)
				t.errorf(at.Pos,
					"%s %s, and %s, which is not kept in an annotation: give both versions one type, or %s", at.JSONName, why, holds, remedy)
				return nil
			}
			return t.lossy(nil, at, why)
		}
	case mapping.One:
		item := t.value(r.Item, at)
		if !mapping.IsList(pick(t.side, r.Target, r.Source)) { // the single value: nothing below it is in a list
			return item
		}
		if item == nil {
			item = &lossyField{}
		}
		return &lossyField{items: item}
	case mapping.Map:
		if values := t.value(r.Item, at); values != nil {
			return &lossyField{values: values}
		}
	case mapping.List, mapping.Keyed: // items need an identity: see list
		return t.list(r, at)
	}
	return nil
}

// list returns the lossy fields in the items of a list, which are an error if the items can't be
// told apart.
func (t *lossAnalyzer) list(r *mapping.Relation, at *model.Field) *lossyField {
	items := t.value(r.Item, at)
	if items == nil {
		return nil
	}
	if r.Shape == mapping.Keyed {
		found := &lossyField{items: items}
		for _, key := range r.Keys {
			name := pick(t.side, key.Target, key.Source).Field().JSONName
			found.keys = append(found.keys, name)
			// The annotation names an item by its keys, in clear text.
			if f := pick(t.side, key.Target, key.Source).Field(); t.secret(f) != nil {
				holds, remedy := t.whySecret(f, t.secret(f))
				t.errorf(f.Pos,
					"%s %s, and is a key of a list (%s) whose items differ: give the items the same fields in both versions, or %s", f.JSONName, holds,
					at.Pos, remedy)
			}
			// A key that changes on the way can't find its item again.
			if lost := items.fields[name]; !lost.isEmpty() {
				t.errorf(lost.pos,
					"this field %s, and is a key of a list (%s): require the field in both versions, with one type that is not a pointer",
					lost.why, at.Pos)
			}
		}
		return found
	}
	isCustom := false
	items.eachLossy(func(lost *lossyField) {
		// The author's functions see the list as a whole, so it can be kept as a whole.
		if lost.isCustom {
			isCustom = true
			return
		}
		t.errorf(lost.pos,
			"this field %s, and is in a list (%s) whose items have no keys: give both versions the field, or mark the list +%s=map and +%s=KEY",
			lost.why, at.Pos, markers.ListType, markers.ListMapKey)
	})
	if isCustom { // items without keys: keep the whole list
		return t.custom(at) // what an item loses is kept with all of the list
	}
	return nil
}

// sharedEmbeds returns the target's embedded structs that can be assigned whole from the source's, since both
// have the same type and every field pairs with itself.
func sharedEmbeds(p *mapping.Pair) map[*model.Field]*model.Field {
	shared := map[*model.Field]*model.Field{}
	for _, to := range p.Target.Fields {
		i := slices.IndexFunc(p.Source.Fields, func(from *model.Field) bool {
			return from.Inline && to.Inline && from.Name == to.Name && mapping.SameType(from.Type, to.Type)
		})
		if i < 0 || !token.IsExported(to.Name) { // other packages can't name an unexported embed
			continue
		}
		from := p.Source.Fields[i]
		isIn := func(a model.Access, f *model.Field) bool { return a.Path[0] == f }
		isApart := func(f *mapping.Field) bool {
			if isIn(f.Target, to) != isIn(f.Source, from) {
				return true
			}
			isWhole := f.Relation != nil && f.Relation.Shape == mapping.Whole && f.JSONName == f.Source.Field().JSONName
			return isIn(f.Target, to) && !isWhole
		}
		// A field of the embed that only one struct has, or that pairs with a field elsewhere, rules it out.
		if !slices.ContainsFunc(p.Fields, isApart) && !slices.ContainsFunc(p.Unrelated, isApart) {
			shared[to] = from
		}
	}
	return shared
}

// isTypeMeta reports whether a field of an object names its version.
func isTypeMeta(jsonName string) bool { return jsonName == "apiVersion" || jsonName == "kind" }
