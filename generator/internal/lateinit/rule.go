package lateinit

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
)

// ruleFields are the fields of a struct that rules read. Generated code doesn't evaluate
// rules.
type ruleFields struct {
	names []string
	// all is set if a rule may read any field.
	all bool
}

// has reports whether a rule may read the field with that JSON name.
func (r *ruleFields) has(jsonName string) bool {
	return r.all || slices.Contains(r.names, jsonName)
}

// addAll adds the fields that rules read in the struct that a path leads to from self.
func (r *ruleFields) addAll(all []apiextensionsv1.ValidationRule, path ...string) {
	for _, rule := range all {
		r.add(rule.Rule, path)
	}
}

// add adds the fields that a rule reads in the struct that a path leads to from self. A rule
// that reads an object around the struct may depend on all of its fields.
func (r *ruleFields) add(rule string, path []string) {
	parsed, ok := cel.Parse(rule)
	if !ok {
		r.all = true
		return
	}
	for _, c := range parsed.Chains() {
		r.addSelected(c.Names, path)
	}
}

// addSelected adds a field that is selected from self.
func (r *ruleFields) addSelected(selected, path []string) {
	common := min(len(selected), len(path))
	switch {
	case !slices.Equal(selected[:common], path[:common]): // it is elsewhere
	case common == len(selected):
		r.all = true
	default:
		r.names = append(r.names, selected[common])
	}
}
