package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/bench/internal/tree"
)

// compareProjects compares what mrgen and controller-gen write for the APIs of projects that have a
// checkout in a folder. An error says how many differ.
func compareProjects(ctx context.Context, f flags, repository string) error {
	chosen, err := parseProjects(f.projects)
	if err != nil {
		return err
	}
	checkouts, err := filepath.Abs(f.compare)
	if err != nil {
		return err
	}
	work, cleanUp, err := workDir(f.keep)
	if err != nil {
		return err
	}
	defer cleanUp()
	if err := build(ctx, repository, filepath.Join(work, "bin"), f.tools.generators()); err != nil {
		return err
	}
	c := &comparison{tools: f.tools, checkouts: checkouts, work: work, out: os.Stdout}
	return c.run(ctx, chosen)
}

// A comparison runs mrgen and controller-gen on copies of the same APIs.
type comparison struct {
	tools           tools
	checkouts, work string
	out             io.Writer
}

// run compares the APIs of projects, and says what came of each.
func (c *comparison) run(ctx context.Context, list []project) error {
	differ := 0
	for _, p := range list {
		if _, err := os.Stat(filepath.Join(c.checkouts, p.name)); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(c.out, "%s: skipped: %s has no folder %s with a checkout of %s\n", p.name, c.checkouts, p.name, p.repository)
			continue
		}
		for i, a := range p.apis {
			equal, err := c.compare(ctx, p.name, fmt.Sprintf("%s-%d", p.name, i+1), a)
			if err != nil {
				return err
			}
			if !equal {
				differ++
			}
		}
	}
	if differ > 0 {
		return fmt.Errorf("%d APIs differ", differ)
	}
	return nil
}

// compare compares what is written for one API. Its files are collected, without what names the
// tool, in one folder for each generator.
func (c *comparison) compare(ctx context.Context, name, folder string, a api) (equal bool, err error) {
	title := fmt.Sprintf("%s %s", name, strings.Join(a.patterns, " "))
	dir := filepath.Join(c.work, folder)
	if err := os.RemoveAll(dir); err != nil {
		return false, err
	}
	var failed bool
	var definitions, copies int
	for _, generator := range []struct {
		name     string
		generate func(ctx context.Context, module string, a api) error
	}{{"controller-gen", c.controllerGen}, {"mrgen", c.mrgen}} {
		source := filepath.Join(dir, "source-"+generator.name)
		if err := tree.Copy(filepath.Join(c.checkouts, name), source, func(file string) bool { return a.isCopy(file) }); err != nil {
			return false, err
		}
		if a.edit != nil {
			if err := a.edit.apply(source); err != nil {
				return false, fmt.Errorf("%s: %w", title, err)
			}
		}
		if err := generator.generate(ctx, filepath.Join(source, a.module), a); err != nil {
			fmt.Fprintf(c.out, "%s: %s\n", title, err)
			failed = true
			continue
		}
		if definitions, copies, err = a.collect(source, filepath.Join(dir, generator.name)); err != nil {
			return false, err
		}
	}
	if failed {
		return false, nil
	}
	diff, err := diffFolders(ctx, dir, "controller-gen", "mrgen")
	if err != nil {
		return false, err
	}
	if len(diff) > 0 {
		fmt.Fprintf(c.out, "%s: differs\n%s", title, diff)
		return false, nil
	}
	if definitions+copies == 0 {
		return false, fmt.Errorf("%s: nothing is written, so that nothing is compared", title)
	}
	if a.edit != nil {
		fmt.Fprintf(c.out, "%s: edited, since %s\n", title, a.edit.why)
	}
	fmt.Fprintf(c.out, "%s: %d definitions and %d files of deep copies are equal\n", title, definitions, copies)
	return true, nil
}

const (
	// crdDir is the folder of definitions in the module.
	crdDir     = "zz_crds"
	copiesFile = "zz_generated.deepcopy.go"
)

func (c *comparison) controllerGen(ctx context.Context, module string, a api) error {
	args := []string{"crd:crdVersions=v1", "output:crd:dir=" + crdDir}
	if a.dangerousTypes {
		args[0] += ",allowDangerousTypes=true"
	}
	if a.embeddedObjectMeta {
		args[0] += ",generateEmbeddedObjectMeta=true"
	}
	if !a.noCopies {
		object := "object"
		if a.header != "" {
			object += ":headerFile=" + a.header
		}
		args = append(args, object)
	}
	for _, pattern := range a.patterns {
		args = append(args, "paths="+pattern)
	}
	return runGenerator(ctx, module, c.tools.controllerGen, args...)
}

// mrgen runs mrgen with settings that say what the options of controller-gen say, and without what
// controller-gen doesn't do: compare the versions of a kind, and refuse what is no marker.
func (c *comparison) mrgen(ctx context.Context, module string, a api) error {
	settings := map[string]any{
		"packages": a.patterns,
		"markers":  "warn",
		"versions": map[string]any{"mode": "off"},
		"crds":     map[string]any{"dir": crdDir, "allowDangerousTypes": a.dangerousTypes, "embeddedObjectMeta": a.embeddedObjectMeta},
	}
	if a.header != "" {
		settings["headerFile"] = a.header
	}
	if a.minKubernetes != "" {
		settings["minKubernetes"] = a.minKubernetes
	}
	if a.noCopies {
		settings["deepcopy"] = "off"
	}
	content, err := json.Marshal(settings) // which is YAML
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(module, "mrgen.yaml"), content, 0o644); err != nil {
		return err
	}
	return runGenerator(ctx, module, c.tools.mrgen, "generate", "--no-cache")
}

func runGenerator(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, output)
	}
	return nil
}

// apply edits a copy of the checkout. An edit without effect is an error: the source has changed.
func (e *edit) apply(checkout string) error {
	find := regexp.MustCompile(e.find)
	edited := false
	folder := filepath.Join(checkout, filepath.FromSlash(e.folder))
	err := tree.Walk(folder, func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		file := filepath.Join(folder, filepath.FromSlash(name))
		content, err := os.ReadFile(file)
		if err != nil || !find.Match(content) {
			return err
		}
		edited = true
		return os.WriteFile(file, find.ReplaceAll(content, []byte(e.replace)), 0o644)
	})
	if err == nil && !edited {
		err = fmt.Errorf("no file below %s matches %s, which is to be edited, since %s", e.folder, e.find, e.why)
	}
	return err
}

// isCopy reports whether a file of the checkout is one that a generator writes deep copies to.
func (a api) isCopy(name string) bool {
	return !a.noCopies && path.Base(name) == copiesFile && slices.ContainsFunc(a.patterns, func(pattern string) bool {
		folder, below := strings.CutSuffix(path.Join(a.module, pattern), "...")
		return below && strings.HasPrefix(name, folder) || path.Dir(name) == folder
	})
}

// collect copies what a generator wrote, without what names the tool, to a folder.
func (a api) collect(source, to string) (definitions, copies int, err error) {
	crds := path.Join(a.module, crdDir)
	err = tree.Walk(source, func(name string) error {
		content, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(name)))
		switch {
		case err != nil:
			return err
		case path.Dir(name) == crds:
			definitions++
			content = normaliseDefinition(content)
		case a.isCopy(name):
			copies++
			content = normaliseCopies(content)
		default:
			return nil
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
	if err == nil {
		err = os.MkdirAll(to, 0o755) // there may be nothing
	}
	return definitions, copies, err
}

var (
	mrgenLine      = regexp.MustCompile(`\A# Code generated by mrgen.*\n`)
	documentStart  = regexp.MustCompile(`\A---\n`)
	versionLine    = regexp.MustCompile(`(?m)^    controller-gen\.kubebuilder\.io/version: .*\n`)
	noAnnotations  = regexp.MustCompile(`(?m)^  annotations:\n(  \S)`)
	generatedBy    = regexp.MustCompile(`(?m)^// Code generated by (mrgen|controller-gen)\. DO NOT EDIT\.$`)
	generatedByAny = []byte("// Code generated. DO NOT EDIT.")
)

// normaliseDefinition leaves out of a definition the first line, which names mrgen or separates
// documents, and the annotation with the version of controller-gen.
func normaliseDefinition(content []byte) []byte {
	content = mrgenLine.ReplaceAll(content, nil)
	content = documentStart.ReplaceAll(content, nil)
	content = versionLine.ReplaceAll(content, nil)
	return noAnnotations.ReplaceAll(content, []byte("$1"))
}

// normaliseCopies leaves out of a file of deep copies the name of the tool in the line that says
// that it is generated.
func normaliseCopies(content []byte) []byte { return generatedBy.ReplaceAll(content, generatedByAny) }

// diffFolders returns how the files of two folders of a folder differ.
func diffFolders(ctx context.Context, dir, from, to string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", "diff", "--no-index", "--no-color", "--no-renames", "--no-ext-diff", from, to)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	diff, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return diff, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, stderr.Bytes())
	}
	return nil, nil
}

func parseProjects(list string) ([]project, error) {
	if list == "" {
		return projects, nil
	}
	var chosen []project
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(projects, func(p project) bool { return p.name == name })
		if i < 0 {
			var names []string
			for _, p := range projects {
				names = append(names, p.name)
			}
			return nil, fmt.Errorf("unknown project %q: choose from %s", name, strings.Join(names, ", "))
		}
		chosen = append(chosen, projects[i])
	}
	return chosen, nil
}
