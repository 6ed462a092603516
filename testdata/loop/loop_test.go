package loop_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mrgen-io/loop/kinds"
)

var (
	seed      = flag.Uint64("seed", 0, "play with the random kinds of this seed alone")
	play      = flag.Uint64("history", 0, "play the history of this seed alone")
	keep      = flag.String("dir", "", "write the provider to this folder, and leave it there")
	histories = flag.Int("histories", 0, "play so many histories for each seed")
)

// budget returns the large number if make check runs the tests, and else the small one.
func budget(small, large int) int {
	if os.Getenv("MRGEN_TEST_BUDGET") != "" {
		return large
	}
	return small
}

// TestRandomKinds has users, controllers and APIs at work on random kinds. Package play says what is
// checked.
func TestRandomKinds(t *testing.T) {
	mrgen := build(t)
	seeds := []uint64{1, 2, 3}[:budget(1, 3)]
	if *seed != 0 {
		seeds = []uint64{*seed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			dir := t.TempDir()
			if *keep != "" {
				dir = *keep
			}
			all := kinds.New(seed, budget(12, 40))
			provider(t, dir, seed, all)
			command(t, dir, mrgen, "generate", "-q")
			count := budget(15, 300)
			if *histories != 0 {
				count = *histories
			}
			arguments := []string{"run", "-ldflags=-s -w", "./play", fmt.Sprintf("-histories=%d", count)}
			if *play != 0 {
				arguments = append(arguments, fmt.Sprintf("-history=%d", *play))
			}
			command(t, dir, "go", arguments...)
		})
	}
}

// build builds mrgen from the repository around this module, and returns its path. Unlike go build, go run keeps what it
// links.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "mrgen")
	command(t, "../..", "go", "run", "-ldflags=-s -w", "-exec=cp", "./cmd/mrgen", program)
	return program
}

// command runs a command in a folder.
func command(t *testing.T, dir, name string, arguments ...string) {
	t.Helper()
	cmd := exec.Command(name, arguments...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath") // or the provider would be built again in each new folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// provider writes a provider of random kinds, and a program that plays with them.
func provider(t *testing.T, dir string, seed uint64, all []*kinds.Kind) {
	t.Helper()
	write(t, dir, "go.mod", goMod(t))
	write(t, dir, "go.sum", read(t, "go.sum"))
	write(t, dir, "apis/v1alpha1/groupversion_info.go", read(t, "../provider-rules/apis/v1alpha1/groupversion_info.go"))
	write(t, dir, "apis/v1alpha1/types.go", kinds.Source("v1alpha1", all))
	example, err := filepath.Abs("../provider-example/package/crds/ec2.m.aws.crossplane.io_vpcs.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, k := range all {
		created, spec := "&mg.Spec.ForProvider", "&mg.Spec.ForProvider"
		if k.InitProvider {
			created, spec = "mg.Spec.CreateParameters()", "&mg.Spec"
		}
		table.WriteString(strings.NewReplacer("NAME", k.Name, "CREATED", created, "SPEC", spec).Replace(controller))
	}
	write(t, dir, "play/main.go", strings.NewReplacer("SEED", fmt.Sprint(seed), "COUNT", fmt.Sprint(len(all)), "TABLE", table.String(), "EXAMPLE", fmt.Sprintf("%q", example)).Replace(program))
}

// controller is that of a kind in the program.
const controller = `
		"NAME": play.Controller[*v1alpha1.NAME, v1alpha1.NAMEObservation]{
			Parts: func(mg *v1alpha1.NAME) play.Parts[v1alpha1.NAMEObservation] {
				return play.Parts[v1alpha1.NAMEObservation]{
					Desired: &mg.Spec.ForProvider, Observed: &mg.Status.AtProvider, Own: SPEC, Created: CREATED,
				}
			},
			NewReconciler: setup.NewReconciler[*v1alpha1.NAME],
		},`

// program plays with random kinds, and one of provider-example.
const program = `package main

import (
	"flag"
	"fmt"
	"path/filepath"

	"sigs.k8s.io/controller-runtime/pkg/scheme"

	"github.com/mrgen-io/loop/kinds"
	"github.com/mrgen-io/loop/play"
	"github.com/mrgen-io/mrgen/testdata/setup"
	ec2 "github.com/mrgen-io/provider-example/apis/namespaced/ec2/v1beta1"

	"example.org/provider/apis/v1alpha1"
)

func main() {
	history := flag.Uint64("history", 0, "play the history of this seed alone")
	histories := flag.Int("histories", 1, "play so many histories")
	flag.Parse()
	crds, err := filepath.Glob("package/crds/*.yaml")
	if err != nil || len(crds) == 0 {
		panic(fmt.Sprint("no definitions: ", err))
	}
	types := map[string]play.Type{TABLE
	}
	var all []play.Kind
	for _, k := range kinds.New(SEED, COUNT) {
		all = append(all, play.Kind{Kind: k, GroupVersion: v1alpha1.SchemeGroupVersion, Type: types[k.Name]})
	}
	all = append(all, play.Kind{Kind: kinds.VPC(), GroupVersion: ec2.SchemeGroupVersion, Type: play.Controller[*ec2.VPC, ec2.VPCObservation]{
		Parts: func(mg *ec2.VPC) play.Parts[ec2.VPCObservation] {
			return play.Parts[ec2.VPCObservation]{
				Desired: &mg.Spec.ForProvider, Observed: &mg.Status.AtProvider, Own: &mg.Spec.ForProvider, Created: &mg.Spec.ForProvider,
			}
		},
		NewReconciler: setup.NewReconciler[*ec2.VPC],
	}})
	play.Main(append(crds, EXAMPLE), []*scheme.Builder{v1alpha1.SchemeBuilder, ec2.SchemeBuilder}, all, *history, *histories)
}
`

var module = regexp.MustCompile(`(?m)^module .*$`)

// goMod returns a go.mod that requires what this module requires, and this module.
func goMod(t *testing.T) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	here = filepath.ToSlash(here)
	text := module.ReplaceAllString(read(t, "go.mod"), "module example.org/provider\n\nrequire github.com/mrgen-io/loop v0.0.0\n\nreplace github.com/mrgen-io/loop => "+here)
	return strings.ReplaceAll(strings.ReplaceAll(text, "=> ../..\n", "=> "+filepath.ToSlash(filepath.Dir(filepath.Dir(here)))+"\n"), "=> ../", "=> "+filepath.ToSlash(filepath.Dir(here))+"/")
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")))
}
