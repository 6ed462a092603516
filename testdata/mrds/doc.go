// Package mrds tests what Crossplane makes of the ManagedResourceDefinitions of the
// providers in the folders beside it.
package mrds
