package markers

import (
	"slices"
	"strings"
)

// A Reference describes markers, in JSON as three lists. Later versions may add members, and don't change the meaning of
// existing ones.
type Reference struct {
	// Read are the markers that mrgen owns, and +immutable.
	Read []Definition `json:"markers"`
	// Types are the types of their arguments.
	Types []ArgumentTypeDoc `json:"types"`
	// Foreign are the markers of other tools.
	Foreign []ForeignMarker `json:"others"`
}

// IsFull reports whether the reference describes all markers.
func (r Reference) IsFull() bool { return len(r.Read) == len(described) }

// FullReference describes every marker that mrgen reads as its own, and the known markers of other tools.
func FullReference() Reference {
	return Reference{Read: described, Types: argumentTypeDocs, Foreign: ofOtherTools()}
}

// ofOtherTools returns the markers that the reference describes in one line each.
func ofOtherTools() []ForeignMarker {
	return slices.DeleteFunc(slices.Clone(foreign()), func(m ForeignMarker) bool { return m.Tool == conventionTool })
}

// Names returns the names of all markers, without their plus signs, sorted.
func Names() []string {
	var names []string
	for _, d := range definitions {
		names = append(names, d.Name)
	}
	for _, m := range foreign() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}

// ReferenceOf describes the markers that have the name, or that begin with it and a colon. The name may have a
// plus sign. Otherwise, near is the most similar name, or "".
func ReferenceOf(name string) (r Reference, near string, found bool) {
	name = written(strings.TrimPrefix(name, "+"))
	matches := func(other string) bool { return other == name || name != "" && strings.HasPrefix(other, name+":") }
	used := map[ArgumentType]bool{}
	for _, d := range described {
		if matches(d.Name) {
			r.Read = append(r.Read, d)
			for _, a := range d.Arguments {
				used[a.Type] = true
			}
		}
	}
	for _, m := range ofOtherTools() {
		if matches(m.Name) {
			r.Foreign = append(r.Foreign, m)
		}
	}
	if len(r.Read)+len(r.Foreign) == 0 {
		// mrgen's own names first: "mrgen:referense" means one of them.
		if d := nearestDefinition(name); d != nil && isOwned(name, "") {
			return r, d.Name, false
		}
		near, _ = nearestForeign(name)
		if near == "" {
			near, _ = Nearest(name, Names()) // outside the namespaces, any similar name helps
		}
		return r, near, false
	}
	for _, t := range argumentTypeDocs {
		if used[t.Type] {
			r.Types = append(r.Types, t)
		}
	}
	return r, "", true
}
