// Package meta stands in for the package of that name in crossplane-runtime.
package meta
