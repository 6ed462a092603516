// Package password stands in for the package of that name in crossplane-runtime.
package password
