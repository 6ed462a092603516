// Package helpers has the functions that generated code may call, whatever the
// types: they are copied beside it, since API packages import no library for this.
package helpers

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
)

// pointerTo returns a pointer to a value.
func pointerTo[T any](value T) *T { return &value }

// valueOf returns what a pointer points to, or the zero value if it is nil.
func valueOf[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}

// isZero reports whether a value is the zero value of its type.
func isZero[T any](value T) bool { return reflect.ValueOf(&value).Elem().IsZero() }

// deepCopy returns a copy of a value that shares no memory with it.
func deepCopy[T any, P interface {
	*T
	DeepCopyInto(*T)
}](value T) T {
	var out T
	P(&value).DeepCopyInto(&out)
	return out
}

// convertSlice converts the items of a list.
func convertSlice[D, O any](observed []O, convert func(O) D) []D {
	items := make([]D, len(observed))
	for i, item := range observed {
		items[i] = convert(item)
	}
	return items
}

// convertMap converts the entries of a map.
func convertMap[K, L ~string, D, O any](observed map[L]O, convert func(O) D) map[K]D {
	entries := make(map[K]D, len(observed))
	for key, entry := range observed {
		entries[K(key)] = convert(entry)
	}
	return entries
}

// addMissing adds the observed entries whose keys a map lacks, and reports whether
// there were any.
func addMissing[M ~map[K]D, K, L ~string, D, O any](desired *M, observed map[L]O, convert func(O) D) bool {
	changed := false
	for key, entry := range observed {
		if _, set := (*desired)[K(key)]; set {
			continue
		}
		if *desired == nil {
			*desired = M{}
		}
		(*desired)[K(key)] = convert(entry)
		changed = true
	}
	return changed
}

// itself returns a value as it is.
func itself[T any](value T) T { return value }

// pathIf returns a path if what is there differs.
func pathIf(differs bool, path string) []string {
	if differs {
		return []string{path}
	}
	return nil
}

// diffValue returns the path of a value that differs.
func diffValue[T comparable](path string, desired, observed T) []string {
	return pathIf(desired != observed, path)
}

// sameQuantity reports whether two quantities are the same amount, in whatever
// form they are written.
func sameQuantity(desired, observed resource.Quantity) bool { return desired.Cmp(observed) == 0 }

// sameJSON reports whether two values have the same JSON form, which is what the
// API server keeps of them.
func sameJSON[D, O any](desired D, observed O) bool {
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

// diffSlice returns the paths at which the items of a list differ, or that of the
// list if it has more or fewer items.
func diffSlice[D, O any](path string, desired []D, observed []O, diff func(string, D, O) []string) []string {
	if len(desired) != len(observed) {
		return []string{path}
	}
	var paths []string
	for i := range desired {
		paths = append(paths, diff(fmt.Sprintf("%s[%d]", path, i), desired[i], observed[i])...)
	}
	return paths
}

// diffSet returns the path of a list whose items have no order, unless the same
// items are observed.
func diffSet[D, O any](path string, desired []D, observed []O, diff func(string, D, O) []string) []string {
	unmatched := slices.Clone(observed)
	for _, item := range desired {
		i := slices.IndexFunc(unmatched, func(other O) bool { return len(diff(path, item, other)) == 0 })
		if i < 0 {
			return []string{path}
		}
		unmatched = slices.Delete(unmatched, i, i+1)
	}
	return pathIf(len(unmatched) > 0, path)
}

// diffKeyed returns the paths at which the items of a list differ that have the
// same keys, those of items that are not observed, and that of the list if there
// are others.
func diffKeyed[D, O any](path string, desired []D, observed []O, desiredKey func(D) string, observedKey func(O) string, diff func(string, D, O) []string) []string {
	unmatched := slices.Clone(observed)
	var paths []string
	for _, item := range desired {
		key := desiredKey(item)
		at := path + "[" + key + "]"
		i := slices.IndexFunc(unmatched, func(other O) bool { return observedKey(other) == key })
		if i < 0 {
			paths = append(paths, at)
			continue
		}
		paths = append(paths, diff(at, item, unmatched[i])...)
		unmatched = slices.Delete(unmatched, i, i+1)
	}
	return append(paths, pathIf(len(unmatched) > 0, path)...)
}

// diffMap returns the paths at which the entries of a map differ that have the same
// key, and those of entries that are not observed. Other observed entries are no
// contradiction.
func diffMap[K, L ~string, D, O any](path string, desired map[K]D, observed map[L]O, diff func(string, D, O) []string) []string {
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
