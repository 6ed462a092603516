package scaffold

import (
	"context"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/driver"
	authoring "github.com/mrgen-io/mrgen/generator/internal/workshop/scaffolding"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/worktree"
	"github.com/mrgen-io/mrgen/generator/run"
)

// RemoveOptions are the options of [RemoveKind].
type RemoveOptions struct {
	// KindOptions name the kind. Without a version, all of them are meant.
	KindOptions
	// Force removes files that nobody could restore, a kind that manifests have, and versions in which
	// objects may be stored.
	Force bool
}

// RemoveKind takes a kind, or one version of it, out of a provider: all that [AddKind] adds, and what
// [generator.Generate] made of it. It changes nothing if there is a problem, such as something that refers to
// the kind. Mistakes of the user are in the diagnostics; an error is a bug in mrgen or a cancelled
// context.
func RemoveKind(ctx context.Context, options RemoveOptions) (Result, error) {
	return remove(ctx, options, func(root string, provider authoring.Provider) (authoring.Removal, diag.List, error) {
		// The version need not be given, and any will do to check the other names.
		kind, diags := provider.NewKind(options.Kind, options.Group, "v1")
		if kind.Version = options.Version; diags.HasErrors() {
			return authoring.Removal{}, diags, nil
		}
		return provider.RemoveKind(root, kind)
	})
}

// RemoveConfigOptions are the options of [RemoveProviderConfig].
type RemoveConfigOptions struct {
	// ConfigOptions name the provider. The version is of no concern.
	ConfigOptions
	// Force removes files that nobody could restore, and ProviderConfigs that manifests have.
	Force bool
}

// RemoveProviderConfig takes all ProviderConfigs out of a provider, as [RemoveKind] does: all that
// [AddProviderConfig] adds.
func RemoveProviderConfig(ctx context.Context, options RemoveConfigOptions) (Result, error) {
	of := KindOptions{Options: options.Options, Kind: "ProviderConfig", DryRun: options.DryRun}
	return remove(ctx, RemoveOptions{KindOptions: of, Force: options.Force}, func(root string, provider authoring.Provider) (authoring.Removal, diag.List, error) {
		return provider.RemoveConfigs(root)
	})
}

// remove removes what a function returns, or nothing if there is a problem or this is a dry run.
func remove(ctx context.Context, options RemoveOptions, what func(root string, provider authoring.Provider) (authoring.Removal, diag.List, error)) (Result, error) {
	root, found := generator.FindModule(options.Dir)
	if found.HasErrors() {
		return Result{Diagnostics: found}, nil
	}
	refused := func(diags diag.List, err error) (Result, error) {
		return Result{Diagnostics: diags.Sorted()}, err
	}
	provider, diags := readProvider(root, options.Options)
	if diags.HasErrors() {
		return refused(diags, nil)
	}
	removal, diags, err := what(root, provider)
	if err != nil || diags.HasErrors() {
		return refused(diags, err)
	}
	diags = referencesTo(options.Kind, removal.References, options.Force)
	if !options.Force && !options.DryRun {
		uncommitted, err := worktree.Check(ctx, root, "", removal.Written)
		if diags = append(diags, uncommitted...); err != nil {
			return Result{}, err
		}
	}
	if diags.HasErrors() {
		return refused(diags, nil)
	}
	plan, problems, err := driver.PlanFiles(root, removal.Files)
	if err != nil || problems.HasErrors() {
		return refused(problems, err)
	}
	for name, content := range removal.Deleted {
		plan.Changes = append(plan.Changes, run.Change{Path: name, Action: run.Delete, Old: content})
	}
	slices.SortFunc(plan.Changes, func(a, b run.Change) int { return strings.Compare(a.Path, b.Path) })
	done, err := options.carryOut(ctx, root, plan, removal.Addition, provider.Module, "removed, since what is left would not compile", options.Force)
	done.Diagnostics = append(diags, done.Diagnostics...).Sorted()
	return done, err
}

// referencesTo reports what refers to a kind.
func referencesTo(kind string, references []authoring.Reference, force bool) diag.List {
	var diags diag.List
	for _, r := range references {
		switch {
		case r.Manifest && force:
			diags = append(diags, diag.Warningf(r.Pos, codeScaffold, "this manifest has a %s, which the provider doesn't know any more", kind))
		case r.Manifest:
			diags = append(diags, diag.Errorf(r.Pos, codeScaffold, "this manifest has a %s: remove it first, or leave it as it is with --force", kind))
		default:
			diags = append(diags, diag.Errorf(r.Pos, codeScaffold, "this refers to %s: remove it first", kind))
		}
	}
	return diags
}
