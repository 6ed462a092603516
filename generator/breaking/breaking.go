// Package breaking says what the definitions of an API would break for users, and proves it.
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
	"github.com/mrgen-io/mrgen/generator/internal/driver"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	report "github.com/mrgen-io/mrgen/generator/internal/review/compare"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeBreaking diag.Code = "breaking"

// A Change is something that would break for users.
type Change struct {
	// Pos is where the Go field is declared, or its nearest parent.
	Pos diag.Position
	// Kind is as in Bucket.storage.example.org. Version and Path are empty if all versions and all of
	// an object are meant.
	Kind, Version, Path string
	Class               Class
	// What changed, and what happens then.
	What, Happens string
	// Counterexample proves that it breaks. Without one, it may break.
	Counterexample *Counterexample
	// Advice is what to do.
	Advice string
	// Copies say where else the same is, because mrgen or a compiler copies the field there: to
	// spec.initProvider, to status.atProvider, or to the kind of the other scope.
	Copies []string
}

// Subject says what the change is about: a kind, a version and a path, those that there are.
func (c Change) Subject() string {
	return strings.Join(slices.DeleteFunc([]string{c.Kind, c.Version, c.Path}, func(s string) bool { return s == "" }), " ")
}

// A Class says whom a change breaks something for.
type Class string

// A Counterexample is an object that worked before, and what becomes of it.
type Counterexample struct {
	// Object is what the old definition accepts.
	Object map[string]any
	// Update is what takes its place, and is accepted by the old definition as well. It is nil if the
	// object itself is what matters.
	Update map[string]any
	// Says is what the API server says of it now, or does to it.
	Says string
}

func newChange(f report.Finding) Change {
	return Change{f.Pos, f.Kind, f.Version, f.Path, Class(f.Class), f.What, f.Happens, (*Counterexample)(f.Counterexample), f.Advice, nil}
}

// Classes are the classes of breaks, the worst first.
func Classes() []Class {
	return driver.Each(report.Classes, func(c report.Class) Class { return Class(c) })
}

// Doc says in lower case what a class is about.
func (c Class) Doc() string { return docs[report.Class(c)] }

var docs = map[report.Class]string{
	report.Stored:   "stored objects that are refused, or lose data",
	report.Install:  "definitions that can't be installed over the earlier ones",
	report.Manifest: "manifests that are refused, or mean something else",
	report.Client:   "fields that programs and compositions miss",
}

// Options are the settings of [Run].
type Options struct {
	// Against is what to compare with: a git revision, a folder or a file, relative to the module
	// root. If it is empty, it is the revision where the
	// branch left the default branch, and on that the last release.
	Against string
	// Alpha tells that versions such as v1alpha1 may break.
	Alpha bool
	// Severity says of a class that it is "warn" or "off". Others are errors.
	Severity map[Class]string
	// Allow are the exceptions.
	Allow []Exception
}

// Default returns the options without settings.
func Default() Options {
	return Options{Severity: map[Class]string{}}
}

// A Exception is a break that is meant.
type Exception struct {
	// Kind is as in Bucket.storage.example.org. Version and Path may be empty: then all
	// versions are meant, and all of an object. What is below Path is meant, too.
	Kind, Version, Path string
	// Reason says why.
	Reason string
	// Until is the release that has it: once that is what is compared with, the exception
	// has no effect any more. It may be empty.
	Until string
	// Pos is where it stands.
	Pos diag.Position
}

// Result are what [Run] has found.
type Result struct {
	// Diagnostics, sorted. If any is an error, nothing else counts.
	Diagnostics diag.List
	// Errors and Warnings, sorted by position.
	Errors, Warnings []Change
	// Against says what was compared with, and Kinds how many kinds that has.
	Against string
	Kinds   int
}

// Run is [generator.Generate] for all of the selected packages, and says what their definitions would
// break for users of those that there were. If the run is up to date, and was compared with the
// same before, it says what it said then.
func Run(ctx context.Context, options run.Options, opts Options) (generator.Result, Result, error) {
	in := driver.Open(options, pipeline.Report)
	if in.IsCurrent() {
		from, diags := findOrigin(ctx, in.Root, opts.Against)
		var kept Result
		if !diags.HasErrors() && in.Recall(keyOf(in, from, opts), &kept) {
			return generator.NewResult(driver.UpToDate(in)), kept, nil
		}
	}
	made, err := driver.Generate(ctx, options, in)
	if err != nil || made.Plan == nil {
		return generator.NewResult(made), Result{}, err
	}
	from, diags := findOrigin(ctx, made.Plan.Root, opts.Against)
	if diags.HasErrors() {
		return generator.NewResult(made), Result{Diagnostics: diags.Sorted()}, nil
	}
	defer options.Begin("judge", "")()
	compared, err := current{made}.compare(ctx, options, opts, from)
	if err == nil && compared.Against != "" {
		record := made.Record
		made.Record = func() {
			record()
			in.Keep(keyOf(in, from, opts), compared)
		}
	}
	return generator.NewResult(made), compared, err
}

// The current definitions are those of a run.
type current struct{ driver.Result }

// keyOf identifies a comparison.
func keyOf(in driver.Input, from origin, opts Options) string {
	text, _ := json.Marshal(struct {
		State, Name, Release, Old, New string
		How                            Options
	}{in.State(), from.name, from.release, from.id(), hashOf(onDisk(in.Root, in.Settings.OutputFolders(), nil)), opts}) // texts and numbers
	return readlog.Hash(text)
}

// compare says what the definitions of the run would break.
func (r current) compare(ctx context.Context, options run.Options, opts Options, from origin) (Result, error) {
	folders := []string{options.CRDDir, "package/crds", "package/mrds"}
	if options.MRDDir != "" {
		folders = append(folders, options.MRDDir)
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	old, diags := before(ctx, from, folders)
	if diags.HasErrors() {
		return Result{Diagnostics: diags.Sorted()}, nil
	}
	root := r.Plan.Root
	upgrades, problems := r.upgrades(root, options, old)
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
	result := Result{Against: from.name, Kinds: len(byKind(old))}
	diags = append(diags, result.sort(driver.Each(found, newChange), opts, from.release)...)
	result.Diagnostics = diags.Sorted()
	result.Errors, result.Warnings = fold(result.Errors, root), fold(result.Warnings, root)
	return result, nil
}

// sort tells errors from warnings, and from what is meant.
func (b *Result) sort(found []Change, opts Options, release string) diag.List {
	var diags diag.List
	used := make([]bool, len(opts.Allow))
	for _, f := range found {
		if opts.Alpha && report.IsAlpha(f.Version) || opts.Severity[f.Class] == "off" {
			continue
		}
		isMeant := false
		for i, e := range opts.Allow {
			if !e.allows(f) {
				continue
			}
			used[i] = true
			if !e.hasExpired(release) {
				isMeant = true
			}
		}
		switch {
		case isMeant:
		case opts.Severity[f.Class] == "warn":
			b.Warnings = append(b.Warnings, f)
		default:
			b.Errors = append(b.Errors, f)
		}
	}
	for i, e := range opts.Allow {
		switch {
		case e.hasExpired(release):
			diags = append(diags, diag.Warningf(e.Pos, codeBreaking, "this exception holds until %s, and %s is compared with: remove it", e.Until, release))
		case !used[i]:
			diags = append(diags, diag.Warningf(e.Pos, codeBreaking, "this exception is unused: remove it"))
		}
	}
	return diags
}

// allows reports whether an exception is about a break.
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

// All returns the breaks that are errors, and those that are warnings.
func (b Result) All() []Change { return slices.Concat(b.Errors, b.Warnings) }

// Manifests returns the objects that prove breaks, as manifests. A definition that
// can't be installed has none.
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
