package lintrules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

var sharedStruct = &linter.Rule{
	Name:     "shared-struct",
	Doc:      "A struct is not in spec and in status at once if it has fields that only one of them can have.",
	Source:   apiPatterns.section("Embedded Structs with Mixed Fields", "#embedded-structs-with-mixed-fields"),
	Why:      "Users are offered fields that nobody reads, and the status shows some that are never observed.",
	Severity: linter.Warning,
	Read:     6, Worth: 3,
	Run: linter.EachField(checkSharedStruct),
}

func checkSharedStruct(p *linter.Pass, f *linter.Field) {
	if f.Part&(linter.AtProvider|linter.Status) == 0 || f.UsedIn&(linter.ForProvider|linter.InitProvider|linter.Spec) == 0 {
		return
	}
	if why := mixed(p, f); why != "" {
		name := stem(f.DeclaringStruct.Name)
		p.At(f, f.DeclaringStruct.Pos, f.DeclaringStruct.Markers, nil,
			"%s is in spec and in status, %s: split it into a type for each, such as %sParameters and %sObservation", f.DeclaringStruct.Name, why, name, name)
	}
}

// mixed says why a field of status has no place in spec, or the other way around, or returns "".
func mixed(p *linter.Pass, f *linter.Field) string {
	side, why := side(p, f)
	s := f.Cursor().Schema
	switch {
	case side != "" && f.Part == linter.AtProvider:
		return fmt.Sprintf("but %s can only be in %s, since it %s", f.Name, side, why)
	case s == nil: // which the API server drops
	case s.Default != nil:
		return fmt.Sprintf("where %s gets its default, which nobody observed", f.Name)
	case len(s.Enum) > 0 && f.Part == linter.AtProvider:
		return fmt.Sprintf("where the API server refuses what the enum of %s lacks", f.Name)
	}
	return ""
}

// side returns the only part that a field can be in, and why, or "".
func side(p *linter.Pass, f *linter.Field) (part, why string) {
	switch {
	case f.IsReference():
		return "spec", "is a reference"
	case p.Secret(f.Field) == mirroring.SecretReference:
		return "spec", "refers to a secret"
	case strings.Contains(f.Doc, "utput") && outputOnly.MatchString(f.Doc):
		return "status", "is said to be an output"
	}
	return "", ""
}

var outputOnly = regexp.MustCompile(`(?i)\[?output[ -]only\b`)

// stem returns the name of a type without its end.
func stem(name string) string {
	for _, end := range []string{"Parameters", "Observation", "Spec", "Status"} {
		if rest, found := strings.CutSuffix(name, end); found && rest != "" {
			return rest
		}
	}
	return name
}
