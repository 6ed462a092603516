package markers

// A Conflict is a problem with a marker that stems from the other markers at
// the same place.
type Conflict struct {
	// Index of the marker in the list that was checked.
	Index int
	Problem
}

// Check checks the markers at one place, in source order, against each other.
// Markers of others, for which [Parse] returns nil, may be among them. The names of those
// that misspelt ones were meant to be count as there, since these are reported.
func Check(values []*Value, meant ...string) []Conflict {
	type identity struct{ name, key string }
	first := map[identity]*Value{}
	present := map[string]bool{}
	for _, name := range meant {
		present[name] = true
	}
	for _, v := range values {
		if v != nil {
			present[v.Definition.Name] = true
		}
	}

	var conflicts []Conflict
	for i, v := range values {
		if v == nil {
			continue
		}
		d := v.Definition
		if d.Needs != "" && !present[d.Needs] {
			conflicts = append(conflicts, Conflict{i, *d.without(
				"marker +%s has no effect without +%s: add %s", d.Name, d.Needs, Lookup(d.Needs).usage())})
		}
		id := identity{name: d.Name}
		if d.Key != "" {
			id.key = v.key()
		}
		earlier, found := first[id]
		switch {
		case !found:
			first[id] = v
		case earlier.String() != v.String():
			conflicts = append(conflicts, Conflict{i, *problemf(0,
				"marker +%s contradicts +%s at the same place: keep one of them", v, earlier)})
		}
	}
	return conflicts
}
