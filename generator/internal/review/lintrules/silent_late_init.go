package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var silentLateInit = ofClient(linter.Rule{
	Name:   "silent-late-init",
	Doc:    "Observe fills only unset fields of spec, from values that the API has, and sets ResourceLateInitialized if it did.",
	Source: runtimeDocs.section("ExternalObservation", "#ExternalObservation"),
	Why:    "Without it, the fields are lost; if it is always set, every observation writes the resource, and the status is lost.",
}, func(c *client) {
	for _, w := range c.LateInitialized[:min(1, len(c.LateInitialized))] { // one is enough to say so
		c.at(c.Observe, "Observe",
			"%s sets spec's %s, but Observe never sets ResourceLateInitialized, so it isn't saved: set that if spec has changed",
			w.Function, w.Name)
	}
	if c.AlwaysLate {
		c.at(c.Observe, "Observe",
			"Observe always sets ResourceLateInitialized, so each poll writes the resource: set it only if spec has changed")
	}
	for _, w := range c.Endless {
		c.at(w.Site, "Observe",
			"%s reports late initialization of %s even if the API has no value, so it never ends: check the value first", w.Function, w.Name)
	}
	for _, w := range c.Overwritten {
		c.at(w.Site, "Observe", "%s overwrites spec's %s, even if the user has set it: set it only if it is unset", w.Function, w.Name)
	}
})
