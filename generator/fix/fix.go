// Package fix edits the source of API types where the correction is certain.
package fix

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	edits "github.com/mrgen-io/mrgen/generator/internal/workshop/fixes"
	"github.com/mrgen-io/mrgen/generator/run"
)

const (
	codeFix diag.Code = "fix"
	codeUse diag.Code = "use"
)

// CodeSilentUse is the code of warnings about source that compiles after a fix but behaves differently.
const CodeSilentUse diag.Code = "silent-use"

// References adds the fields that reference markers need to the author's source. A required value stays
// required unless a reference or selector is set. Only the options Dir, Packages and RequiredRules have an
// effect. The result is like the result of [generator.Generate].
func References(ctx context.Context, options run.Options) (generator.Result, error) {
	return runFix(ctx, options, func(_ *apitypes.Source, source edits.Source) (*artifact.Set, diag.List, error) {
		return edits.References(source, options.RequiredRules)
	})
}

// Relax edits the required fields of spec.forProvider that Go always sends, so that JSON omits them, and
// observe-only resources don't need them. Strings that can't be empty keep their types, and other fields become
// pointers. Warnings name the code that uses these. The options for schemas have an effect. The result is like
// the result of [generator.Generate].
func Relax(ctx context.Context, options run.Options) (generator.Result, error) {
	return relax(ctx, options, edits.Relaxing{Rules: options.RequiredRules})
}

// RelaxToPointers is [Relax], but turns as many fields as possible into pointers.
func RelaxToPointers(ctx context.Context, options run.Options) (generator.Result, error) {
	return relax(ctx, options, edits.Relaxing{Rules: options.RequiredRules, Pointers: true})
}

func relax(ctx context.Context, options run.Options, opts edits.Relaxing) (generator.Result, error) {
	return runFix(ctx, options, func(loaded *apitypes.Source, source edits.Source) (*artifact.Set, diag.List, error) {
		found := edits.FindRelaxable(source, opts)
		if found.IsEmpty() {
			return &artifact.Set{}, nil, nil
		}
		options.RequiredRules = true // opts decide how to edit; the definitions need the rules
		definitions, diags, err := inspection.Define(ctx, loaded, source.Root, options)
		if err != nil || diags.HasErrors() {
			return nil, diags, err
		}
		return editPointers(ctx, loaded, source, false, func(keep map[model.FieldName]bool) (*artifact.Set, []model.FieldName, diag.List, error) {
			return found.Edit(definitions, keep)
		})
	})
}

// editPointers makes edits that turn fields into pointers, and reports the code that uses these fields. If
// keepsUsed is set, fields whose uses would not compile stay as they are.
func editPointers(
	ctx context.Context, loaded *apitypes.Source, source edits.Source, keepsUsed bool,
	edit func(keep map[model.FieldName]bool) (*artifact.Set, []model.FieldName, diag.List, error),
) (*artifact.Set, diag.List, error) {
	edited, pointers, diags, err := edit(nil)
	if err != nil || len(pointers) == 0 || diags.HasErrors() {
		return edited, diags, err
	}
	uses, err := edits.FieldUses(ctx, loaded.Program.Scope, pointers, maps.Collect(edited.Files()))
	if ctx.Err() != nil {
		return nil, diags, ctx.Err()
	}
	if err != nil {
		return nil, append(diags, diag.Errorf(diag.Position{}, codeUse, "cannot look for code that uses the fields: %v", err)), nil
	}
	// API packages must compile after the edits.
	keep := usedInAPI(source.Model, edited, uses)
	said := map[model.FieldName]bool{}
	for _, use := range uses {
		if keepsUsed && (keep[use.Field] || !use.Compiles) && !said[use.Field] {
			keep[use.Field], said[use.Field] = true, true
			diags = append(diags, diag.Warningf(use.Pos, codeUse,
				"uses %s, which is to be a pointer: the field stays as it is until the code takes one", use.Field.Field).
				As("%%d fields stay as they are until the code that uses them takes pointers: -v names each"))
		}
	}
	// Keeping a field's type moves no line, so the positions of uses still hold.
	if len(keep) > 0 {
		var problems diag.List
		if edited, pointers, problems, err = edit(keep); err != nil {
			return nil, nil, err
		}
		diags = append(diags, problems...)
	}
	for _, use := range uses {
		switch {
		case !slices.Contains(pointers, use.Field): // the field kept its type
		case use.Compiles:
			diags = append(diags, diag.Warningf(use.Pos, CodeSilentUse,
				"uses %s, which is a pointer now, and compiles as before: see whether it may be nil here, or its address is taken for the value",
				use.Field.Field))
		default:
			diags = append(diags, diag.Warningf(use.Pos, codeUse, "uses %s, which is a pointer now", use.Field.Field).
				As("%%d places use %s.%s, which is a pointer now: the compiler names each", use.Field.Struct, use.Field.Field))
		}
	}
	if len(pointers) > 0 {
		diags = append(diags, diag.Warningf(diag.Position{}, codeUse,
			"fields become pointers (%d), so code of other modules that uses them no longer compiles: say so in the release notes", len(pointers)))
	}
	return edited, diags, nil
}

// usedInAPI returns the fields that API packages, or packages with edited files, use outside tests.
func usedInAPI(m *model.Model, edited *artifact.Set, uses []edits.Use) map[model.FieldName]bool {
	dirs := map[string]bool{}
	for _, p := range m.Packages {
		dirs[p.Dir] = true
	}
	for name := range edited.Files() {
		dirs[path.Dir(name)] = true
	}
	used := map[model.FieldName]bool{}
	for _, use := range uses {
		if dirs[path.Dir(use.Pos.File)] && !strings.HasSuffix(use.Pos.File, "_test.go") {
			used[use.Field] = true
		}
	}
	return used
}

// A Selection selects the kinds whose rules [Immutable] replaces.
type Selection struct {
	// Kinds are names of kinds. Without names, All decides whether the rules of all kinds are replaced or only
	// listed.
	Kinds []string
	All   bool
}

// Immutable replaces the author's rules that keep a field as it is by +immutable, and removes +immutable from
// selectors, where it has no effect. Warnings describe the changes for users, and the rules that stay. The
// options for schemas have an effect. The result is like the result of [generator.Generate].
func Immutable(ctx context.Context, options run.Options, which Selection) (generator.Result, error) {
	// Without the rules, nothing would enforce the field any more.
	if !options.ImmutableRules {
		return generator.Result{Diagnostics: diag.List{diag.Errorf(diag.Position{}, edits.CodeImmutable,
			"rules.immutable is off, so +immutable has no effect: set it to enforce in mrgen.yaml first, and review the changes of generate")}}, nil
	}
	return runFix(ctx, options, func(loaded *apitypes.Source, source edits.Source) (*artifact.Set, diag.List, error) {
		if unknown := unknownKinds(source.Model, which.Kinds); len(unknown) > 0 {
			return nil, unknown, nil
		}
		found := edits.FindImmutable(source, loaded, edits.ImmutableSelection(which))
		if found.IsEmpty() {
			return &artifact.Set{}, nil, nil
		}
		definitions, diags, err := inspection.Define(ctx, loaded, source.Root, options)
		if err != nil || diags.HasErrors() {
			return nil, diags, err
		}
		return found.Edit(definitions)
	})
}

// unknownKinds reports the names without a kind.
func unknownKinds(m *model.Model, names []string) diag.List {
	var kinds []string
	for o := range model.Objects(m.Packages) {
		if !o.List {
			kinds = append(kinds, o.Name)
		}
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	var diags diag.List
	for _, name := range names {
		if !slices.ContainsFunc(kinds, func(kind string) bool { return strings.EqualFold(kind, name) }) {
			diags = append(diags, diag.Errorf(diag.Position{}, edits.CodeImmutable, "%s", inspection.UnknownKind(name, kinds)))
		}
	}
	return diags
}

// Markers corrects the misspelt markers of the author's source whose meaning is certain, and warns about the
// others. Only the options Dir and Packages have an effect. The result is like the result of
// [generator.Generate].
func Markers(ctx context.Context, options run.Options) (generator.Result, error) {
	options.MisspeltMarkers = true
	source, root, diags, err := inspection.Load(ctx, options)
	// Errors may come from the misspelt markers: correct them first.
	if err != nil || diags.HasErrors() && (source == nil || len(source.Corrections) == 0) {
		return generator.Result{Diagnostics: diags.Sorted()}, err
	}
	// Other errors may follow from misspelt markers. The next run reports the ones that are left.
	diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
	edited, fixDiags, err := edits.Markers(root, source.Corrections)
	isRight := func(d diag.Diagnostic) bool {
		return d.Code == apitypes.CodeMisspelt &&
			slices.ContainsFunc(source.Corrections, func(c apitypes.Correction) bool { return c.Reported == d.Pos })
	}
	return compare(source, root, edited, append(slices.DeleteFunc(diags, isRight), fixDiags...), err)
}

// compare compares edited files with the disk, unless there are errors.
func compare(source *apitypes.Source, root string, edited *artifact.Set, diags diag.List, err error) (generator.Result, error) {
	if err != nil || diags.HasErrors() {
		return generator.Result{Diagnostics: diags.Sorted()}, err
	}
	return generator.NewResult(command.NewResult(root, edited, diags, artifact.PlanOptions{InScope: source.Program.Scope.Covers}).Public()), nil
}

// runFix runs a fix on the selected packages, with the types that stages declare, and compares the edited files
// with the disk.
func runFix(
	ctx context.Context, options run.Options, edit func(*apitypes.Source, edits.Source) (*artifact.Set, diag.List, error),
) (generator.Result, error) {
	source, root, diags, err := inspection.Load(ctx, options)
	if err != nil || diags.HasErrors() {
		return generator.Result{Diagnostics: diags.Sorted()}, err
	}
	output, stageDiags, err := inspection.Declare(ctx, source)
	diags = append(diags, stageDiags...)
	if err != nil || diags.HasErrors() {
		return generator.Result{Diagnostics: diags.Sorted()}, err
	}
	edited, fixDiags, err := edit(source, edits.Source{Root: root, Model: source.Model, Generated: output.Artifacts.Has})
	return compare(source, root, edited, append(diags, fixDiags...), err)
}
