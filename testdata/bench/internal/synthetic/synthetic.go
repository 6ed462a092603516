// Package synthetic writes the Go API types of a provider that doesn't exist, of any
// size. What it writes depends on its options alone, so that two runs on any two
// machines measure the same source.
//
// The shape follows what providers written by hand look like: about 60 fields a kind,
// a third of them structs, slices and maps; references within a group and to other
// groups; each kind both cluster scoped and namespaced.
package synthetic

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Module is the path of the module that is written.
const Module = "github.com/mrgen-io/synthetic"

// seed is fixed: the trees of two runs must be the same.
const seed = 20260101

// Options say what to write.
type Options struct {
	// Kinds is the number of managed kinds, at least 1. The two scopes of a kind
	// count as two.
	Kinds int
	// Cycles gives the provider the shape of those that upjet generates: groups refer to
	// each other, some markers have no effect, and directives run the tools.
	Cycles bool
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
	groups := plan(options.Kinds)
	if err := emitRoot(options, groups, emit); err != nil {
		return err
	}
	for i := range groups {
		if err := emitGroup(options, groups, i, emit); err != nil {
			return err
		}
	}
	return nil
}

func emitRoot(options Options, groups []group, emit func(string, []byte) error) error {
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
	if options.Cycles {
		if err := emit("generate/generate.go", []byte(directives)); err != nil {
			return err
		}
		if err := emitGo(extractors+"/referencers.go", referencers, emit); err != nil {
			return err
		}
	}
	for _, file := range []struct{ name, source string }{
		{"apis/apis.go", registration(groups)},
		{"apis/v1alpha1/groupversion_info.go", groupVersion("v1alpha1", domain, "v1alpha1", "the configuration of the provider")},
		{"apis/v1alpha1/providerconfig_types.go", providerConfig},
	} {
		if err := emitGo(file.name, file.source, emit); err != nil {
			return err
		}
	}
	return nil
}

// emitGroup writes the packages of a group. What is in a group depends on the seed,
// its number and its kinds only.
func emitGroup(options Options, groups []group, number int, emit func(string, []byte) error) error {
	g := groups[number]
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	target := targets(random, groups, number)
	if options.Cycles {
		target = anyTargets(random, groups, number)
	}
	for i, name := range g.kinds {
		k := newKind(random, name, target)
		if options.Cycles {
			k.idle()
		}
		for _, s := range scopes {
			if i >= g.count(s) {
				continue
			}
			file := s.folder(g.name) + "/" + fileName(name) + "_types.go"
			if err := emitGo(file, s.kindFile(k), emit); err != nil {
				return err
			}
		}
	}
	for _, s := range scopes {
		if g.count(s) == 0 {
			continue
		}
		about := fmt.Sprintf("the %s managed resources of %s", s.adjective, g.name)
		if err := emitGo(s.folder(g.name)+"/groupversion_info.go", groupVersion(version, s.group(g.name), version, about), emit); err != nil {
			return err
		}
		if err := emitGo(s.folder(g.name)+"/referencers.go", referencers, emit); err != nil {
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
