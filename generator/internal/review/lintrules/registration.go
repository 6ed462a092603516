package lintrules

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

var registration = &linter.Rule{
	Name:     "registration",
	Doc:      "The program sets up every controller, which calls methods that its kind has, and its scheme has the kinds of every package.",
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
	checkSpecCalls(p)
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

// ofSpec matches a call of a method that mrgen writes for spec if it has initProvider, and otherwise for spec.forProvider.
var ofSpec = regexp.MustCompile(`\.Spec\.(ForProvider\.)?(LateInitialize|Diff|CreateParameters)\(`)

// checkSpecCalls reports calls of methods that moved with spec.initProvider, which came or went.
func checkSpecCalls(p *linter.Pass) {
	handles := map[string][]*linter.Kind{}
	for _, k := range p.Managed() {
		for name, content := range p.Controllers(k) {
			if !artifact.Owned(content) {
				handles[name] = append(handles[name], k)
			}
		}
	}
	for name, kinds := range handles {
		spec := kinds[0].Object.Spec
		if len(kinds) > 1 || spec == nil || kinds[0].ForProvider() == nil { // the spec may be of any
			continue
		}
		content := p.Text(name)
		hasInitial := spec.Part("initProvider") != nil
		for _, m := range ofSpec.FindAllStringSubmatchIndex(content, -1) {
			at, method := diag.Position{File: name, Line: linter.LineAt(content, m[0])}, content[m[4]:m[5]]
			switch isOfSpec := m[2] < 0; {
			case isOfSpec == hasInitial, method == "Diff" && !isOfSpec, declaresMethod(p, kinds[0], method):
			case method == "CreateParameters":
				p.File(at, method, nil, "%s has no spec.initProvider, with which this method went: write Spec.ForProvider", kinds[0].Object.Name)
			case isOfSpec:
				p.File(at, method, nil, "%s has no spec.initProvider, with which this method went: write Spec.ForProvider.%s", kinds[0].Object.Name, method)
			default:
				p.File(at, method, nil, "%s has spec.initProvider, which this leaves out: write Spec.%s", kinds[0].Object.Name, method)
			}
		}
	}
}

// declaresMethod reports whether the author declares a method of the name for the spec of a kind.
func declaresMethod(p *linter.Pass, k *linter.Kind, method string) bool {
	for _, content := range p.Matching(path.Join(k.Object.Package.Dir, "*.go")) {
		if !artifact.Owned([]byte(content)) && strings.Contains(content, k.Object.Spec.Type.Deref().Name+") "+method+"(") {
			return true
		}
	}
	return false
}

// declaresSafeStart reports whether the package says that its controllers wait for the CRDs of their kinds.
func declaresSafeStart(p *linter.Pass) bool {
	_, spec := yamlnode.Field(p.YAML(path.Join(p.PackageDir(), metadataFile)), "spec")
	_, capabilities := yamlnode.Field(spec, "capabilities")
	return capabilities != nil && slices.ContainsFunc(capabilities.Content, func(c *yaml.Node) bool { return safeStart.MatchString(c.Value) })
}
