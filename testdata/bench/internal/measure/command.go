//go:build unix

// Package measure runs commands and says what they took.
package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// A Usage is what commands took, their child processes included.
type Usage struct {
	// Wall is the time that passed, CPU the time that processors worked: in user
	// space and in the kernel.
	Wall, CPU time.Duration
	// Memory is the resident size, in bytes, of the largest process at its peak.
	Memory int64
}

// Then returns what both took, one after the other.
func (u Usage) Then(next Usage) Usage {
	return Usage{Wall: u.Wall + next.Wall, CPU: u.CPU + next.CPU, Memory: max(u.Memory, next.Memory)}
}

// A Command is what to run.
type Command struct {
	Dir string
	// Env is the whole environment.
	Env  []string
	Args []string
}

// Run runs a command. If it fails, the error has the end of what it printed.
func Run(ctx context.Context, c Command) (Usage, error) {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return Usage{}, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, tail(out.Bytes()))
	}
	rusage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return Usage{}, errors.New("the operating system doesn't say what a process used")
	}
	// wait4 counts the children that the process waited for: their times are added,
	// and the largest of all counts for memory.
	return Usage{
		Wall:   wall,
		CPU:    cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		Memory: int64(rusage.Maxrss) * maxrssUnit(), //nolint:unconvert // it is an int32 on some machines
	}, nil
}

// maxrssUnit returns the unit of Maxrss in bytes.
func maxrssUnit() int64 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 1024
}

func tail(out []byte) []byte {
	const limit = 4000
	return out[max(0, len(out)-limit):]
}
