// Package v1 has a name that is not unique.
package v1

// List is a list.
type List []string

// Map is a map.
type Map map[string]List
