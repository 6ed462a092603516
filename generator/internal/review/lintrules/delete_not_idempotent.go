package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var deleteNotIdempotent = ofClient(linter.Rule{
	Name:   "delete-not-idempotent",
	Doc:    "Delete succeeds if the resource doesn't exist.",
	Source: runtimeDocs.section("ExternalClient", "#TypedExternalClient"),
	Why:    "The documentation asks for it: a resource that is gone already shows an error instead of being finalized.",
}, func(c *client) {
	for _, call := range c.Undeleted {
		c.at(call.Site, "Delete", "Delete fails if %s says \"not found\", which Observe tells apart: ignore that error", call.Name)
	}
})
