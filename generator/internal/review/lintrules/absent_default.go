package lintrules

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var absentDefault = &linter.Rule{
	Name: "absent-default",
	Doc:  "An optional object of spec whose fields all have defaults, or are optional, has the default {}.",
	Source: linter.Source{
		Name: "Kubernetes, CustomResourceDefinitions: defaulting",
		URL:  "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting",
	},
	Why:      "The API server fills in the defaults of fields only where somebody sets the object around them.",
	Severity: linter.Hint,
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			// A default in forProvider hides the value in initProvider.
			spec := k.Root(k.Version).Property("spec")
			if spec.Schema != nil && spec.Property("initProvider").Schema == nil {
				checkAbsentDefault(p, k, spec)
			}
		}
	},
}

func checkAbsentDefault(p *linter.Pass, k *linter.Kind, at schema.Cursor) {
	for name, below := range at.Properties() {
		if lost := lostDefault(below); lost != "" {
			p.Cursor(k, below, "the default of %s sets %s only where nobody sets another field of it: give %[2]s that default, and %[1]s the default {}", name, lost)
			continue
		}
		if below.Field != nil && !below.Always() && !isAskedFor(at, name) {
			if set := defaultedBy(below); set != "" {
				p.Cursor(k, below, "where %s is unset, its field %s gets no default: mark it +%s={}", name, set, markers.KubebuilderDefault)
			}
		}
	}
	for below := range at.Below() {
		checkAbsentDefault(p, k, below)
	}
}

// lostDefault returns a field that the default of an object sets and that users who set another field may leave out, or "".
func lostDefault(at schema.Cursor) string {
	set := map[string]any{}
	if at.Schema.Default == nil || at.Field == nil || json.Unmarshal(at.Schema.Default.Raw, &set) != nil || len(set) >= len(at.Schema.Properties) {
		return ""
	}
	for name, below := range at.Properties() {
		if _, isSet := set[name]; isSet && below.Schema.Default == nil && !below.Always() {
			return name
		}
	}
	return ""
}

// isAskedFor reports whether a rule mentions a field of an object, whose absence may mean something.
func isAskedFor(at schema.Cursor, name string) bool {
	for _, rule := range at.Schema.XValidations {
		if strings.Contains(rule.Rule, "self."+name) {
			return true
		}
	}
	return false
}

// defaultedBy returns a field of the author's that has a default in an empty object, or "" if the API server refuses that.
func defaultedBy(at schema.Cursor) string {
	for name, below := range at.Properties() {
		if below.Schema.Default != nil && below.Field != nil && !linter.IsOutside(below.Field.Pos) {
			judge, err := apiserver.NewObjectValidator(&schema.Props{Type: "object", Properties: map[string]schema.Props{"value": *at.Schema}})
			if err == nil && len(judge.Refusals(context.Background(), map[string]any{"value": map[string]any{}})) == 0 {
				return name
			}
			return ""
		}
	}
	return ""
}
