package engine

import (
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver/memo"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// CodeOption is that of diagnostics about options.
const CodeOption diag.Code = "option"

// Options are the settings of a run. Paths are relative to the module root.
type Options struct {
	// Dir is a folder in the Go module to work on; the working directory if empty.
	Dir string
	// Packages are the patterns that select packages; "./..." if empty.
	Packages []string
	// CRDDir is the folder for CRDs.
	CRDDir string
	// ManagedCRDs tells whether managed kinds get a CRD. If not, they are left to
	// their MRDs; other kinds always get a CRD.
	ManagedCRDs bool
	// MRDDir is the folder for MRDs; none are written if it is empty.
	MRDDir string
	// HeaderFile holds text for the top of generated Go files, usually a licence
	// in a comment; may be empty.
	HeaderFile string
	// ConnectionDetailAnnotations tells whether CRDs have annotations that describe
	// the keys of connection secrets, for versions of Crossplane without MRDs.
	ConnectionDetailAnnotations bool
	// MaxDescription cuts descriptions in schemas at so many characters, at the
	// end of a sentence if there is one. Negative means no limit.
	MaxDescription int
	// AllowDangerousTypes allows floating-point fields.
	AllowDangerousTypes bool
	// RequiredRules relaxes required fields of spec.forProvider into rules, so that
	// resources can be observed without them. ImmutableRules enforces +immutable.
	RequiredRules, ImmutableRules bool
	// MisspeltMarkers lets comments pass with a warning that were meant to be markers, and
	// that nobody reads. They are errors otherwise.
	MisspeltMarkers bool
	// Versions says what becomes of values that only some of the served versions of a kind
	// have: errors, or nothing.
	Versions pipeline.VersionsMode
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs,
	// as "1.31".
	MinKubernetes string
	// TypeCheck has the generated Go code of all packages type-checked, and not only where
	// it differs from what is on disk.
	TypeCheck bool
	// KeepSchemas keeps the schemas of all kinds in memory, for reports on their rules.
	KeepSchemas bool
	// CacheDir is a folder in which runs remember what they did, so that work is not
	// done again that can't have changed. Nothing is remembered if it is empty. The
	// result is the same either way, but for the rules of kinds that it leaves out.
	CacheDir string
	// OnStep is called with the name of each step of a run when it begins: "compare"
	// with earlier runs, "load", those of the stages, "compile", and "plan". It may be
	// nil.
	OnStep func(step string) `json:"-"`
	// ResolverRegistry is the import path of the package that reference resolvers
	// find kinds in whose packages they can't import without a cycle. mrgen writes
	// it; without one, such cycles are errors.
	ResolverRegistry string
}

// Step tells that a step of a run begins.
func (o Options) Step(name string) {
	if o.OnStep != nil {
		o.OnStep(name)
	}
}

// DefaultOptions returns the options of a run without settings.
func DefaultOptions() Options {
	return Options{
		Packages:       []string{"./..."},
		CRDDir:         "package/crds",
		ManagedCRDs:    true,
		RequiredRules:  true,
		ImmutableRules: true,
		MaxDescription: -1,
		Versions:       pipeline.CheckVersions,
		MinKubernetes:  "1.31",
	}
}

// ScopeOptions are those for the packages that the options select, "./..." if they name
// none. The registry is the package for it that the run writes, or nil.
func (e Engine) ScopeOptions(root string, options Options, registry *scope.OwnPackage) scope.Options {
	patterns := options.Packages
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	return scope.Options{
		Root:      root,
		Patterns:  patterns,
		Outputs:   pipeline.GoFiles(e.Stages),
		Importers: pipeline.Importers(e.Stages),
		OwnFile:   pipeline.OwnFile(e.Stages),
		Own:       registry,
	}
}

// BuildOptions are those for the source of these packages.
func (e Engine) BuildOptions(options Options) build.Options {
	return build.Options{MisspeltMarkers: options.MisspeltMarkers, DeclaredLater: pipeline.DeclaredLater(e.Stages)}
}

// Settings checks the options and resolves what they refer to, in the module with that root.
func (e Engine) Settings(root string, options Options) (pipeline.Options, diag.List) {
	var diags diag.List
	settings := pipeline.Options{
		ManagedCRDs:                 options.ManagedCRDs,
		ConnectionDetailAnnotations: options.ConnectionDetailAnnotations,
		MaxDescription:              options.MaxDescription,
		AllowDangerousTypes:         options.AllowDangerousTypes,
		RequiredRules:               options.RequiredRules,
		ImmutableRules:              options.ImmutableRules,
		Versions:                    options.Versions,
		KeepSchemas:                 options.KeepSchemas,
	}
	minKubernetes, problems := KubernetesVersion(options.MinKubernetes)
	settings.MinKubernetes = minKubernetes
	diags = append(diags, problems...)
	settings.Validator = memo.New(apiserver.Upstream{MinKubernetes: minKubernetes})
	if options.HeaderFile != "" {
		header, problems := readHeader(root, options)
		settings.Header = header
		diags = append(diags, problems...)
	}
	settings.CRDDir, settings.MRDDir = options.CRDDir, options.MRDDir
	for _, folder := range []*string{&settings.CRDDir, &settings.MRDDir} {
		if *folder != "" {
			name, problems := artifact.OutputFolder(root, *folder)
			*folder = name
			diags = append(diags, problems...)
		}
	}
	if options.ResolverRegistry != "" {
		registry, problems := scope.NewOwnPackage(root, options.ResolverRegistry, pipeline.OwnFile(e.Stages))
		settings.Registry = registry
		for _, problem := range problems {
			problem.Message = "resolvers.registry: " + problem.Message
			diags = append(diags, problem)
		}
	}
	if options.CRDDir == "" {
		diags = append(diags, diag.Errorf(diag.Position{}, CodeOption, "the folder for CRDs is empty: name one, such as package/crds"))
	}
	if settings.CRDDir != "" && settings.CRDDir == settings.MRDDir {
		diags = append(diags, diag.Errorf(diag.Position{File: options.MRDDir}, CodeOption,
			"CRDs and MRDs have the same folder and file names: name another folder for one of them"))
	}
	if !settings.ManagedCRDs && settings.MRDDir == "" {
		diags = append(diags, diag.Errorf(diag.Position{}, CodeOption,
			"managed kinds would get neither a CRD nor an MRD: set a folder for MRDs"))
	}
	return settings, diags
}

// KubernetesVersion reads the version of a Kubernetes release, as "1.31".
func KubernetesVersion(text string) (*version.Version, diag.List) {
	v, err := version.ParseGeneric(text)
	if err != nil {
		return nil, diag.List{diag.Errorf(diag.Position{}, CodeOption, "%q is no Kubernetes version: write it as 1.31", text)}
	}
	return v, nil
}
