package mrdfiles

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/definitions"
)

const codeActivation diag.Code = "activation"

// A Match is a pattern and the names of the MRDs that it activates, sorted.
type Match struct {
	Pattern string
	Names   []string
}

// pattern matches the patterns that Crossplane documents: the name of an MRD, or an asterisk and the end of a
// name.
var pattern = regexp.MustCompile(`^(\*|\*?[a-z0-9.-]+)$`)

// ActivationPolicy returns a ManagedResourceActivationPolicy as YAML, and the MRDs in the files that each of
// its patterns activates. It doesn't access the disk. There is no policy if a diagnostic is an error.
func ActivationPolicy(name string, patterns []string, mrds []File) ([]byte, []Match, diag.List) {
	var files []definitions.File
	for _, f := range mrds {
		files = append(files, definitions.File(f))
	}
	found, diags := definitions.Read(files)
	if diags.HasErrors() {
		return nil, nil, diags.Sorted()
	}
	if problems := validation.NameIsDNSSubdomain(name, false); len(problems) > 0 {
		diags = append(diags,
			diag.Errorf(diag.Position{}, codeActivation, "%q is not a name for a policy: %s", name, strings.Join(problems, "; ")))
	}
	var matches []Match
	for i, p := range patterns {
		m := Match{Pattern: p}
		for _, d := range found {
			// Crossplane matches in the same way:
			// https://github.com/crossplane/crossplane/blob/v2.4.0/apis/apiextensions/v1alpha1/mrd_policy_types.go
			if matched, _ := path.Match(p, d.CRD.Name); matched && d.Managed {
				m.Names = append(m.Names, d.CRD.Name)
			}
		}
		slices.Sort(m.Names)
		m.Names = slices.Compact(m.Names)
		matches = append(matches, m)
		switch {
		case !pattern.MatchString(p): // Crossplane would ignore it
			diags = append(diags, diag.Errorf(diag.Position{}, codeActivation,
				"%q is not a pattern: write the name of an MRD, such as buckets.example.org, or its end after an asterisk, such as *.example.org", p))
		case slices.Contains(patterns[:i], p):
			diags = append(diags, diag.Errorf(diag.Position{}, codeActivation, "%q is given twice: name it once", p))
		// Only a warning: a later release may add such a kind.
		case len(m.Names) == 0:
			diags = append(diags, diag.Warningf(diag.Position{}, codeActivation,
				"%s matches none of the MRDs: correct the pattern, or remove it", p))
		}
	}
	if diags.HasErrors() {
		return nil, nil, diags.Sorted()
	}
	policy, _ := yaml.Marshal(map[string]any{ // texts can't fail
		"apiVersion": "apiextensions.crossplane.io/v1alpha1",
		"kind":       "ManagedResourceActivationPolicy",
		"metadata":   map[string]any{"name": name},
		"spec":       map[string]any{"activate": patterns},
	})
	return policy, matches, diags.Sorted()
}
