// Package mrd makes ManagedResourceDefinitions of CRDs that exist as YAML, and activation policies for them.
package mrd

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
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

// Options are the options of [Convert].
type Options struct {
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
func Convert(ctx context.Context, options Options) ([]byte, diag.List) {
	minKubernetes, diags := apiserver.ParseVersion(options.MinKubernetes)
	if diags.HasErrors() {
		return nil, diags
	}
	var files []convert.File
	for _, f := range options.Files {
		files = append(files, convert.File(f))
	}
	content, diags := convert.Convert(ctx, convert.Options{
		Files:             files,
		ConnectionDetails: (*convert.File)(options.ConnectionDetails),
		State:             options.State,
		MinKubernetes:     minKubernetes,
	})
	return content, diags.Sorted()
}
