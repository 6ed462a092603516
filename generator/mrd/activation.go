package mrd

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/external/activation"
)

// A Match is a pattern, and the names of the MRDs that it activates.
type Match struct {
	Pattern string
	Names   []string
}

// ActivationPolicy returns a ManagedResourceActivationPolicy as YAML, and which of the MRDs in the
// files each of its patterns activates. It doesn't access the disk. There is no policy if a
// diagnostic is an error.
func ActivationPolicy(name string, patterns []string, mrds []File) ([]byte, []Match, diag.List) {
	var names []string
	var diags diag.List
	for _, f := range mrds {
		found, problems := activation.Names(f.Name, f.Content)
		names = append(names, found...)
		diags = append(diags, problems...)
	}
	if diags.HasErrors() {
		return nil, nil, diags.Sorted()
	}
	content, found, problems := activation.Policy(name, patterns, names)
	var matches []Match
	for _, m := range found {
		matches = append(matches, Match(m))
	}
	return content, matches, problems.Sorted()
}
