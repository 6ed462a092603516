//go:build !unix

package diag

import (
	"errors"
	"syscall"
)

// IsFull reports whether an error says that there is no space left, on the disk or for the user: see
// ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL and ERROR_DISK_QUOTA_EXCEEDED of Windows.
func IsFull(err error) bool {
	return errors.Is(err, syscall.Errno(39)) || errors.Is(err, syscall.Errno(112)) || errors.Is(err, syscall.Errno(1295))
}
