// Package crdify compares what crdify and mrgen say of the same pairs of definitions. It is a
// module of its own, since nothing but this test needs crdify.
package crdify
