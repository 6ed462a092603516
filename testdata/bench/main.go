// Command bench measures mrgen against the chain of tools that it replaces:
// controller-gen, then angryjet, as Crossplane's provider-template runs them. Both
// work in turn on copies of the same provider. It prints ratios in Markdown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/mrgen-io/bench/internal/synthetic"
)

// templateDir is the folder, in the repository, of the module whose requirements the
// synthetic providers have. angryjet knows the types of this generation of Crossplane.
const templateDir = "testdata/bench/module"

type flags struct {
	sizes, scenarios, write, keep, provider, mrgenArgs string
	runs                                               int
	cycles                                             bool
	tools                                              tools
	providerFlags                                      providerFlags
}

func main() {
	var f flags
	flag.StringVar(&f.sizes, "sizes", "10,200,2000", "numbers of kinds of the synthetic providers")
	flag.StringVar(&f.scenarios, "scenarios", "cold,unchanged,edited", "what to measure")
	flag.IntVar(&f.runs, "runs", 0, "runs of each scenario (default 5, and 3 from 2000 kinds on)")
	flag.StringVar(&f.keep, "keep", "", "`folder` for the copies, which is kept; a temporary one if empty")
	flag.BoolVar(&f.cycles, "cycles", false, "have the groups of the synthetic providers refer to each other, as those of upjet's do")
	flag.StringVar(&f.write, "write", "", "write the first synthetic provider to this `folder`, and measure nothing")
	flag.StringVar(&f.provider, "provider", "", "checkout of a provider to measure instead of synthetic ones")
	flag.StringVar(&f.providerFlags.packages, "packages", "./apis/...", "the packages of the provider to generate code for")
	flag.StringVar(&f.providerFlags.crdDir, "crd-dir", "package/crds", "the provider's folder for CRDs")
	flag.StringVar(&f.providerFlags.header, "header-file", "hack/boilerplate.go.txt", "the provider's header for Go files")
	flag.BoolVar(&f.providerFlags.keepGenerated, "keep-generated", false, "leave the provider's generated files in place in cold runs, for angryjet needs them where the source asserts interfaces")
	flag.StringVar(&f.mrgenArgs, "mrgen-args", "", "more arguments of mrgen, separated by spaces")
	flag.StringVar(&f.tools.controllerGen, "controller-gen", "", "`path` of controller-gen, which is built if empty")
	flag.StringVar(&f.tools.angryjet, "angryjet", "", "`path` of angryjet, which is built if empty")
	flag.StringVar(&f.tools.mrgen, "mrgen", "", "`path` of mrgen, which is built if empty")
	flag.Parse()
	f.providerFlags.mrgenArgs = strings.Fields(f.mrgenArgs)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, f)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, f flags) error {
	chosen, err := parseScenarios(f.scenarios)
	if err != nil {
		return err
	}
	sizes, err := parseSizes(f.sizes)
	if err != nil {
		return err
	}
	repository, err := findRepository(ctx)
	if err != nil {
		return err
	}
	if f.write != "" {
		return writeSynthetic(repository, f.write, sizes[0], f.cycles)
	}
	if f.cycles && (len(chosen) > 1 || chosen[0] != cold) {
		return errors.New("with -cycles, the chain writes packages that import each other, and can't read them again: add -scenarios cold")
	}
	work, cleanUp, err := workDir(f.keep)
	if err != nil {
		return err
	}
	defer cleanUp()
	subjects, err := subjects(f, repository, work, sizes)
	if err != nil {
		return err
	}
	if err := f.tools.build(ctx, repository, filepath.Join(work, "bin")); err != nil {
		return err
	}
	results, err := measureAll(ctx, subjects, f.tools, chosen)
	if len(results) > 0 {
		report(os.Stdout, results, machine())
	}
	return err
}

// measureAll measures all subjects in all scenarios, one after the other. With an
// error it returns what it has measured so far.
func measureAll(ctx context.Context, subjects []*subject, t tools, chosen []scenario) ([]result, error) {
	goEnv, err := goEnvironment(ctx)
	if err != nil {
		return nil, err
	}
	var results []result
	for _, s := range subjects {
		b := &bench{subject: s, contenders: contenders(t, s.flags), goEnv: goEnv, log: logf, copies: map[string]int{}}
		if err := b.warm(ctx); err != nil {
			return results, err
		}
		for _, scenario := range chosen {
			r, err := b.run(ctx, scenario)
			if err != nil {
				return results, err
			}
			results = append(results, r)
		}
	}
	return results, nil
}

// subjects returns the providers to measure.
func subjects(f flags, repository, work string, sizes []int) ([]*subject, error) {
	if f.provider != "" {
		source, err := filepath.Abs(f.provider)
		if err != nil {
			return nil, err
		}
		s := &subject{name: filepath.Base(source), source: source, work: filepath.Join(work, filepath.Base(source)), runs: f.runs, flags: f.providerFlags}
		if s.runs == 0 {
			s.runs = 5
		}
		return []*subject{s}, nil
	}
	var list []*subject
	for _, kinds := range sizes {
		dir := filepath.Join(work, strconv.Itoa(kinds))
		s := &subject{name: fmt.Sprintf("%d kinds", kinds), kinds: kinds, source: filepath.Join(dir, "source"), work: dir, runs: f.runs, flags: f.providerFlags}
		switch {
		case s.runs > 0:
		case kinds < 2000:
			s.runs = 5
		default:
			s.runs = 3
		}
		// A folder that was kept may have the source of an older writer.
		if err := os.RemoveAll(s.source); err != nil {
			return nil, err
		}
		if err := writeSynthetic(repository, s.source, kinds, f.cycles); err != nil {
			return nil, err
		}
		if f.cycles {
			s.name += " in cycles"
			if err := os.WriteFile(filepath.Join(s.source, "mrgen.yaml"), []byte(registrySettings), 0o644); err != nil {
				return nil, err
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// registrySettings name the package in which resolvers look up kinds of groups that refer
// to each other.
const registrySettings = "resolvers:\n  registry: " + synthetic.Module + "/internal/registry\n"

func writeSynthetic(repository, dir string, kinds int, cycles bool) error {
	options := synthetic.Options{Kinds: kinds, Cycles: cycles}
	for name, content := range map[string]*[]byte{"go.mod": &options.GoMod, "go.sum": &options.GoSum} {
		var err error
		if *content, err = os.ReadFile(filepath.Join(repository, templateDir, name)); err != nil {
			return err
		}
	}
	return synthetic.Write(dir, options)
}

// goEnvironment fixes where the go command has its caches, since a cache folder of
// their own is given to the tools.
func goEnvironment(ctx context.Context) ([]string, error) {
	var env []string
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOENV"} {
		value, err := goCommand(ctx, ".", "env", name)
		if err != nil {
			return nil, err
		}
		env = append(env, name+"="+value)
	}
	return env, nil
}

func workDir(keep string) (string, func(), error) {
	if keep != "" {
		dir, err := filepath.Abs(keep)
		return dir, func() {}, err
	}
	dir, err := os.MkdirTemp("", "mrgen-bench-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

func parseSizes(list string) ([]int, error) {
	var sizes []int
	for text := range strings.SplitSeq(list, ",") {
		size, err := strconv.Atoi(text)
		if err != nil || size < 1 {
			return nil, fmt.Errorf("%q is no number of kinds", text)
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}

func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
