package generator

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/external/convert"
)

// A File has YAML documents, and a name for diagnostics.
type File struct {
	Name    string
	Content []byte
}

// The states of MRDs.
const (
	Active   = "Active"
	Inactive = "Inactive"
)

// ConvertOptions are the options of [Convert].
type ConvertOptions struct {
	// Files have CRDs.
	Files []File
	// ConnectionDetails maps the names of CRDs to lists of connection details, each with a name
	// and a description. It may be nil.
	ConnectionDetails *File
	// State of the MRDs: Active or Inactive.
	State string
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs, such as "1.31".
	MinKubernetes string
}

// Convert returns the CRDs of managed resources as MRDs, and other CRDs unchanged, in a stream of YAML
// documents. It doesn't access the disk. The result is nil if a diagnostic is an error.
func Convert(ctx context.Context, options ConvertOptions) ([]byte, diag.List) {
	minKubernetes, diags := engine.KubernetesVersion(options.MinKubernetes)
	if diags.HasErrors() {
		return nil, diags
	}
	content, diags := convert.Convert(ctx, convert.Options{
		Files:             each(options.Files, func(f File) convert.File { return convert.File(f) }),
		ConnectionDetails: (*convert.File)(options.ConnectionDetails),
		State:             options.State,
		MinKubernetes:     minKubernetes,
	})
	return content, diags.Sorted()
}
