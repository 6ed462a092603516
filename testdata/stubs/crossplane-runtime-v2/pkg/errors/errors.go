// Package errors stands in for the package of that name in crossplane-runtime.
package errors

import "fmt"

// Wrapf returns an error with a message before it.
func Wrapf(err error, format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}
