package generator_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/internal/testmodule"
)

// TestAddKindExisting adds kinds to providers that mrgen has not made, with the runtime that they
// require. The type checker judges their controllers. Without the kinds, all is as it was.
func TestAddKindExisting(t *testing.T) {
	for _, scope := range []string{generator.Namespaced, generator.Cluster} {
		t.Run(scope, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "provider")
			initProvider(t, dir, scope)
			for _, folder := range []string{"internal", "cmd", "hack/dev"} {
				if err := os.RemoveAll(filepath.Join(dir, folder)); err != nil {
					t.Fatal(err)
				}
			}
			for name, content := range map[string]string{
				"pkg/controllers/all.go":           callsOfSetups,
				"pkg/controllers/config/config.go": setupOfConfigs,
			} {
				testmodule.Write(t, filepath.Join(dir, name), []byte(content))
			}
			before := testmodule.ReadTree(t, dir)

			done := addKind(t, dir, "Bucket", "v1alpha1")
			if len(done.ByHand) > 0 {
				t.Errorf("left to the author: %v", done.ByHand)
			}
			addKind(t, dir, "Archive", "v1alpha1")
			typeCheck(t, dir)
			all := string(testmodule.ReadTree(t, dir)["pkg/controllers/all.go"])
			for _, want := range []string{
				"\tif err := storagearchive.Setup(mgr, o); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n",
				"\tif err := storagearchive.SetupGated(mgr, o); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n",
			} {
				if !strings.Contains(all, want) {
					t.Errorf("there is no\n%sin\n%s", want, all)
				}
			}
			for _, kind := range []string{"Archive", "Bucket"} {
				removed, err := generator.RemoveKind(context.Background(), generator.RemoveOptions{
					KindOptions: generator.KindOptions{Options: scaffoldOptions(dir), Kind: kind, Group: "storage"}, Force: true,
				})
				if err != nil || len(removed.Diagnostics) > 0 {
					t.Fatalf("remove kind: %v %v", err, removed.Diagnostics)
				}
			}
			if diff := gocmp.Diff(before, testmodule.ReadTree(t, dir), bytesAsText); diff != "" {
				t.Errorf("the provider has changed (-before +after):\n%s", diff)
			}
		})
	}
}

const callsOfSetups = `// Package controllers sets up controllers.
package controllers

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.org/provider-test/pkg/controllers/config"
)

// Setup sets up all controllers.
func Setup(mgr ctrl.Manager, o controller.Options) error {
	if err := config.Setup(mgr, o); err != nil {
		return err
	}
	return nil
}

// SetupGated sets up all controllers as soon as there are CRDs.
func SetupGated(mgr ctrl.Manager, o controller.Options) error {
	if err := config.Setup(mgr, o); err != nil {
		return err
	}
	return nil
}
`

const setupOfConfigs = `// Package config has the controller of ProviderConfigs.
package config

import (
	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.org/provider-test/apis/v1alpha1"
)

// Setup sets up the controller.
func Setup(mgr ctrl.Manager, _ controller.Options) error {
	return ctrl.NewControllerManagedBy(mgr).For(&v1alpha1.ProviderConfig{}).Complete(nil)
}
`
