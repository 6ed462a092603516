package lintrules

import (
	"fmt"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

var fullState = &linter.Rule{
	Name:     "full-state",
	Doc:      "The status of a managed resource has all fields of spec.forProvider, as they were observed.",
	Source:   observeOnly.section("API Changes: Full State under status.atProvider", ""),
	Why:      "It is the only place where an observe-only resource shows its state.",
	Severity: linter.Off,
	Read:     8, Worth: 0,
	Run: linter.EachManaged(checkFullState),
}

// some names one of several fields, and says how many there are.
func some(names []string) string {
	if len(names) == 1 {
		return "the field " + names[0]
	}
	return fmt.Sprintf("%d fields, such as %s,", len(names), names[0])
}

func checkFullState(p *linter.Pass, k *linter.Kind) {
	desired, observed := k.ForProvider(), k.AtProvider()
	if desired == nil || desired.Kind != model.Struct {
		return
	}
	var missing []string
	for _, name := range desired.JSONNames() {
		f := desired.Field(name)
		if p.Secret(f) == "" && (observed == nil || observed.Field(name) == nil) {
			missing = append(missing, name)
		}
	}
	switch {
	case len(missing) == 0:
	case observed == nil:
		p.Kind(k, schema.Properties("status"), nil,
			"%s has no status.atProvider: declare it with the type %sObservation, which mrgen writes if there is none", k.Object.Name,
			k.Object.Name)
	default:
		p.Kind(k, schema.Properties("status", "atProvider"), nil, "status.atProvider of %s lacks %s of spec.forProvider: %s",
			k.Object.Name, some(missing), remedy(desired, observed))
	}
}

// remedy says how the observed state gets a field that it lacks.
func remedy(desired, observed *model.Type) string {
	mirror := "Observed" + desired.Name
	i := slices.IndexFunc(observed.Fields, func(f *model.Field) bool { return f.Embedded && f.Type.Deref().Name == mirror })
	switch {
	case i < 0:
		return fmt.Sprintf("embed %s in %s, which mrgen writes", mirror, observed.Name)
	case !observed.Fields[i].Inline:
		return fmt.Sprintf("give %s in %s the tag `json:\",inline\"`", mirror, observed.Name)
	default: // the author wrote the type, since mrgen's would have the field
		return fmt.Sprintf("declare it in %s, or delete that type, so that mrgen writes it", mirror)
	}
}
