// Package e2e runs what mrgen generates through the components that users run: see
// the README beside this file.
package e2e
