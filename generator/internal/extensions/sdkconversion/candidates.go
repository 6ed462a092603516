package sdkconversion

import (
	"slices"
	"strings"
)

// candidates returns the fields with a name in common with another: by Go names, or otherwise by any name.
func candidates(fields []*field, of *field) []*field {
	var byGoName, byAny []*field
	for _, f := range fields {
		switch {
		case f.names[0] == of.names[0]: // in Go
			byGoName = append(byGoName, f)
		case slices.ContainsFunc(f.names, func(name string) bool { return slices.Contains(of.names, name) }):
			byAny = append(byAny, f)
		}
	}
	if len(byGoName) == 1 && len(byAny) == 1 && areSwapped(byGoName[0], byAny[0], of) {
		return append(byGoName, byAny...)
	}
	if len(byGoName) > 0 {
		return shallowest(byGoName)
	}
	return shallowest(byAny)
}

// areSwapped reports whether one field is called as another one in Go alone, and a second one in JSON alone.
func areSwapped(byGoName, byTag, of *field) bool {
	return len(of.path) == len(byGoName.path) && len(byGoName.path) == len(byTag.path) &&
		slices.Contains(byGoName.names[1:], byTag.names[0]) &&
		slices.Contains(byTag.names[1:], byGoName.names[0])
}

// shallowest returns the fields with the shortest path, as Go's selectors choose.
func shallowest(fields []*field) []*field {
	least := 100
	for _, f := range fields {
		least = min(least, len(f.path))
	}
	return slices.DeleteFunc(fields, func(f *field) bool { return len(f.path) > least })
}

// follow returns the field at a path, or nil.
func (w *writer) follow(fields []*field, path string) *field {
	if i := slices.IndexFunc(fields, func(f *field) bool { return f.way() == path }); i >= 0 {
		return fields[i]
	}
	name, rest, deeper := strings.Cut(path, ".")
	i := slices.IndexFunc(fields, func(f *field) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	f := fields[i]
	if !deeper {
		return f
	}
	inner := w.follow(w.structFields(f.typ, nil), rest)
	// Methods and oneofs can't be part of a selector.
	if inner == nil || f.get != "" || f.alternative != nil {
		return nil
	}
	found := *inner
	found.path = slices.Concat(f.path, []part{{f.name, f.typ, true}}, inner.path)
	return &found
}
