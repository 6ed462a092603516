// Package synthetic writes the Go API types of a provider that doesn't exist, of any
// size. What it writes depends on its options alone, so that two runs on any two
// machines measure the same source.
//
// There are two shapes: of providers that people write, and of providers that upjet
// generates from the schema of a Terraform provider.
package synthetic

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Module is the path of the module that is written.
const Module = "github.com/mrgen-io/synthetic"

// seed is fixed: the trees of two runs must be the same.
const seed = 20260101

// A Shape is what the source of a provider looks like.
type Shape string

const (
	// Written is the shape of providers that people write: about 60 fields a kind, a third
	// of them structs, slices and maps; references within the group and to groups before
	// it; each kind both cluster scoped and namespaced.
	Written Shape = "written"
	// Generated is the shape of providers that upjet generates: see distributions.go.
	Generated Shape = "generated"
)

// Shapes are all shapes.
var Shapes = []Shape{Written, Generated}

// Options say what to write.
type Options struct {
	// Kinds is the number of managed kinds, at least 1. The two scopes of a kind
	// count as two, the versions of a kind as one.
	Kinds int
	Shape Shape
	// GoMod and GoSum are the contents of the files of a module that has the same
	// requirements. The module line is replaced.
	GoMod, GoSum []byte
}

// Write writes the provider below a folder.
func Write(dir string, options Options) error {
	return Emit(options, func(name string, content []byte) error {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, content, 0o644)
	})
}

// Emit hands over the files of the provider one after the other, with
// slash-separated paths relative to its root.
func Emit(options Options, emit func(name string, content []byte) error) error {
	if options.Kinds < 1 {
		return fmt.Errorf("%d kinds: at least one is needed", options.Kinds)
	}
	if err := emitRoot(options, emit); err != nil {
		return err
	}
	switch options.Shape {
	case Written:
		return emitWritten(options.Kinds, emit)
	case Generated:
		return emitGenerated(options.Kinds, emit)
	default:
		return fmt.Errorf("there is no shape %q: choose from %v", options.Shape, Shapes)
	}
}

func emitRoot(options Options, emit func(string, []byte) error) error {
	goMod, err := replaceModule(options.GoMod)
	if err != nil {
		return err
	}
	for _, file := range []struct{ name, content string }{
		{"go.mod", goMod},
		{"go.sum", string(options.GoSum)},
		{"hack/boilerplate.go.txt", boilerplate},
	} {
		if err := emit(file.name, []byte(file.content)); err != nil {
			return err
		}
	}
	return nil
}

func replaceModule(goMod []byte) (string, error) {
	first, rest, _ := strings.Cut(string(goMod), "\n")
	if !strings.HasPrefix(first, "module ") {
		return "", errors.New("the given go.mod does not begin with its module line")
	}
	return "module " + Module + "\n" + rest, nil
}
