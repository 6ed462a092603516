package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// CodeBaseline is the code of diagnostics about baselines.
const CodeBaseline diag.Code = "lint-baseline"

// A Baseline has findings that are known: the paths of each kind, by rule. Lines don't
// matter.
type Baseline struct{ known map[string]map[Subject]bool }

// NewBaseline returns a baseline with findings.
func NewBaseline(findings []Finding) *Baseline {
	b := &Baseline{known: map[string]map[Subject]bool{}}
	for _, f := range findings {
		for _, p := range f.Places {
			b.add(f.Rule, p)
		}
	}
	return b
}

func (b *Baseline) add(rule string, p Subject) {
	if b.known[rule] == nil {
		b.known[rule] = map[Subject]bool{}
	}
	b.known[rule][p] = true
}

// ParseBaseline reads what [Baseline.Bytes] writes. The name is for diagnostics.
func ParseBaseline(name string, content []byte) (*Baseline, diag.List) {
	b := NewBaseline(nil)
	var document struct {
		Rules map[string]map[string][]string `yaml:"rules"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, diag.List{diag.Errorf(diag.Position{File: name}, CodeBaseline,
			"the baseline can't be read: %v: write it again with mrgen lint --write-baseline", err)}
	}
	for rule, kinds := range document.Rules {
		for kind, paths := range kinds {
			if kind == module {
				kind = ""
			}
			for _, path := range paths {
				b.add(rule, Subject{kind, path})
			}
		}
	}
	return b, nil
}

// module stands in a baseline for what is about no kind.
const module = "module"

// Bytes returns the baseline as YAML, sorted.
func (b *Baseline) Bytes() []byte {
	var text bytes.Buffer
	text.WriteString("# What mrgen lint found when it was run with --write-baseline, and doesn't report.\n")
	if len(b.known) == 0 {
		text.WriteString("rules: {}\n")
		return text.Bytes()
	}
	text.WriteString("rules:\n")
	for _, rule := range slices.Sorted(maps.Keys(b.known)) {
		fmt.Fprintf(&text, "  %s:\n", rule)
		kinds := map[string][]string{}
		for p := range b.known[rule] {
			kinds[p.Kind] = append(kinds[p.Kind], p.Path)
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			slices.Sort(kinds[kind])
			name := kind
			if kind == "" {
				name = module
			}
			fmt.Fprintf(&text, "    %s:\n", name)
			for _, path := range kinds[kind] {
				fmt.Fprintf(&text, "    - %s\n", strconv.Quote(path))
			}
		}
	}
	return text.Bytes()
}

// Apply returns the findings that the baseline doesn't have, and how many places of it have
// none any more. Some rules didn't run: nobody knows about theirs.
func (b *Baseline) Apply(findings []Finding, ran map[string]bool) (fresh []Finding, fixed int) {
	found := NewBaseline(findings)
	for _, f := range findings {
		if !slices.ContainsFunc(f.Places, func(p Subject) bool { return b.known[f.Rule][p] }) {
			fresh = append(fresh, f)
		}
	}
	for rule, places := range b.known {
		for p := range places {
			if is, known := ran[rule]; !found.known[rule][p] && (is || !known) {
				fixed++
			}
		}
	}
	return fresh, fixed
}
