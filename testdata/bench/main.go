// Command bench measures mrgen against the chain of tools that it replaces:
// controller-gen, then angryjet, as Crossplane's provider-template runs them. Both
// work in turn on copies of the same provider. It prints the results in Markdown, as
// docs/performance-results.md has them.
//
// With -compare it measures nothing: it compares what mrgen and controller-gen write for the APIs
// of other projects, byte for byte.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/mrgen-io/bench/internal/measure"
	"github.com/mrgen-io/bench/internal/synthetic"
)

// templateDir is the folder, in the repository, of the module whose requirements the
// synthetic providers have. angryjet knows the types of this generation of Crossplane.
const templateDir = "testdata/bench/module"

type flags struct {
	sizes, shapes, scenarios, write, keep, provider, mrgenArgs, compare, projects string

	runs          int
	tools         tools
	providerFlags providerFlags
}

func main() {
	var f flags
	flag.StringVar(&f.sizes, "sizes", "10,200,2000", "numbers of kinds of the synthetic providers")
	flag.StringVar(&f.scenarios, "scenarios", "cold,cores,unchanged,edited,compile", "what to measure")
	flag.IntVar(&f.runs, "runs", 0, "runs of each scenario (default 5, and 3 from 2000 kinds on)")
	flag.StringVar(&f.keep, "keep", "", "`folder` for the copies, which is kept; a temporary one if empty")
	flag.StringVar(&f.shapes, "shapes", "written,generated", "shapes of the synthetic providers: as people write them, as upjet generates them")
	flag.StringVar(&f.write, "write", "", "write the first synthetic provider to this `folder`, and measure nothing")
	flag.StringVar(&f.compare, "compare", "", "`folder` with checkouts of projects: compare what mrgen and controller-gen write for their APIs, and measure nothing")
	flag.StringVar(&f.projects, "projects", "", "names of the projects to compare; all if empty")
	flag.StringVar(&f.provider, "provider", "", "checkout of a provider to measure instead of synthetic ones")
	flag.StringVar(&f.providerFlags.packages, "packages", "./apis/...", "the packages of the provider to generate code for")
	flag.StringVar(&f.providerFlags.crdDir, "crd-dir", "package/crds", "the provider's folder for CRDs")
	flag.StringVar(&f.providerFlags.header, "header-file", "hack/boilerplate.go.txt", "the provider's header for Go files")
	flag.BoolVar(&f.providerFlags.keepGenerated, "keep-generated", false, "leave the provider's generated files in place in cold runs, for angryjet needs them where the source asserts interfaces")
	flag.BoolVar(&f.providerFlags.cycles, "cycles", false, "the provider's groups refer to each other: empty the chain's resolvers before runs that aren't cold")
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
	shapes, err := parseShapes(f.shapes)
	if err != nil {
		return err
	}
	if f.compare != "" {
		return compareProjects(ctx, f, repository)
	}
	if f.write != "" {
		return writeSynthetic(repository, f.write, sizes[0], shapes[0])
	}
	var results []result
	var parallel []parallelism
	var compilations []compilation
	if onProviders := slices.DeleteFunc(slices.Clone(chosen), func(s scenario) bool { return s == compile }); len(onProviders) > 0 {
		results, parallel, err = measureProviders(ctx, f, repository, sizes, shapes, onProviders)
	}
	if err == nil && slices.Contains(chosen, compile) {
		compilations, err = compileAll(ctx, repository)
	}
	report(os.Stdout, results, parallel, compilations, os.Args[1:], machine())
	return err
}

// measureProviders builds the tools, and measures them on all providers. With an error it
// returns what it has measured so far.
func measureProviders(ctx context.Context, f flags, repository string, sizes []int, shapes []synthetic.Shape, chosen []scenario) ([]result, []parallelism, error) {
	work, cleanUp, err := workDir(f.keep)
	if err != nil {
		return nil, nil, err
	}
	defer cleanUp()
	subjects, err := subjects(f, repository, work, sizes, shapes)
	if err != nil {
		return nil, nil, err
	}
	if err := build(ctx, repository, filepath.Join(work, "bin"), f.tools.all()); err != nil {
		return nil, nil, err
	}
	return measureAll(ctx, subjects, f.tools, chosen)
}

// measureAll measures all subjects in all scenarios, one after the other. With an
// error it returns what it has measured so far.
func measureAll(ctx context.Context, subjects []*subject, t tools, chosen []scenario) ([]result, []parallelism, error) {
	goEnv, err := goEnvironment(ctx)
	if err != nil {
		return nil, nil, err
	}
	var results []result
	var parallel []parallelism
	for _, s := range subjects {
		b := &bench{subject: s, contenders: contenders(t, s.flags), floor: t.floor, goEnv: goEnv, log: logf, copies: map[string]int{}}
		if err := b.warm(ctx); err != nil {
			return results, parallel, err
		}
		var chain []measure.Usage
		for _, scenario := range chosen {
			if scenario == cores {
				p, err := b.cores(ctx)
				if err != nil {
					return results, parallel, err
				}
				p.chain = chain
				parallel = append(parallel, p)
				continue
			}
			r, err := b.run(ctx, scenario)
			if err != nil {
				return results, parallel, err
			}
			if results = append(results, r); scenario == cold {
				chain = r.chain
			}
		}
	}
	return results, parallel, nil
}

// subjects returns the providers to measure.
func subjects(f flags, repository, work string, sizes []int, shapes []synthetic.Shape) ([]*subject, error) {
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
	for _, shape := range shapes {
		for _, kinds := range sizes {
			name := fmt.Sprintf("%d %s", kinds, shape)
			dir := filepath.Join(work, strings.ReplaceAll(name, " ", "-"))
			s := &subject{name: name, kinds: kinds, source: filepath.Join(dir, "source"), work: dir, runs: f.runs, flags: f.providerFlags}
			s.flags.cycles = shape == synthetic.Generated
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
			if err := writeSynthetic(repository, s.source, kinds, shape); err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, nil
}

func writeSynthetic(repository, dir string, kinds int, shape synthetic.Shape) error {
	options := synthetic.Options{Kinds: kinds, Shape: shape}
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

func parseShapes(list string) ([]synthetic.Shape, error) {
	var shapes []synthetic.Shape
	for name := range strings.SplitSeq(list, ",") {
		if !slices.Contains(synthetic.Shapes, synthetic.Shape(name)) {
			return nil, fmt.Errorf("unknown shape %q: choose from %v", name, synthetic.Shapes)
		}
		shapes = append(shapes, synthetic.Shape(name))
	}
	return shapes, nil
}

func logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
