package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/bench/internal/measure"
	"github.com/mrgen-io/bench/internal/tree"
)

// A subject is a provider that code is generated for.
type subject struct {
	name string
	// kinds is the number of managed kinds, or 0 if it isn't known.
	kinds int
	// tree is what the provider consists of, with what mrgen wrote.
	tree tree.Size
	// source is the provider as it was found; it is never written to.
	source string
	// work is the folder for copies.
	work  string
	runs  int
	flags providerFlags
}

// providerFlags say how to generate code for a provider.
type providerFlags struct {
	packages, crdDir, header string
	// keepGenerated leaves generated files in the copies of cold runs.
	keepGenerated bool
	// cycles is set if groups refer to each other: what the chain writes imports in
	// circles, so that it can't read its own resolvers again.
	cycles    bool
	mrgenArgs []string
}

// A contender is one side of the comparison.
type contender struct {
	name     string
	commands [][]string
}

func contenders(t tools, f providerFlags) []contender {
	object, angryjet, mrgen := "object", []string{t.angryjet, "generate-methodsets"}, []string{t.mrgen, "generate", "--allow-dangerous-types", "--crd-dir=" + f.crdDir}
	if f.header != "" {
		object += ":headerFile=" + f.header
		angryjet = append(angryjet, "--header-file="+f.header)
		mrgen = append(mrgen, "--header-file="+f.header)
	}
	// The two commands, and their order, are those of Crossplane's provider-template.
	return []contender{
		{"chain", [][]string{
			{t.controllerGen, object, "paths=" + f.packages, "crd:allowDangerousTypes=true,crdVersions=v1", "output:artifacts:config=" + f.crdDir},
			append(angryjet, f.packages),
		}},
		{"mrgen", [][]string{append(append(mrgen, f.mrgenArgs...), f.packages)}},
	}
}

// A scenario is a state of the tree in which code is generated.
type scenario string

const (
	// In a cold run nothing was generated yet, and mrgen has no cache.
	cold scenario = "cold"
	// In an unchanged run nothing changed since code was generated.
	unchanged scenario = "unchanged"
	// In an edited run a field was added, and a comment changed, in one package.
	edited scenario = "edited"
)

// compile is measured once, and not for each provider: how long it takes to compile the
// commands.
const compile scenario = "compile"

var scenarios = []scenario{cold, cores, unchanged, edited, compile}

// A result is what the contenders took in a scenario, run by run, and what nobody can do
// without.
type result struct {
	subject             *subject
	scenario            scenario
	chain, mrgen, floor []measure.Usage
}

// A bench measures a subject.
type bench struct {
	subject    *subject
	contenders []contender
	// floor is the path of the command that does what nobody can do without.
	floor string
	goEnv []string
	log   func(format string, args ...any)
	// copies counts the copies that were made for each contender.
	copies map[string]int
}

// dir returns the copy of the source that a contender works on.
func (b *bench) dir(c contender) string {
	return filepath.Join(b.subject.work, fmt.Sprintf("%s-%d", c.name, b.copies[c.name]))
}

// generate runs a contender on its copy.
func (b *bench) generate(ctx context.Context, c contender) (measure.Usage, error) {
	var total measure.Usage
	for _, args := range c.commands {
		usage, err := b.command(ctx, c, args)
		if err != nil {
			return total, err
		}
		total = total.Then(usage)
	}
	return total, nil
}

// command runs a command on the copy of a contender, with more variables in its environment.
func (b *bench) command(ctx context.Context, c contender, args []string, variables ...string) (measure.Usage, error) {
	env := append(append(os.Environ(), b.goEnv...), variables...)
	env = append(env, "GOWORK=off", "XDG_CACHE_HOME="+b.cache(c))
	usage, err := measure.Run(ctx, measure.Command{Dir: b.dir(c), Env: env, Args: args})
	if err != nil {
		return usage, fmt.Errorf("%s: %w", b.subject.name, err)
	}
	return usage, nil
}

func (b *bench) cache(c contender) string { return b.dir(c) + ".cache" }

// reset makes a new copy for a contender, without generated files, and without a cache.
// The copies before stay: file systems take much longer to create files when many have
// been deleted a moment ago, and a checkout has none of these.
func (b *bench) reset(c contender) error {
	b.copies[c.name]++
	if err := os.RemoveAll(b.cache(c)); err != nil { // it may be there if copies are kept
		return err
	}
	return tree.Copy(b.subject.source, b.dir(c), func(name string) bool {
		keeps := b.subject.flags.keepGenerated && c.name == "chain" // mrgen needs no file of other generators, and refuses to replace it
		return !keeps && tree.Generated(name, b.subject.flags.crdDir)
	})
}

// warm runs all contenders once, so that the Go build cache and the page cache are
// warm, and compares what they write. They must write the same files for a synthetic
// provider; what differs for another one is logged.
func (b *bench) warm(ctx context.Context) error {
	wrote := map[string][]string{}
	for _, c := range b.contenders {
		if err := b.reset(c); err != nil {
			return err
		}
		if _, err := b.generate(ctx, c); err != nil {
			return err
		}
		names, err := tree.ListGenerated(b.dir(c), b.subject.flags.crdDir)
		if err != nil {
			return err
		}
		b.log("%s: %s wrote %d files", b.subject.name, c.name, len(names))
		wrote[c.name] = names
		if c.name == "mrgen" {
			if b.subject.tree, err = tree.Measure(b.dir(c), b.subject.flags.crdDir); err != nil {
				return err
			}
		}
	}
	differences := append(without(wrote["chain"], wrote["mrgen"], "mrgen"), without(wrote["mrgen"], wrote["chain"], "the chain")...)
	if len(differences) > 0 && b.subject.kinds > 0 {
		return fmt.Errorf("%s: %s", b.subject.name, strings.Join(differences, "; "))
	}
	for _, d := range differences {
		b.log("%s: %s", b.subject.name, d)
	}
	return nil
}

// without says which files another contender did not write, less those that mrgen
// alone knows.
func without(files, others []string, other string) []string {
	var list []string
	for _, name := range files {
		if !slices.Contains(others, name) && !tree.OnlyMrgen(name) {
			list = append(list, fmt.Sprintf("%s did not write %s", other, name))
		}
	}
	return list
}

// run measures one scenario. It expects the copies as warm or a scenario before left
// them: with all code generated.
func (b *bench) run(ctx context.Context, s scenario) (result, error) {
	r := result{subject: b.subject, scenario: s}
	edits := map[string]*tree.Edit{}
	if s == edited {
		for _, c := range b.contenders {
			edit, err := tree.FindEdit(b.dir(c))
			if err != nil {
				return r, err
			}
			edits[c.name] = edit
		}
	}
	for number := range b.subject.runs {
		for _, c := range b.contenders {
			if err := b.prepare(ctx, s, c, edits[c.name], number); err != nil {
				return r, err
			}
			if c.name == "mrgen" {
				usage, err := b.command(ctx, c, b.floorCommand(s, edits[c.name]))
				if err != nil {
					return r, err
				}
				b.log("%s, %s: floor %s", b.subject.name, s, describe(usage))
				r.floor = append(r.floor, usage)
			}
			usage, err := b.generate(ctx, c)
			if err != nil {
				return r, err
			}
			b.log("%s, %s: %s %s", b.subject.name, s, c.name, describe(usage))
			if c.name == "chain" {
				r.chain = append(r.chain, usage)
			} else {
				r.mrgen = append(r.mrgen, usage)
			}
		}
	}
	return r, nil
}

// prepare puts the copy of a contender into the state of a scenario.
func (b *bench) prepare(ctx context.Context, s scenario, c contender, edit *tree.Edit, number int) error {
	var err error
	switch s {
	case cold:
		err = b.reset(c)
	case edited:
		err = edit.Apply(number + 1)
	}
	if err != nil {
		return err
	}
	if c.name == "chain" && b.subject.flags.cycles && s != cold {
		// It would fail on them. Those who have such a provider delete them first, or have
		// a third tool rewrite them, which is not measured.
		if err := tree.EmptyResolvers(b.dir(c)); err != nil {
			return err
		}
	}
	// The kernel writes files to the disk when it likes: not those of the run before,
	// during this one.
	if err := exec.CommandContext(ctx, "sync").Run(); err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return nil
}

// floorCommand returns the command that does no more than a scenario takes.
func (b *bench) floorCommand(s scenario, edit *tree.Edit) []string {
	switch s {
	case unchanged:
		return []string{b.floor, "-stat"}
	case edited:
		return []string{b.floor, "-stat", edit.Dir()}
	default:
		return []string{b.floor, b.subject.flags.packages}
	}
}

func describe(u measure.Usage) string {
	return fmt.Sprintf("%.2f s, processor %.2f s, %d MB", u.Wall.Seconds(), u.CPU.Seconds(), u.Memory>>20)
}

func parseScenarios(list string) ([]scenario, error) {
	var chosen []scenario
	for name := range strings.SplitSeq(list, ",") {
		if !slices.Contains(scenarios, scenario(name)) {
			return nil, fmt.Errorf("unknown scenario %q: choose from %v", name, scenarios)
		}
		chosen = append(chosen, scenario(name))
	}
	// An edit spoils the tree for the others.
	if i := slices.Index(chosen, edited); i >= 0 && (slices.Index(chosen, cold) > i || slices.Index(chosen, unchanged) > i) {
		return nil, errors.New("name the scenario edited after cold and unchanged")
	}
	return chosen, nil
}
