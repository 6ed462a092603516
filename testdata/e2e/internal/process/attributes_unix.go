//go:build unix && !linux

package process

import "syscall"

// attributes put a process into a group of its own, which can be killed as a whole
// and does not see the interrupt of a terminal.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
