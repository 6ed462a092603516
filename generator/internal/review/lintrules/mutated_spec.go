package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var mutatedSpec = ofClient(linter.Rule{
	Name:   "mutated-spec",
	Doc:    "Spec and metadata stay as they are, except in late initialization and for annotations that Create sets.",
	Source: runtimeDocs.section("ExternalClient, Create", "#TypedExternalClient"),
	Why:    "The reconciler discards such changes, or saves them with the next late initialization, against the user's manifest.",
}, func(c *client) {
	for _, w := range c.Mutated {
		c.at(w.Site, w.Function, "%s changes %s of the resource, which the reconciler discards: change a copy", w.Function, w.Name)
	}
	for _, w := range c.Sorted {
		c.at(w.Site, w.Function, "%s sorts %s in place, which changes spec: sort a copy", w.Function, w.Name)
	}
})
