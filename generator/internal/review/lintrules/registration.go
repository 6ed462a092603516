package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var registration = &linter.Rule{
	Name:     "registration",
	Doc:      "The program sets up every controller, its scheme has the kinds of every package, and variables have the kinds of their names.",
	Source:   providerTemplate.section("main", ""),
	Why:      "Nobody reconciles the managed resources of a kind whose controller isn't set up, and no error says so.",
	Severity: linter.Warning,
	Run:      checkRegistration,
}

func checkRegistration(p *linter.Pass) {
	for at, names := range p.WrongKinds() {
		p.File(at, names[0], nil, "this is the kind %s, and the variable is named after %s: correct one of them", names[1], names[0])
	}
	for _, u := range p.Unregistered() {
		if u.IsScheme {
			p.File(u.Pos, u.Name, nil, "no code adds the kinds of this package to a scheme: add its %s to those of the other packages", u.Name)
			continue
		}
		p.File(u.Pos, u.Name, nil, "no code calls %s, so its controllers don't run: call it where the other controllers are set up, or delete it", u.Name)
	}
}
