// Package managed stands in for the package of that name in crossplane-runtime v2.
package managed

// ConnectionDetails are what one needs to connect to an external resource.
type ConnectionDetails map[string][]byte
