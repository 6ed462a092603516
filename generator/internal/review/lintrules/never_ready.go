package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var neverReady = ofClient(linter.Rule{
	Name: "never-ready",
	Doc:  "Observe sets the condition Ready to true.",
	Why:  "Compositions and users wait for Ready, which never comes.",
}, func(c *client) {
	if c.NeverReady {
		c.at(c.Observe, "Observe", "no code sets the condition Ready to true: call SetConditions with Available in Observe")
	}
})
