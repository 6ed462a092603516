package process

import "syscall"

// attributes put a process into a group of its own, which can be killed as a whole
// and does not see the interrupt of a terminal, and have it killed with its parent.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
