//go:build !unix

package artifact

import "os"

// isRunning reports whether a process runs. Windows opens a process by its
// number, and fails if there is none.
func isRunning(process int) bool {
	found, err := os.FindProcess(process)
	if err != nil {
		return false
	}
	_ = found.Release()
	return true
}
