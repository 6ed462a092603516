package markers

// A Conflict is a problem that a marker has because of the other markers at its place.
type Conflict struct {
	// Index of the marker in the list that was checked.
	Index int
	Problem
}

// Check checks the markers at one place, in source order, against each other. It skips nil
// values, which [Parse] returns for the markers of other tools. The names in meant count as
// present: they are the intended names of misspelt markers, which are reported already.
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
		// Markers with a key, such as +mrgen:connectionDetail, may repeat with other keys.
		id := identity{name: d.Name}
		if d.Key != "" {
			id.key = v.key()
		}
		earlier, found := first[id]
		switch {
		case !found: // first of its kind
			first[id] = v
		case earlier.String() != v.String(): // identical repeats are harmless
			conflicts = append(conflicts, Conflict{i, *problemf(Invalid, 0,
				"marker +%s contradicts +%s at the same place: keep one of them", v, earlier)})
		}
	}
	return conflicts
}
