package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var unsavedSecret = ofClient(linter.Rule{
	Name:   "unsaved-secret",
	Doc:    "Create returns the secrets that it generates as connection details.",
	Source: runtimeDocs.section("ExternalCreation", "#ExternalCreation"),
	Why:    "Nobody can ever read the secret again.",
}, func(c *client) {
	if c.Generated != nil {
		c.at(*c.Generated, "Create",
			"%s generates a secret that no connection details have: return it in ConnectionDetails", c.Generated.Function)
	}
})
