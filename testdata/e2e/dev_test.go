package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
)

// TestDev guards what make dev of a new provider does without docker: an API server of its own has the
// CRDs, and the provider manages resources there, until all of it is interrupted.
func TestDev(t *testing.T) {
	folder, _ := scaffold(t)
	assets := t.TempDir()
	if err := controlplane.Link(t.Context(), os.Stderr, assets); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("make", "dev-server", "FLAGS=--debug --poll=1s --metrics-bind-address=0")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off", "KUBEBUILDER_ASSETS="+assets)
	log, err := os.Create(filepath.Join(plane.Folder(), "dev.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	// As in a terminal, where all get the interrupt.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) // what has ended is no matter
		select {
		case <-ended:
		case <-time.After(patience):
			t.Error("make dev isn't interrupted")
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
		_ = log.Close()
	})

	var kube client.Client
	if err := within(plane, func() error {
		config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(folder, "bin/dev.kubeconfig"))
		if err != nil {
			return err
		}
		kube, err = client.New(config, client.Options{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	p := packaged{t, folder, "", plane, kube}
	p.apply(p.object("{apiVersion: v1, kind: Namespace, metadata: {name: crossplane-system}}"))
	p.applyFiles("examples/*/provider/*.yaml")
	for _, bucket := range p.applyFiles("examples/storage.*/v1alpha1/bucket.yaml") {
		p.conditions(bucket, "Ready=True", "Synced=True")
	}
}
