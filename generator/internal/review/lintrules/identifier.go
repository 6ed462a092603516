package lintrules

import (
	"bytes"
	"maps"
	"regexp"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var identifier = &linter.Rule{
	Name:     "identifier",
	Doc:      "A required field that the controller reads to observe the resource is marked as an identifier.",
	Source:   observeOnly.section("Required Fields", ""),
	Why:      "The field then stays required for observe-only resources, which can't be found without it; all others can be left out.",
	Severity: linter.Hint,
	Read:     10, Worth: 8,
	Once: true,
	Run:  linter.EachManaged(checkIdentifier),
}

func checkIdentifier(p *linter.Pass, k *linter.Kind) {
	if model.IsOff(k.Object.Type.Markers, markers.Relax) || k.Object.Spec.Part("managementPolicies") == nil {
		return
	}
	var required []*linter.Field
	marked := false
	for _, f := range k.Fields {
		marked = marked || f.OwnMarker(markers.Identifier) != nil
		if f.Part == linter.ForProvider && f.IsTop() && f.Required && !f.IsValue() {
			required = append(required, f)
		}
	}
	if marked || len(required) == 0 {
		return
	}
	controllers := p.Controllers(k)
	for _, f := range required {
		for _, name := range slices.Sorted(maps.Keys(controllers)) {
			if line := observes(controllers[name], f.Name); line > 0 {
				p.Field(f, nil, "%s is required, and %s:%d asks for the resource by it: if that can't be found without it, mark it +%s", f.Name, name,
					line, markers.Identifier)
				break
			}
		}
	}
}

// observe matches the beginning of a controller's method.
var observe = regexp.MustCompile(`(?m)^func \(\w+ \*?\w+\) Observe\(`)

// observes returns the line in which the method Observe gets something from the API by a field
// of forProvider, or 0.
func observes(content []byte, field string) int {
	at := observe.FindIndex(content)
	if at == nil {
		return 0
	}
	body := content[at[0]:]
	if end := bytes.Index(body, []byte("\n}")); end >= 0 {
		body = body[:end]
	}
	// The call that has the field among its arguments, and none that is an argument itself.
	call := regexp.MustCompile(`\.(Get|List|Find|Read|Describe|Lookup|Show|Fetch)([A-Z]\w*)?\([^()]*\bForProvider\.` + field + `\b`)
	read := call.FindIndex(body)
	if read == nil {
		return 0
	}
	return linter.LineAt(content, at[0]+read[0])
}
