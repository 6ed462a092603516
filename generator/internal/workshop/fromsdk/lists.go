package fromsdk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/markers"
)

// described returns the names of methods, with a type where several have the same.
func described(all []*method) []string {
	return each(all, func(m *method) string {
		if same := filter(all, func(other *method) bool { return other.name == m.name }); len(same) > 1 {
			return m.names()[1]
		}
		return m.name
	})
}

// mostNames is how many names a decision has.
const mostNames = 6

// some returns the first of many names.
func some(names []string, conjunction string) string {
	if more := len(names) - mostNames; more > 1 {
		return fmt.Sprintf("%s %s %d more", strings.Join(names[:mostNames], ", "), conjunction, more)
	}
	return strings.Join(names, ", ")
}

// nearest returns the end of a message that says that a name is not known, "" if no other one is near.
func nearest(name string, known []string) string {
	if near, found := markers.Nearest(name, known); found {
		return ", and the nearest name is " + near
	}
	return ""
}

// narrowed returns the methods to keep, or all if there are none.
func narrowed[T any](all []T, keep func(T) bool) []T {
	if kept := filter(all, keep); len(kept) > 0 {
		return kept
	}
	return all
}

// first returns the first one that is accepted, the zero value if there is none.
func first[T any](all []T, is func(T) bool) (found T) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		found = all[i]
	}
	return found
}

// rank sorts by a number, the least first, and leaves the order of others.
func rank[T any](all []T, of func(T) int) {
	slices.SortStableFunc(all, func(a, b T) int { return of(a) - of(b) })
}

func boolInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// each returns what a function makes of each one.
func each[T, U any](all []T, of func(T) U) (made []U) {
	for _, one := range all {
		made = append(made, of(one))
	}
	return made
}

// unique returns each one once.
func unique(all []string) (kept []string) {
	for _, one := range all {
		if !slices.Contains(kept, one) {
			kept = append(kept, one)
		}
	}
	return kept
}

func filter[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !keep(one) })
}
