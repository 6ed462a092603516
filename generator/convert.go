package generator

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/external/convert"
)

// A File is a stream of YAML documents, with the name that diagnostics give it.
type File = convert.File

// The states of MRDs.
const (
	Active   = "Active"
	Inactive = "Inactive"
)

// ConvertOptions say what [Convert] converts, and to what.
type ConvertOptions struct {
	// Files hold CRDs.
	Files []File
	// ConnectionDetails is a file that maps the names of CRDs to lists of connection
	// details, each with a name and a description; nil if there is none.
	ConnectionDetails *File
	// State of the MRDs: Active or Inactive.
	State string
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs,
	// as "1.31".
	MinKubernetes string
}

// Convert returns the CRDs of managed resources as a stream of MRDs, and other CRDs
// as they are. It reads and writes no files. There is nothing to write if a
// diagnostic is an error.
func Convert(ctx context.Context, options ConvertOptions) ([]byte, []Diagnostic) {
	minKubernetes, diags := engine.KubernetesVersion(options.MinKubernetes)
	if diags.HasErrors() {
		return nil, diags
	}
	content, diags := convert.Convert(ctx, convert.Options{
		Files:             options.Files,
		ConnectionDetails: options.ConnectionDetails,
		State:             options.State,
		MinKubernetes:     minKubernetes,
	})
	return content, diags.Sorted()
}
