package versionconversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A markedField is a field with a marker about conversion: in the hub, or, for +renamedFrom, in any version.
type markedField struct {
	marker *model.Marker
	field  *model.Field
	// object is the version, holder the struct that has the field, and paths lead to the field from the root of
	// an object. isInList is set if one of them leads through the items of a list or the values of a map.
	object   *model.Object
	holder   *model.Type
	paths    [][]*model.Field
	isInList bool
	// isMet is set once the marker has had an effect.
	isMet bool
}

func (r *markedField) name() string { return r.marker.Value.Definition.Name }

// old returns the version, if the marker names one, and the path of the field there.
func (r *markedField) old() (version string, names []string) {
	return markers.ParseJSONPath(r.marker.Value.Text(""))
}

// path returns the path of the field in the other version, with dots.
func (r *markedField) path() string {
	_, names := r.old()
	return strings.Join(names, ".")
}

// isMove reports whether the marker names a field by its path from the root of an object.
func (r *markedField) isMove() bool {
	_, names := r.old()
	return r.name() == markers.RenamedFrom && len(names) > 1
}

// isAbout reports whether a marker for another name is about the conversion of a version.
func (r *markedField) isAbout(s *spoke) bool {
	version, _ := r.old()
	other := s.object
	// The marker names fields of the hub, or on the hub, fields of the other version.
	if r.object != s.hub {
		other = s.hub
	}
	if r.object != s.hub && r.object != s.object { // belongs to a third version
		return false
	}
	return r.name() == markers.RenamedFrom && (version == "" || version == other.Package.Version)
}

// markedFields are the marked fields of a kind.
type markedFields struct {
	hub *model.Object
	// others are the other versions that are converted.
	others []*model.Object
	all    []*markedField
	// types are the structs of the hub: a spoke that shares them shares their markers.
	types map[*model.Type]bool
}

// conversionMarkers are the markers about conversions. All except the first belong on fields of the hub.
var conversionMarkers = []string{markers.RenamedFrom, markers.ConvertedBy, markers.Singleton}

// newMarkedFields returns the marked fields of a hub, and those for other names on fields of
// other versions.
func newMarkedFields(hub *model.Object, others []*model.Object) *markedFields {
	r := &markedFields{hub: hub, others: others, types: map[*model.Type]bool{}}
	eachField(hub.Type, func(holder *model.Type, path []*model.Field, isInList bool) {
		r.types[holder] = true
		r.add(hub, holder, path, isInList, conversionMarkers)
	})
	for _, o := range others {
		eachField(o.Type, func(holder *model.Type, path []*model.Field, isInList bool) {
			// A struct shared with the hub has been visited: its markers count once.
			if !r.types[holder] {
				r.add(o, holder, path, isInList, conversionMarkers[:1])
			}
		})
	}
	return r
}

// add adds the markers of a field.
func (r *markedFields) add(object *model.Object, holder *model.Type, path []*model.Field, isInList bool, names []string) {
	f := path[len(path)-1]
	for _, name := range names {
		m := f.OwnMarker(name)
		if m == nil {
			continue
		}
		// A struct used in several places has one field with several paths.
		i := slices.IndexFunc(r.all, func(known *markedField) bool { return known.field == f && known.name() == name })
		if i < 0 {
			i = len(r.all)
			r.all = append(r.all, &markedField{marker: m, field: f, object: object, holder: holder})
		}
		known := r.all[i]
		known.paths = append(known.paths, slices.Clone(path))
		known.isInList = known.isInList || isInList
	}
}

// eachField visits the fields of a struct and, below them, of structs of the module.
func eachField(root *model.Type, visit func(holder *model.Type, path []*model.Field, isInList bool)) {
	var open []*model.Type
	var path []*model.Field
	var walk func(of *model.Type, isInList bool)
	walk = func(of *model.Type, isInList bool) {
		// Recursive types end here; foreign types carry no markers of mrgen.
		if of.Kind != model.Struct || !of.Local || slices.Contains(open, of) {
			return
		}
		open = append(open, of)
		for _, f := range of.Fields {
			if f.Ignored { // json:"-" is never converted
				continue
			}
			path = append(path, f)
			visit(of, path, isInList)
			walk(f.Type.Leaf(), isInList || f.Type.Deref().Kind != model.Struct)
			path = path[:len(path)-1]
		}
		open = open[:len(open)-1]
	}
	walk(root, false)
}

// renamed reports whether a spoke's field is the hub's field under another name, in the same struct.
func (r *markedFields) renamed(s *spoke, target, source *model.Field) bool {
	to, from := s.mirrors.of(target, markers.RenamedFrom), s.mirrors.of(source, markers.RenamedFrom)
	return slices.ContainsFunc(r.all, func(known *markedField) bool {
		switch known.field {
		case to:
			return known.isAbout(s) && known.path() == source.JSONName
		case from:
			return known.isAbout(s) && known.path() == target.JSONName
		}
		return false
	})
}

// note records the markers that have an effect on a version. The others are reported as ineffective.
func (r *markedFields) note(s *spoke) {
	s.eachBoth(func(f *mapping.Field) {
		target, source := f.Target.Field(), f.Source.Field()
		for _, known := range r.all {
			switch {
			case known.isAbout(s): // even with types that don't correspond: that is reported, and the marker is right
				isRenamed := known.field == target && known.names(f.Source) || known.field == source && known.names(f.Target)
				known.isMet = known.isMet || isRenamed && (s.isMoved(target) || target.JSONName != source.JSONName)
			case known.field == target && f.Relation != nil:
				isCustom := known.name() == markers.ConvertedBy && f.Relation.Shape == mapping.Custom
				isOne := known.name() == markers.Singleton && f.Relation.Shape == mapping.One
				known.isMet = known.isMet || isCustom || isOne
			}
		}
	})
}

// names reports whether the marker names a field of the other version.
func (r *markedField) names(a model.Access) bool {
	return r.path() == a.Field().JSONName || r.path() == dotted(a.Path)
}

// eachBoth visits the fields that both versions have, also if their types don't correspond.
func (s *spoke) eachBoth(visit func(*mapping.Field)) {
	s.eachField(visit)
	s.eachPair(func(p *mapping.Pair) {
		for _, f := range p.Unrelated {
			visit(f)
		}
	})
}

// eachField visits the fields that both versions have, with types that correspond.
func (s *spoke) eachField(visit func(*mapping.Field)) {
	s.eachPair(func(p *mapping.Pair) {
		for _, f := range p.Fields {
			visit(f)
		}
	})
	for _, f := range s.moves {
		visit(f)
	}
}

// eachPair visits the pairs of structs that correspond.
func (s *spoke) eachPair(visit func(*mapping.Pair)) {
	seen := map[*mapping.Pair]bool{}
	var relation func(*mapping.Relation)
	pair := func(p *mapping.Pair) {
		if seen[p] {
			return
		}
		seen[p] = true
		visit(p)
		for _, f := range p.Fields {
			relation(f.Relation)
		}
	}
	relation = func(r *mapping.Relation) {
		if r.Pair != nil {
			pair(r.Pair)
		}
		if r.Item != nil {
			relation(r.Item)
		}
	}
	pair(s.root)
	for _, f := range s.moves {
		relation(f.Relation)
	}
}

// checkMarkedFields reports markers that have no effect, functions that are missing, and markers
// on fields of other versions than the hub.
func (p *planner) checkMarkedFields(asked *markedFields, planned []*spoke) {
	for _, r := range asked.all {
		// The path "-" only silences the suggestion, so it needs no effect.
		if !r.isMet && !(r.name() == markers.RenamedFrom && r.path() == noOther) {
			p.errorf(r.marker.Pos, "%s", asked.unmet(r))
		}
	}
	for _, s := range planned {
		s.eachField(func(f *mapping.Field) {
			if f.Relation.Shape == mapping.Custom && f.Target.Field().OwnMarker(markers.ConvertedBy) != nil {
				p.checkFunctions(s, f)
			}
		})
		eachField(s.object.Type, func(holder *model.Type, path []*model.Field, _ bool) {
			if asked.types[holder] { // the hub's own struct: the marker is in the right place
				return
			}
			for _, name := range conversionMarkers[1:] {
				if m := path[len(path)-1].OwnMarker(name); m != nil {
					p.errorf(m.Pos, "+%s belongs on the field of %s, the version of %s that is stored (%s)", name, asked.hub.Package.Version,
						asked.hub.Name, asked.hub.Pos)
				}
			}
		})
	}
}

// unmet says why a marker has no effect.
func (r *markedFields) unmet(of *markedField) string {
	switch of.name() {
	case markers.ConvertedBy:
		return "no other version of " + r.hub.Name +
			" has this field, so that there is nothing to convert: remove the marker, or name the field with +" + markers.RenamedFrom
	case markers.Singleton:
		return "in no other version of " + r.hub.Name + " is this field a list of such values, or a value where it is a list: remove the marker"
	}
	version, names := of.old()
	kind, path := r.hub.Name, of.path()
	others := "other version"
	switch isKnown := slices.ContainsFunc(r.others, func(o *model.Object) bool { return o.Package.Version == version }); {
	case of.object != r.hub && version != "" && version != r.hub.Package.Version: // spokes convert to the hub alone
		return fmt.Sprintf("%s of %s is converted to %s, which is stored, and not to %s: name the field of %[3]s, or write the marker where that is declared", of.object.Package.Version, kind, r.hub.Package.Version, version)
	case of.object != r.hub: // marker on a spoke names a field of the hub
		others = r.hub.Package.Version
	case version != "" && !isKnown:
		return "no version " + version + " of " + kind + " is converted: correct the version, or remove the marker"
	case version != "":
		others = version
	}
	// A field of that name exists here as well, so it pairs with itself.
	if same := of.holder.Field(path); same != nil {
		return "this version of " + kind + " has a field " + path + " too (" + same.Pos.String() +
			"), which is the one of other versions: remove one of them, or the marker"
	}
	// Two markers claim one field: the first one wins.
	for _, other := range r.all {
		isSame := other.name() == of.name() && other.holder == of.holder && other.path() == path
		if isSame && other != of && other.isMet {
			return "the field " + path + " of other versions is " + other.field.JSONName + " already (" + other.marker.Pos.String() +
				"): keep one of the markers"
		}
	}
	where := " beside the same fields"
	if len(names) > 1 {
		where = ""
	}
	remedy := "correct the path, or remove the marker"
	var known []string
	for _, o := range append([]*model.Object{r.hub}, r.others...) {
		eachField(o.Type, func(_ *model.Type, path []*model.Field, _ bool) {
			if o != of.object {
				known = append(known, path[len(path)-1].JSONName)
			}
		})
	}
	remedy = markers.Remedy(path, known, remedy)
	if others != "other version" {
		return others + " of " + kind + " has no field " + path + where + " in place of this one: " + remedy
	}
	return "no other version of " + kind + " has a field " + path + where + " in place of this one: " + remedy
}

// checkFunctions reports functions that convert a field, and that a version doesn't declare.
func (p *planner) checkFunctions(s *spoke, f *mapping.Field) {
	m := f.Target.Field().OwnMarker(markers.ConvertedBy)
	for _, direction := range []struct {
		suffix   string
		from, to *model.Type
	}{{"To", f.Source.Field().Type, f.Target.Field().Type}, {"From", f.Target.Field().Type, f.Source.Field().Type}} {
		name := m.Value.Text("") + direction.suffix
		declared := s.object.Package.Functions[name]
		want := "func " + name + "(" + typeName(direction.from) + ") " + typeName(direction.to)
		switch {
		// A missing function would only show when the provider is compiled.
		case declared == nil:
			p.errorf(m.Pos, "package %s declares no function %s: write %s there", s.object.Package.Path, name, want)
		// Two results would be an error as well, and a field's conversion can't report one.
		case len(declared.Parameters) != 1 || len(declared.Results) != 1 || declared.Variadic:
			p.errorf(declared.Pos, "%s is to convert %s, which can't fail: declare it as %s", name, f.JSONName, want)
		case isOther(declared.Parameters[0], direction.from), isOther(declared.Results[0], direction.to):
			p.errorf(declared.Pos, "%s converts other types than those of %s: declare it as %s", name, f.JSONName, want)
		}
	}
}

// isOther reports whether a predeclared type stands where a pointer or another composite type is converted. The compiler
// finds all other differences at the author's declarations.
func isOther(declared flavor.TypeName, converted *model.Type) bool {
	return declared.Package == "" && declared.Name != "" && declared.Name != "any" && converted.Kind != model.Basic
}
