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
	mrgenArgs     []string
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

var scenarios = []scenario{cold, unchanged, edited}

// A result is what the contenders took in a scenario, run by run.
type result struct {
	subject  *subject
	scenario scenario
	chain    []measure.Usage
	mrgen    []measure.Usage
}

// A bench measures a subject.
type bench struct {
	subject    *subject
	contenders []contender
	goEnv      []string
	log        func(format string, args ...any)
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
	env := append(os.Environ(), b.goEnv...)
	env = append(env, "GOWORK=off", "XDG_CACHE_HOME="+b.cache(c))
	for _, args := range c.commands {
		usage, err := measure.Run(ctx, measure.Command{Dir: b.dir(c), Env: env, Args: args})
		if err != nil {
			return total, fmt.Errorf("%s: %w", b.subject.name, err)
		}
		total = total.Then(usage)
	}
	return total, nil
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
		return !b.subject.flags.keepGenerated && tree.Generated(name, b.subject.flags.crdDir)
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
	var edits []*tree.Edit
	if s == edited {
		for _, c := range b.contenders {
			edit, err := tree.FindEdit(b.dir(c))
			if err != nil {
				return r, err
			}
			edits = append(edits, edit)
		}
	}
	for number := range b.subject.runs {
		for i, c := range b.contenders {
			var err error
			switch s {
			case cold:
				err = b.reset(c)
			case edited:
				err = edits[i].Apply(number + 1)
			}
			if err != nil {
				return r, err
			}
			// The kernel writes files to the disk when it likes: not those of the run
			// before, during this one.
			if err := exec.CommandContext(ctx, "sync").Run(); err != nil {
				return r, fmt.Errorf("sync: %w", err)
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
	if i := slices.Index(chosen, edited); i >= 0 && i < len(chosen)-1 {
		return nil, errors.New("name the scenario edited last")
	}
	return chosen, nil
}
