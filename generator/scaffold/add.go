package scaffold

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	authoring "github.com/mrgen-io/mrgen/generator/internal/workshop/scaffolding"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
)

// KindOptions are the options of [AddKind].
type KindOptions struct {
	// provider.Options are the settings. Dir is a folder in its Go module.
	provider.Options
	// Kind in camel case, such as "Bucket".
	Kind string
	// Group is the first label of its API group, such as "storage", or the whole group.
	Group string
	// Version of its API, such as "v1alpha1".
	Version string
	// SDK is the source of the types, nil for a kind with example fields, which Example describes.
	SDK     *KindSource
	Example KindExample
	// Scope is Namespaced or Cluster if the kind has one scope, though the provider has both.
	Scope string
	// DryRun rolls everything back: the result lists the changes that would be made.
	DryRun bool
}

// A KindExample selects the example fields of a kind.
type KindExample struct {
	// Password adds a generated password for creating the external resource, and NoTags leaves out the tags that mark it
	// as owned.
	Password, NoTags bool
	// APINames is set if the external API chooses the names of resources.
	APINames bool
}

// A KindSource names the types and methods of an SDK for a kind.
type KindSource struct {
	// Package is the import path of an SDK.
	Package string
	// Observe, Create and Update name the types of the API's object, and of the requests that create and update
	// it. Update is empty if the API can't update. Without Observe, AddKind finds the ways.
	Observe, Create, Update string
	// Methods names methods of the SDK to call if several fit.
	Methods []string
	// ExternalName is user or api, who chooses the external name, maybe with the key that all calls take: user=username. It is empty if
	// types tell.
	ExternalName string
}

// AddKind adds a kind, or a version of a kind, to a provider: types, registration, a controller with tests, an
// example, and the output of [generator.Generate]. The provider's existing kinds and controllers determine the
// places. The author gets the steps that mrgen can't do safely there. It writes nothing if there is a problem,
// and doesn't change other existing files. Mistakes of the user are in the diagnostics; an error is a bug in
// mrgen or a cancelled context.
func AddKind(ctx context.Context, options KindOptions) (Result, error) {
	if of := options.SDK; of != nil && of.Observe == "" {
		return findWays(ctx, options)
	}
	var decisions []Decision
	done, err := add(ctx, options.Options, options.Kind, options.DryRun, func(
		root string, provider authoring.Provider,
	) (authoring.Addition, diag.List, error) {
		diags := provider.Only(authoring.Scope(options.Scope))
		kind, problems := provider.NewKind(options.Kind, options.Group, options.Version)
		if diags = append(diags, problems...); diags.HasErrors() {
			return authoring.Addition{}, diags, nil
		}
		kind.Example = authoring.Example(options.Example)
		if of := options.SDK; of != nil {
			kind.SDK = &fromsdk.Options{
				Package: of.Package, Observe: of.Observe, Create: of.Create, Update: of.Update, Methods: of.Methods, ExternalName: of.ExternalName,
			}
			kind.ReadSDK = func(o fromsdk.Options) (*fromsdk.Kind, diag.List) {
				defer options.Begin("load " + o.Package)()
				made, diags := fromsdk.Read(ctx, root, o)
				if made != nil {
					decisions = inspection.Each(append(made.Shared(), made.Decisions...),
						func(d fromsdk.Decision) Decision {
							return Decision{d.Name, string(d.Ground), strings.Join(d.Texts, "; ")}
						})
				}
				return made, diags
			}
		}
		added, problems, err := provider.AddKind(root, kind)
		return added, append(diags, problems...), err
	})
	done.Decisions = decisions
	return done, err
}

// findWays returns the ways to make a kind of an SDK.
func findWays(ctx context.Context, options KindOptions) (Result, error) {
	root, diags := generator.FindModule(options.Dir)
	if diags.HasErrors() {
		return Result{Diagnostics: diags}, nil
	}
	found, diags := fromsdk.Find(ctx, root, options.SDK.Package, options.Kind)
	return Result{Diagnostics: diags, Ways: inspection.Each(found, func(o fromsdk.Options) KindSource {
		return KindSource{o.Package, o.Observe, o.Create, o.Update, o.Methods, o.ExternalName}
	})}, nil
}

// VersionOptions are the options of [AddVersion].
type VersionOptions struct {
	// KindOptions name the kind and its new version. The group may be empty if only one has the kind.
	KindOptions
	// From is the version to copy. It may be empty if there is only one.
	From string
	// Storage makes the new version the stored one.
	Storage bool
}

// AddVersion adds a version of a kind, with the types of an existing one, as [AddKind] does.
func AddVersion(ctx context.Context, options VersionOptions) (Result, error) {
	return add(ctx, options.Options, options.Kind, options.DryRun, func(
		root string, provider authoring.Provider,
	) (_ authoring.Addition, diags diag.List, _ error) {
		if diags = provider.Only(authoring.Scope(options.Scope)); diags.HasErrors() {
			return authoring.Addition{}, diags, nil
		}
		if options.From == "" {
			if options.From, diags = provider.OnlyVersion(options.Kind, options.Group, "to copy with --from"); diags.HasErrors() {
				return authoring.Addition{}, diags, nil
			}
		}
		if options.Group == "" {
			if options.Group, diags = provider.FindGroup(options.Kind, options.From); diags.HasErrors() {
				return authoring.Addition{}, diags, nil
			}
		}
		kind, diags := provider.NewKind(options.Kind, options.Group, options.Version)
		if diags.HasErrors() {
			return authoring.Addition{}, diags, nil
		}
		return provider.AddVersion(root, kind, authoring.Copy{From: options.From, Storage: options.Storage})
	})
}

// AddLife adds a test that lives the life of an existing kind, with the places that its author fills, as [AddKind] does. The group
// and the version may be empty if only one has the kind.
func AddLife(ctx context.Context, options KindOptions) (Result, error) {
	return add(ctx, options.Options, options.Kind, options.DryRun, func(
		root string, provider authoring.Provider,
	) (_ authoring.Addition, diags diag.List, _ error) {
		if options.Version == "" {
			if options.Version, diags = provider.OnlyVersion(options.Kind, options.Group, "with --version"); diags.HasErrors() {
				return authoring.Addition{}, diags, nil
			}
		}
		if options.Group == "" {
			if options.Group, diags = provider.FindGroup(options.Kind, options.Version); diags.HasErrors() {
				return authoring.Addition{}, diags, nil
			}
		}
		kind, diags := provider.NewKind(options.Kind, options.Group, options.Version)
		if diags.HasErrors() {
			return authoring.Addition{}, diags, nil
		}
		return provider.AddLife(root, kind)
	})
}

// ConfigOptions are the options of [AddProviderConfig].
type ConfigOptions struct {
	// provider.Options are the settings. Dir is a folder in its Go module.
	provider.Options
	// Version of the API, such as "v1alpha1".
	Version string
	// DryRun rolls everything back: the result lists the changes that would be made.
	DryRun bool
}

// AddProviderConfig adds ProviderConfigs to a provider without them, as [AddKind] does: their types, the
// objects that record their use, and the controller that protects them while in use.
func AddProviderConfig(ctx context.Context, options ConfigOptions) (Result, error) {
	return add(ctx, options.Options, "ProviderConfig", options.DryRun, func(
		root string, provider authoring.Provider,
	) (authoring.Addition, diag.List, error) {
		return provider.AddConfigs(root, options.Version)
	})
}

// readProvider reads a provider.
func readProvider(root string, options provider.Options) (authoring.Provider, diag.List) {
	provider, diags := authoring.Read(root)
	provider.Clients, provider.Definitions = options.ConvertPackages, options.CRDDir
	provider.SetCopied(options.Scopes)
	return provider, diags
}

// add adds the files that a function returns to a provider, or nothing if there is a problem or this is a dry
// run.
func add(
	ctx context.Context, options provider.Options, kind string, dryRun bool,
	files func(root string, provider authoring.Provider) (authoring.Addition, diag.List, error),
) (Result, error) {
	root, diags := generator.FindModule(options.Dir)
	if diags.HasErrors() {
		return Result{Diagnostics: diags}, nil
	}
	provider, problems := readProvider(root, options)
	if problems.HasErrors() {
		return Result{Diagnostics: problems.Sorted()}, nil
	}
	added, problems, err := files(root, provider)
	if ctx.Err() != nil { // the problems follow from that
		return Result{}, ctx.Err()
	}
	if err != nil || problems.HasErrors() {
		return Result{Diagnostics: problems.Sorted()}, err
	}
	warnings := problems
	left := slices.Sorted(slices.Values(append(dropExisting(root, added.Files, added.Edited), added.Left...)))
	// Check names before writing anything: applying and generating take much longer.
	if problems := uncompilable(kind, authoring.Clashes(root, provider.Module, added.Files, added.Edited)); problems.HasErrors() {
		return Result{Diagnostics: problems}, nil
	}
	plan, problems, err := inspection.PlanFiles(root, added.Files)
	if err != nil || problems.HasErrors() {
		return Result{Diagnostics: problems.Sorted()}, err
	}
	options.Dir, options.Lives = root, added.Lives
	done, err := applying(ctx, plan, dryRun, func() ([]run.Change, diag.List, error) {
		changes, problems, err := generateAdded(ctx, options, dryRun, func(generated []run.Change) diag.List {
			return compiles(root, provider.Module, kind, added, generated)
		})
		if err != nil || problems.HasErrors() {
			problems = unwritten(problems, kind, added)
		}
		return changes, problems, err
	})
	done.Left, done.Diagnostics = left, append(warnings, done.Diagnostics...).Sorted()
	done.leave(added.ByHand)
	return done, err
}

// leave adds the steps that are left to the author, unless nothing changes.
func (r *Result) leave(steps []layout.Step) {
	if len(r.Changes) > 0 {
		r.ByHand = inspection.Each(steps, func(s layout.Step) Step { return Step(s) })
	}
}

// applying applies a plan, and adds the changes of a function that runs afterwards. If there is a problem, or
// this is a dry run, it reverts the plan.
func applying(ctx context.Context, plan *artifact.Plan, dryRun bool, follow func() ([]run.Change, diag.List, error)) (Result, error) {
	defer func() {
		if reason := recover(); reason != nil {
			inspection.Revert(plan) // a bug leaves nothing half done
			panic(reason)
		}
	}()
	problems, err := plan.Apply(ctx)
	if err != nil {
		return Result{}, err
	}
	if problems.HasErrors() {
		return Result{Diagnostics: append(problems, inspection.Revert(plan)...).Sorted()}, nil
	}
	changes, problems, err := follow()
	if err != nil || problems.HasErrors() {
		return Result{Diagnostics: append(problems, inspection.Revert(plan)...).Sorted()}, err
	}
	if dryRun {
		problems = append(problems, inspection.Revert(plan)...)
	}
	changes = append(changes, plan.Changed()...)
	slices.SortFunc(changes, func(a, b run.Change) int { return strings.Compare(a.Path, b.Path) })
	return Result{Diagnostics: problems, Changes: changes}, nil
}

// generateAdded generates, checks the changes, and writes them unless there are errors or this is a dry run.
func generateAdded(
	ctx context.Context, options provider.Options, dryRun bool, check func([]run.Change) diag.List,
) ([]run.Change, diag.List, error) {
	composed := options.Run()
	result, err := command.Generate(ctx, composed, command.Open(composed))
	if err != nil || result.Diagnostics.HasErrors() {
		return nil, result.Diagnostics, err
	}
	if problems := check(result.Plan.Changed()); problems.HasErrors() {
		return nil, problems, nil
	}
	if dryRun {
		return result.Plan.Changed(), result.Diagnostics, nil
	}
	problems, err := result.Plan.Apply(ctx)
	return result.Plan.Changed(), append(problems.Sorted(), result.Diagnostics...), err
}

// compiles returns an error if the added files don't compile with the existing and the generated ones.
func compiles(root, module, kind string, added authoring.Addition, generated []run.Change) diag.List {
	files := maps.Clone(added.Files)
	for _, change := range generated {
		if change.New != nil { // deleted files don't compile, either way
			files[change.Path] = change.New
		}
	}
	problems := authoring.Check(root, module, files, added.Edited)
	if len(problems) > 0 && strings.Contains(problems[0], "_types.go: undefined: ") {
		dir := path.Dir(problems[0][:strings.Index(problems[0], ":")])
		if !slices.ContainsFunc(generated, func(c run.Change) bool { return path.Dir(c.Path) == dir }) {
			return diag.List{diag.Errorf(diag.Position{File: dir}, codeScaffold,
				"%s belongs here, and packages in mrgen.yaml leaves this folder out: add ./%s to it", kind, dir)}
		}
	}
	if len(problems) > 0 && strings.Contains(problems[0], ": undefined: ") {
		dir := path.Dir(problems[0][:strings.Index(problems[0], ":")])
		own, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
		own = slices.DeleteFunc(own, func(name string) bool { return added.Files[path.Join(dir, filepath.Base(name))] != nil })
		if len(own) > 0 {
			return diag.List{diag.Errorf(diag.Position{File: dir}, codeScaffold,
				"%s can't be added, since the files that are here, such as %s, lack what new ones need: %s: delete or move them, or complete them",
				kind, filepath.Base(own[0]), problems[0])}
		}
	}
	return uncompilable(kind, problems)
}

// uncompilable reports the first problem of an added kind. Others probably follow from it, or repeat it in the
// other scope.
func uncompilable(kind string, problems []string) diag.List {
	if len(problems) == 0 {
		return nil
	}
	_, name, isUndefined := strings.Cut(problems[0], ": undefined: ")
	if strings.Contains(name, ".") { // of a package that was there, such as the clients of an SDK
		return diag.List{diag.Errorf(diag.Position{}, codeScaffold,
			"%s can't be added, since its code would use %s, which doesn't exist: declare it if the package is yours, or get a newer version of its module", kind, name)}
	}
	if isUndefined { // a name clash is the author's to solve, a missing name isn't
		return diag.List{diag.Errorf(diag.Position{}, codeScaffold,
			"%s can't be added, since mrgen would write code that doesn't compile: %s: report this as a bug of mrgen", kind, problems[0])}
	}
	return diag.List{diag.Errorf(diag.Position{}, codeScaffold, "%s can't be added, since it would not compile: %s", kind, problems[0])}
}

// unwritten drops the positions of problems in new files, which are about to be removed, and keeps only the
// first error among them.
func unwritten(problems diag.List, kind string, added authoring.Addition) diag.List {
	var kept diag.List
	seen := false
	for _, p := range problems.Sorted() {
		if _, isNew := added.Files[p.Pos.File]; isNew && !added.Edited[p.Pos.File] {
			if seen || p.Severity != diag.Error {
				continue
			}
			seen = true
			p.Message, p.Pos = kind+" can't be added: in "+p.Pos.File+", "+p.Message, diag.Position{}
		}
		kept = append(kept, p)
	}
	return kept
}
