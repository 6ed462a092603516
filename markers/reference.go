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

// Meant returns the name of the marker that is most like a name that no marker has, or "".
func Meant(name string) string {
	name = written(strings.TrimPrefix(name, "+"))
	// mrgen's own names first: "mrgen:referense" means one of them.
	if d := nearestDefinition(name); d != nil && isOwned(name, "") {
		return d.Name
	}
	near, _ := nearestForeign(name)
	if near == "" {
		near, _ = Nearest(name, Names()) // outside the namespaces, any similar name helps
	}
	return near
}
