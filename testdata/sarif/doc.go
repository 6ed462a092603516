// Package sarif has the schema of SARIF judge what mrgen writes. It is a module of its own,
// since nothing but this test needs the schema.
package sarif
