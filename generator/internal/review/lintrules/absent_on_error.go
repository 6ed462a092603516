package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var absentOnError = ofClient(linter.Rule{
	Name:   "absent-on-error",
	Doc:    "Observe says that a resource doesn't exist only if the API says so.",
	Source: runtimeDocs.section("ExternalObservation", "#ExternalObservation"),
	Why:    "Any failure of the network makes the reconciler create the resource once more, or forget the one it deletes.",
}, func(c *client) {
	for _, call := range c.Absences {
		c.at(call.Site, "Observe",
			"for any error of %s, Observe says that the resource doesn't exist: return the error unless it means \"not found\"", call.Name)
	}
})
