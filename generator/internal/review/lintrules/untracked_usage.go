package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var untrackedUsage = ofClient(linter.Rule{
	Name:   "untracked-usage",
	Doc:    "Connect records that the resource uses its ProviderConfig.",
	Source: controllerGuide,
	Why:    "The ProviderConfig can be deleted while resources need it, and these can't be deleted any more.",
}, func(c *client) {
	for _, k := range c.pass.Kinds {
		if c.Untracked && k.Object.Role == model.ProviderConfigUsage {
			c.at(c.Connect, "Connect",
				"%s never records that the resource uses its ProviderConfig: call Track of a tracker of ProviderConfigUsages", c.Connect.Function)
			return
		}
	}
})
