// Package helpers has the functions that generated code may call, whatever the
// types: they are copied beside it, since API packages import no library for this.
package helpers

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

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

// addMissing adds entries whose keys a map lacks.
func addMissing[M ~map[K]D, K, L ~string, D, O any](entries *M, others map[L]O, convert func(O) D) {
	if *entries == nil && others != nil {
		*entries = make(M, len(others))
	}
	for key, other := range others {
		if _, set := (*entries)[K(key)]; !set {
			(*entries)[K(key)] = convert(other)
		}
	}
}

// tryConvertSlice converts the items of a list, unless one can't be converted.
func tryConvertSlice[D, O any](observed []O, convert func(O) (D, bool)) ([]D, bool) {
	items := make([]D, len(observed))
	for i, item := range observed {
		var ok bool
		if items[i], ok = convert(item); !ok {
			return nil, false
		}
	}
	return items, true
}

// tryConvertMap converts the entries of a map, unless one can't be converted.
func tryConvertMap[K, L ~string, D, O any](observed map[L]O, convert func(O) (D, bool)) (map[K]D, bool) {
	entries := make(map[K]D, len(observed))
	for key, entry := range observed {
		converted, ok := convert(entry)
		if !ok {
			return nil, false
		}
		entries[K(key)] = converted
	}
	return entries, true
}

// areUnique reports whether no two items of a list have the same key.
func areUnique[T any, K comparable](items []T, key func(T) K) bool {
	seen := make(map[K]bool, len(items))
	for _, item := range items {
		seen[key(item)] = true
	}
	return len(seen) == len(items)
}

// isBase64 reports whether a text is base64, as the format byte demands.
func isBase64(text string) bool {
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil && text != "" && !strings.ContainsAny(text, "\r\n")
}

// isCIDR reports whether a text is a range of IP addresses.
func isCIDR(text string) bool {
	_, err := netip.ParsePrefix(text)
	return err == nil
}

// isDate reports whether a text is a date.
func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// isDateTime reports whether a text is a date with a time and a time zone.
func isDateTime(text string) bool {
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

// isDuration reports whether a text is a duration.
func isDuration(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

// isIPv4 reports whether a text is an IPv4 address.
func isIPv4(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is4()
}

// isIPv6 reports whether a text is an IPv6 address without a zone.
func isIPv6(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is6() && address.Zone() == ""
}

// isMAC reports whether a text is a hardware address.
func isMAC(text string) bool {
	_, err := net.ParseMAC(text)
	return err == nil
}

// isURI reports whether a text is an absolute URI, or an absolute path.
func isURI(text string) bool {
	_, err := url.ParseRequestURI(text)
	return err == nil
}

// isUUID reports whether a text is a UUID.
func isUUID(text string) bool {
	digits := strings.ReplaceAll(text, "-", "")
	_, err := hex.DecodeString(digits)
	return err == nil && len(digits) == 32 && len(text) == 36 &&
		text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-'
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

// pathsWithin returns those of the paths that lead to one of the fields, or into it. In
// the names of fields, [] stands for any item or entry.
func pathsWithin(paths []string, fields ...string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		path = withoutKeys(path)
		return !slices.ContainsFunc(fields, func(field string) bool {
			rest, found := strings.CutPrefix(path, field)
			return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	})
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

// diffSubset returns the path of a list whose items have no order, unless all of them
// are observed, with others or without.
func diffSubset[D, O any](path string, desired []D, observed []O, diff func(string, D, O) []string) []string {
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

// diffSet returns the path of a list whose items have no order, unless the same
// items are observed.
func diffSet[D, O any](path string, desired []D, observed []O, diff func(string, D, O) []string) []string {
	if len(desired) != len(observed) {
		return []string{path}
	}
	return diffSubset(path, desired, observed, diff)
}

// diffItems returns the paths at which the items of a list differ that have the same
// keys, and those of items that are not observed.
func diffItems[D, O any](path string, desired []D, observed []O, desiredKey func(D) string, observedKey func(O) string, diff func(string, D, O) []string) []string {
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

// diffKeyed returns the paths of diffItems, and those of items that are observed but not
// desired.
func diffKeyed[D, O any](path string, desired []D, observed []O, desiredKey func(D) string, observedKey func(O) string, diff func(string, D, O) []string) []string {
	paths := diffItems(path, desired, observed, desiredKey, observedKey, diff)
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

// diffEntries returns the paths at which the entries of a map differ that have the same
// key, and those of entries that are not observed.
func diffEntries[K, L ~string, D, O any](path string, desired map[K]D, observed map[L]O, diff func(string, D, O) []string) []string {
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

// missingEntries returns the paths of the entries of a map whose keys another one lacks.
func missingEntries[K, L ~string, D, O any](path string, entries map[K]D, others map[L]O) []string {
	var paths []string
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if _, found := others[L(key)]; !found {
			paths = append(paths, fmt.Sprintf("%s[%q]", path, key))
		}
	}
	return paths
}

// diffMap returns the paths of diffEntries, and those of entries that are observed but not
// desired.
func diffMap[K, L ~string, D, O any](path string, desired map[K]D, observed map[L]O, diff func(string, D, O) []string) []string {
	return append(diffEntries(path, desired, observed, diff), missingEntries(path, observed, desired)...)
}

// withoutPaths returns the paths that are not among others.
func withoutPaths(paths, others []string) []string {
	return slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(others, path) })
}
