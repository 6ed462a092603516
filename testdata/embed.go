// Package testdata has files of the tests that mrgen writes into providers.
package testdata

import "embed"

// Simulated is the simulated API, which new providers get as it is. It is embedded from here because its own package
// imports testing, which would be compiled into mrgen.
//
//go:embed simulated/simulated.go
var Simulated []byte

// Objects is the same for objects of an SDK.
//
//go:embed simulated/objects.go
var Objects []byte

// Setup is the package with which new providers set up controllers, and its tests. Generated code has its resolver of references, too.
//
//go:embed setup/*.go
var Setup embed.FS

// Life is the package that lives the lives of managed resources, whose imports only providers require.
//
//go:embed life/*.go
var Life embed.FS
