package pipeline

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Options are the settings that stages read.
type Options struct {
	// Header is the text for the top of generated Go files, usually a licence in
	// a comment; may be empty.
	Header string
	// CRDDir and MRDDir are the output folders, slash-separated and relative to the module
	// root. If MRDDir is empty, no MRDs are written.
	CRDDir, MRDDir string
	// DocsDir is the folder for reference pages. If it is empty, none are written.
	DocsDir string
	// Folders are those for the documents of stages of other programs.
	Folders []string
	// ManagedCRDs is set if managed kinds get a CRD. Other kinds always do.
	ManagedCRDs bool
	// ConnectionDetailAnnotations adds annotations to CRDs that describe the keys of connection
	// secrets.
	ConnectionDetailAnnotations bool
	// MaxDescription is the maximum length of descriptions in schemas, in characters. Longer
	// ones are cut, at the end of a sentence if possible. Negative means no limit.
	MaxDescription int
	// MaxDefinitionSize is how many bytes of JSON a definition may take without a warning; 0 for no limit.
	MaxDefinitionSize int
	// AllowDangerousTypes allows floating-point fields.
	AllowDangerousTypes bool
	// RequiredRules turns required fields into rules, and ImmutableRules enforces +immutable
	// with rules.
	RequiredRules, ImmutableRules bool
	// Versions says what becomes of differences between the served versions of a kind, and
	// VersionTests whether conversions of versions have a test.
	Versions     run.VersionsMode
	VersionTests bool
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs, and
	// Validator tells whether it does.
	MinKubernetes *version.Version
	Validator     crdvalidation.Validator
	// Begin is called with the name of each stage when it begins, and what it returns when it has ended.
	// It may be nil.
	Begin func(name string) (end func())
	// Helpers is the folder in each module for the package with functions that generated code calls,
	// [run.DefaultHelpers] if it is empty.
	Helpers string
	// Registry is the package in which resolvers look up kinds that they can't import, or nil.
	Registry *scope.OwnPackage
}

// OutputFolders returns the folders for documents.
func (o Options) OutputFolders() []string {
	return slices.DeleteFunc(append([]string{o.CRDDir, o.MRDDir, o.DocsDir}, o.Folders...), func(folder string) bool { return folder == "" })
}

// begin says that a stage begins, and returns a function that says that it has ended.
func (o Options) begin(name string) (end func()) {
	if o.Begin == nil {
		return func() {}
	}
	return o.Begin(name)
}
