// Package run has the options of a run, which all commands share: plain data.
package run

// Options are the settings of a run. Paths are relative to the module root. Begin with
// [Default], or with those that package settings reads from mrgen.yaml.
type Options struct {
	// Dir is a folder in the Go module to work on; the working directory if empty.
	Dir string
	// Packages are the patterns that select packages; "./..." if empty.
	Packages []string
	// CRDDir is the folder for CRDs.
	CRDDir string
	// ManagedCRDs is set if managed kinds get a CRD, and not only an MRD. Other kinds always
	// get a CRD.
	ManagedCRDs bool
	// MRDDir is the folder for MRDs; none are written if it is empty.
	MRDDir string
	// HeaderFile is a file with text for the top of generated Go files, usually a licence in a
	// comment. It may be empty.
	HeaderFile string
	// ConnectionDetailAnnotations adds annotations to CRDs that describe the keys of connection
	// secrets, for versions of Crossplane without MRDs.
	ConnectionDetailAnnotations bool
	// MaxDescription is the maximum length of descriptions in schemas, in characters. Longer
	// ones are cut, at the end of a sentence if possible. Negative means no limit.
	MaxDescription int
	// MaxDefinitionSize is how many bytes of JSON a definition may take without a warning; 0 for no limit.
	MaxDefinitionSize int
	// AllowDangerousTypes allows floating-point fields.
	AllowDangerousTypes bool
	// EmbeddedObjectMeta gives object metadata below the top of a schema its properties.
	EmbeddedObjectMeta bool
	// NoDeepCopies is set if another generator writes deep copies.
	NoDeepCopies bool
	// RequiredRules relaxes required fields of spec.forProvider into rules, so that
	// resources can be observed without them. ImmutableRules enforces +immutable.
	RequiredRules, ImmutableRules bool
	// MisspeltMarkers makes misspelt markers, which no tool reads, a warning. They are errors
	// otherwise.
	MisspeltMarkers bool
	// Versions says what becomes of values that only some of the served versions of a kind
	// have: errors, conversions, or nothing. VersionTests has a test written beside the
	// conversions.
	Versions     VersionsMode
	VersionTests bool
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs,
	// as "1.31".
	MinKubernetes string
	// TypeCheck type-checks the generated Go code of all packages, and not only where it differs
	// from that on disk.
	TypeCheck bool
	// CacheDir is a folder in which runs record their input and output, so that later runs can
	// skip what hasn't changed. If it is empty, nothing is recorded. The result is the same
	// either way, except for the rules of skipped kinds.
	CacheDir string
	// OnStep is called when a step of a run begins: "compare" with earlier runs, "load", for each unit
	// "model", those of the stages and "compile", and at the end "plan". The unit is the folder of the first
	// of the packages that the step is about, or "" for all of the run. The function that it returns is
	// called when the step has ended. Both must be safe for concurrent use: the steps of one unit follow each
	// other, and those of different units run side by side. The first step of a unit waits for those without
	// a unit that began before it, and a step without a unit for all that began before. OnStep may be nil.
	OnStep func(step, unit string) (ended func()) `json:"-"`
	// Scopes are the folders that are copied to the other scope.
	Scopes []ScopePair
	// Helpers is the folder in each module for the package with functions that generated code calls,
	// relative to the root of the module.
	Helpers string
	// ConvertPackages are the patterns of packages whose interfaces declare conversions between an SDK
	// and the kinds; none are looked into if it is empty. ConvertTests has a test written beside the
	// conversions.
	ConvertPackages []string
	ConvertTests    bool
	// ResolverRegistry is the import path of the package in which reference resolvers look up
	// kinds that they can't import without a cycle. mrgen writes it. Without one, such cycles
	// are errors.
	ResolverRegistry string
	// ReconcilerResolver adds a resolver of references for reconcilers to the helpers of kinds with references.
	ReconcilerResolver bool
	// RemoveMoved removes the definitions that earlier runs wrote to other folders than those of the
	// options.
	RemoveMoved bool `json:"-"`
}

// DefaultHelpers is the folder for the package of helpers unless the options name another.
const DefaultHelpers = "internal/mrgen"

// DefaultBudget is how many bytes the annotations of an object may have, and with them what
// kubectl apply last applied, see
// https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/.
const DefaultBudget = 262_144

// A VersionsMode says what becomes of values that only some of the served versions of a kind
// have, and that the API server drops between them.
type VersionsMode string

const (
	// CheckVersions makes them errors.
	CheckVersions VersionsMode = "check"
	// ReportVersions makes them warnings.
	ReportVersions VersionsMode = "report"
	// ConvertVersions has versions converted by functions that are written. What they would
	// lose is an error.
	ConvertVersions VersionsMode = "convert"
	// IgnoreVersions lets them pass.
	IgnoreVersions VersionsMode = "off"
)

// Begin calls OnStep, if it is set.
func (o Options) Begin(step, unit string) (ended func()) {
	if o.OnStep == nil {
		return func() {}
	}
	return o.OnStep(step, unit)
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
