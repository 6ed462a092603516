// Package deepcopy emits deep copies, byte for byte as controller-gen's object
// generator does, but for the line that names the tool, where what that writes compiles.
// Other types are copied in other words, or refused.
//
// That generator formats a file after it wrote it, which takes most of its time.
// This one writes formatted code from the start.
package deepcopy

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

const file = "zz_generated.deepcopy.go"

// Stage writes the methods that make copies, for the types that markers of
// controller-gen ask for.
var Stage = pipeline.Stage{
	Name:    "deepcopy",
	Doc:     "Writes DeepCopy, DeepCopyInto and DeepCopyObject methods.",
	GoFiles: []pipeline.GoFile{{Name: file}},
	Run:     run,
}

func run(_ context.Context, pass *pipeline.Pass) error {
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
	pass.ReportPackageErrors()
	for _, p := range pass.Model.Packages {
		pass.Report(copies.checkObjects(p, wanted[p])...)
	}
	return nil
}

// generate returns the file for a package, or nil if it needs none, and the types that
// it has methods of. What is wrong with them is added to the errors of the package.
func generate(copies *copies, pkg *loader.Package, into *gosrc.Package, header string) ([]byte, []wantedType, error) {
	wanted, err := wantedTypes(copies.collector, pkg)
	if err != nil {
		return nil, nil, err
	}
	out := lines.Get().(*gosrc.Lines)
	defer lines.Put(out)
	out.Reset()
	w := newWriter(copies, pkg, into, out)
	for _, t := range wanted {
		w.methods(t)
	}
	return w.content(header), wanted, nil
}

// lines keeps the memory of what was written for the next packages.
var lines = sync.Pool{New: func() any { return &gosrc.Lines{} }}
