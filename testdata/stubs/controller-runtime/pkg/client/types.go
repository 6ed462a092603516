// Package client stands in for the package of that name in controller-runtime.
package client

// Reader reads objects.
type Reader interface{ Get() }
