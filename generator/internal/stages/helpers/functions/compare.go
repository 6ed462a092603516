package functions

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// PathIf returns a path if what is there differs.
func PathIf(differs bool, path string) []string {
	if differs {
		return []string{path}
	}
	return nil
}

// DiffValue returns the path of a value that differs.
func DiffValue[T comparable](path string, desired, observed T) []string {
	return PathIf(desired != observed, path)
}

// withoutKeys returns a path with [] for items and entries, whatever their keys.
func withoutKeys(path string) string {
	var short strings.Builder
	for {
		before, key, found := strings.Cut(path, "[")
		short.WriteString(before)
		if !found {
			return short.String()
		}
		short.WriteString("[]")
		for key != "" && key[0] != ']' {
			// A bracket in quotes is part of a key.
			quoted, err := strconv.QuotedPrefix(key)
			if err != nil {
				quoted = key[:1]
			}
			key = key[len(quoted):]
		}
		path = strings.TrimPrefix(key, "]")
	}
}

// SameJSON reports whether two values have the same JSON form, which is what the
// API server keeps of them.
func SameJSON[D, O any](desired D, observed O) bool {
	var forms [2]any
	// Pointers have the methods that encode a value, whatever their receivers.
	for i, value := range []any{&desired, &observed} {
		encoded, err := json.Marshal(value)
		if err != nil || json.Unmarshal(encoded, &forms[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(forms[0], forms[1])
}

// PathsWithin returns those of the paths that lead to one of the fields, or into it. In
// the names of fields, [] stands for any item or entry.
func PathsWithin(paths []string, fields ...string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		path = withoutKeys(path)
		return !slices.ContainsFunc(fields, func(field string) bool {
			rest, found := strings.CutPrefix(path, field)
			return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	})
}

// DiffSlice returns the paths at which the items of a list differ, or that of the
// list if it has more or fewer items.
func DiffSlice[D, O any](path string, desired []D, observed []O, diff func(string, D, O) []string) []string {
	if len(desired) != len(observed) {
		return []string{path}
	}
	var paths []string
	for i := range desired {
		paths = append(paths, diff(fmt.Sprintf("%s[%d]", path, i), desired[i], observed[i])...)
	}
	return paths
}

// DiffSubset returns the path of a list whose items have no order, unless all of them
// are observed, with others or without.
func DiffSubset[D, O any](path string, desired []D, observed []O, diff func(string, D, O) []string) []string {
	// An item may agree with several observed ones, one of which is all that another item
	// agrees with. So items give way to each other.
	takenBy := make([]int, len(observed))
	var take func(item int, tried []bool) bool
	take = func(item int, tried []bool) bool {
		for i, other := range observed {
			if tried[i] || len(diff(path, desired[item-1], other)) > 0 {
				continue
			}
			tried[i] = true
			if takenBy[i] == 0 || take(takenBy[i], tried) {
				takenBy[i] = item
				return true
			}
		}
		return false
	}
	for i := range desired {
		if !take(i+1, make([]bool, len(observed))) {
			return []string{path}
		}
	}
	return nil
}

// DiffSet returns the path of a list whose items have no order, unless the same
// items are observed.
func DiffSet[D, O any](path string, desired []D, observed []O, diff func(string, D, O) []string) []string {
	if len(desired) != len(observed) {
		return []string{path}
	}
	return DiffSubset(path, desired, observed, diff)
}

// DiffItems returns the paths at which the items of a list differ that have the same
// keys, and those of items that are not observed.
func DiffItems[D, O any](path string, desired []D, observed []O, desiredKey func(D) string, observedKey func(O) string, diff func(string, D, O) []string) []string {
	var paths []string
	for _, item := range desired {
		key := desiredKey(item)
		at := path + "[" + key + "]"
		i := slices.IndexFunc(observed, func(other O) bool { return observedKey(other) == key })
		if i < 0 {
			paths = append(paths, at)
			continue
		}
		paths = append(paths, diff(at, item, observed[i])...)
	}
	return paths
}

// DiffKeyed returns the paths of DiffItems, and those of items that are observed but not
// desired.
func DiffKeyed[D, O any](path string, desired []D, observed []O, desiredKey func(D) string, observedKey func(O) string, diff func(string, D, O) []string) []string {
	paths := DiffItems(path, desired, observed, desiredKey, observedKey, diff)
	wanted := make(map[string]int, len(desired))
	for _, item := range desired {
		wanted[desiredKey(item)]++
	}
	for _, other := range observed {
		key := observedKey(other)
		if wanted[key]--; wanted[key] < 0 {
			paths = append(paths, path+"["+key+"]")
		}
	}
	return paths
}

// DiffEntries returns the paths at which the entries of a map differ that have the same
// key, and those of entries that are not observed.
func DiffEntries[K, L ~string, D, O any](path string, desired map[K]D, observed map[L]O, diff func(string, D, O) []string) []string {
	var paths []string
	for _, key := range slices.Sorted(maps.Keys(desired)) {
		at := fmt.Sprintf("%s[%q]", path, key)
		if entry, found := observed[L(key)]; found {
			paths = append(paths, diff(at, desired[key], entry)...)
		} else {
			paths = append(paths, at)
		}
	}
	return paths
}

// MissingEntries returns the paths of the entries of a map whose keys another one lacks.
func MissingEntries[K, L ~string, D, O any](path string, entries map[K]D, others map[L]O) []string {
	var paths []string
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if _, found := others[L(key)]; !found {
			paths = append(paths, fmt.Sprintf("%s[%q]", path, key))
		}
	}
	return paths
}

// DiffMap returns the paths of DiffEntries, and those of entries that are observed but not
// desired.
func DiffMap[K, L ~string, D, O any](path string, desired map[K]D, observed map[L]O, diff func(string, D, O) []string) []string {
	return append(DiffEntries(path, desired, observed, diff), MissingEntries(path, observed, desired)...)
}

// WithoutPaths returns the paths that are not among others.
func WithoutPaths(paths, others []string) []string {
	return slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(others, path) })
}
