package controlplane_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
)

var servers = []string{controlplane.Etcd, controlplane.APIServer, controlplane.Crossplane}

// TestServerEnds guards that nobody waits for a control plane that is no longer
// whole: the end of any server ends the others, and tells why.
func TestServerEnds(t *testing.T) {
	for _, victim := range servers {
		t.Run(victim, func(t *testing.T) {
			plane, err := controlplane.Start(t.Context(), os.Stderr)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				plane.Stop()
				if err := plane.Remove(); err != nil {
					t.Error(err)
				}
			})
			var pids []int
			for _, name := range servers {
				pid := plane.PID(name)
				if pid == 0 {
					t.Fatalf("%s is not running", name)
				}
				pids = append(pids, pid)
			}

			if err := syscall.Kill(plane.PID(victim), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			select {
			case <-plane.Context().Done():
			case <-time.After(10 * time.Second):
				t.Fatalf("nobody misses %s", victim)
			}
			plane.Stop()
			for i, pid := range pids {
				if err := syscall.Kill(-pid, 0); !errors.Is(err, syscall.ESRCH) {
					t.Errorf("%s is left: process %d: %v", servers[i], pid, err)
				}
			}

			cause := context.Cause(plane.Context()).Error()
			if want := victim + " has ended (signal: killed)"; !strings.HasPrefix(cause, want) {
				t.Errorf("the cause should begin with %q:\n%s", want, cause)
			}
			log, err := os.ReadFile(filepath.Join(plane.Folder(), victim+".log"))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(log)), "\n")
			if last := lines[len(lines)-1]; last == "" || !strings.HasSuffix(cause, "\n"+last) {
				t.Errorf("the cause should end with the last line of the log, %q:\n%s", last, cause)
			}
		})
	}
}
