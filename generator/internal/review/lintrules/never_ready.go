package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var neverReady = ofClient(linter.Rule{
	Name:   "never-ready",
	Doc:    "Observe sets the condition Ready to true.",
	Why:    "Compositions and users wait for Ready, which never comes.",
	Before: "cr.SetConditions(xpv2.Creating())\nreturn managed.ExternalObservation{ResourceExists: true}, nil",
	After:  "if bucket.State == sdk.StateActive {\n\tcr.SetConditions(xpv2.Available())\n}",
}, func(c *client) {
	if c.NeverReady {
		c.at(c.Observe, "Observe", "no code sets the condition Ready to true: call SetConditions with Available in Observe")
	}
})
