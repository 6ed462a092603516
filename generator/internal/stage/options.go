package stage

import (
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Options are the settings that stages read.
type Options struct {
	// Options are the run's options. Output folders and the folder for helpers are clean, slash-separated and relative
	// to the module root.
	run.Options
	// Header is the text for the top of generated Go files, usually a licence in
	// a comment; may be empty.
	Header string
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs, and
	// Validator tells whether it does.
	MinKubernetes *version.Version
	Validator     crdvalidation.Validator
	// Registry is the package in which resolvers look up kinds that they can't import, or nil.
	Registry *modules.OwnPackage
}

// CRDSet returns the settings for the CRDs of the package in a folder.
func (o Options) CRDSet(dir string) run.CRDSet {
	for _, set := range o.CRDSets {
		if modules.Matcher(set.Packages)(dir) {
			return set
		}
	}
	return run.CRDSet{CRDDir: o.CRDDir, MaxDescription: o.MaxDescription}
}
