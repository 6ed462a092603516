// Package expect fails tests in the ways that most of them share.
package expect

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// NoError ends a test with an error, unless that is nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// True fails a test, and lets it go on, unless what it says holds. A format and its arguments tell what doesn't.
func True(t testing.TB, holds bool, format string, args ...any) {
	t.Helper()
	if !holds {
		t.Errorf(format, args...)
	}
}

// Must ends a test, unless what it says holds. A format and its arguments tell what doesn't.
func Must(t testing.TB, holds bool, format string, args ...any) {
	t.Helper()
	if !holds {
		t.Fatalf(format, args...)
	}
}

// Value takes a value and its error. What it returns ends a test with the error, or has the value:
// expect.Value(os.ReadFile(name))(t).
func Value[V any](value V, err error) func(testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		NoError(t, err)
		return value
	}
}

// Equal fails a test, and lets it go on, if what it got differs from what it wants, also in fields that aren't exported.
// A format and its arguments may say what that is about.
func Equal(t testing.TB, want, got any, about ...any) {
	t.Helper()
	diff := cmp.Diff(want, got, cmp.Exporter(func(reflect.Type) bool { return true }))
	if diff == "" {
		return
	}
	text := ""
	if len(about) > 0 {
		text = fmt.Sprintf(about[0].(string), about[1:]...) + " "
	}
	t.Errorf("%s(-want +got):\n%s", text, diff)
}

// None ends a test with a list, unless that is empty.
func None[E any](t testing.TB, list []E) {
	t.Helper()
	if len(list) > 0 {
		t.Fatal(list)
	}
}

// Strings returns what elements say, or nil if there are none.
func Strings[E fmt.Stringer](list []E) []string {
	var all []string
	for _, e := range list {
		all = append(all, e.String())
	}
	return all
}
