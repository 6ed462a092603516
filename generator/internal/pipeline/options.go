package pipeline

import (
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// Options are the settings that stages read.
type Options struct {
	// Header is the text for the top of generated Go files, usually a licence in
	// a comment; may be empty.
	Header string
	// CRDDir and MRDDir are the output folders, slash-separated and relative to
	// the module root. No MRDs are written if MRDDir is empty.
	CRDDir, MRDDir string
	// ManagedCRDs tells whether managed kinds get a CRD. Others always do.
	ManagedCRDs bool
	// ConnectionDetailAnnotations tells whether CRDs have annotations that describe
	// the keys of connection secrets.
	ConnectionDetailAnnotations bool
	// MaxDescription cuts descriptions in schemas at so many characters, at the
	// end of a sentence if there is one; negative means no limit.
	MaxDescription int
	// AllowDangerousTypes allows floating-point fields.
	AllowDangerousTypes bool
	// RequiredRules relaxes required fields into rules, and ImmutableRules makes
	// rules for +immutable.
	RequiredRules, ImmutableRules bool
	// Versions says what becomes of differences between the served versions of a kind.
	Versions VersionsMode
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs, and
	// Validator tells whether it does.
	MinKubernetes *version.Version
	Validator     apiserver.Validator
	// KeepSchemas tells whether definitions keep their schemas and decisions when all
	// files are made of them. They take a lot of memory.
	KeepSchemas bool
	// OnStage is called with the name of each stage when it begins. It may be nil.
	OnStage func(name string)
	// Registry is the package that resolvers find kinds in whose packages they
	// can't import, or nil if there is none.
	Registry *scope.OwnPackage
}

// A VersionsMode says what becomes of values that only some of the served versions of a kind
// have, and that the API server drops between them.
type VersionsMode string

const (
	// CheckVersions makes them errors.
	CheckVersions VersionsMode = "check"
	// ReportVersions makes them warnings.
	ReportVersions VersionsMode = "report"
	// IgnoreVersions lets them pass.
	IgnoreVersions VersionsMode = "off"
)

// OutputFolders are those that YAML files are written to.
func (o Options) OutputFolders() []string {
	folders := []string{o.CRDDir}
	if o.MRDDir != "" {
		folders = append(folders, o.MRDDir)
	}
	return folders
}
