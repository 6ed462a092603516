package versionconversion

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// Fields of status.atProvider and spec.initProvider mirror the fields of spec.forProvider. Authors can't mark
// generated mirrors, so the markers of forProvider's fields apply to them, too.
const specPath = "spec.forProvider."

// mirrorPaths are the paths of the structs with mirrors.
var mirrorPaths = []string{"status.atProvider.", "spec.initProvider."}

// mirrors are fields of status.atProvider and spec.initProvider, with the fields of
// spec.forProvider that are at the same paths.
type mirrors map[*model.Field]*model.Field

// add adds the mirrors in objects of a version.
func (m mirrors) add(o *model.Object) {
	spec := map[string]*model.Field{}
	for _, prefix := range append([]string{specPath}, mirrorPaths...) {
		eachField(o.Type, func(_ *model.Type, path []*model.Field, _ bool) {
			f := path[len(path)-1]
			rest, isBelow := strings.CutPrefix(dotted(path), prefix)
			switch {
			case !isBelow || f.Inline: // embedded structs have no path of their own
			case prefix == specPath: // prefixes are visited in order: forProvider comes first
				spec[rest] = f
			case spec[rest] != nil && m[f] == nil && spec[rest] != f: // first path wins; shared structs mirror themselves
				m[f] = spec[rest]
			}
		})
	}
}

// of returns the field that f mirrors, or f itself if it isn't a mirror or has the marker itself.
func (m mirrors) of(f *model.Field, name string) *model.Field {
	if mirrored := m[f]; mirrored != nil && f.OwnMarker(name) == nil {
		return mirrored
	}
	return f
}

// isCustom reports whether the author's functions for two mirrored fields also convert their mirrors, apart
// from pointers.
func (m mirrors) isCustom(target, source *model.Field) bool {
	fits := func(f *model.Field) bool {
		return m[f] != nil && (mapping.SameType(f.Type, m[f].Type) || f.Type.Kind == model.Pointer && mapping.SameType(f.Type.Elem, m[f].Type))
	}
	return fits(target) && fits(source) && m[target].OwnMarker(markers.ConvertedBy) != nil
}

// moveMirrors plans the mirrors of a field that moves, if both versions have them.
func (p *planner) moveMirrors(s *spoke, mapper *mapping.Mapper, path []*model.Field, name string) {
	to, isBelow := strings.CutPrefix(dotted(path), specPath)
	from, wasBelow := strings.CutPrefix(name, specPath)
	if !isBelow || !wasBelow {
		return
	}
	for _, prefix := range mirrorPaths {
		find := func(o *model.Object, rest string) []*model.Field {
			path, _ := follow(o.Type, strings.Split(prefix+rest, "."))
			return path
		}
		target, source := find(s.hub, to), find(s.object, from)
		// The mirror doesn't exist on both sides, or pairs by its name already.
		if target == nil || source == nil || find(s.object, to) != nil || find(s.hub, from) != nil {
			continue
		}
		hubField, field := target[len(target)-1], source[len(source)-1]
		isMirror := s.mirrors[hubField] != nil && s.mirrors[field] != nil
		isMoved := func(m *mapping.Field) bool { return m.Source.Field() == field }
		if relation := mapper.Relate(hubField, field); isMirror && relation != nil && !slices.ContainsFunc(s.moves, isMoved) {
			s.addMove(target, source, relation)
		}
	}
}
