package linter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// CodeBaseline is the code of diagnostics about baselines.
const CodeBaseline diag.Code = "lint-baseline"

// A Baseline has known findings: their rules and places, but no lines, so that code may move.
type Baseline map[known]bool

// A known finding is a rule and a place.
type known struct {
	rule string
	Subject
}

// NewBaseline returns a baseline with findings.
func NewBaseline(findings []Finding) Baseline {
	b := Baseline{}
	for _, f := range findings {
		for _, p := range f.Places {
			b[known{f.Rule, p}] = true
		}
	}
	return b
}

// ParseBaseline reads the output of [Baseline.Bytes]. The name is for diagnostics.
func ParseBaseline(name string, content []byte) (Baseline, diag.List) {
	b := Baseline{}
	var document struct {
		Rules map[string]map[string][]string `yaml:"rules"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, diag.List{diag.Errorf(diag.Position{File: name}, CodeBaseline,
			"the baseline can't be read: %v: correct it, or delete it and run mrgen lint --write-baseline", err)}
	}
	for rule, kinds := range document.Rules {
		for kind, paths := range kinds {
			if kind == module {
				kind = ""
			}
			for _, path := range paths {
				b[known{rule, Subject{kind, path}}] = true
			}
		}
	}
	return b, nil
}

// module is the kind, in a baseline, of findings about no kind.
const module = "module"

// Bytes returns the baseline as YAML, sorted.
func (b Baseline) Bytes() []byte {
	var text bytes.Buffer
	text.WriteString("# What mrgen lint found when it was run with --write-baseline, and doesn't report.\n")
	if len(b) == 0 {
		text.WriteString("rules: {}\n")
		return text.Bytes()
	}
	text.WriteString("rules:\n")
	var last known
	for _, k := range slices.SortedFunc(maps.Keys(b), func(a, b known) int {
		return cmp.Or(strings.Compare(a.rule, b.rule), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path))
	}) {
		if k.rule != last.rule {
			fmt.Fprintf(&text, "  %s:\n", k.rule)
		}
		if k.rule != last.rule || k.Kind != last.Kind {
			fmt.Fprintf(&text, "    %s:\n", cmp.Or(k.Kind, module))
		}
		fmt.Fprintf(&text, "    - %s\n", strconv.Quote(k.Path))
		last = k
	}
	return text.Bytes()
}

// Apply returns the findings that the baseline lacks, and the number of its places without a finding now.
func (b Baseline) Apply(findings []Finding) (fresh []Finding, fixed int) {
	found := NewBaseline(findings)
	for _, f := range findings {
		if !slices.ContainsFunc(f.Places, func(p Subject) bool { return b[known{f.Rule, p}] }) {
			fresh = append(fresh, f)
		}
	}
	for k := range b {
		if !found[k] {
			fixed++
		}
	}
	return fresh, fixed
}
