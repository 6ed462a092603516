// Package xpkg makes Crossplane packages, reads them, and says what Crossplane would refuse: see
// https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md.
//
// A package of a provider is an image for each platform, with the program and, in a layer of its
// own, package.yaml: the metadata and all definitions.
package xpkg

import "github.com/mrgen-io/mrgen/generator/diag"

// Code is the code of diagnostics about Crossplane packages.
const Code diag.Code = "package"

// MetadataFile has the metadata in the source folder of a package, see
// https://docs.crossplane.io/latest/packages/providers/.
const MetadataFile = "crossplane.yaml"

const (
	// StreamFile is the file with all objects of a package.
	StreamFile = "package.yaml"
	// examplesFile has manifests for those who show packages.
	examplesFile = ".up/examples.yaml"

	// annotation tells of a layer what it is for. In an archive, where layers have no
	// annotations, it is a label of the image, with the digest of the layer.
	annotation = "io.crossplane.xpkg"
	// What the annotation says of the layers with the files above. The one of examples is that of
	// Crossplane's own command line.
	baseLayer     = "base"
	examplesLayer = "upbound"
	docsLayer     = "docs"
)

// A File is a file with its content.
type File struct {
	// Name is slash-separated.
	Name    string
	Content []byte
}
