package linter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// CodeBaseline is the code of diagnostics about baselines.
const CodeBaseline diag.Code = "lint-baseline"

// A Baseline has known findings, by rule and place, and known warnings, by code, file and message. It has no lines,
// so that code may move.
type Baseline map[known]bool

// A known finding is a rule and a place. A known warning is a code, and its file in place of the kind, and its message.
type known struct {
	section, rule string
	Subject
}

// The sections of a baseline.
const (
	rulesSection    = "rules"
	warningsSection = "warnings"
)

// NewBaseline returns a baseline with findings, and with the warnings among diagnostics.
func NewBaseline(findings []Finding, diags diag.List) Baseline {
	b := Baseline{}
	for _, f := range findings {
		for _, p := range f.Places {
			b[known{rulesSection, f.Rule, p}] = true
		}
	}
	for _, d := range diags {
		if d.Severity == diag.Warning {
			b[knownWarning(d)] = true
		}
	}
	return b
}

func knownWarning(d diag.Diagnostic) known {
	return known{warningsSection, string(d.Code), Subject{d.Pos.File, lines.ReplaceAllString(d.Message, "$1")}}
}

// lines matches the lines of positions in messages.
var lines = regexp.MustCompile(`(\.\w+):\d+(:\d+)?`)

// Fresh returns the diagnostics without the known warnings.
func (b Baseline) Fresh(diags diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		return d.Severity == diag.Warning && b[knownWarning(d)]
	})
}

// ParseBaseline reads the output of [Baseline.Bytes]. The name is for diagnostics.
func ParseBaseline(name string, content []byte) (Baseline, diag.List) {
	b := Baseline{}
	var document map[string]map[string]map[string][]string
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	err := decoder.Decode(&document)
	for section := range document {
		if section != rulesSection && section != warningsSection {
			err = fmt.Errorf("it has no section %q", section)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, diag.List{diag.Errorf(diag.Position{File: name}, CodeBaseline,
			"the baseline can't be read: %v: correct it, or delete it and run mrgen lint --write-baseline", err)}
	}
	for section, rules := range document {
		for rule, kinds := range rules {
			for kind, paths := range kinds {
				if kind == module {
					kind = ""
				}
				for _, path := range paths {
					b[known{section, rule, Subject{kind, path}}] = true
				}
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
	text.WriteString("# Findings and warnings that mrgen lint --write-baseline found, and that mrgen doesn't report.\n")
	if len(b) == 0 {
		text.WriteString("rules: {}\n")
		return text.Bytes()
	}
	var last known
	for _, k := range slices.SortedFunc(maps.Keys(b), func(a, b known) int {
		return cmp.Or(strings.Compare(a.section, b.section), strings.Compare(a.rule, b.rule), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path))
	}) {
		if k.section != last.section {
			fmt.Fprintf(&text, "%s:\n", k.section)
		}
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
	found := NewBaseline(findings, nil)
	for _, f := range findings {
		if !slices.ContainsFunc(f.Places, func(p Subject) bool { return b[known{rulesSection, f.Rule, p}] }) {
			fresh = append(fresh, f)
		}
	}
	for k := range b {
		if k.section == rulesSection && !found[k] {
			fixed++
		}
	}
	return fresh, fixed
}
