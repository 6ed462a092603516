package combinations_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A finding is a relation that doesn't hold for a cell.
type finding struct {
	*outcome
	what string
}

// findings are by relation.
type findings struct {
	byRelation map[string][]finding
}

func newFindings() *findings {
	return &findings{byRelation: map[string][]finding{}}
}

// add adds what was found about a cell.
func (f *findings) add(relation string, o *outcome, what string) {
	found := f.byRelation[relation]
	if len(found) > 0 && found[len(found)-1].outcome == o {
		return // one example says enough
	}
	f.byRelation[relation] = append(found, finding{o, what})
}

// mostShown is the number of findings that are shown of a relation.
const mostShown = 60

// deliberate are relations that don't hold everywhere, with the reason. Their findings are only shown.
var deliberate = map[string]string{
	"stored, and Go can't read it": "only Go writes status; a field without a schema refuses nothing; and every definition with a format, a Duration, " +
		"a Quantity or an IntOrString admits some value that Go can't read, so that a warning would be at each",
	"Go's update loses values":                    "the API server accepts lists of numbers as Base64, which Go reads and writes as text",
	"a default hides initProvider":                "the rule hidden-init-provider of lint says so: the author may mean it",
	"the marker has no effect":                    "the marker says what is so without it",
	"no value is accepted":                        "the author's rule is never true, or no value of the pool is long enough",
	"a default makes an accepted object refused":  "of two defaults one counts, which a warning says",
	"the mirror refuses what forProvider takes":   "the API server accepts more where a value has a format, but not twice",
	"initProvider takes what forProvider refuses": "what a struct demands as a whole holds for forProvider and initProvider together; aliases of basic types have no markers",
	"no position in the author's file":            "controller-tools names none in a generic alias",
	"an observe-only object is refused":           "the author's own fields of spec stay required",
	"refused by controller-gen":                   "it doesn't know the types that are generated",
	"Go's update is refused":                      "an embedded resource needs apiVersion and kind, which a struct without them loses",
	"+immutable":                                  "aliases of basic types have no markers",
	"no definition":                               "a marker skips the version",
	"another schema than controller-gen's":        "controller-gen writes an enum without values, which the API server ignores",
}

// report fails the test for each relation that doesn't hold, unless that is deliberate.
func (f *findings) report(t *testing.T) {
	t.Helper()
	for _, relation := range slices.Sorted(maps.Keys(f.byRelation)) {
		found := f.byRelation[relation]
		var b strings.Builder
		for _, one := range found[:min(len(found), mostShown)] {
			fmt.Fprintf(&b, "\t%s: %s\n", one.cell, one.what)
		}
		say := t.Errorf
		if deliberate[relation] != "" {
			say = t.Logf
		}
		say("%s: %d cells (%s)\n%s", relation, len(found), deliberate[relation], &b)
	}
}
