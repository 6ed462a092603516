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

// An exception is a relation that doesn't hold for some cells, and why that is so.
type exception struct {
	reason string
	// most is the number of such cells among a thousand. More are a fault.
	most int
}

// exceptions are few cells of which a relation can't tell by itself that they are meant.
var exceptions = map[string]exception{
	"+immutable":                                  {"what is unset in a struct may be set once", 1},
	"Go's update means something else":            {"Go omits an empty list of bytes, so that its default comes back", 1},
	"a default hides initProvider":                {"the rule hidden-init-provider of lint says so: the author may mean it", 2},
	"the marker has no effect":                    {"the marker says what is so without it, or the rule ineffective-marker of lint says so", 4},
	"no value is accepted":                        {"no value of the pool is long enough, or in the enumeration", 3},
	"a default makes an accepted object refused":  {"of two defaults one counts, which a warning says", 1},
	"the mirror refuses what forProvider takes":   {"the API server accepts more where a value has a format or a second type, but not twice", 3},
	"the mirror is constrained":                   {"Type and EmbeddedResource say what a value is, in the mirror, too", 2},
	"initProvider takes what forProvider refuses": {"what a struct demands as a whole, and +k8s:required of an empty value, holds for both together", 2},
	"no position in the author's file":            {"controller-tools names none in a generic alias", 3},
	"no definition":                               {"the only version of a kind is skipped", 1},
	"refused by controller-gen":                   {"it doesn't know the types that are generated", 1},
}

// report fails the test for each relation that doesn't hold for one of so many cells, unless that is an exception.
func (f *findings) report(t *testing.T, cells int) {
	t.Helper()
	for _, relation := range slices.Sorted(maps.Keys(f.byRelation)) {
		found := f.byRelation[relation]
		var b strings.Builder
		for _, one := range found[:min(len(found), mostShown)] {
			fmt.Fprintf(&b, "\t%s: %s\n", one.cell, one.what)
		}
		say := t.Errorf
		// Few cells have an exception more or less.
		if known, isKnown := exceptions[relation]; isKnown && len(found) <= 2+known.most*cells/1000 {
			say = t.Logf
		}
		say("%s: %d cells (%s)\n%s", relation, len(found), exceptions[relation].reason, &b)
	}
}
