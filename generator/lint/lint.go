// Package lint checks an API by rules.
package lint

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	rules "github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/review/lintrules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

// A Rule is one of the rules that [Run] checks an API by.
type Rule struct {
	// Name in kebab case.
	Name string
	// Doc says in one sentence what the rule asks for, and Why what users have of it.
	Doc, Why string
	// Source is the document that says so, and the heading in it, and URL where it is.
	Source, URL string
	// Before and After are source with a finding, and without it.
	Before, After string
	// Severity of the findings, if the settings don't say otherwise.
	Severity Severity
	// Fix says in one sentence what mrgen fix lint edits. It is empty if it edits nothing.
	Fix string
	// Narrows is set if the API server refuses objects after the edit that it accepted before. Such a
	// fix is made where it is asked for by name.
	Narrows bool
	// Read is how many findings on real providers were read, and Worth how many of them are worth mending.
	Read, Worth int
}

// A Severity says how much a finding matters.
type Severity uint8

// The severities of findings.
const (
	Off     = Severity(rules.Off)
	Hint    = Severity(rules.Hint)
	Warning = Severity(rules.Warning)
	Error   = Severity(rules.Error)
)

// ParseSeverity returns the severity that a word stands for.
func ParseSeverity(word string) (Severity, bool) {
	severity, ok := rules.ParseSeverity(word)
	return Severity(severity), ok
}

// String returns the word for a severity.
func (s Severity) String() string { return rules.Severity(s).String() }

// A Finding is a departure from a pattern.
type Finding struct {
	Rule     string
	Severity Severity
	Pos      diag.Position
	// Places are what the finding is about, sorted: several kinds may share a type.
	Places  []Subject
	Message string
	// Fixable is set if mrgen fix lint can put it right, and ByName if that narrows the API, so that it only
	// does if it is given the name of the rule.
	Fixable, ByName bool
}

// A Subject is where in the objects of a kind a finding is. The kind is empty if the finding is
// about none.
type Subject struct{ Kind, Path string }

// String returns the finding as one line.
func (f Finding) String() string {
	return rules.Finding{Rule: f.Rule, Severity: rules.Severity(f.Severity), Pos: f.Pos, Message: f.Message}.String()
}

// publicFindings returns findings for users.
func publicFindings(findings []rules.Finding) []Finding {
	return inspection.Each(findings, func(f rules.Finding) Finding {
		places := inspection.Each(f.Places, func(p rules.Subject) Subject { return Subject(p) })
		fixable := len(f.Edits) > 0
		return Finding{f.Rule, Severity(f.Severity), f.Pos, places, f.Message, fixable, fixable && lintrules.RuleOf(f).Fix.Narrows}
	})
}

// Rules returns the rules, sorted by name.
func Rules() []Rule {
	return inspection.Each(lintrules.All, func(r *rules.Rule) Rule {
		before, after := lintrules.Example(r.Name)
		return Rule{
			r.Name, r.Doc, r.Why, r.Source.Name, r.Source.URL, before, after,
			Severity(r.Severity), r.Fix.Doc, r.Fix.Narrows, r.Read, r.Worth,
		}
	})
}

// Counts reports whether any of the findings is more than a hint.
func (r Result) Counts() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity > Hint })
}

// Options are the settings of [Run].
type Options struct {
	// Severity of findings, by rule, where it is not that of the rule.
	Severity map[string]Severity
	// Baseline is the file with findings that are known, relative to the module root; none
	// if it is empty. WriteBaseline has it be written anew.
	Baseline      string
	WriteBaseline bool
	// DryRun leaves the baseline as it is: [Result.Baseline] has the change.
	DryRun bool
	// Partial is set if the settings select more packages than the options of the run.
	Partial bool
}

// A Result is what [Run] has found.
type Result struct {
	// Diagnostics, sorted. Errors don't hide findings: warnings name the kinds that an error leaves out.
	Diagnostics diag.List
	// Findings, sorted by position, without the findings in the baseline.
	Findings []Finding
	// Known counts the findings in the baseline, and Fixed what is in it and isn't found any
	// more. Generated counts findings in files that other generators write.
	Known, Fixed, Generated int
	// Baseline is the change of the baseline, if there is one.
	Baseline []run.Change
}

// Run checks the API of the packages that the options select by the rules. It writes
// nothing but a baseline, if it is asked for. An error is a bug of mrgen or a cancelled context.
func Run(ctx context.Context, options run.Options, opts Options) (Result, error) {
	if opts.Baseline != "" && opts.WriteBaseline {
		return writeBaseline(ctx, options, opts)
	}
	root, some, diags, err := inspection.LoadSome(ctx, options)
	if err != nil || diags.HasErrors() && len(some.Made) == 0 {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	found := lintrules.Find(root, options, some, opts.Partial, opts.Severity)
	result := conclude(root, found, opts)
	if diags.HasErrors() {
		result.Fixed = 0 // a known finding may be in a kind that is left out
	}
	isFound := func(d diag.Diagnostic) bool { // the finding has a correction
		return d.Code == "round-trip" && slices.ContainsFunc(result.Findings, func(f Finding) bool { return f.Rule == "optional-fields" && f.Pos == d.Pos })
	}
	result.Diagnostics = append(result.Diagnostics, slices.DeleteFunc(diags.Sorted(), isFound)...)
	return result, nil
}

// load returns the root of the module, and the definitions of the kinds with their schemas.
func load(ctx context.Context, options run.Options) (string, []stage.Definition, diag.List, error) {
	source, root, diags, err := inspection.Load(ctx, options)
	if err != nil || diags.HasErrors() {
		return root, nil, diags, err
	}
	_, stageDiags, err := inspection.Declare(ctx, source)
	diags = append(diags.Errors(), stageDiags.Errors()...) // generate warns
	if err != nil || diags.HasErrors() {
		return root, nil, diags, err
	}
	definitions, defineDiags, err := inspection.Define(ctx, source, root, options)
	return root, definitions, append(diags, defineDiags...), err
}

// writeBaseline writes the findings to a file, and the warnings of a run.
func writeBaseline(ctx context.Context, options run.Options, opts Options) (Result, error) {
	refused := func(diags diag.List) Result { return Result{Diagnostics: diags.Sorted()} }
	made, err := command.GenerateAll(ctx, options)
	if err != nil || made.Plan == nil {
		return refused(made.Diagnostics), err
	}
	root := made.Plan.Root
	found := lintrules.Find(root, options, stage.Incomplete{Made: made.Definitions}, opts.Partial, opts.Severity)
	name, diags := artifact.Local(opts.Baseline)
	if diags.HasErrors() {
		return refused(diags), nil
	}
	if onDisk, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err == nil {
		if _, problems := rules.ParseBaseline(name, onDisk); problems.HasErrors() {
			return refused(diag.List{diag.Errorf(diag.Position{File: name, Line: 1}, rules.CodeBaseline,
				"this file is not a baseline that mrgen wrote: name another one in lint.baseline, or delete it")}), nil
		}
	}
	plan, diags, err := inspection.PlanFiles(root, map[string][]byte{name: rules.NewBaseline(found.Findings, made.Diagnostics).Bytes()})
	if err != nil || diags.HasErrors() {
		return refused(diags), err
	}
	if !opts.DryRun {
		diags, err = plan.Apply(ctx)
	}
	if err != nil || diags.HasErrors() {
		return refused(diags), err
	}
	return Result{Known: len(found.Findings), Generated: found.Generated, Baseline: plan.Changed()}, nil
}

// Verify is [generator.GenerateAll], and checks the API by the rules, as [Run] does, in the same run.
func Verify(ctx context.Context, options run.Options, opts Options) (generator.Result, Result, error) {
	made, err := command.GenerateAll(ctx, options)
	if err != nil || made.Plan == nil {
		return generator.NewResult(made.Public()), Result{}, err
	}
	found := lintrules.Find(made.Plan.Root, options, stage.Incomplete{Made: made.Definitions}, opts.Partial, opts.Severity)
	return generator.NewResult(made.Public()), conclude(made.Plan.Root, found, opts), nil
}

// conclude compares findings with the baseline.
func conclude(root string, found rules.Result, opts Options) Result {
	result := Result{Findings: publicFindings(found.Findings), Generated: found.Generated}
	if opts.Baseline == "" {
		return result
	}
	baseline, diags := readBaseline(root, opts)
	if diags.HasErrors() {
		return Result{Diagnostics: diags}
	}
	left, fixed := baseline.Apply(found.Findings)
	result.Findings, result.Fixed, result.Known = publicFindings(left), fixed, len(found.Findings)-len(left)
	return result
}

// Fresh returns the diagnostics of a run without the warnings in the baseline.
func Fresh(root string, opts Options, diags diag.List) diag.List {
	if opts.Baseline == "" || !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Warning }) {
		return diags
	}
	baseline, problems := readBaseline(root, opts)
	return append(baseline.Fresh(diags), problems...).Sorted()
}

func readBaseline(root string, opts Options) (rules.Baseline, diag.List) {
	at := diag.Position{File: filepath.ToSlash(opts.Baseline)}
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(opts.Baseline)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.List{diag.Errorf(at, "lint-baseline",
			"there is no baseline: write one with mrgen lint --write-baseline, or remove lint.baseline from mrgen.yaml")}
	}
	if err != nil {
		return nil, diag.List{diag.Errorf(at, "lint-baseline", "the baseline can't be read: %v", diag.Cause(err))}
	}
	return rules.ParseBaseline(at.File, content)
}
