package generator

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/authoring/fix"
	"github.com/mrgen-io/mrgen/generator/internal/authoring/scaffold"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint"
	"github.com/mrgen-io/mrgen/generator/internal/report/lint/catalog"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
	"github.com/mrgen-io/mrgen/generator/run"
)

// A LintRule is one of the rules that [Lint] checks an API by.
type LintRule struct {
	// Name in kebab case.
	Name string
	// Doc says in one sentence what the rule asks for, and Why what users have of it.
	Doc, Why string
	// Source is the document that says so, and the heading in it, and URL where it is.
	Source, URL string
	// Before and After are source with a finding, and without it.
	Before, After string
	// Severity of the findings, if the settings don't say otherwise.
	Severity LintSeverity
	// Fix says in one sentence what [FixLint] edits. It is empty if it edits nothing.
	Fix string
	// Narrows is set if the API server refuses objects after the edit that it accepted before. Such a
	// fix is made where it is asked for by name.
	Narrows bool
}

// A LintSeverity says how much a finding matters.
type LintSeverity = lint.Severity

// A Finding is a departure from a pattern.
type Finding struct {
	Rule     string
	Severity LintSeverity
	Pos      diag.Position
	// Places are what the finding is about, sorted: several kinds may share a type.
	Places  []FindingPlace
	Message string
	// Fixable is set if [FixLint] can put it right, and ByName if that narrows the API, so that it only
	// does if it is given the name of the rule.
	Fixable, ByName bool
}

// A FindingPlace is where in the objects of a kind a finding is. The kind is empty if the finding is
// about none.
type FindingPlace struct{ Kind, Path string }

// String returns the finding as one line.
func (f Finding) String() string {
	return lint.Finding{Rule: f.Rule, Severity: f.Severity, Pos: f.Pos, Message: f.Message}.String()
}

// publicFindings returns findings for users.
func publicFindings(findings []lint.Finding) []Finding {
	return each(findings, func(f lint.Finding) Finding {
		places := each(f.Places, func(p lint.Place) FindingPlace { return FindingPlace(p) })
		fixable := len(f.Edits) > 0
		return Finding{f.Rule, f.Severity, f.Pos, places, f.Message, fixable, fixable && ruleOf(f).Fix.Narrows}
	})
}

// ruleOf returns the rule that found something.
func ruleOf(f lint.Finding) *lint.Rule {
	return catalog.All[slices.IndexFunc(catalog.All, func(r *lint.Rule) bool { return r.Name == f.Rule })]
}

// The severities of findings.
const (
	LintOff     = lint.Off
	LintHint    = lint.Hint
	LintWarning = lint.Warning
	LintError   = lint.Error
)

// ParseLintSeverity returns the severity that a word stands for.
func ParseLintSeverity(word string) (LintSeverity, bool) { return lint.ParseSeverity(word) }

// LintRules returns the rules, sorted by name.
func LintRules() []LintRule {
	return each(catalog.All, func(r *lint.Rule) LintRule {
		return LintRule{r.Name, r.Doc, r.Why, r.Source.Title, r.Source.URL, r.Before, r.After, r.Severity, r.Fix.Doc, r.Fix.Narrows}
	})
}

// CountsAsFinding reports whether any of the findings is more than a hint.
func CountsAsFinding(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity > LintHint })
}

// LintOptions are the settings of [Lint].
type LintOptions struct {
	// Severity of findings, by rule, where it is not that of the rule.
	Severity map[string]LintSeverity
	// Baseline is the file with findings that are known, relative to the module root; none
	// if it is empty. WriteBaseline has it be written anew.
	Baseline      string
	WriteBaseline bool
	// DryRun leaves the baseline as it is: [Findings.Baseline] has the change.
	DryRun bool
}

// Findings are what [Lint] has found.
type Findings struct {
	// Diagnostics, sorted. If any is an error, nothing else counts.
	Diagnostics diag.List
	// Findings, sorted by position, less those in the baseline.
	Findings []Finding
	// Known counts the findings in the baseline, and Fixed what is in it and isn't found any
	// more. Generated counts findings in files that other generators write.
	Known, Fixed, Generated int
	// Baseline is the change of the baseline, if there is one.
	Baseline []Change
}

// Lint checks the API of the packages that the options select by the rules. It writes
// nothing but a baseline, if it is asked for. An error is a bug of mrgen or a cancelled context.
func Lint(ctx context.Context, options run.Options, how LintOptions) (Findings, error) {
	source, root, diags, err := loadToFix(ctx, options)
	if err != nil || diags.HasErrors() {
		return Findings{Diagnostics: diags.Sorted()}, err
	}
	_, stageDiags, err := pipeline.Run(ctx, source, pipeline.Options{}, pipeline.Declaring(stages))
	diags = append(onlyErrors(diags), onlyErrors(stageDiags)...) // generate warns
	if err != nil || diags.HasErrors() {
		return Findings{Diagnostics: diags.Sorted()}, err
	}
	definitions, defineDiags, err := define(ctx, source, root, options)
	diags = append(diags, defineDiags...)
	if err != nil || diags.HasErrors() {
		return Findings{Diagnostics: diags.Sorted()}, err
	}
	found := lintDefinitions(root, options, definitions, how)
	if how.Baseline != "" && how.WriteBaseline {
		return writeBaseline(ctx, root, found, how)
	}
	return conclude(root, found, how), nil
}

// writeBaseline writes the findings to a file.
func writeBaseline(ctx context.Context, root string, found lint.Result, how LintOptions) (Findings, error) {
	refused := func(diags diag.List) Findings { return Findings{Diagnostics: diags.Sorted()} }
	name, diags := artifact.Local(how.Baseline)
	if diags.HasErrors() {
		return refused(diags), nil
	}
	if onDisk, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err == nil {
		if _, problems := lint.ParseBaseline(name, onDisk); problems.HasErrors() {
			return refused(diag.List{diag.Errorf(diag.Position{File: name, Line: 1}, lint.CodeBaseline,
				"this file is not a baseline that mrgen wrote: name another one in lint.baseline, or delete it")}), nil
		}
	}
	plan, diags, err := planFiles(root, scaffold.Files{name: lint.NewBaseline(found.Findings).Bytes()})
	if err != nil || diags.HasErrors() {
		return refused(diags), err
	}
	if !how.DryRun {
		diags, err = plan.Apply(ctx)
	}
	if err != nil || diags.HasErrors() {
		return refused(diags), err
	}
	return Findings{Known: len(found.Findings), Generated: found.Generated, Baseline: Result{plan: plan}.Changes()}, nil
}

// Lint checks the API of a run with [run.Options.KeepSchemas] by the rules, as [Lint] does.
func (r Result) Lint(options run.Options, how LintOptions) Findings {
	if r.plan == nil || r.definitions == nil {
		return Findings{}
	}
	return conclude(r.plan.Root, lintDefinitions(r.plan.Root, options, r.definitions, how), how)
}

func lintDefinitions(root string, options run.Options, definitions []pipeline.Definition, how LintOptions) lint.Result {
	api := lint.NewAPI(root, definitions)
	api.CRDDir, api.MRDDir = filepath.ToSlash(options.CRDDir), filepath.ToSlash(options.MRDDir)
	return lint.Run(api, catalog.All, how.Severity)
}

// conclude compares findings with the baseline.
func conclude(root string, found lint.Result, how LintOptions) Findings {
	result := Findings{Findings: publicFindings(found.Findings), Generated: found.Generated}
	if how.Baseline == "" {
		return result
	}
	file := filepath.Join(root, filepath.FromSlash(how.Baseline))
	at := diag.Position{File: filepath.ToSlash(how.Baseline)}
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Findings{Diagnostics: diag.List{diag.Errorf(at, "lint-baseline", "there is no baseline: write one with mrgen lint --write-baseline, or remove lint.baseline from mrgen.yaml")}}
	}
	if err != nil {
		return Findings{Diagnostics: diag.List{diag.Errorf(at, "lint-baseline", "the baseline can't be read: %v", diag.Cause(err))}}
	}
	baseline, diags := lint.ParseBaseline(at.File, content)
	if diags.HasErrors() {
		return Findings{Diagnostics: diags}
	}
	left, fixed := baseline.Apply(found.Findings)
	result.Findings, result.Fixed, result.Known = publicFindings(left), fixed, len(found.Findings)-len(left)
	return result
}

// onlyErrors returns the errors among diagnostics.
func onlyErrors(diags diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// FixLint puts right what rules have found, where that is safe, in the author's source: those
// with the names, or all that narrow no API if there are none. A field becomes a pointer where
// the module compiles after it; the code that uses it is in the warnings. The result is as that
// of [Generate].
func FixLint(ctx context.Context, options run.Options, how LintOptions, names []string) (Result, error) {
	return runFix(ctx, options, func(loaded *build.Source, source fix.Source) (*artifact.Set, diag.List, error) {
		definitions, diags, err := define(ctx, loaded, source.Root, options)
		if err != nil || diags.HasErrors() {
			return nil, diags, err
		}
		found := lintDefinitions(source.Root, options, definitions, how).Findings
		found = slices.DeleteFunc(found, func(f lint.Finding) bool {
			return len(f.Edits) == 0 || len(names) == 0 && ruleOf(f).Fix.Narrows || len(names) > 0 && !slices.Contains(names, f.Rule)
		})
		return fixFindings(ctx, loaded, source, options, found)
	})
}

// fixFindings edits what findings name. Fields become pointers that no code uses in a way
// that would not compile then.
func fixFindings(ctx context.Context, loaded *build.Source, source fix.Source, options run.Options, found []lint.Finding) (*artifact.Set, diag.List, error) {
	edited, pointers, diags, err := fix.Lint(source, found, options.RequiredRules, nil)
	if err != nil || len(pointers) == 0 || diags.HasErrors() {
		return edited, diags, err
	}
	uses, problems, err := findUses(ctx, loaded, pointers, edited)
	if err != nil || problems.HasErrors() {
		return nil, append(diags, problems...), err
	}
	keep := usedInAPI(source.Model, edited, uses)
	for _, use := range uses {
		if !use.Compiles && !keep[use.Field] {
			keep[use.Field] = true
			diags = append(diags, diag.Warningf(use.Pos, codeUse, "uses %s, which is to be a pointer, and would not compile: the field stays as it is", use.Field.Field).
				As("%%d fields stay as they are, since code would not compile if they were pointers: -v names each"))
		}
	}
	if len(keep) > 0 {
		if edited, pointers, problems, err = fix.Lint(source, found, options.RequiredRules, keep); err != nil {
			return nil, nil, err
		}
		diags = append(diags, problems...)
	}
	for _, use := range uses {
		if slices.Contains(pointers, use.Field) {
			diags = append(diags, silentUse(use))
		}
	}
	return edited, diags, nil
}

// silentUse says of code that it compiles as before.
func silentUse(use load.Use) diag.Diagnostic {
	return diag.Warningf(use.Pos, CodeSilentUse,
		"uses %s, which is a pointer now, and compiles as before: see whether it may be nil here, or its address is taken for the value", use.Field.Field)
}
