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

// open are relations that are known not to hold everywhere, with the reason. Their findings are only shown.
var open = map[string]string{
	"stored, and Go can't read it": "the API server accepts lists where a text has a format, and any text for a Duration; " +
		"integers beyond 32 bits for IntOrString; and nobody knows what an author's own methods read",
	"Go's update is refused":                      "an author's rule compares text that Go rewrites, or EmbeddedResource is on a struct without apiVersion and kind",
	"Go's update loses values":                    "the API server accepts lists where a text has a format",
	"a default hides initProvider":                "the rule hidden-init-provider of lint says so, which cells do not run",
	"the marker has no effect":                    "markers on kinds' parts, and values that say what is so without them",
	"no value is accepted":                        "the author's rule is never true",
	"a default makes an accepted object refused":  "defaults of members of a choice, and below maps",
	"the mirror refuses what forProvider takes":   "the API server accepts lists where a text has a format, but not twice",
	"initProvider takes what forProvider refuses": "constraints of aliases of basic types, and of whole structs, don't reach initProvider",
	"no position in the author's file":            "generic aliases",
	"an observe-only object is refused":           "required fields of spec itself aren't relaxed",
	"+immutable":                                  "markers on aliases of basic types",
	"no definition":                               "the version is skipped",
	"refused by controller-gen":                   "it doesn't know the types that are generated",
	"another schema than controller-gen's":        "an enum without values",
}

// report fails the test for each relation that doesn't hold, unless it is open.
func (f *findings) report(t *testing.T) {
	t.Helper()
	for _, relation := range slices.Sorted(maps.Keys(f.byRelation)) {
		found := f.byRelation[relation]
		var b strings.Builder
		for _, one := range found[:min(len(found), mostShown)] {
			fmt.Fprintf(&b, "\t%s: %s\n", one.cell, one.what)
		}
		say := t.Errorf
		if open[relation] != "" {
			say = t.Logf
		}
		say("%s: %d cells (%s)\n%s", relation, len(found), open[relation], &b)
	}
}
