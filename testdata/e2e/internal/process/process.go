// Package process runs the servers of a control plane: together, and never longer
// than the tests that need them.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// tail is how many lines of its log an error shows of a process that has ended.
const tail = 25

// ErrStopped is why a group has ended that was stopped.
var ErrStopped = errors.New("stopped")

// A Group is a set of processes that end together: all of them are killed when one
// ends, when the context of the group is done, and, on Linux, when the process that
// started them dies in whatever way.
type Group struct {
	folder  string
	context context.Context
	cancel  context.CancelCauseFunc
	running sync.WaitGroup

	mutex sync.Mutex
	pids  map[string]int
}

// NewGroup returns a group without processes, which write their logs to a folder.
func NewGroup(ctx context.Context, folder string) *Group {
	g := &Group{folder: folder, pids: make(map[string]int)}
	g.context, g.cancel = context.WithCancelCause(ctx)
	context.AfterFunc(g.context, g.kill)
	return g
}

// Context is done as soon as a process ends. Its cause then says which, and shows
// the end of its log. The cause is ErrStopped after Stop.
func (g *Group) Context() context.Context { return g.context }

// PID returns the ID of a process, or 0 if it is not running.
func (g *Group) PID(name string) int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.pids[name]
}

// Start starts a program, with the environment of this process and more variables,
// as NAME=VALUE. What it prints goes to the file NAME.log.
func (g *Group) Start(name string, env []string, program string, args ...string) error {
	log, err := os.Create(filepath.Join(g.folder, name+".log"))
	if err != nil {
		return err
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = attributes()

	started := make(chan error)
	g.running.Go(func() {
		defer func() { _ = log.Close() }()
		// Linux takes a process for orphaned when the thread that started it ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := g.start(name, cmd)
		started <- err
		if err == nil {
			g.wait(name, cmd, log.Name())
		}
	})
	if err := <-started; err != nil {
		return fmt.Errorf("cannot start %s: %w", name, err)
	}
	return nil
}

// start starts a process of the group, unless the group has ended.
func (g *Group) start(name string, cmd *exec.Cmd) error {
	g.mutex.Lock() // or a process could start after all others were killed
	defer g.mutex.Unlock()
	if g.context.Err() != nil {
		return context.Cause(g.context)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	g.pids[name] = cmd.Process.Pid
	return nil
}

// wait returns when a process has ended, and the group with it.
func (g *Group) wait(name string, cmd *exec.Cmd, log string) {
	err := cmd.Wait()
	g.mutex.Lock()
	delete(g.pids, name)
	g.mutex.Unlock()
	g.cancel(fmt.Errorf("%s has ended (%s) while it was needed; the end of its log, %s:\n%s",
		name, state(cmd, err), log, lastLines(log)))
}

// state says how a process has ended.
func state(cmd *exec.Cmd, err error) string {
	if cmd.ProcessState != nil {
		return cmd.ProcessState.String()
	}
	return err.Error()
}

// lastLines returns the end of a file.
func lastLines(file string) string {
	content, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(string(bytes.TrimSpace(content)), "\n")
	return strings.Join(lines[max(0, len(lines)-tail):], "\n")
}

// kill kills all processes, and what they may have started. They have nothing to
// save: their data is as short-lived as they are.
func (g *Group) kill() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for _, pid := range g.pids {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}

// Stop kills all processes, and returns when they are gone.
func (g *Group) Stop() {
	g.cancel(ErrStopped)
	g.running.Wait()
}
