package versionconversion

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// moves plans the fields that a marker's path places elsewhere in the other version.
func (p *planner) moves(s *spoke, mapper *mapping.Mapper, asked *markedFields) {
	for _, r := range asked.all {
		if !r.isMove() || !r.isAbout(s) {
			continue
		}
		_, names := r.old()
		there := pick(r.object == s.hub, s.object, s.hub)
		marked := slices.Concat(r.paths[0])
		named, isInList := follow(there.Type, names)
		if same, _ := follow(there.Type, strings.Split(dotted(marked), ".")); same != nil || named == nil && !isInList {
			continue // the field is where it was
		}
		switch {
		// One value has no counterpart among many items.
		case isInList || r.isInList:
			r.isMet = true
			p.errorf(r.marker.Pos,
				"a field can't move into the items of a list or a map, or out of them: convert the list with +%s", markers.ConvertedBy)
		case len(r.paths) > 1:
			r.isMet = true
			p.errorf(r.marker.Pos,
				"%s is part of %s in %d places, and each would have the one value of %s: declare another struct for the one that is meant",
				r.holder.Name, r.object.Name, len(r.paths), r.path())
		default:
			p.move(s, mapper, r, marked, named)
		}
	}
}

// move plans a field that moves from one path to another.
func (p *planner) move(s *spoke, mapper *mapping.Mapper, r *markedField, marked, named []*model.Field) {
	there, here := pick(r.object == s.hub, s.object, s.hub), r.object
	field := named[len(named)-1]
	uses := 0
	eachField(there.Type, func(_ *model.Type, path []*model.Field, _ bool) {
		if path[len(path)-1] == field {
			uses++
		}
	})
	// The field's struct is used more than once over there: which place is meant is unclear.
	if uses > 1 {
		r.isMet = true
		p.errorf(r.marker.Pos,
			"the struct of %s (%s) is part of %s %s in %d places, and only one of them would move: declare another struct there", field.JSONName,
			field.Pos, there.Name, there.Package.Version, uses)
		return
	}
	isOfHub := side(r.object == s.hub)
	var claimed *model.Field
	s.eachField(func(f *mapping.Field) {
		if pick(!isOfHub, f.Target, f.Source).Field() == field {
			claimed = pick(isOfHub, f.Target, f.Source).Field()
		}
	})
	if claimed == r.field { // both versions declare the same move
		return // the other field says so, too
	}
	if claimed != nil {
		r.isMet = true
		p.errorf(r.marker.Pos, "%s of %s (%s) is %s of %s already (%s): remove one of the two fields, or the marker",
			r.path(), there.Package.Version, field.Pos, claimed.JSONName, here.Package.Version, claimed.Pos)
		return
	}
	target, source := pick(isOfHub, marked, named), pick(isOfHub, named, marked)
	to, from := target[len(target)-1], source[len(source)-1]
	relation := mapper.Relate(to, from)
	if relation == nil {
		r.isMet = true
		p.errorf(to.Pos,
			"%s has the type %s in %s, and %s in %s (%s), which convert with loss: give both one type, or name functions that convert it with +%s here",
			to.JSONName, typeName(to.Type), s.hub.Package.Version, typeName(from.Type), s.object.Package.Version, from.Pos, markers.ConvertedBy)
		return
	}
	s.addMove(target, source, relation)
	p.moveMirrors(s, mapper, target, dotted(source))
}

// follow returns the fields on a path of JSON names, or nil if the path doesn't exist. It reports whether the
// path leads through a list or a map.
func follow(of *model.Type, names []string) (path []*model.Field, isInList bool) {
	for _, name := range names {
		// A list or a map: moves can't enter it, so only report that the name exists below.
		if of.Leaf() != of.Deref() {
			return nil, of.Leaf().Field(name) != nil
		}
		fields := model.JSONFields(of.Deref())
		i := slices.IndexFunc(fields, func(a model.Access) bool { return a.Field().JSONName == name })
		if i < 0 {
			return nil, false
		}
		path = append(path, fields[i].Path...)
		of = fields[i].Field().Type
	}
	return path, false
}

// addMove adds a field that is at another path in each version.
func (s *spoke) addMove(target, source []*model.Field, relation *mapping.Relation) {
	to, from := model.Access{Path: target}, model.Access{Path: source}
	s.moves = append(s.moves, &mapping.Field{JSONName: to.Field().JSONName, Target: to, Source: from, Relation: relation})
}

// isMoved reports whether a field of either version moves.
func (s *spoke) isMoved(f *model.Field) bool {
	return slices.ContainsFunc(s.moves, func(m *mapping.Field) bool { return m.Target.Field() == f || m.Source.Field() == f })
}

// moved adds the lossy fields among the moved fields, and those of structs that the move creates on the other
// side.
func (t *lossAnalyzer) moved(root *lossyField) {
	for _, m := range t.spoke.moves {
		from, to := pick(t.side, m.Target, m.Source), pick(t.side, m.Source, m.Target)
		if at := t.field(m); at != nil {
			root.insert(from.Path, at)
		}
		// Going back creates this struct for the moved field even if it was unset here.
		p := t.spoke.root
		var path []*model.Field
		for _, step := range to.Path[:len(to.Path)-1] {
			i := slices.IndexFunc(p.Fields, func(f *mapping.Field) bool { return pick(t.side, f.Source, f.Target).Field() == step })
			if i < 0 || p.Fields[i].Relation.Pair == nil {
				break
			}
			f := pick(t.side, p.Fields[i].Target, p.Fields[i].Source)
			path = append(path, f.Path...)
			if f.Field().Type.Kind == model.Pointer {
				root.insert(path, t.lossy(nil, f.Field(), "may be unset where a field moves into it"))
			}
			p = p.Fields[i].Relation.Pair
		}
	}
}

// insert adds a lossy field at the end of a path of fields.
func (p *lossyField) insert(path []*model.Field, at *lossyField) {
	names := jsonNames(path)
	for i, name := range names {
		if p.fields == nil {
			p.fields = map[string]*lossyField{}
		}
		below := p.fields[name]
		switch {
		case i == len(names)-1 && (below == nil || below.isCustom): // the author's conversion of the parent doesn't reach the moved field
			below = at
		case below == nil:
			below = &lossyField{}
		// Nested fields are lossy already: keep them, and add the value itself.
		case i == len(names)-1 && at.lossy:
			below.lossy, below.pos, below.why = true, at.pos, at.why
		}
		p.fields[name] = below
		p = below
	}
}

// correction says how to correct a pair of fields whose types convert with loss.
func correction(target, source *model.Field) string {
	remedy := "give both one type, or name functions that convert it with +" + markers.ConvertedBy + " here"
	if target.JSONName != source.JSONName {
		remedy = "correct the +" + markers.RenamedFrom + " that pairs it with " + source.JSONName + ", or " + remedy
	}
	return remedy
}
