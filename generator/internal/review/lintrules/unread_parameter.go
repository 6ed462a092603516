package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var unreadParameter = ofContract(linter.Rule{
	Name: "unread-parameter",
	Doc:  "Some code reads each field of spec.forProvider.",
	Why:  "Users set the field, and nothing happens.",
	Run: func(p *linter.Pass) {
		eachParameter(p, func(f *linter.Field, _ *controllers.Field) {
			if isUnread(p, f) && !isSecret(p, f) {
				p.Field(f, nil, "no code reads %s, neither %s nor what it calls: send it to the API, or remove the field", f.Name, looked(p, f))
			}
		})
	},
})

// isUnread reports whether no code reads a field or one below, although it reads one around it.
func isUnread(p *linter.Pass, f *linter.Field) bool {
	isRead := func(c *controllers.Field) bool { return len(c.Read) > 0 }
	return lacks(p, f, isRead) && !isWithin(p, f.ParentField, isRead)
}
