package scaffold

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/extensions/scopecopies"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/addscope"
	authoring "github.com/mrgen-io/mrgen/generator/internal/workshop/scaffolding"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
)

// ScopesOptions are the options of [AddScope].
type ScopesOptions struct {
	// provider.Options are the settings. Dir is a folder in its Go module.
	provider.Options
	// Groups are the API groups of the new scope, by the existing ones. The others get the label m or cluster.
	Groups map[string]string
	// DryRun rolls everything back: the result lists the changes that would be made.
	DryRun bool
}

// AddScope sets up a provider so that mrgen writes one scope from the other. If all kinds are cluster scoped,
// it makes namespaced source of them, and generates the cluster-scoped kinds from that.
// If all are namespaced, they stay, and it adds ProviderConfigs. It writes nothing if there is a problem.
// Mistakes of the user are in the diagnostics; an error is a bug in mrgen or a cancelled context.
func AddScope(ctx context.Context, options ScopesOptions) (Result, error) {
	root, found := generator.FindModule(options.Dir)
	if found.HasErrors() {
		return Result{Diagnostics: found}, nil
	}
	if len(options.Scopes) > 0 {
		at := options.Scopes[0].Pos
		return Result{Diagnostics: diag.List{diag.Errorf(at, codeScaffold, "the settings name scopes already: change them there")}}, nil
	}
	// Report existing errors at their positions, before the files move.
	if result, err := generator.Generate(ctx, options.Run()); err != nil || result.Diagnostics.HasErrors() {
		return Result{Diagnostics: result.Diagnostics}, err
	}
	outputs := command.Open(options.Run()).GoFiles()
	added, diags := addscope.Add(addscope.Options{
		Root: root, Groups: options.Groups,
		IsOutput:     func(name string) bool { return slices.Contains(outputs, name) },
		PackageNames: func(importPaths []string) map[string]string { return scopecopies.PackageNames(root, importPaths) },
	})
	if diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, nil
	}
	if added.LacksConfigs {
		if problems, err := addConfigs(root, options.Options, &added); err != nil || problems.HasErrors() {
			return Result{Diagnostics: problems.Sorted()}, err
		}
	}
	plan, problems, err := inspection.PlanFiles(root, added.Files, slices.Sorted(maps.Keys(added.Removed))...)
	if err != nil || problems.HasErrors() {
		return Result{Diagnostics: problems.Sorted()}, err
	}
	options.Dir, options.Scopes = root, added.Pairs
	done, err := applying(ctx, plan, options.DryRun, func() ([]run.Change, diag.List, error) {
		if added.Exists {
			return nil, diags, nil
		}
		changes, problems, err := generateAdded(ctx, options.Options, options.DryRun, func(changes []run.Change) diag.List {
			diags = append(diags, differences(plan.Changed(), changes, added.Removed)...)
			return nil
		})
		if err != nil || problems.HasErrors() {
			return nil, problems, err
		}
		return changes, append(diags, problems...), nil
	})
	done.Diagnostics = done.Diagnostics.Sorted()
	done.leave(added.ByHand)
	return done, err
}

// addConfigs adds ProviderConfigs of the other scope, which aren't copied, and the controller that protects
// them while in use. All packages of that scope are registered already.
func addConfigs(root string, options provider.Options, added *addscope.Addition) (diag.List, error) {
	options.Scopes = added.Pairs
	provider, diags := readProvider(root, options)
	if diags.HasErrors() {
		return diags, nil
	}
	configs, diags, err := provider.AddConfigs(root, provider.ConfigVersion())
	for name, content := range configs.Files {
		if configs.Edited[name] { // registered already
			continue
		}
		added.Files[name] = content
		for _, pair := range added.Pairs {
			from, ok := pair.Reversed().Counterpart(path.Dir(name))
			source := path.Join(from, path.Base(name))
			if text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(source))); ok && err == nil {
				added.Files[source] = authoring.OfScope(authoring.Namespaced, text)
			}
		}
	}
	return diags, err
}

// differences reports the author's files whose generated replacements differ in code.
func differences(removed, written []run.Change, names map[string]string) diag.List {
	content := map[string][]byte{}
	for _, change := range written {
		content[change.Path] = change.New
	}
	var diags diag.List
	for _, change := range removed {
		name := names[change.Path]
		if name != "" && change.Action == run.Delete && !addscope.SameCode(change.Old, content[name]) {
			diags = append(diags, diag.Warningf(diag.Position{File: change.Path}, "two-scopes",
				"%s differs from this file in more than comments: compare them", path.Base(name)))
		}
	}
	return diags
}
