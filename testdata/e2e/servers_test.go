package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
)

// victim names a server that dies, instead of tests being run.
const victim = "E2E_VICTIM"

// TestServerDies guards that the tests end when a server of their control plane does,
// with the end of its log, and that they leave no process.
func TestServerDies(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), victim+"="+controlplane.APIServer, "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("the tests end with %v, want exit status 1", err)
	}
	if want := regexp.MustCompile(`e2e: kube-apiserver has ended \(signal: killed\).*/kube-apiserver.log:\n[IWE]\d{4} .*\n`); !want.Match(out) {
		t.Errorf("the tests don't say why they end: %s", out)
	}
	pids := regexp.MustCompile(`process (\d+)\n`).FindAllStringSubmatch(string(out), -1)
	if len(pids) != 3 {
		t.Fatalf("want three processes: %s", out)
	}
	for _, match := range pids {
		pid, err := strconv.Atoi(match[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is left: %v", pid, err)
		}
	}
}

// lose loses a server, and would then wait forever.
func lose(name string) {
	for _, server := range []string{controlplane.Etcd, controlplane.APIServer, controlplane.Crossplane} {
		fmt.Printf("process %d\n", plane.PID(server))
	}
	if err := syscall.Kill(plane.PID(name), syscall.SIGKILL); err != nil {
		panic(err)
	}
	select {}
}
