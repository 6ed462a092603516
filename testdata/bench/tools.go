package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The packages of the commands. This module requires the versions of the peers.
const (
	benchModule = "testdata/bench"

	mrgenPackage         = "./cmd/mrgen"
	floorPackage         = "./floor"
	controllerGenPackage = "sigs.k8s.io/controller-tools/cmd/controller-gen"
	angryjetPackage      = "github.com/crossplane/crossplane-tools/cmd/angryjet"
)

// tools are the paths of the commands to compare, and of the one that does what none can do
// without.
type tools struct{ controllerGen, angryjet, mrgen, floor string }

// A tool is a command that is built from a package of a module, unless a path is given.
type tool struct {
	path         *string
	module, from string
}

// generators are the tools that write what mrgen writes for any API.
func (t *tools) generators() []tool {
	return []tool{{&t.controllerGen, benchModule, controllerGenPackage}, {&t.mrgen, ".", mrgenPackage}}
}

// all are the tools that are measured.
func (t *tools) all() []tool {
	return append(t.generators(), tool{&t.angryjet, benchModule, angryjetPackage}, tool{&t.floor, benchModule, floorPackage})
}

// build builds the commands that no path is given for, below a folder.
func build(ctx context.Context, repository, dir string, list []tool) error {
	for _, tool := range list {
		if *tool.path != "" {
			absolute, err := filepath.Abs(*tool.path)
			if err != nil {
				return err
			}
			*tool.path = absolute
			continue
		}
		*tool.path = filepath.Join(dir, filepath.Base(tool.from))
		name, args := "go", []string{"build", "-o", *tool.path, tool.from}
		if tool.from == mrgenPackage { // releases are linked with flags of their own
			name, args = "make", []string{"release", "BINARY=" + *tool.path}
		}
		if _, err := output(ctx, filepath.Join(repository, tool.module), name, args...); err != nil {
			return err
		}
	}
	return nil
}

// goCommand returns what the go command prints in a folder.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	return output(ctx, dir, "go", args...)
}

// output returns what a command prints in a folder.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

// findRepository returns the root of the repository that this module lies in.
func findRepository(ctx context.Context) (string, error) {
	goMod, err := goCommand(ctx, ".", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	repository := filepath.Dir(filepath.Dir(filepath.Dir(goMod)))
	if _, err := os.Stat(filepath.Join(repository, "cmd", "mrgen", "main.go")); err != nil {
		return "", fmt.Errorf("run this in testdata/bench of mrgen's repository: %w", err)
	}
	return repository, nil
}
