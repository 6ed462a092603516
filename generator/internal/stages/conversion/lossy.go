package conversion

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

// A lossyField is a part of the objects of a version that may not come back from the other one. It
// is what the type of that name in package kept is made from.
type lossyField struct {
	// lossy is set if the value itself may be lost or changed; pos is then that of its field,
	// and why says what the other version does to it.
	lossy bool
	pos   diag.Position
	why   string
	// isMissing is set if the other version has no such field.
	isMissing bool
	// isCustom is set if code of the author converts the value, so that mrgen doesn't know
	// whether anything is lost.
	isCustom bool
	// isSecret is set if the value may hold a secret, which is never kept.
	isSecret bool
	// fields, values and items are the lossy fields below the value. Items are found by keys, or are
	// the only one if there are none.
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
	// open are the pairs that are being traced, and recursive those among them that are part
	// of themselves.
	open, recursive map[*mapping.Pair]bool
	// inStatus is set below the status, which controllers write as a whole.
	inStatus bool
	// within is the field with a secret that the analyzer is in, if any.
	within *model.Field
}

// pick returns that of two values, of the hub and the spoke, which the analyzer's side has.
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

// pair returns the lossy fields of a struct, or nil if there are none.
func (t *lossAnalyzer) pair(p *mapping.Pair) *lossyField {
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
			t.errorf(lost.pos, "this field %s, and %s is part of itself, so that mrgen can't keep it: give both versions the field, or write methods %s and %s of %s",
				lost.why, of.Name, versions.ConvertToMethod, versions.ConvertFromMethod, p.Source.Name)
		})
	}
	return found
}

// add adds what is lossy in a field.
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
	case t.secret(f) == nil:
	case at.fields == nil:
		at.isSecret = true
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
			continue
		}
		if at := pick(t.side, target, source); t.spoke.mirrors[target] != nil && t.spoke.mirrors[source] != nil && t.secret(target) == nil && t.secret(source) == nil {
			found.add(at.JSONName, t.around(pick(t.side, p.Target, p.Source), at, "has another type in "+t.spoke.version(!t.side), map[*model.Type]bool{}))
			continue
		}
		if t.side == spokeSide {
			continue // said of the hub
		}
		if f.Relation != nil || !isWritable(target.Type) {
			t.errorf(target.Pos, "%s of %s, in package %s, can't be reached from package %s, which converts it from %s: export the types and the structs that it is embedded through",
				target.JSONName, p.Target.Name, p.Target.PackageName, t.spoke.object.Package.Name, t.spoke.object.Package.Version)
			continue
		}
		remedy := "give both one type, or name functions that convert it with +" + markers.ConvertedBy + " here"
		if mapping.IsList(target.Type) != mapping.IsList(source.Type) {
			remedy += ", or mark it +" + markers.Singleton + " if the list has but one item"
		}
		t.errorf(target.Pos, "%s of %s has the type %s in %s, and %s in %s (%s), which do not convert without loss: %s",
			target.JSONName, p.Target.Name, typeName(target.Type), t.spoke.version(hubSide), typeName(source.Type), t.spoke.version(spokeSide), source.Pos, remedy)
	}
}

// isWritable reports whether code in other packages can write a type.
func isWritable(t *model.Type) bool {
	leaf := t.Leaf()
	return leaf.Package == "" || token.IsExported(leaf.Name)
}

// oneSided returns what is lossy in a field that the other version lacks. Fields below it that
// have moved are no part of it.
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
func (t *lossAnalyzer) noteRequired(f *model.Field) {
	if !f.Required || t.inStatus || f.HasDefault() {
		return
	}
	i := slices.IndexFunc(t.required, func(known *requiredField) bool { return known.Field == f })
	if i < 0 {
		i = len(t.required)
		t.required = append(t.required, &requiredField{Field: f, kind: t.spoke.hub.Name, version: t.spoke.version(t.side)})
	}
	if other := t.spoke.version(!t.side); !slices.Contains(t.required[i].lackedBy, other) {
		t.required[i].lackedBy = append(t.required[i].lackedBy, other)
	}
}

// around returns what is lossy in a field of a struct that the other version lacks, and those in it,
// if other fields in it have moved. That of a secret is an error.
func (t *lossAnalyzer) around(holder *model.Type, f *model.Field, why string, seen map[*model.Type]bool) *lossyField {
	of := f.Type.Deref()
	if of.Kind != model.Struct || seen[of] || !of.Holds(func(t2 *model.Type) bool { return slices.ContainsFunc(t2.Fields, t.spoke.isMoved) }) {
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
	for _, a := range mapping.Fields(of) {
		if !t.spoke.isMoved(a.Field()) {
			at.add(a.Field().JSONName, t.around(of, a.Field(), why, seen))
		}
	}
	delete(seen, of)
	return t.lossy(at, f, why)
}

// field returns what is lossy in a field that both versions have, or nil if it comes back as it
// is.
func (t *lossAnalyzer) field(f *mapping.Field) *lossyField {
	at, other := pick(t.side, f.Target, f.Source).Field(), pick(t.side, f.Source, f.Target).Field()
	defer t.enter(at)()
	if f.Relation.Shape == mapping.Custom {
		return t.custom(at)
	}
	below := t.value(f.Relation, at)
	why := t.loss(f.Relation, at, other)
	if below != nil && at.Type.Kind == model.Struct && at.OmitZero {
		why = "is not written if nothing in it is left in " + t.spoke.version(!t.side)
	}
	if why != "" {
		if f.Relation.Shape == mapping.One && t.secret(at) != nil {
			t.errorf(at.Pos, "%s %s, and may hold secrets, and all but one would be lost: give both versions a list, or convert it with +%s", at.JSONName, why, markers.ConvertedBy)
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
		if from, to := pick(t.side, r.Target, r.Source), pick(t.side, r.Source, r.Target); !holdsAll(mapping.Base(to), mapping.Base(from)) {
			why := "has numbers that " + t.spoke.version(!t.side) + " does not"
			if secret := t.secret(at); secret != nil {
				holds, remedy := t.whySecret(at, secret)
				t.errorf(at.Pos, "%s %s, and %s, which is not kept in an annotation: give both versions one type, or %s", at.JSONName, why, holds, remedy)
				return nil
			}
			return t.lossy(nil, at, why)
		}
	case mapping.One:
		item := t.value(r.Item, at)
		if !mapping.IsList(pick(t.side, r.Target, r.Source)) {
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
	case mapping.List, mapping.Set, mapping.Keyed:
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
			if f := pick(t.side, key.Target, key.Source).Field(); t.secret(f) != nil {
				holds, remedy := t.whySecret(f, t.secret(f))
				t.errorf(f.Pos, "%s %s, and is a key of the items of a list (%s), by which an annotation would keep what else is in them: give the items the same fields in both versions, or %s", f.JSONName, holds, at.Pos, remedy)
			}
			if lost := items.fields[name]; !lost.isEmpty() {
				t.errorf(lost.pos, "this field %s, and is a key of the items of a list (%s), which are found by it when their values come back: require the field in both versions, with one type that is not a pointer",
					lost.why, at.Pos)
			}
		}
		return found
	}
	isCustom := false
	items.eachLossy(func(lost *lossyField) {
		if lost.isCustom {
			isCustom = true
			return
		}
		t.errorf(lost.pos, "this field %s, and is part of the items of a list (%s) without keys, so that its value could come back in another item: give both versions the field, or mark the list +%s=map and +%s=KEY",
			lost.why, at.Pos, markers.ListType, markers.ListMapKey)
	})
	if isCustom {
		return t.custom(at) // what an item loses is kept with all of the list
	}
	return nil
}

// sharedEmbeds returns the embedded structs of the target that are assigned whole from those
// of the source, since both are of one type.
func sharedEmbeds(p *mapping.Pair) map[*model.Field]*model.Field {
	shared := map[*model.Field]*model.Field{}
	for _, to := range p.Target.Fields {
		i := slices.IndexFunc(p.Source.Fields, func(from *model.Field) bool {
			return from.Inline && to.Inline && from.Name == to.Name && mapping.SameType(from.Type, to.Type)
		})
		if i < 0 || !token.IsExported(to.Name) {
			continue
		}
		from := p.Source.Fields[i]
		isIn := func(a mapping.Access, f *model.Field) bool { return a.Path[0] == f }
		isApart := func(f *mapping.Field) bool {
			if isIn(f.Target, to) != isIn(f.Source, from) {
				return true
			}
			isWhole := f.Relation != nil && f.Relation.Shape == mapping.Whole && f.JSONName == f.Source.Field().JSONName
			return isIn(f.Target, to) && !isWhole
		}
		// No field in it is one that only one of the structs has: the other one has its name, too.
		if !slices.ContainsFunc(p.Fields, isApart) && !slices.ContainsFunc(p.Unrelated, isApart) {
			shared[to] = from
		}
	}
	return shared
}

// isTypeMeta reports whether a field of an object names its version.
func isTypeMeta(jsonName string) bool { return jsonName == "apiVersion" || jsonName == "kind" }
