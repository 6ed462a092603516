// Package program builds programs of the module, so that the same source makes the same bytes in
// every folder and on every machine.
package program

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// Options say what to build.
type Options struct {
	// Root is the root folder of the module, and Package the program, such as ./cmd/provider.
	Root, Package string
	// Platform is as in linux/amd64.
	Platform string
	// LDFlags are arguments of the linker.
	LDFlags string
}

// Build returns the program. The error has what the go command says.
func Build(ctx context.Context, o Options) ([]byte, error) {
	system, architecture, ok := strings.Cut(o.Platform, "/")
	if !ok {
		return nil, fmt.Errorf("%q is not a platform: write one such as linux/amd64", o.Platform)
	}
	folder, err := os.MkdirTemp("", "mrgen-program-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	output := filepath.Join(folder, "program")
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid= "+o.LDFlags, "-o", output, o.Package)
	command.Dir = o.Root
	command.Env = append(os.Environ(),
		"GOOS="+system, "GOARCH="+architecture, "CGO_ENABLED=0",
		// What else changes the program, and the machine may have set.
		"GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off")
	if toolchain := toolchainOf(o.Root); toolchain != "" {
		command.Env = append(command.Env, "GOTOOLCHAIN="+toolchain)
	}
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("go build for %s: %w\n%s", o.Platform, err, bytes.TrimSpace(said.Bytes()))
	}
	return os.ReadFile(output)
}

// toolchainOf returns the toolchain that go.mod names, or "" if it names none. Then the one of the
// machine builds the program.
func toolchainOf(root string) string {
	content, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return ""
	}
	file, err := modfile.ParseLax("go.mod", content, nil)
	if err != nil || file.Toolchain == nil {
		return ""
	}
	return file.Toolchain.Name
}
