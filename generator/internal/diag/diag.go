// Package diag has other names for package generator/diag, until all imports name that.
package diag

import "github.com/mrgen-io/mrgen/generator/diag"

// The types, see [diag].
type (
	Position      = diag.Position
	Severity      = diag.Severity
	Code          = diag.Code
	Diagnostic    = diag.Diagnostic
	List          = diag.List
	CodeReference = diag.CodeReference
)

// The constants, see [diag].
const (
	Error   = diag.Error
	Warning = diag.Warning
	Full    = diag.Full
)

// Errorf returns [diag.Errorf].
func Errorf(pos Position, code Code, format string, args ...any) Diagnostic {
	return diag.Errorf(pos, code, format, args...)
}

// Warningf returns [diag.Warningf].
func Warningf(pos Position, code Code, format string, args ...any) Diagnostic {
	return diag.Warningf(pos, code, format, args...)
}

// Ours returns [diag.Internal].
func Ours(cause string) string { return diag.Internal(cause) }

// And returns [diag.And].
func And(words []string) string { return diag.And(words) }

// Cause returns [diag.Cause].
func Cause(err error) error { return diag.Cause(err) }

// IsFull returns [diag.IsFull].
func IsFull(err error) bool { return diag.IsFull(err) }
