package conversion

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A request is a marker on a field of the hub.
type request struct {
	marker *model.Marker
	field  *model.Field
	// holder is the struct that has the field, and paths lead to the field from the root of an
	// object. isInList is set if one of them leads through the items of a list or the values
	// of a map.
	holder   *model.Type
	paths    [][]*model.Field
	isInList bool
	// isMet is set if the marker has an effect on a version.
	isMet bool
}

func (r *request) name() string { return r.marker.Value.Definition.Name }

// isMove reports whether the request names a field by its path from the root of an object.
func (r *request) isMove() bool {
	return r.name() == markers.RenamedFrom && strings.Contains(r.marker.Value.Text(""), ".")
}

// requests are those of a kind.
type requests struct {
	hub *model.Object
	all []*request
	// types are those that the hub is made of.
	types map[*model.Type]bool
}

// requestNames are the names of the markers that make requests.
var requestNames = []string{markers.RenamedFrom, markers.ConvertedBy, markers.Singleton}

// newRequests returns the requests on the fields of a hub.
func newRequests(hub *model.Object) *requests {
	r := &requests{hub: hub, types: map[*model.Type]bool{}}
	eachField(hub.Type, func(holder *model.Type, path []*model.Field, isInList bool) {
		r.types[holder] = true
		f := path[len(path)-1]
		for _, name := range requestNames {
			if m := f.OwnMarker(name); m != nil {
				known := r.find(f, name)
				if known == nil {
					known = &request{marker: m, field: f, holder: holder}
					r.all = append(r.all, known)
				}
				known.paths = append(known.paths, slices.Clone(path))
				known.isInList = known.isInList || isInList
			}
		}
	})
	return r
}

// eachField visits the fields of a struct and, below them, of structs of the module.
func eachField(root *model.Type, visit func(holder *model.Type, path []*model.Field, isInList bool)) {
	var open []*model.Type
	var path []*model.Field
	var walk func(of *model.Type, isInList bool)
	walk = func(of *model.Type, isInList bool) {
		if of.Kind != model.Struct || !of.Local || slices.Contains(open, of) {
			return
		}
		open = append(open, of)
		for _, f := range of.Fields {
			if f.Ignored {
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

func (r *requests) find(f *model.Field, name string) *request {
	for _, known := range r.all {
		if known.field == f && known.name() == name {
			return known
		}
	}
	return nil
}

// renamedFrom returns the name that a field of the hub has in other versions beside the same
// fields, or "".
func (r *requests) renamedFrom(f *model.Field) string {
	if known := r.find(f, markers.RenamedFrom); known != nil && !known.isMove() {
		return known.marker.Value.Text("")
	}
	return ""
}

// note notes which requests have an effect on a version.
func (r *requests) note(s *spoke) {
	s.eachField(func(f *mapping.Field) {
		target := f.Target.Field()
		meets := map[string]bool{
			markers.RenamedFrom: s.isMoved(target) || f.JSONName != f.Source.Field().JSONName,
			markers.ConvertedBy: f.Relation.Shape == mapping.Custom,
			markers.Singleton:   f.Relation.Shape == mapping.One,
		}
		for _, name := range requestNames {
			if known := r.find(target, name); known != nil && meets[name] {
				known.isMet = true
			}
		}
	})
}

// eachField visits the fields that both versions have.
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

// checkRequests reports requests that have no effect, functions that are missing, and markers
// on fields of other versions than the hub.
func (p *planner) checkRequests(asked *requests, planned []*spoke) {
	for _, r := range asked.all {
		if !r.isMet {
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
			if asked.types[holder] {
				return
			}
			for _, name := range requestNames {
				if m := path[len(path)-1].OwnMarker(name); m != nil {
					p.errorf(m.Pos, "+%s belongs on the field of %s, the version of %s that is stored (%s)", name, asked.hub.Package.Version, asked.hub.Name, asked.hub.Pos)
				}
			}
		})
	}
}

// unmet says why a request has no effect.
func (r *requests) unmet(of *request) string {
	text := of.marker.Value.Text("")
	switch of.name() {
	case markers.ConvertedBy:
		return "no other version of " + r.hub.Name + " has this field, so that there is nothing to convert: remove the marker, or name the field with +" + markers.RenamedFrom
	case markers.Singleton:
		return "in no other version of " + r.hub.Name + " is this field a list of such values, or a value where it is a list: remove the marker"
	}
	if same := of.holder.Field(text); same != nil {
		return "this version of " + r.hub.Name + " has a field " + text + " too (" + same.Pos.String() + "), which is the one of other versions: remove one of them, or the marker"
	}
	for _, other := range r.all {
		if other != of && other.isMet && other.name() == of.name() && other.holder == of.holder && other.marker.Value.Text("") == text {
			return "the field " + text + " of other versions is " + other.field.JSONName + " already (" + other.marker.Pos.String() + "): keep one of the markers"
		}
	}
	where := " beside the same fields"
	if of.isMove() {
		where = ""
	}
	return "no other version of " + r.hub.Name + " has a field " + text + where + " in place of this one: correct the path, or remove the marker"
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
		case declared == nil:
			p.errorf(m.Pos, "package %s declares no function %s: write %s there", s.object.Package.Path, name, want)
		case len(declared.Parameters) != 1 || len(declared.Results) != 1 || declared.Variadic:
			p.errorf(declared.Pos, "%s is to convert %s, which can't fail: declare it as %s", name, f.JSONName, want)
		}
	}
}
