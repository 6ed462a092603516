// Package managed stands in for the package of that name in crossplane-runtime.
package managed

// ConnectionDetails are what connection secrets hold.
type ConnectionDetails map[string][]byte
