package lintrules

import (
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

var registration = &linter.Rule{
	Name:     "registration",
	Doc:      "The program sets up every controller, and its scheme has the kinds of every package.",
	Source:   providerTemplate.section("main", ""),
	Why:      "Nobody reconciles the managed resources of a kind whose controller isn't set up, and no error says so.",
	Severity: linter.Warning,
	Run:      checkRegistration,
}

// faults are the messages about mistakes in calls, with a verb for the name.
var faults = map[linter.Fault]string{
	linter.Twice:   "%s is here twice, and the program ends, since names of controllers are unique: delete one",
	linter.Ungated: "%s doesn't wait for the CRD of its kind, and the program ends if that isn't there: write %[1]sGated",
	linter.NoKind:  "no package has the kind %s, so that its controller never starts: correct the name",
	linter.NoList:  "UsageList is the kind %s, which is no list, and the program panics: write %[1]sListGroupVersionKind",
	linter.Unadded: "the program doesn't add the kinds of %s to the scheme of its manager, so that its clients know none: call AddToScheme there",
}

func checkRegistration(p *linter.Pass) {
	for at, why := range p.Unimportable() {
		p.File(at, why, nil, "%s", why)
	}
	for at, m := range p.Miswired(declaresSafeStart(p)) {
		p.File(at, m.Name, nil, faults[m.Fault], m.Name)
	}
	for _, u := range p.Unregistered() {
		if u.IsScheme {
			p.File(u.Pos, u.Name, nil, "no code adds the kinds of this package to a scheme: add its %s to those of the other packages", u.Name)
			continue
		}
		p.File(u.Pos, u.Name, nil, "no code calls %s, so its controllers don't run: call it where the other controllers are set up, or delete it", u.Name)
	}
	handled := map[string]bool{} // the kinds with a version that code handles
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

// declaresSafeStart reports whether the package says that its controllers wait for the CRDs of their kinds.
func declaresSafeStart(p *linter.Pass) bool {
	_, spec := yamlnode.Field(p.YAML(path.Join(p.PackageDir(), metadataFile)), "spec")
	_, capabilities := yamlnode.Field(spec, "capabilities")
	return capabilities != nil && slices.ContainsFunc(capabilities.Content, func(c *yaml.Node) bool { return safeStart.MatchString(c.Value) })
}
