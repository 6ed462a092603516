package generator

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/source/counterpart"
)

// Options are the settings of a run. Paths are relative to the module root. Begin with
// [DefaultOptions], or with those that package settings reads from mrgen.yaml.
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
	// DocsDir is the folder for reference pages; none are written if it is empty.
	DocsDir string
	// HeaderFile is a file with text for the top of generated Go files, usually a licence in a
	// comment. It may be empty.
	HeaderFile string
	// ConnectionDetailAnnotations adds annotations to CRDs that describe the keys of connection
	// secrets, for versions of Crossplane without MRDs.
	ConnectionDetailAnnotations bool
	// MaxDescription is the maximum length of descriptions in schemas, in characters. Longer
	// ones are cut, at the end of a sentence if possible. Negative means no limit.
	MaxDescription int
	// Budget is how many bytes of JSON a definition may take without a warning; 0 for no limit.
	Budget int
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
	// KeepSchemas keeps the schemas of all kinds in memory, for reports on their rules.
	KeepSchemas bool
	// CacheDir is a folder in which runs record their input and output, so that later runs can
	// skip what hasn't changed. If it is empty, nothing is recorded. The result is the same
	// either way, except for the rules of skipped kinds.
	CacheDir string
	// OnStep is called with the name of each step of a run when it begins: "compare"
	// with earlier runs, "load", those of the stages, "compile", and "plan". It may be
	// nil.
	OnStep func(step string)
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
	// RemoveMoved removes the definitions and reference pages that earlier runs wrote to other
	// folders than those of the options.
	RemoveMoved bool
	// Stages are stages of other programs. They run after mrgen's own, in their order.
	Stages []Stage
}

// A ScopePair is what is written in one scope, and copied to the other.
type ScopePair struct {
	// Folders have the API packages, Code other packages.
	Folders ScopeFolders
	Code    []ScopeFolders
	// Groups are the API groups, in which an asterisk stands for any text.
	Groups []ScopeReplacement
	// Replace are Go names, with the import path of their package, or string literals that the other
	// scope has others for.
	Replace []ScopeReplacement
	// Helpers is the folder of a package with what the scopes do differently, which is written, or
	// empty.
	Helpers ScopeSetting
	// Tests is set if tests are copied, too.
	Tests bool
	// Pos is where the settings of the pair begin.
	Pos diag.Position
}

// ScopeFolders are where packages are copied from and to.
type ScopeFolders struct{ From, To ScopeSetting }

// A ScopeReplacement is a text in the settings that stands for another one.
type ScopeReplacement struct{ Old, New ScopeSetting }

// A ScopeSetting is a text in the settings.
type ScopeSetting struct {
	Text string
	Pos  diag.Position
}

func (s ScopeSetting) internal() counterpart.Setting {
	return counterpart.Setting{Text: s.Text, Pos: s.Pos}
}

func (f ScopeFolders) internal() counterpart.Folders {
	return counterpart.Folders{From: f.From.internal(), To: f.To.internal()}
}

func (r ScopeReplacement) internal() counterpart.Replacement {
	return counterpart.Replacement{Old: r.Old.internal(), New: r.New.internal()}
}

func (p ScopePair) internal() counterpart.Pair {
	return counterpart.Pair{
		Folders: p.Folders.internal(), Code: each(p.Code, ScopeFolders.internal), Groups: each(p.Groups, ScopeReplacement.internal),
		Replace: each(p.Replace, ScopeReplacement.internal), Helpers: p.Helpers.internal(), Tests: p.Tests, Pos: p.Pos,
	}
}

// A VersionsMode says whether the served versions of a kind may have different fields.
type VersionsMode = pipeline.VersionsMode

// The modes of versions.
const (
	CheckVersions   = pipeline.CheckVersions
	ConvertVersions = pipeline.ConvertVersions
	IgnoreVersions  = pipeline.IgnoreVersions
)

// DefaultOptions returns the defaults of all options.
func DefaultOptions() Options {
	d := engine.DefaultOptions()
	return Options{
		Dir:                         d.Dir,
		Packages:                    d.Packages,
		CRDDir:                      d.CRDDir,
		ManagedCRDs:                 d.ManagedCRDs,
		MRDDir:                      d.MRDDir,
		DocsDir:                     d.DocsDir,
		HeaderFile:                  d.HeaderFile,
		ConnectionDetailAnnotations: d.ConnectionDetailAnnotations,
		MaxDescription:              d.MaxDescription,
		Budget:                      d.Budget,
		AllowDangerousTypes:         d.AllowDangerousTypes,
		EmbeddedObjectMeta:          d.EmbeddedObjectMeta,
		NoDeepCopies:                d.NoDeepCopies,
		RequiredRules:               d.RequiredRules,
		ImmutableRules:              d.ImmutableRules,
		MisspeltMarkers:             d.MisspeltMarkers,
		Versions:                    d.Versions,
		VersionTests:                d.VersionTests,
		MinKubernetes:               d.MinKubernetes,
		TypeCheck:                   d.TypeCheck,
		KeepSchemas:                 d.KeepSchemas,
		CacheDir:                    d.CacheDir,
		OnStep:                      d.OnStep,
		Helpers:                     d.Helpers,
		ConvertPackages:             d.ConvertPackages,
		ConvertTests:                d.ConvertTests,
		ResolverRegistry:            d.ResolverRegistry,
	}
}

// internal returns the options without the stages, which are the engine's.
func (o Options) internal() engine.Options {
	return engine.Options{
		Dir:                         o.Dir,
		Packages:                    o.Packages,
		CRDDir:                      o.CRDDir,
		ManagedCRDs:                 o.ManagedCRDs,
		MRDDir:                      o.MRDDir,
		DocsDir:                     o.DocsDir,
		HeaderFile:                  o.HeaderFile,
		ConnectionDetailAnnotations: o.ConnectionDetailAnnotations,
		MaxDescription:              o.MaxDescription,
		Budget:                      o.Budget,
		AllowDangerousTypes:         o.AllowDangerousTypes,
		EmbeddedObjectMeta:          o.EmbeddedObjectMeta,
		NoDeepCopies:                o.NoDeepCopies,
		RequiredRules:               o.RequiredRules,
		ImmutableRules:              o.ImmutableRules,
		MisspeltMarkers:             o.MisspeltMarkers,
		Versions:                    o.Versions,
		VersionTests:                o.VersionTests,
		MinKubernetes:               o.MinKubernetes,
		TypeCheck:                   o.TypeCheck,
		KeepSchemas:                 o.KeepSchemas,
		CacheDir:                    o.CacheDir,
		OnStep:                      o.OnStep,
		Scopes:                      each(o.Scopes, ScopePair.internal),
		Helpers:                     o.Helpers,
		ConvertPackages:             o.ConvertPackages,
		ConvertTests:                o.ConvertTests,
		ResolverRegistry:            o.ResolverRegistry,
	}
}

// step says which step of a run begins.
func (o Options) step(name string) { o.internal().Step(name) }
