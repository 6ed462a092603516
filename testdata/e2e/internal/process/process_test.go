//go:build unix

package process_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/process"
)

// ending says to the program of the tests, started by one of them, how to end after
// it has started a process.
const ending = "E2E_ENDING"

func TestMain(m *testing.M) {
	if how := os.Getenv(ending); how != "" {
		parent(how)
	}
	os.Exit(m.Run())
}

// parent starts a process, prints its ID and ends.
func parent(how string) {
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt)
	group := process.NewGroup(ctx, os.TempDir())
	if err := group.Start("sleep", nil, "sleep", "600"); err != nil {
		panic(err)
	}
	fmt.Println(group.PID("sleep"))
	switch how {
	case "interrupt":
		<-group.Context().Done()
		group.Stop()
		os.Exit(1)
	case "panic":
		panic("as a test might")
	case "exit":
		os.Exit(1)
	default:
		select {}
	}
}

// TestParentEnds guards that no process outlives the one that started it, however
// that ends.
func TestParentEnds(t *testing.T) {
	endings := map[string]syscall.Signal{"interrupt": syscall.SIGINT}
	if runtime.GOOS == "linux" { // other systems don't tell a process that its parent is dead
		endings["kill"] = syscall.SIGKILL
		endings["panic"] = 0
		endings["exit"] = 0
	}
	for how, sig := range endings {
		t.Run(how, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), ending+"="+how, "TMPDIR="+t.TempDir())
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			_ = cmd.Process.Signal(sig)
			if err := cmd.Wait(); err == nil {
				t.Error("the parent has ended well, it should have failed")
			}
			gone(t, pid)
		})
	}
}

// TestProcessEnds guards that the end of one process ends the group, and that the
// cause shows the end of its log, and no more.
func TestProcessEnds(t *testing.T) {
	group := process.NewGroup(context.Background(), t.TempDir())
	if err := group.Start("sleep", nil, "sleep", "600"); err != nil {
		t.Fatal(err)
	}
	pid := group.PID("sleep")
	if err := group.Start("server", []string{"PORT=80"}, "sh", "-c", "seq 100; echo cannot listen on port $PORT >&2; exit 3"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-group.Context().Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the group goes on without the server")
	}
	gone(t, pid)

	cause := context.Cause(group.Context()).Error()
	head, log, _ := strings.Cut(cause, "\n")
	if !strings.HasPrefix(head, "server has ended (exit status 3)") {
		t.Errorf("the cause begins with %q", head)
	}
	if lines := strings.Split(log, "\n"); len(lines) != 25 || lines[0] != "77" || lines[24] != "cannot listen on port 80" {
		t.Errorf("the cause ends with\n%s", log)
	}

	if err := group.Start("late", nil, "sleep", "600"); err == nil {
		t.Error("a process was started after the group has ended")
	}
	group.Stop()
	if err := group.Start("none", nil, "/does/not/exist"); err == nil {
		t.Error("a program was started that does not exist")
	}
}

// TestStop guards that Stop leaves no process, nor what it has started.
func TestStop(t *testing.T) {
	folder := t.TempDir()
	group := process.NewGroup(context.Background(), folder)
	if err := group.Start("shell", nil, "sh", "-c", "sleep 600 & echo $!; wait"); err != nil {
		t.Fatal(err)
	}
	shell := group.PID("shell")
	var sleep int
	for sleep == 0 {
		log, err := os.ReadFile(filepath.Join(folder, "shell.log"))
		if err != nil {
			t.Fatal(err)
		}
		sleep, _ = strconv.Atoi(strings.TrimSpace(string(log)))
	}
	group.Stop()
	gone(t, shell)
	gone(t, sleep)
	if cause := context.Cause(group.Context()); !errors.Is(cause, process.ErrStopped) {
		t.Errorf("the cause is %v", cause)
	}
}

// gone fails unless a process ends soon.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 100 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || zombie(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %d is left", pid)
}

// zombie says whether a process has ended and waits for its parent to notice, which
// may be the first process of a container, and never look.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(state, "Z")
}
