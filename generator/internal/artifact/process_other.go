//go:build !unix

package artifact

import "os"

// isRunning reports whether a process runs.
func isRunning(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil { // Windows can't open a process that doesn't exist
		return false
	}
	_ = found.Release()
	return true
}
