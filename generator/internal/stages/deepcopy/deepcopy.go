// Package deepcopy emits deep copies. Except for the line that names the tool, its files equal those of
// controller-gen's object generator byte for byte, if these compile. For other types it writes different code,
// or reports an error.
//
// controller-gen formats each file in the end, which takes most of its time. This package writes formatted code
// from the start.
package deepcopy

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

const file = "zz_generated.deepcopy.go"

// Stage writes deep copy methods for the types that controller-gen's markers select.
var Stage = stage.Stage{
	Name:    "deepcopy",
	Doc:     "Writes DeepCopy, DeepCopyInto and DeepCopyObject methods.",
	GoFiles: []stage.GoFile{{Name: file}},
	Off:     "set deepcopy to off, if another generator is to write deep copies",
	Run:     run,
}

func run(_ context.Context, pass *stage.Pass) error {
	copies := &copies{collector: pass.Source.Collector, source: pass.Source.Program, roles: rolesOf(pass.Model)}
	wanted := map[*model.Package][]wantedType{}
	var mu sync.Mutex
	err := pass.EmitEach(func(p *model.Package) (map[string][]byte, error) {
		content, types, err := generate(copies, pass.Source.Packages[p.Path], pass.GoPackage(p.Path, p.Name, p.Dir), pass.Options.Header)
		mu.Lock()
		wanted[p] = types
		mu.Unlock()
		if content == nil {
			return nil, err
		}
		return map[string][]byte{file: content}, err
	})
	if err != nil {
		return err
	}
	pass.Report(pass.Source.PackageErrors()...)
	for _, p := range pass.Model.Packages {
		pass.Report(copies.checkObjects(p, wanted[p])...)
	}
	return nil
}

// generate returns the file for a package, or nil if it needs none, and the types that get methods. It adds
// problems to the package's errors.
func generate(copies *copies, pkg *loader.Package, into *gosrc.Package, header string) ([]byte, []wantedType, error) {
	wanted, err := wantedTypes(copies.collector, pkg)
	if err != nil {
		return nil, nil, err
	}
	w := newWriter(copies, pkg, into)
	for _, t := range wanted {
		w.methods(t)
	}
	return w.content(header), wanted, nil
}
