package generator

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/incremental"
	"github.com/mrgen-io/mrgen/generator/internal/report/breaking"
	"github.com/mrgen-io/mrgen/generator/internal/source/inputs"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeBreaking diag.Code = "breaking"

// A Break is something that would break for users.
type Break struct {
	// Pos is where the Go field is declared, or its nearest parent.
	Pos diag.Position
	// Kind is as in Bucket.storage.example.org. Version and Path are empty if all versions and all of
	// an object are meant.
	Kind, Version, Path string
	Class               BreakClass
	// What changed, and what happens then.
	What, Happens string
	// Witness proves it. Without one, NoWitness says why it is reported all the same.
	Witness   *BreakWitness
	NoWitness string
	// Advice is what to do.
	Advice string
}

// A BreakClass says whom a change breaks something for.
type BreakClass = breaking.Class

// A BreakWitness is an object that worked before, and what becomes of it.
type BreakWitness struct {
	// Object is what the old definition accepts.
	Object map[string]any
	// Update is what takes its place, and is accepted by the old definition as well. It is nil if the
	// object itself is what matters.
	Update map[string]any
	// Says is what the API server says of it now, or does to it.
	Says string
}

func newBreak(f breaking.Finding) Break {
	return Break{f.Pos, f.Kind, f.Version, f.Path, f.Class, f.What, f.Happens, (*BreakWitness)(f.Witness), f.NoWitness, f.Advice}
}

// BreakClasses are the classes of breaks, the worst first.
func BreakClasses() []BreakClass { return slices.Clone(breaking.Classes) }

// BreakClassDoc says in lower case what a class is about.
func BreakClassDoc(class BreakClass) string { return breakClassDocs[class] }

var breakClassDocs = map[BreakClass]string{
	breaking.Stored:   "what happens to objects that are stored",
	breaking.Install:  "definitions that can't be installed over what there was",
	breaking.Manifest: "manifests that are refused, or mean something else",
	breaking.Client:   "what programs and compositions miss",
}

// BreakingOptions are the settings of [Breaking].
type BreakingOptions struct {
	// Against is what to compare with: a git revision, a folder, a file, or a Crossplane
	// package, relative to the module root. If it is empty, it is the revision where the
	// branch left the default branch, and on that the last release.
	Against string
	// Budget is how many objects are judged at most for each version of a kind.
	Budget int
	// Alpha tells that versions such as v1alpha1 may break.
	Alpha bool
	// Severity says of a class that it is "warn" or "off". Others are errors.
	Severity map[BreakClass]string
	// Allow are the exceptions.
	Allow []BreakException
}

// DefaultBreakingOptions returns the options without settings.
func DefaultBreakingOptions() BreakingOptions {
	return BreakingOptions{Budget: 5000, Severity: map[BreakClass]string{}}
}

// A BreakException is a break that is meant.
type BreakException struct {
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

// Breaks are what [Breaking] has found.
type Breaks struct {
	// Diagnostics, sorted. If any is an error, nothing else counts.
	Diagnostics diag.List
	// Errors and Warnings, sorted by position.
	Errors, Warnings []Break
	// Against says what was compared with, and Kinds how many kinds that has.
	Against string
	Kinds   int
	// Notes say what was not looked at.
	Notes []string
}

// Breaking is [Generate] for all of the selected packages, and says what their definitions would
// break for users of those that there were. If the run is up to date, and was compared with the
// same before, it says what it said then.
func Breaking(ctx context.Context, options run.Options, how BreakingOptions) (Result, Breaks, error) {
	options.KeepSchemas = true
	options.Step("compare")
	memory := incremental.Open(ctx, mrgen(options), options)
	if memory.IsUpToDate() {
		from, diags := findOrigin(ctx, memory.Root, how.Against)
		var kept comparison
		if !diags.HasErrors() && memory.Recall(keyOf(memory, from, how), &kept) && kept.holds(memory.Root) {
			return upToDate(memory), kept.Found, nil
		}
	}
	memory.EvaluateAll() // what an earlier run remembers has no schemas
	result, err := generate(ctx, options, memory, false)
	if err != nil || result.plan == nil {
		return result, Breaks{}, err
	}
	root := result.plan.Root
	from, diags := findOrigin(ctx, root, how.Against)
	if diags.HasErrors() {
		return result, Breaks{Diagnostics: diags.Sorted()}, nil
	}
	options.Step("judge")
	made, err := result.compare(ctx, options, how, from)
	if err == nil && made.Found.Against != "" {
		remember := result.remember
		result.remember = func() {
			remember()
			memory.Keep(keyOf(memory, from, how), made)
		}
	}
	return result, made.Found, err
}

// A comparison is what is kept of one, if the run that was compared stays up to date.
type comparison struct {
	Found Breaks
	// Elsewhere are the folders whose Go source was looked at, although it is not part of
	// the run, and Source is its hash.
	Elsewhere []string
	Source    string
}

// holds reports whether nothing has changed that the run doesn't know.
func (c comparison) holds(root string) bool { return sourceHash(root, c.Elsewhere) == c.Source }

// keyOf identifies a comparison.
func keyOf(memory *incremental.Memory, from origin, how BreakingOptions) string {
	text, _ := json.Marshal(struct {
		State, Name, Release, Old, New string
		How                            BreakingOptions
	}{memory.State(), from.name, from.release, from.id(), hashOf(onDisk(memory.Root, memory.Settings.OutputFolders(), nil)), how}) // texts and numbers
	return inputs.Hash(text)
}

// compare says what the definitions of the run would break.
func (r Result) compare(ctx context.Context, options run.Options, how BreakingOptions, from origin) (comparison, error) {
	folders := []string{options.CRDDir, "package/crds", "package/mrds"}
	if options.MRDDir != "" {
		folders = append(folders, options.MRDDir)
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	refused := func(diags diag.List) (comparison, error) {
		return comparison{Found: Breaks{Diagnostics: diags.Sorted()}}, nil
	}
	old, diags := r.before(ctx, from, folders)
	if diags.HasErrors() {
		return refused(diags)
	}
	root := r.plan.Root
	pairs, problems := r.pairs(root, options, old.definitions)
	diags = append(diags, problems...)
	release, versionDiags := engine.KubernetesVersion(options.MinKubernetes)
	diags = append(diags, versionDiags...)
	if diags.HasErrors() {
		return refused(diags)
	}
	found, err := breaking.Compare(ctx, pairs, judgement(release, how.Budget))
	if err != nil {
		return comparison{}, err
	}
	made := comparison{Found: Breaks{Against: from.name, Kinds: len(byKind(old.definitions))}}
	result := &made.Found
	for _, cut := range found.Cut {
		result.Notes = append(result.Notes, fmt.Sprintf("%s: the search stopped after as many objects as --budget=%d allows", cut, how.Budget))
	}
	if old.source == nil {
		result.Notes = append(result.Notes, "Go identifiers were not compared: "+from.name+" has no source")
	} else {
		found.Findings = append(found.Findings, breaking.GoAPI(old.source, r.source(root), found.Findings)...)
		breaking.Sort(found.Findings)
	}
	own := r.sourceDirs()
	made.Elsewhere = slices.DeleteFunc(sortedKeys(old.source), func(folder string) bool { return slices.Contains(own, folder) })
	made.Source = sourceHash(root, made.Elsewhere)
	diags = append(diags, result.sort(each(found.Findings, newBreak), how, from.release)...)
	result.Diagnostics = diags.Sorted()
	return made, nil
}

func judgement(release *version.Version, budget int) breaking.Options {
	return breaking.Options{Ratchets: apiserver.Ratchets(release), Budget: budget}
}

func sortedKeys[V any](of map[string]V) []string {
	keys := make([]string, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// sort tells errors from warnings, and from what is meant.
func (b *Breaks) sort(found []Break, how BreakingOptions, release string) diag.List {
	var diags diag.List
	used := make([]bool, len(how.Allow))
	for _, f := range found {
		if how.Alpha && breaking.IsAlpha(f.Version) || how.Severity[f.Class] == "off" {
			continue
		}
		isMeant := false
		for i, e := range how.Allow {
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
		case how.Severity[f.Class] == "warn":
			b.Warnings = append(b.Warnings, f)
		default:
			b.Errors = append(b.Errors, f)
		}
	}
	for i, e := range how.Allow {
		switch {
		case e.hasExpired(release):
			diags = append(diags, diag.Warningf(e.Pos, codeBreaking, "this exception holds until %s, and %s is compared with: remove it", e.Until, release))
		case !used[i]:
			diags = append(diags, diag.Warningf(e.Pos, codeBreaking, "nothing breaks that this exception is about: remove it"))
		}
	}
	return diags
}

// allows reports whether an exception is about a break.
func (e BreakException) allows(f Break) bool {
	return e.Kind == f.Kind && (e.Version == "" || e.Version == f.Version) &&
		(e.Path == "" || e.Path == f.Path || strings.HasPrefix(f.Path, e.Path) && strings.IndexByte(".[{", f.Path[len(e.Path)]) >= 0)
}

// hasExpired reports whether the release that an exception is for has been made.
func (e BreakException) hasExpired(release string) bool {
	return e.Until != "" && release != "" && semver.Compare(cmp.Or(semver.Canonical(release), release), e.Until) >= 0
}

// All returns the breaks that are errors, and those that are warnings.
func (b Breaks) All() []Break { return slices.Concat(b.Errors, b.Warnings) }

// WitnessManifests returns the objects that prove breaks, as manifests. A definition that
// can't be installed has none.
func WitnessManifests(found []Break) ([]byte, error) {
	var all []byte
	for _, f := range found {
		if f.Witness == nil || f.Witness.Object == nil {
			continue
		}
		for _, object := range []map[string]any{f.Witness.Object, f.Witness.Update} {
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
