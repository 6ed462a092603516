//go:build unix

package artifact

import (
	"errors"
	"syscall"
)

// isRunning reports whether a process runs.
// Signal 0 is never delivered (POSIX, kill). Any failure other than ESRCH means that the process exists.
func isRunning(process int) bool { return !errors.Is(syscall.Kill(process, 0), syscall.ESRCH) }
