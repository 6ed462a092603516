package linter

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// A Pass gives a rule its input, and takes its findings.
type Pass struct {
	*API

	rule     *Rule
	severity Severity
	findings map[cause]*Finding
}

// A cause identifies a finding: by a position, or in a file that isn't Go source, by a name.
type cause struct {
	at   diag.Position
	name string
}

// Field reports a finding at a field, with its correction.
func (p *Pass) Field(f *Field, edits []diag.Edit, format string, args ...any) {
	p.At(f, f.Pos, slices.Concat(f.Markers, f.DeclaringStruct.Markers), edits, format, args...)
}

// At reports a finding about a field at a position where markers may accept it.
func (p *Pass) At(f *Field, at diag.Position, markers []model.Marker, edits []diag.Edit, format string, args ...any) {
	p.add(at, Subject{f.Kind.Name(), f.Path().String()}, slices.Concat(markers, f.Kind.Object.Type.Markers), edits, format, args)
}

// Kind reports a finding at a kind.
func (p *Pass) Kind(k *Kind, at schema.Path, edits []diag.Edit, format string, args ...any) {
	p.add(k.Object.Pos, Subject{k.Name(), at.String()}, k.Object.Type.Markers, edits, format, args)
}

// Detail reports a finding at a marker of a kind. The name tells it from others.
func (p *Pass) Detail(k *Kind, at diag.Position, name, format string, args ...any) {
	p.add(at, Subject{k.Name(), name}, k.Object.Type.Markers, nil, format, args)
}

// Cursor reports a finding at a value.
func (p *Pass) Cursor(k *Kind, at schema.Cursor, format string, args ...any) {
	p.add(at.Pos, Subject{k.Name(), at.Path.String()}, slices.Concat(at.Markers(), k.Object.Type.Markers), nil, format, args)
}

// File reports a finding in a file that isn't Go source.
func (p *Pass) File(at diag.Position, name string, edits []diag.Edit, format string, args ...any) {
	p.add(at, Subject{"", name}, nil, edits, format, args)
}

// Written reports a finding in a file that mrgen may have written, and that another run of it corrects.
func (p *Pass) Written(at diag.Position, name, format string, args ...any) {
	p.File(at, name, nil, format, args...)
	if f := p.findings[cause{at, name}]; f != nil {
		f.mayBeWritten = true
	}
}

// add adds a finding, or another place of one: everything at one position has one cause.
func (p *Pass) add(at diag.Position, place Subject, excepted []model.Marker, edits []diag.Edit, format string, args []any) {
	// The author can't edit other modules.
	if IsOutside(at) {
		return
	}
	by := cause{at: at}
	// A file may have several findings without lines.
	if place.Kind == "" {
		by.name = place.Path
	}
	f := p.findings[by]
	if f == nil {
		message := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
		f = &Finding{Rule: p.rule.Name, Severity: p.severity, Pos: at, Message: message, Edits: edits, format: format}
		p.findings[by] = f
	}
	f.Places, f.excepted = append(f.Places, place), append(f.excepted, excepted)
}

// EachManaged returns the run of a rule that looks at each version of the managed kinds.
func EachManaged(check func(*Pass, *Kind)) func(*Pass) {
	return func(p *Pass) {
		for _, k := range p.Managed() {
			check(p, k)
		}
	}
}

// EachField returns the run of a rule that looks at each field of the managed kinds.
func EachField(check func(*Pass, *Field)) func(*Pass) {
	return func(p *Pass) {
		for _, f := range p.ManagedFields() {
			check(p, f)
		}
	}
}

// A Result has the findings of rules.
type Result struct {
	// Findings, sorted by position.
	Findings []Finding
	// Generated counts the findings in files of generators, which are left out.
	Generated int
}

// Run runs the rules, with the severities in the settings.
func Run(api *API, rules []*Rule, severity map[string]Severity) Result {
	severityOf := func(r *Rule) Severity {
		if s, ok := severity[r.Name]; ok {
			return s
		}
		return r.Severity
	}
	var result Result
	exceptions := exceptions{}
	files := map[string]bool{}
	passes := make([]*Pass, len(rules))
	parallel.Do(len(rules), func(i int) {
		passes[i] = &Pass{API: api, rule: rules[i], severity: severityOf(rules[i]), findings: map[cause]*Finding{}}
		// The rule about exceptions needs the findings of the others.
		if passes[i].severity != Off && rules[i] != Exceptions {
			rules[i].Run(passes[i])
		}
	})
	for _, p := range passes {
		var found []Finding
		for _, f := range p.findings {
			if exceptions.covers(f) {
				continue
			}
			if _, known := files[f.Pos.File]; !known {
				content, err := os.ReadFile(filepath.Join(api.Root, filepath.FromSlash(f.Pos.File)))
				head, _, _ := bytes.Cut(slices.Concat([]byte("\n"), content), []byte("\npackage "))
				files[f.Pos.File] = err == nil && bytes.Contains(head, []byte("DO NOT EDIT")) // in whatever words of a generator
			}
			// The author can't edit these, except through the generator.
			if isOwn := f.mayBeWritten && artifact.Owned([]byte(api.Text(f.Pos.File))); files[f.Pos.File] && !isOwn {
				result.Generated++
				continue
			}
			found = append(found, f.sorted())
		}
		if p.rule.Once {
			found = merged(found)
		}
		result.Findings = append(result.Findings, found...)
	}
	if i := slices.Index(rules, Exceptions); i >= 0 && severityOf(Exceptions) != Off {
		result.Findings = append(result.Findings, exceptions.idle(api, rules, severityOf)...)
	}
	result.Findings = withoutYielding(result.Findings, rules)
	sortFindings(result.Findings)
	return result
}

// withoutYielding removes the findings of rules that yield to another rule's finding at the same position.
func withoutYielding(all []Finding, rules []*Rule) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool {
		rule := rules[slices.IndexFunc(rules, func(r *Rule) bool { return r.Name == f.Rule })]
		return slices.ContainsFunc(all, func(other Finding) bool {
			return other.Pos == f.Pos && slices.ContainsFunc(rule.Yields, func(r *Rule) bool { return r.Name == other.Rule })
		})
	})
}

// merged returns the first of the findings with one message, with the places and edits of all.
func merged(all []Finding) []Finding {
	sortFindings(all)
	var firsts []Finding
	more := map[string]int{}
	for _, f := range all {
		i := slices.IndexFunc(firsts, func(first Finding) bool { return first.format == f.format })
		if i < 0 {
			firsts = append(firsts, f)
			continue
		}
		more[f.format]++
		firsts[i].Places, firsts[i].Edits = append(firsts[i].Places, f.Places...), append(firsts[i].Edits, f.Edits...)
	}
	for i, f := range firsts {
		if n := more[f.format]; n > 0 {
			f.Message += fmt.Sprintf(" (and %d more like it)", n)
			firsts[i] = f.sorted()
		}
	}
	return firsts
}

// Exceptions is the rule about exceptions to other rules. [Run] runs it itself, after the others.
var Exceptions = &Rule{
	Name:     "nolint",
	Doc:      "A marker +mrgen:nolint names a rule that finds something there, and says why that is meant.",
	Source:   Source{"mrgen, Lint: exceptions in source", "https://github.com/mrgen-io/mrgen/blob/main/docs/lint.md"},
	Why:      "An exception without a reason can't be judged later, and one that excepts nothing hides what is found next.",
	Severity: Warning,
	Run:      func(*Pass) {},
}

// sorted returns the finding with its places sorted, each once.
func (f Finding) sorted() Finding {
	slices.SortFunc(f.Places, func(a, b Subject) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path))
	})
	f.Places = slices.Compact(f.Places)
	return f
}

// exceptions are the positions of the markers that accepted findings.
type exceptions map[diag.Position]bool

// covers removes the places of a finding that markers accept, and reports whether none is left.
func (e exceptions) covers(f *Finding) bool {
	var places []Subject
	for i, list := range f.excepted {
		isExcepted := false
		for _, m := range list {
			// An exception without a reason is a finding itself, see idle.
			if reason, ok := exceptionFor(m, f.Rule); ok && reason != "" {
				e[m.Pos], isExcepted = true, true
			}
		}
		if !isExcepted {
			places = append(places, f.Places[i])
		}
	}
	f.Places = places
	return len(places) == 0
}

// exceptionFor returns the reason with which a marker accepts findings of a rule.
func exceptionFor(m model.Marker, rule string) (reason string, ok bool) {
	if !m.Is(markers.NoLint) || !m.Value.Has(rule) {
		return "", false
	}
	return strings.TrimSpace(m.Value.Text(rule)), true
}

// idle returns findings about markers that accept nothing.
func (e exceptions) idle(api *API, rules []*Rule, severityOf func(*Rule) Severity) []Finding {
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	p := &Pass{API: api, rule: Exceptions, severity: severityOf(Exceptions), findings: map[cause]*Finding{}}
	check := func(list []model.Marker, place Subject) {
		for _, m := range list {
			if !m.Is(markers.NoLint) {
				continue
			}
			for _, a := range m.Value.Arguments {
				i := slices.Index(names, a.Name)
				switch {
				case i < 0:
					near := markers.Remedy(a.Name, names, "mrgen lint --list shows the rules")
					p.add(m.Pos, place, nil, nil, "there is no rule %s: %s", []any{a.Name, near})
				case strings.TrimSpace(a.Text) == "":
					p.add(m.Pos, place, nil, nil, "the exception from %s has no reason: write +%s:%s=\"why\"", []any{a.Name, markers.NoLint, a.Name})
				// A rule that is off finds nothing, so its markers may stay.
				case !e[m.Pos] && severityOf(rules[i]) != Off:
					p.add(m.Pos, place, nil, nil, "%s finds nothing here: remove the marker", []any{a.Name})
				}
			}
		}
	}
	for _, k := range api.Kinds {
		check(k.Object.Type.Markers, Subject{k.Name(), "."})
		for _, f := range k.Fields {
			place := Subject{k.Name(), f.Path().String()}
			check(f.Markers, place)
			check(f.DeclaringStruct.Markers, place)
			check(f.Type.Leaf().Markers, place)
		}
	}
	var findings []Finding
	for _, f := range p.findings {
		findings = append(findings, f.sorted())
	}
	return findings
}
