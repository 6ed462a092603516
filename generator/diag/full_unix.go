//go:build unix

package diag

import (
	"errors"
	"syscall"
)

// IsFull reports whether an error means that no space is left on the disk or in the user's quota.
func IsFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
