package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/bench/internal/measure"
)

// A compilation is what it takes to compile commands when nothing has been compiled yet.
type compilation struct {
	name string
	// packages are those that are compiled, of other modules and of Go itself among them.
	packages int
	usage    measure.Usage
}

// compileAll compiles the commands of both sides, each side with a build cache of its own, which is
// empty. What is compiled is the source, even if other commands are measured.
func compileAll(ctx context.Context, repository string) ([]compilation, error) {
	var list []compilation
	for _, side := range []struct {
		name, module string
		commands     []string
	}{
		{"controller-gen and angryjet", benchModule, []string{controllerGenPackage, angryjetPackage}},
		{"mrgen", ".", []string{mrgenPackage}},
	} {
		c, err := compileOne(ctx, filepath.Join(repository, side.module), side.commands)
		if err != nil {
			return nil, err
		}
		c.name = side.name
		logf("%s: compiled %d packages in %s", c.name, c.packages, describe(c.usage))
		list = append(list, c)
	}
	return list, nil
}

func compileOne(ctx context.Context, dir string, commands []string) (c compilation, err error) {
	work, err := os.MkdirTemp("", "mrgen-compile-")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(work) //nolint:errcheck // it is a temporary folder
	// This downloads the modules.
	packages, err := goCommand(ctx, dir, append([]string{"list", "-deps"}, commands...)...)
	if err != nil {
		return c, err
	}
	for name := range strings.Lines(packages) {
		if strings.TrimSpace(name) != "unsafe" { // which has no source
			c.packages++
		}
	}
	c.usage, err = measure.Run(ctx, measure.Command{
		Dir:  dir,
		Env:  append(os.Environ(), "GOWORK=off", "GOCACHE="+filepath.Join(work, "cache")),
		Args: append([]string{"go", "build", "-o", work + string(filepath.Separator)}, commands...),
	})
	return c, err
}
