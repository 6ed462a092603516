//go:build unix

package diag

import (
	"errors"
	"syscall"
)

// IsFull reports whether an error says that there is no space left, on the disk or for the user.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
