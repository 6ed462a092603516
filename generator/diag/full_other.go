//go:build !unix

package diag

import (
	"errors"
	"syscall"
)

// IsFull reports whether an error means that no space is left on the disk or in the user's quota: Windows'
// ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL and ERROR_DISK_QUOTA_EXCEEDED.
func IsFull(err error) bool {
	return errors.Is(err, syscall.Errno(39)) || errors.Is(err, syscall.Errno(112)) || errors.Is(err, syscall.Errno(1295))
}
