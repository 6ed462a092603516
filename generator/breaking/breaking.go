// Package breaking finds changes of an API that would break users, and proves them.
package breaking

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	report "github.com/mrgen-io/mrgen/generator/internal/review/compare"
	"github.com/mrgen-io/mrgen/generator/internal/review/definitions"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeBreaking diag.Code = "breaking"

// A Change is a change that would break users.
type Change struct {
	// Pos is where the Go field is declared, or its nearest parent.
	Pos diag.Position
	// Kind is as in Bucket.storage.example.org. Version and Path are empty if the change is about all versions,
	// or about whole objects.
	Kind, Version, Path string
	Class               Class
	// What says what changed, and Happens what happens then.
	What, Happens string
	// Counterexample proves that it breaks. Without one, it may break.
	Counterexample *Counterexample
	// Advice says what to do.
	Advice string
	// Copies name the same change elsewhere, because mrgen or a compiler copies the field there: to
	// spec.initProvider, to status.atProvider, or to the kind of the other scope.
	Copies []string
	// IsAdopted is set if the author changed only the tool: controller-gen ignored a marker that mrgen obeys. Such a
	// change is a warning.
	IsAdopted bool
}

// Subject returns the kind, version and path of the change, as far as they are set.
func (c Change) Subject() string {
	return strings.Join(slices.DeleteFunc([]string{c.Kind, c.Version, c.Path}, func(s string) bool { return s == "" }), " ")
}

// A Class says for whom a change breaks something.
type Class string

// A Counterexample is an object that worked before, and its fate now.
type Counterexample struct {
	// Object is accepted by the old definition.
	Object map[string]any
	// Update replaces the object, and is accepted by the old definition as well. It is nil if the object itself
	// is refused or changed.
	Update map[string]any
	// Says is the API server's message now, or its effect on the object.
	Says string
}

func newChange(f report.Finding) Change {
	return Change{f.Pos, f.Kind, f.Version, f.Path, Class(f.Class), f.What, f.Happens, (*Counterexample)(f.Counterexample), f.Advice, nil, f.IsAdopted}
}

// Classes are the classes of breaks, the worst first.
func Classes() []Class {
	return inspection.Each(report.Classes, func(c report.Class) Class { return Class(c) })
}

// Doc describes a class, in lower case.
func (c Class) Doc() string { return docs[report.Class(c)] }

var docs = map[report.Class]string{
	report.Stored:   "stored objects that are refused, or lose data",
	report.Install:  "definitions that can't be installed over the earlier ones",
	report.Manifest: "manifests that are refused, or mean something else",
	report.Client:   "fields that programs and compositions miss",
}

// Options are the settings of [Run].
type Options struct {
	// Against is a git revision, a folder or a file to compare with, relative to the module root. If it is
	// empty, it is the revision where the branch left the default branch or, on the default branch, the last
	// release.
	Against string
	// Alpha allows versions such as v1alpha1 to break.
	Alpha bool
	// Strict makes changes without a counterexample, and those of the tool alone, errors. They are warnings otherwise.
	Strict bool
	// Severity is "warn" or "off" for some classes. Other classes are errors.
	Severity map[Class]string
	// Allow are the exceptions.
	Allow []Exception
}

// Default returns the options without settings.
func Default() Options {
	return Options{Severity: map[Class]string{}}
}

// An Exception is an intended breaking change.
type Exception struct {
	// Kind is as in Bucket.storage.example.org. Without Version or Path, all versions or whole objects are
	// meant. Fields below Path are included.
	Kind, Version, Path string
	// Reason is the author's reason.
	Reason string
	// Until is the release with the change: the exception has no effect when compared with that release or a
	// later one. It may be empty.
	Until string
	// Pos is the position in mrgen.yaml.
	Pos diag.Position
}

// Result holds the findings of [Run].
type Result struct {
	// Diagnostics, sorted. Warnings name the kinds that an error leaves out.
	Diagnostics diag.List
	// Errors and Warnings, sorted by position.
	Errors, Warnings []Change
	// Against names the earlier definitions, and Kinds is their number of kinds.
	Against string
	Kinds   int
	// Own is set if they are the definitions that the run has made.
	Own bool
}

// Run is [generator.Generate] for all of the selected packages, and compares their definitions with the earlier
// ones. If nothing changed since the same comparison, it returns the earlier result.
func Run(ctx context.Context, options run.Options, opts Options) (generator.Result, Result, error) {
	in := command.Open(options, stage.Report)
	// Source and output are unchanged: only the earlier definitions may differ.
	if in.IsCurrent() {
		from, diags := findOrigin(ctx, in.Root, opts.Against)
		var kept Result
		if !diags.HasErrors() && in.Recall(keyOf(in, from, opts), &kept) {
			return generator.NewResult(command.UpToDate(in).Public()), kept, nil
		}
	}
	made, err := command.Generate(ctx, options, in)
	if err != nil {
		return generator.NewResult(made.Public()), Result{}, err
	}
	now := current{Result: made, root: in.Root}
	var incomplete diag.List
	if made.Plan == nil { // errors in some kinds don't hide what breaks in others
		var some stage.Incomplete
		if _, some, incomplete, err = inspection.LoadSome(ctx, options); err != nil || len(some.Made) == 0 {
			return generator.NewResult(made.Public()), Result{}, err
		}
		now.Definitions, now.missing, now.unread = some.Made, some.Missing, some.Unread
	}
	from, diags := findOrigin(ctx, in.Root, opts.Against)
	if diags.HasErrors() {
		return generator.NewResult(made.Public()), Result{Diagnostics: diags.Sorted()}, nil
	}
	defer options.Begin("judge")()
	compared, err := now.compare(ctx, options, opts, from)
	isError := func(d diag.Diagnostic) bool { return d.Severity == diag.Error } // the run has reported it
	compared.Diagnostics = append(slices.DeleteFunc(incomplete, isError), compared.Diagnostics...).Sorted()
	// A refused comparison isn't remembered.
	if err == nil && compared.Against != "" && made.Plan != nil {
		record := made.Record
		made.Record = func() {
			record()
			in.Keep(keyOf(in, from, opts), compared)
		}
	}
	return generator.NewResult(made.Public()), compared, err
}

// The current definitions are the definitions of a run in the module at root, without the missing kinds, which have errors.
type current struct {
	command.Result
	root    string
	missing []*model.Object
	// unread are the folders of packages that may have other kinds.
	unread []string
}

// keyOf identifies a comparison.
func keyOf(in command.Input, from origin, opts Options) string {
	text, _ := json.Marshal(struct {
		State, Name, Release, Old, New string
		How                            Options
	}{in.State(), from.name, from.release, from.id(), hashOf(onDisk(in.Root, in.Settings.DefinitionFolders())), opts}) // texts and numbers
	return readlog.Hash(text)
}

// compare compares the definitions of the run with the earlier ones.
func (r current) compare(ctx context.Context, options run.Options, opts Options, from origin) (Result, error) {
	folders := append(options.DefinitionFolders(), "package/crds", "package/mrds")
	slices.Sort(folders)
	folders = slices.Compact(folders)
	old, diags := before(ctx, from, folders)
	if diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, nil
	}
	upgrades, problems := r.upgrades(options, old)
	diags = append(diags, problems...)
	release, versionDiags := apiserver.ParseVersion(options.MinKubernetes)
	diags = append(diags, versionDiags...)
	if diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, nil
	}
	found, err := report.Compare(ctx, upgrades, report.Options{Ratchets: apiserver.Ratchets(release)})
	if err != nil {
		return Result{}, err
	}
	result := Result{Against: from.name, Kinds: len(upgrades), Own: from.commit == "" && r.made(from)}
	diags = append(diags, result.sort(inspection.Each(found, newChange), opts, from.release)...)
	result.Diagnostics = diags.Sorted()
	result.Errors, result.Warnings = fold(result.Errors, r.root), fold(result.Warnings, r.root)
	return result, nil
}

// made reports whether the run has made all definitions of mrgen in an origin, byte for byte.
func (r current) made(from origin) bool {
	if r.Plan == nil {
		return false
	}
	made := map[string]bool{}
	for _, change := range r.Plan.Changes {
		made[string(change.New)] = true
	}
	own := slices.DeleteFunc(slices.Clone(from.files), func(f definitions.File) bool {
		_, isDefinition := artifact.ParseHeader(f.Content) // unlike an example
		return !isDefinition
	})
	return len(own) > 0 && !slices.ContainsFunc(own, func(f definitions.File) bool { return !made[string(f.Content)] })
}

// sort separates errors, warnings and intended changes.
func (b *Result) sort(found []Change, opts Options, release string) diag.List {
	var diags diag.List
	used := make([]bool, len(opts.Allow))
	for _, f := range found {
		// Kubernetes allows alpha versions to change.
		if opts.Alpha && report.IsAlpha(f.Version) || opts.Severity[f.Class] == "off" {
			continue
		}
		isMeant := false
		for i, e := range opts.Allow {
			if !e.allows(f) {
				continue
			}
			// An expired exception counts as used: its own warning is enough.
			used[i] = true
			if !e.hasExpired(release) {
				isMeant = true
			}
		}
		switch {
		case isMeant:
		case opts.Severity[f.Class] == "warn", (f.Counterexample == nil || f.IsAdopted) && !opts.Strict:
			b.Warnings = append(b.Warnings, f)
		default:
			b.Errors = append(b.Errors, f)
		}
	}
	for i, e := range opts.Allow {
		switch {
		case e.hasExpired(release):
			diags = append(diags, diag.Warningf(e.Pos, codeBreaking,
				"this exception holds until %s, and %s is compared with: remove it", e.Until, release))
		case !used[i]:
			diags = append(diags, diag.Warningf(e.Pos, codeBreaking, "this exception is unused: remove it"))
		}
	}
	return diags
}

// allows reports whether an exception covers a change.
func (e Exception) allows(f Change) bool {
	switch {
	case e.Kind != f.Kind, e.Version != "" && e.Version != f.Version:
		return false
	case e.Path == "", e.Path == f.Path:
		return true
	default: // another path may begin with the same letters
		return strings.HasPrefix(f.Path, e.Path) && strings.IndexByte(".[{", f.Path[len(e.Path)]) >= 0
	}
}

// hasExpired reports whether the release that an exception is for has been made.
func (e Exception) hasExpired(release string) bool {
	return e.Until != "" && release != "" && semver.Compare(cmp.Or(semver.Canonical(release), release), e.Until) >= 0
}

// All returns the errors, and then the warnings.
func (b Result) All() []Change { return slices.Concat(b.Errors, b.Warnings) }

// Manifests returns the counterexamples as manifests. A definition that can't be installed has none.
func Manifests(found []Change) ([]byte, error) {
	var all []byte
	for _, f := range found {
		if f.Counterexample == nil || f.Counterexample.Object == nil {
			continue
		}
		for _, object := range []map[string]any{f.Counterexample.Object, f.Counterexample.Update} {
			if object == nil {
				continue
			}
			text, err := yaml.Marshal(object)
			if err != nil {
				return nil, err
			}
			all = append(append(all, "---\n"...), text...)
		}
	}
	return all, nil
}
