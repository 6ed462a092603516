// Package run holds the options of a run, which all commands share.
package run

import "slices"

// Options are the settings of a run. Paths are relative to the module root. Begin with [Default], or with the
// options that package settings reads from mrgen.yaml.
type Options struct {
	// Dir is a folder in the Go module to work on; the working directory if empty.
	Dir string
	// Packages are the patterns that select packages; "./..." if empty.
	Packages []string
	// CRDDir is the folder for CRDs.
	CRDDir string
	// CRDSets are the packages whose CRDs have settings of their own. The first set with a package counts.
	CRDSets []CRDSet
	// ManagedCRDs is set if managed kinds get a CRD, and not only an MRD. Other kinds always
	// get a CRD.
	ManagedCRDs bool
	// MRDDir is the folder for MRDs; none are written if it is empty.
	MRDDir string
	// HeaderFile is a file with text for the top of generated Go files, usually a license in a comment. It may
	// be empty.
	HeaderFile string
	// ConnectionDetailAnnotations adds annotations to CRDs that describe the keys of connection
	// secrets, for versions of Crossplane without MRDs.
	ConnectionDetailAnnotations bool
	// MaxDescription is the maximum length of descriptions in schemas, in characters. Longer ones are cut, at
	// the end of a sentence if possible. Negative means no limit.
	MaxDescription int
	// MaxDefinitionSize is the size of a definition, in bytes of JSON, above which a run warns; 0 means no
	// limit.
	MaxDefinitionSize int
	// AllowDangerousTypes allows floating-point fields.
	AllowDangerousTypes bool
	// EmbeddedObjectMeta gives object metadata below the top of a schema its properties.
	EmbeddedObjectMeta bool
	// NoDeepCopies is set if another generator writes deep copies.
	NoDeepCopies bool
	// RequiredRules turns required fields of spec.forProvider into rules, so that observe-only resources can
	// omit them. ImmutableRules enforces +immutable.
	RequiredRules, ImmutableRules bool
	// MisspeltMarkers turns the errors about misspelt markers, which no tool reads, into warnings.
	MisspeltMarkers bool
	// Versions decides about values that only some served versions of a kind have: errors, conversions, or
	// nothing.
	Versions VersionsMode
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs,
	// as "1.31", which is the oldest one that mrgen supports.
	MinKubernetes string
	// TypeCheck type-checks the generated Go code of all packages, rather than only the changed code.
	TypeCheck bool
	// RemoveDefinitions allows a run to delete more than half of the definitions that it finds.
	RemoveDefinitions bool `json:"-"`
	// CacheDir is a folder for the inputs and outputs of runs, so that later runs can skip unchanged work. If
	// it is empty, nothing is recorded. The result is the same either way, except that skipped kinds have no
	// rules.
	CacheDir string
	// OnStep is called when a step of a run begins: "compare" with earlier runs, "load", for each unit "model",
	// the names of the stages and "compile", within it perhaps "go build" and a package, and at the end "plan". The returned function is called when the
	// step has ended. Both must be safe for concurrent use, since units run concurrently. OnStep may be nil.
	OnStep func(step string) (ended func()) `json:"-"`
	// Helpers is the folder, relative to a module's root, for the package of functions that generated code
	// calls.
	Helpers string
	// ResolverRegistry is the import path of a package that mrgen writes, in which reference resolvers look up
	// kinds that they can't import without a cycle. Without one, such cycles are errors.
	ResolverRegistry string
	// ReconcilerResolver adds a reference resolver for reconcilers to the helpers of kinds with references.
	ReconcilerResolver bool
	// Extensions add packages before a run, and stages and files after it, in this order. Package provider makes
	// them.
	Extensions []Extension
}

// A CRDSet has the settings for the CRDs of some packages, as the options of the same names.
type CRDSet struct {
	// Packages are patterns relative to the module root.
	Packages       []string
	CRDDir         string
	MaxDescription int
}

// DefinitionFolders returns the folders for CRDs and MRDs, sorted.
func (o Options) DefinitionFolders() []string {
	folders := []string{o.CRDDir, o.MRDDir}
	for _, set := range o.CRDSets {
		folders = append(folders, set.CRDDir)
	}
	slices.Sort(folders)
	return slices.DeleteFunc(slices.Compact(folders), func(folder string) bool { return folder == "" })
}

// An Extension adds something to a run that the generator itself knows nothing of. Its exported fields are
// everything that its work depends on.
type Extension interface{ Extends() }

// DefaultHelpers is the default folder for the package of helpers.
const DefaultHelpers = "internal/mrgen"

// DefaultBudget is the limit on the annotations of an object, in bytes. kubectl apply saves the applied object
// in one. See https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/.
const DefaultBudget = 262_144

// A VersionsMode decides about values that only some served versions of a kind have: the API server drops them
// between versions.
type VersionsMode string

const (
	// CheckVersions makes them errors.
	CheckVersions VersionsMode = "check"
	// ReportVersions makes them warnings.
	ReportVersions VersionsMode = "report"
	// ConvertVersions leaves them to functions that convert the versions, which package provider adds. A value
	// that they would lose is an error.
	ConvertVersions VersionsMode = "convert"
	// IgnoreVersions lets them pass.
	IgnoreVersions VersionsMode = "off"
)

// Begin calls OnStep, if it is set.
func (o Options) Begin(step string) (ended func()) {
	if o.OnStep == nil {
		return func() {}
	}
	return o.OnStep(step)
}

// Default returns the options of a run without settings.
func Default() Options {
	return Options{
		Packages:          []string{"./..."},
		CRDDir:            "package/crds",
		ManagedCRDs:       true,
		RequiredRules:     true,
		ImmutableRules:    true,
		MaxDescription:    -1,
		MaxDefinitionSize: DefaultBudget,
		Versions:          CheckVersions,
		MinKubernetes:     "1.31",
		Helpers:           DefaultHelpers,
	}
}
