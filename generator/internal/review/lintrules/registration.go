package lintrules

import (
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

var registration = &linter.Rule{
	Name:     "registration",
	Doc:      "The program sets up every controller, and its scheme has the kinds of every package.",
	Source:   providerTemplate.section("main", ""),
	Why:      "Nobody reconciles the managed resources of a kind whose controller isn't set up, and no error says so.",
	Severity: linter.Warning,
	Run:      checkRegistration,
}

func checkRegistration(p *linter.Pass) {
	for at, why := range p.Unimportable() {
		p.File(at, why, nil, "%s", why)
	}
	for _, u := range p.Unregistered() {
		if u.IsScheme {
			p.File(u.Pos, u.Name, nil, "no code adds the kinds of this package to a scheme: add its %s to those of the other packages", u.Name)
			continue
		}
		p.File(u.Pos, u.Name, nil, "no code calls %s, so its controllers don't run: call it where the other controllers are set up, or delete it", u.Name)
	}
	handled := map[string]bool{} // the kinds of which code handles a version
	for _, k := range p.Managed() {
		if len(p.Controllers(k)) > 0 {
			handled[k.CRD.Name] = true
		}
	}
	if len(handled) == 0 { // the controllers may be generic
		return
	}
	for _, k := range p.Managed() {
		if !handled[k.CRD.Name] && !p.Mentions("."+k.Object.Name+"{", "."+k.Object.Name+"GroupVersionKind") {
			p.Kind(k, schema.Properties("kind"), nil, "no controller handles %s: write or restore one, and call its Setup, or delete the kind", k.Object.Name)
		}
	}
}
