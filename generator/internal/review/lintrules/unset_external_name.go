package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

var unsetExternalName = ofClient(linter.Rule{
	Name:   "unset-external-name",
	Doc:    "Create sets the external name that Observe reads, unless Create sends that name.",
	Source: runtimeDocs.section("ExternalClient, Create", "#TypedExternalClient"),
	Why:    "Observe never finds the created resource, and Create makes another one. Only Create's changes of annotations are saved.",
}, func(c *client) {
	if c.Unnamed {
		c.at(c.Create, "Create",
			"Observe finds the resource by its external name, which Create neither sends nor sets: call meta.SetExternalName in Create")
	}
	if c.NameLost != nil {
		c.at(*c.NameLost, "Update", "the reconciler doesn't save an external name that Update sets: set it in Create")
	}
})
