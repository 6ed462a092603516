package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var consistentNames = &linter.Rule{
	Name:     "consistent-names",
	Doc:      "The same thing has the same name in all kinds.",
	Source:   apiPatterns.section("Field Names", "#field-names"),
	Why:      "Users write the same name everywhere, and a composition can patch all kinds alike.",
	Severity: linter.Hint,
	Read:     2, Worth: 2,
	Run: checkConsistentNames,
}

// things are what kinds of one provider have in common.
var things = []string{"account", "location", "namespace", "organization", "project", "region", "tenant", "zone"}

func checkConsistentNames(p *linter.Pass) {
	named := map[string][]*linter.Field{}
	for _, f := range p.ManagedFields() {
		if f.Part == linter.ForProvider && f.IsTop() && f.IsText() {
			named[f.JSONName] = append(named[f.JSONName], f)
		}
	}
	for _, thing := range things {
		// Names that differ in letters alone, or in a word that says no more.
		for _, names := range [][2]string{{thing, thing + "Name"}, {thing + "Id", thing + "ID"}} {
			usual, other := names[0], names[1]
			if len(named[usual]) < len(named[other]) {
				usual, other = other, usual
			}
			if len(named[usual]) < 2*len(named[other]) {
				continue // nobody can tell which is usual
			}
			for _, f := range named[other] {
				if f.JSONParent.Field(usual) == nil {
					p.Field(f, nil, "%d kinds call it %s: call %s the same, in a version to come if there are users", len(named[usual]), usual, other)
				}
			}
		}
	}
}
