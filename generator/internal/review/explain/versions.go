package explain

import (
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/markers"
)

// ofVersions says what happens to a field in the other versions of its kind, and describes its own version, if
// the kind has several.
func ofVersions(d pipeline.Definition, version int, names []string) []string {
	all := d.CRD.Spec.Versions
	if len(all) < 2 {
		return nil
	}
	facts := []string{state(all[version], d.CRD.Spec.Conversion != nil)}
	if all[version].Deprecated {
		facts = append(facts, "is in a version that is deprecated")
	}
	if len(names) == 0 {
		return facts
	}
	stored := storedAs(d, version, names)
	places := map[string][]string{}
	var lacking []string
	// Generated conversions keep lost values in annotations; the author's may not.
	isKept := d.Converted && !isByHand(d, version)
	for i, v := range all {
		if i == version || !v.Served {
			continue
		}
		there := names
		if stored != nil {
			there = placeIn(d, i, stored)
		}
		switch {
		case !has(d.Root(i), there):
			lacking = append(lacking, v.Name)
			isKept = isKept && !isByHand(d, i)
		case !slices.Equal(there, names):
			place := "." + strings.Join(there, ".")
			places[place] = append(places[place], v.Name)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(places)) {
		facts = append(facts, "is "+place+" in "+diag.And(places[place]))
	}
	switch {
	case len(lacking) == 0:
	case isKept:
		facts = append(facts, "has no place in "+diag.And(lacking)+", where an annotation keeps it")
	default:
		facts = append(facts, "has nothing of its name in "+diag.And(lacking))
	}
	return facts
}

// isByHand reports whether the author converts a version.
func isByHand(d pipeline.Definition, version int) bool {
	return d.Objects[version].Methods[versions.ConvertToMethod]
}

// has reports whether objects have a field.
func has(at schema.Cursor, names []string) bool {
	for _, name := range names {
		if at = at.Innermost().Property(name); at.Schema == nil {
			return false
		}
	}
	return len(names) > 0
}

// placeIn returns the path of the stored version's field in another version, or nil: the same path, or the one
// in the markers of either version.
func placeIn(d pipeline.Definition, version int, names []string) []string {
	at, root := d.Root(d.Stored()), d.Root(version)
	var place []string
	for i, name := range names {
		if at = at.Innermost().Property(name); at.Schema == nil {
			return nil
		}
		own := append(slices.Clone(place), name)
		// A field of the same name is never a rename.
		if d.Converted && !has(root, own) {
			own = elsewhere(d, version, at, place, names[:i+1])
		}
		place = own
	}
	if !has(root, place) {
		return nil
	}
	return place
}

// elsewhere returns the path that markers give to a stored version's field in another version. around is that
// version's path of the parent.
func elsewhere(d pipeline.Definition, version int, at schema.Cursor, around, path []string) []string {
	all := d.CRD.Spec.Versions
	if in, old := renamedFrom(at); old != nil && (in == "" || in == all[version].Name) {
		if len(old) == 1 {
			return append(slices.Clone(around), old...)
		}
		return old
	}
	stored := all[d.Stored()].Name
	// The other version's fields may have the marker instead.
	var find func(at schema.Cursor) []string
	find = func(at schema.Cursor) []string {
		for _, below := range at.Innermost().Properties() {
			in, old := renamedFrom(below)
			here := below.Path.Names()
			isBeside := len(old) == 1 && old[0] == path[len(path)-1] && slices.Equal(here[:len(here)-1], around)
			isSame := isBeside || len(old) > 1 && slices.Equal(old, path)
			if isSame && (in == "" || in == stored) {
				return here
			}
			if found := find(below); found != nil {
				return found
			}
		}
		return nil
	}
	if found := find(d.Root(version)); found != nil {
		return found
	}
	return append(slices.Clone(around), path[len(path)-1])
}

// renamedFrom returns the version, if any, and the name or the path there in a field's marker, or in the marker
// of the field that it mirrors.
func renamedFrom(at schema.Cursor) (version string, names []string) {
	if at.Field == nil {
		return "", nil
	}
	if m := at.Field.OwnMarker(markers.RenamedFrom); m != nil {
		return markers.ParseJSONPath(m.Value.Text(""))
	}
	spec := schema.Properties("spec", "forProvider")
	for _, mirror := range [][]string{{"status", "atProvider"}, {"spec", "initProvider"}} {
		if len(at.Path) <= len(mirror) || !at.Path.HasPrefix(schema.Properties(mirror...)) {
			continue
		}
		version, old := renamedFrom(at.Way()[0].Follow(append(spec, at.Path[len(mirror):]...)))
		if len(old) > len(spec) && old[0] == spec[0].Name && old[1] == spec[1].Name {
			return version, append(mirror, old[len(spec):]...)
		}
		return version, old
	}
	return "", nil
}

// storedAs returns the path in the stored version of another version's field, or nil.
func storedAs(d pipeline.Definition, version int, names []string) []string {
	if to, found := Renamed(d, version)["."+strings.Join(names, ".")]; found {
		return strings.Split(to[1:], ".")
	}
	if slices.Equal(placeIn(d, version, names), names) {
		return names
	}
	return nil
}

// Renamed returns the paths in the stored version of another version's fields that are elsewhere.
func Renamed(d pipeline.Definition, version int) map[string]string {
	renamed := map[string]string{}
	if !d.Converted || version == d.Stored() {
		return renamed
	}
	var visit func(at schema.Cursor, path []string)
	visit = func(at schema.Cursor, path []string) {
		for name, property := range at.Innermost().Properties() {
			below := append(slices.Clone(path), name)
			if there := placeIn(d, version, below); there != nil && !slices.Equal(there, below) {
				renamed["."+strings.Join(there, ".")] = "." + strings.Join(below, ".")
			}
			visit(property, below)
		}
	}
	visit(d.Root(d.Stored()), nil)
	return renamed
}

// state describes a version.
func state(v apiextensionsv1.CustomResourceDefinitionVersion, converted bool) string {
	switch {
	case v.Storage:
		return "is in the version that objects are stored in"
	case !v.Served:
		return "is in a version that is not served"
	case converted:
		return "is in a version that the provider's webhook converts"
	default:
		return "is in a version that the API server converts, by its name alone"
	}
}
