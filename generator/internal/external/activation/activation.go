// Package activation makes ManagedResourceActivationPolicies, which say which MRDs Crossplane
// activates.
package activation

import (
	"bytes"
	"errors"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/validation"
	kubernetesyaml "sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
)

const codeActivation diag.Code = "activation"

// A Match is a pattern, and the names of the MRDs that it matches, sorted.
type Match struct {
	Pattern string
	Names   []string
}

// Policy returns a policy as YAML, and which of the MRDs each of its patterns matches.
func Policy(name string, patterns, mrds []string) ([]byte, []Match, diag.List) {
	var diags diag.List
	if problems := validation.NameIsDNSSubdomain(name, false); len(problems) > 0 {
		diags = append(diags, diag.Errorf(diag.Position{}, codeActivation, "%q is not a name for a policy: %s", name, strings.Join(problems, "; ")))
	}
	var matches []Match
	for i, pattern := range patterns {
		switch {
		case !documented.MatchString(pattern):
			diags = append(diags, diag.Errorf(diag.Position{}, codeActivation,
				"%q is not a pattern: write the name of an MRD, such as buckets.example.org, or its end after an asterisk, such as *.example.org", pattern))
		case slices.Contains(patterns[:i], pattern):
			diags = append(diags, diag.Errorf(diag.Position{}, codeActivation, "%q is given twice: name it once", pattern))
		default:
			m := match(pattern, mrds)
			if len(m.Names) == 0 {
				diags = append(diags, diag.Warningf(diag.Position{}, codeActivation, "%s matches none of the MRDs: correct the pattern, or remove it", pattern))
			}
			matches = append(matches, m)
		}
	}
	if diags.HasErrors() {
		return nil, nil, diags
	}
	content, err := kubernetesyaml.Marshal(map[string]any{
		"apiVersion": "apiextensions.crossplane.io/v1alpha1",
		"kind":       "ManagedResourceActivationPolicy",
		"metadata":   map[string]any{"name": name},
		"spec":       map[string]any{"activate": patterns},
	})
	if err != nil {
		return nil, nil, append(diags, diag.Errorf(diag.Position{}, codeActivation, "the policy can't be written as YAML: %v", err))
	}
	return content, matches, diags
}

// documented matches the patterns that Crossplane documents: the name of an MRD, or its end after an
// asterisk.
var documented = regexp.MustCompile(`^(\*|\*?[a-z0-9.-]+)$`)

// match matches as Crossplane does in
// https://github.com/crossplane/crossplane/blob/v2.4.0/apis/apiextensions/v1alpha1/mrd_policy_types.go
func match(pattern string, mrds []string) Match {
	m := Match{Pattern: pattern}
	for _, name := range mrds {
		// The pattern is well-formed, the only reason for an error.
		if matched, _ := path.Match(pattern, name); matched {
			m.Names = append(m.Names, name)
		}
	}
	slices.Sort(m.Names)
	m.Names = slices.Compact(m.Names)
	return m
}

// Names returns the names of the MRDs in a YAML stream. It ignores other documents.
func Names(file string, content []byte) ([]string, diag.List) {
	var names []string
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for number := 1; ; number++ {
		var document struct {
			Kind     string `yaml:"kind"`
			Metadata struct {
				Name string `yaml:"name"`
			} `yaml:"metadata"`
		}
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, diag.List{diag.Errorf(diag.Position{File: file}, codeActivation,
				"document %d: this can't be read as an MRD: %v: correct it, or have mrgen generate it again", number, err)}
		}
		if document.Kind == "ManagedResourceDefinition" {
			names = append(names, document.Metadata.Name)
		}
	}
}
