package generator

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/authoring/scaffold"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/incremental"
)

// The scopes of a new provider's managed resources. With Both, each kind exists twice, in two API
// groups.
const (
	Namespaced = string(scaffold.Namespaced)
	Cluster    = string(scaffold.Cluster)
	Both       = string(scaffold.Both)
)

// InitOptions are the options of [Init].
type InitOptions struct {
	// Dir is the folder to write to, which need not exist.
	Dir string
	// Module is the path of the Go module.
	Module string
	// Group is the common end of the provider's API groups, such as "example.crossplane.io".
	Group string
	// Scope is Namespaced, Cluster or Both.
	Scope string
	// Name of the provider. It defaults to the last element of the module path.
	Name string
	// DryRun has nothing be written: the changes are those that would be made.
	DryRun bool
	// MrgenVersion is the version of mrgen that the provider runs, such as "v1.0.0". It is empty if
	// the provider runs the one on PATH.
	MrgenVersion string
}

// A Scaffolding says which files were written.
type Scaffolding struct {
	// Diagnostics, sorted. If any is an error, nothing was written.
	Diagnostics []Diagnostic
	// Changes are the written files, or those of a dry run, sorted by path.
	Changes []Change
	// Left are the files that existed and didn't change, sorted.
	Left []string
}

// Init writes a new provider and what [Generate] makes of it, or nothing if there is a problem. It
// doesn't change existing files. Mistakes of the user are in the diagnostics; an error is a bug in
// mrgen or a cancelled context.
func Init(ctx context.Context, options InitOptions) (Scaffolding, error) {
	provider, diags := scaffold.New(options.Module, options.Group, scaffold.Scope(options.Scope), options.Name)
	provider.MrgenVersion = options.MrgenVersion
	if _, err := os.Stat(filepath.Join(options.Dir, "go.mod")); err == nil {
		diags = append(diags, diag.Errorf(diag.Position{File: filepath.ToSlash(filepath.Join(options.Dir, "go.mod"))}, codeScaffold,
			"this folder is a Go module already: add kinds to a provider with mrgen add kind, or start in another folder"))
	}
	if info, err := os.Stat(options.Dir); err == nil && !info.IsDir() {
		diags = append(diags, diag.Errorf(diag.Position{File: filepath.ToSlash(options.Dir)}, codeScaffold,
			"this is a file: name a folder for the new provider"))
	}
	if diags.HasErrors() {
		return Scaffolding{Diagnostics: sorted(diags)}, nil
	}
	files, err := provider.Files()
	if err != nil {
		return Scaffolding{}, err
	}
	// Generate in an empty folder first, without other files.
	stage, err := os.MkdirTemp("", "mrgen-init-")
	if err != nil {
		return Scaffolding{Diagnostics: public(diag.List{unwritable(os.TempDir(), err)})}, nil
	}
	defer func() { _ = os.RemoveAll(stage) }()
	files, diags, err = buildProvider(ctx, stage, options.Module, scopesOf(provider), files)
	if err == nil && diags.HasErrors() {
		// The source is correct, so the go command has failed to download modules.
		diags = append(diags, diag.Errorf(diag.Position{}, codeScaffold,
			"the modules of the new provider can't be loaded, and nothing was written: make sure that the go command can download them, and start it again"))
	}
	if err != nil || diags.HasErrors() {
		return Scaffolding{Diagnostics: sorted(diags)}, err
	}
	return install(ctx, options.Dir, files, options.DryRun)
}

const codeScaffold diag.Code = "scaffold"

func unwritable(folder string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: filepath.ToSlash(folder)}, codeScaffold,
		"mrgen cannot write to this folder: %v; make it writable, or choose another one", diag.Cause(err))
}

// buildProvider writes the files of a provider to an empty folder, and returns them with the generated
// ones.
func buildProvider(ctx context.Context, stage, module string, scopes []ScopePair, files scaffold.Files) (scaffold.Files, diag.List, error) {
	plan, diags, err := planFiles(stage, files)
	if err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	if diags, err := plan.Apply(ctx); err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	options := DefaultOptions()
	options.Dir, options.Packages = stage, []string{"./apis/..."}
	options.Scopes, options.HeaderFile = scopes, scaffold.HeaderFile
	result, err := Generate(ctx, options)
	if err != nil || HasErrors(result.Diagnostics) {
		return nil, internal(result.Diagnostics), err
	}
	for _, change := range result.Changes() {
		files[change.Path] = change.New
	}
	if problems := scaffold.Check(stage, module, files, nil); len(problems) > 0 {
		return nil, diag.List{diag.Errorf(diag.Position{}, codeScaffold, "the new provider would not compile: %s", problems[0])}, nil
	}
	return files, nil, nil
}

// scopesOf returns what the settings of a new provider say of scopes.
func scopesOf(p scaffold.Provider) []ScopePair {
	source := p.Source()
	var pairs []ScopePair
	for _, t := range p.Trees {
		if !t.Copied {
			continue
		}
		folders := func(from, to string) ScopeFolders {
			return ScopeFolders{From: ScopeSetting{Text: from}, To: ScopeSetting{Text: to}}
		}
		pairs = append(pairs, ScopePair{
			Folders: folders(source.APIDir(), t.APIDir()),
			Code:    []ScopeFolders{folders(source.ControllerDir(), t.ControllerDir())},
			Groups:  []ScopeReplacement{{Old: ScopeSetting{Text: "*." + source.Group}, New: ScopeSetting{Text: "*." + t.Group}}},
			Helpers: ScopeSetting{Text: "internal/scope"},
			Tests:   true,
		})
	}
	return pairs
}

// planFiles compares files with the disk. No file is stale.
func planFiles(root string, files scaffold.Files) (*artifact.Plan, diag.List, error) {
	var set artifact.Set
	for name, content := range files {
		if err := set.Add(name, content); err != nil {
			return nil, nil, err
		}
	}
	plan, diags := artifact.NewPlan(root, &set, artifact.PlanOptions{InScope: func(string) bool { return true }})
	return plan, diags, nil
}

// install writes files to a folder, all at once if the folder doesn't exist yet.
func install(ctx context.Context, dir string, files scaffold.Files, dryRun bool) (Scaffolding, error) {
	parent := filepath.Dir(filepath.Clean(dir))
	if _, err := os.Lstat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return writeNew(ctx, dir, files, dryRun)
	}
	if dryRun {
		done := Scaffolding{}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			done.Changes = append(done.Changes, Change{Path: name, Action: artifact.Create, New: files[name]})
		}
		return done, nil
	}
	// MkdirTemp would ignore the umask.
	stage := filepath.Join(parent, ".mrgen-init-"+rand.Text())
	if err := errors.Join(os.MkdirAll(parent, 0o777), os.Mkdir(stage, 0o777)); err != nil {
		return Scaffolding{Diagnostics: public(diag.List{unwritable(parent, err)})}, nil
	}
	defer func() { _ = os.RemoveAll(stage) }()
	done, err := writeNew(ctx, stage, files, false)
	if err != nil || HasErrors(done.Diagnostics) {
		return done, err
	}
	if err := os.Rename(stage, dir); err != nil {
		return Scaffolding{Diagnostics: public(diag.List{unwritable(parent, err)})}, nil
	}
	return done, nil
}

// writeNew writes the files that do not exist below root, unless it is a dry run.
func writeNew(ctx context.Context, root string, files scaffold.Files, dryRun bool) (Scaffolding, error) {
	left := dropExisting(root, files, nil)
	plan, diags, err := planFiles(root, files)
	if err != nil || diags.HasErrors() {
		return Scaffolding{Diagnostics: sorted(diags)}, err
	}
	if !dryRun {
		diags, err = plan.Apply(ctx)
	}
	if err != nil || diags.HasErrors() {
		return Scaffolding{Diagnostics: sorted(diags)}, err
	}
	return Scaffolding{Changes: Result{plan: plan}.Changes(), Left: left}, nil
}

// dropExisting removes existing files from the map, except for edited ones, and returns their paths,
// sorted.
func dropExisting(root string, files scaffold.Files, edited map[string]bool) []string {
	var left []string
	for name := range files {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); err == nil && !edited[name] {
			left = append(left, name)
			delete(files, name)
		}
	}
	slices.Sort(left)
	return left
}

// KindOptions are the options of [AddKind].
type KindOptions struct {
	// Options are the settings of the provider. Dir is a folder in its Go module.
	Options
	// Kind in camel case, such as "Bucket".
	Kind string
	// Group is the first label of its API group, such as "storage".
	Group string
	// Version of its API, such as "v1alpha1".
	Version string
	// DryRun has all be as it was at the end: the changes are those that would be made.
	DryRun bool
}

// AddKind adds a kind, or a version of a kind, to a provider that [Init] has written: types,
// registration, a controller with tests, an example, and what [Generate] makes of them. It writes
// nothing if there is a problem, and doesn't change other existing files. Mistakes of the user are in
// the diagnostics; an error is a bug in mrgen or a cancelled context.
func AddKind(ctx context.Context, options KindOptions) (Scaffolding, error) {
	return add(ctx, options.Options, options.Kind, options.DryRun, func(root string, provider scaffold.Provider) (scaffold.Addition, diag.List, error) {
		kind, diags := provider.NewKind(options.Kind, options.Group, options.Version)
		if diags.HasErrors() {
			return scaffold.Addition{}, diags, nil
		}
		return provider.AddKind(root, kind)
	})
}

// VersionOptions are the options of [AddVersion].
type VersionOptions struct {
	// KindOptions name the kind and its new version. The group may be empty if one alone has
	// the kind.
	KindOptions
	// From is the version to copy.
	From string
	// Storage has objects be stored in the new version.
	Storage bool
}

// AddVersion adds a version of a kind, with the types of an existing one, as [AddKind] does.
func AddVersion(ctx context.Context, options VersionOptions) (Scaffolding, error) {
	return add(ctx, options.Options, options.Kind, options.DryRun, func(root string, provider scaffold.Provider) (_ scaffold.Addition, diags diag.List, _ error) {
		if options.Group == "" {
			if options.Group, diags = provider.FindGroup(root, options.Kind, options.From); diags.HasErrors() {
				return scaffold.Addition{}, diags, nil
			}
		}
		kind, diags := provider.NewKind(options.Kind, options.Group, options.Version)
		if diags.HasErrors() {
			return scaffold.Addition{}, diags, nil
		}
		return provider.AddVersion(root, kind, scaffold.Copy{From: options.From, Storage: options.Storage})
	})
}

// readProvider reads a provider that init has written.
func readProvider(root string, options Options) (scaffold.Provider, diag.List) {
	provider, diags := scaffold.Read(root)
	var copied []string
	for _, pair := range options.Scopes {
		copied = append(copied, pair.Folders.To.Text)
	}
	provider.SetCopied(copied)
	return provider, diags
}

// add adds what a function returns to a provider, or nothing if there is a problem or this is a
// dry run.
func add(ctx context.Context, options Options, kind string, dryRun bool, files func(root string, provider scaffold.Provider) (scaffold.Addition, diag.List, error)) (Scaffolding, error) {
	root, diags := FindModule(options.Dir)
	if HasErrors(diags) {
		return Scaffolding{Diagnostics: diags}, nil
	}
	provider, problems := readProvider(root, options)
	if problems.HasErrors() {
		return Scaffolding{Diagnostics: sorted(problems)}, nil
	}
	added, problems, err := files(root, provider)
	if err != nil || problems.HasErrors() {
		return Scaffolding{Diagnostics: sorted(problems)}, err
	}
	left := slices.Sorted(slices.Values(append(dropExisting(root, added.Files, added.Edited), added.Left...)))
	if problems := uncompilable(kind, "added, since it would not compile", scaffold.Clashes(root, provider.Module, added.Files, added.Edited)); problems.HasErrors() {
		return Scaffolding{Diagnostics: public(problems)}, nil
	}
	plan, problems, err := planFiles(root, added.Files)
	if err != nil || problems.HasErrors() {
		return Scaffolding{Diagnostics: sorted(problems)}, err
	}
	done, err := KindOptions{Options: options, Kind: kind, DryRun: dryRun}.carryOut(ctx, root, plan, added, provider.Module, "added, since it would not compile", false)
	done.Left = left
	return done, err
}

// carryOut applies a plan, and generates what follows from it. If something is wrong then, or if
// this is a dry run, it takes all back. What says for messages what can't happen to the kind.
// Definitions may lose versions if mayRemove is set.
func (o KindOptions) carryOut(ctx context.Context, root string, plan *artifact.Plan, changed scaffold.Addition, module, what string, mayRemove bool) (Scaffolding, error) {
	problems, err := plan.Apply(ctx)
	if err != nil {
		return Scaffolding{}, err
	}
	if problems.HasErrors() {
		return Scaffolding{Diagnostics: sorted(append(problems, plan.Revert()...))}, nil
	}
	options := o.Options
	options.Dir = root
	changes, problems, err := generateAdded(ctx, options, o.DryRun, mayRemove, func(generated []Change) diag.List {
		return compiles(root, module, o.Kind, what, changed, generated)
	})
	if err != nil || problems.HasErrors() {
		return Scaffolding{Diagnostics: sorted(append(unwritten(problems, o.Kind, changed), plan.Revert()...))}, err
	}
	if o.DryRun {
		problems = append(problems, plan.Revert()...)
	}
	changes = append(changes, Result{plan: plan}.Changes()...)
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return Scaffolding{Diagnostics: public(problems), Changes: changes}, nil
}

// generateAdded generates, checks the changes, writes them if there are no errors, unless that is
// not wanted, and returns them.
func generateAdded(ctx context.Context, options Options, dryRun, mayRemove bool, check func([]Change) diag.List) ([]Change, diag.List, error) {
	result, err := generate(ctx, options, incremental.Open(ctx, mrgen(options), options.internal()), mayRemove)
	if err != nil || HasErrors(result.Diagnostics) {
		return nil, internal(result.Diagnostics), err
	}
	if problems := check(result.Changes()); problems.HasErrors() {
		return nil, problems, nil
	}
	if dryRun {
		return result.Changes(), internal(result.Diagnostics), nil
	}
	problems, err := result.Apply(ctx)
	return result.Changes(), append(internal(problems), internal(result.Diagnostics)...), err
}

// compiles returns an error if the added files don't compile with the existing and the generated ones.
func compiles(root, module, kind, what string, added scaffold.Addition, generated []Change) diag.List {
	files := maps.Clone(added.Files)
	for _, change := range generated {
		if change.New != nil {
			files[change.Path] = change.New
		}
	}
	return uncompilable(kind, what, scaffold.Check(root, module, files, added.Edited))
}

// uncompilable reports the first problem of an added kind. Others probably follow from it, or are the
// same in the other scope.
func uncompilable(kind, what string, problems []string) diag.List {
	if len(problems) == 0 {
		return nil
	}
	return diag.List{diag.Errorf(diag.Position{}, codeScaffold, "%s can't be %s: %s", kind, what, problems[0])}
}

// unwritten drops the positions of problems in new files, which are about to be removed, and keeps
// only the first of these problems.
func unwritten(problems diag.List, kind string, added scaffold.Addition) diag.List {
	var kept diag.List
	seen := false
	for _, p := range problems.Sorted() {
		if _, isNew := added.Files[p.Pos.File]; isNew && !added.Edited[p.Pos.File] {
			if seen {
				continue
			}
			seen = true
			p.Message, p.Pos = kind+" can't be added: in "+p.Pos.File+", "+p.Message, diag.Position{}
		}
		kept = append(kept, p)
	}
	return kept
}
