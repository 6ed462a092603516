package e2e_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
	"github.com/mrgen-io/mrgen/testdata/e2e/internal/controlplane"
	"github.com/mrgen-io/mrgen/testdata/e2e/internal/process"
)

// The control plane, the external API and the client that the scenarios share. All
// kinds of the example provider are active, and the provider runs.
var (
	plane *controlplane.ControlPlane
	sky   *cloud.Cloud
	kube  client.Client
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Scenarios do little else than wait.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(run(m))
}

// run runs the tests on a new control plane, and leaves nothing of it but the logs of
// a run that has failed.
func run(m *testing.M) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sky = cloud.Start()
	defer sky.Close()

	var err error
	if plane, err = controlplane.Start(ctx, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	defer plane.Stop()
	context.AfterFunc(plane.Context(), giveUp)
	if err := prepare(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return failed()
	}
	if name := os.Getenv(victim); name != "" {
		lose(name)
	}
	if code := m.Run(); code != 0 {
		return failed()
	}
	plane.Stop()
	if err := plane.Remove(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return 0
}

// giveUp ends the tests when the control plane has come to an end before them, or
// they are interrupted: nothing that they wait for will come.
func giveUp() {
	cause := context.Cause(plane.Context())
	if errors.Is(cause, process.ErrStopped) {
		return
	}
	fmt.Fprintln(os.Stderr, "e2e:", cause)
	plane.Stop()
	os.Exit(failed())
}

// failed returns the exit status of a run that has failed, and says where to look.
func failed() int {
	fmt.Fprintf(os.Stderr, "e2e: see the logs in %s\n", plane.Folder())
	return 1
}

// prepare makes the control plane one that has the provider installed, with all its
// kinds active.
func prepare() error {
	var err error
	if kube, err = newClient(plane); err != nil {
		return err
	}
	if err := installProvider(plane, kube); err != nil {
		return err
	}
	if err := startProvider(plane); err != nil {
		return err
	}
	if err := create(kube, `
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata:
  name: all
spec:
  activate: ["*"]
`); err != nil {
		return err
	}
	mrds, err := filepath.Glob("../provider-example/package/mrds/*.yaml")
	if err != nil || len(mrds) == 0 {
		return fmt.Errorf("no MRDs: %v", err)
	}
	for _, file := range mrds {
		if err := within(plane, func() error {
			mrd, err := read(file)
			if err != nil {
				return err
			}
			return established(plane, kube, mrd.GetName())
		}); err != nil {
			return err
		}
	}
	return create(kube, fmt.Sprintf(`
apiVersion: v1
kind: Namespace
metadata:
  name: crossplane-system
---
apiVersion: v1
kind: Secret
metadata:
  name: credentials
  namespace: crossplane-system
stringData:
  json: '{"endpoint": %q, "token": %q}'
---
apiVersion: example.crossplane.io/v1alpha1
kind: ClusterProviderConfig
metadata:
  name: default
spec:
  credentials:
    source: Secret
    secretRef:
      namespace: crossplane-system
      name: credentials
      key: json
`, sky.URL(), cloud.Token))
}
