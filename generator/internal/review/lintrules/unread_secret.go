package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var unreadSecret = ofSecret(linter.Rule{
	Name: "unread-secret",
	Doc:  "Some code reads each reference to a secret.",
	Why:  "Users name a secret, and nothing happens.",
}, func(p *linter.Pass, f *linter.Field, _ *controllers.Field) {
	if isUnread(p, f) {
		p.Field(f, nil, "no code reads %s, neither %s nor what it calls: read the secret, or remove the field", f.Name, looked(p, f))
	}
})
