package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var swallowedError = ofClient(linter.Rule{
	Name:   "swallowed-error",
	Doc:    "Create, Update and Delete return the errors of the API, and of values that can't be parsed.",
	Source: runtimeDocs.section("ExternalClient", "#TypedExternalClient"),
	Why:    "The condition Synced is true although nothing was done, and the reconciler waits for the next poll.",
}, func(c *client) {
	for _, call := range c.Swallowed {
		c.at(call.Site, call.Function, "%s doesn't return the error of %s: return it", call.Function, call.Name)
	}
})
