// Package deepcopy emits deep copies, byte for byte as controller-gen's object
// generator does, but for the line that names the tool.
//
// That generator formats a file after it wrote it, which takes most of its time.
// This one writes formatted code from the start.
package deepcopy

import (
	"context"
	"path"
	"runtime"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

const file = "zz_generated.deepcopy.go"

// Stage writes the methods that make copies, for the types that markers of
// controller-gen ask for.
var Stage = pipeline.Stage{
	Name:    "deepcopy",
	Doc:     "Writes DeepCopy, DeepCopyInto and DeepCopyObject methods.",
	GoFiles: []string{file},
	Run:     run,
}

func run(ctx context.Context, pass *pipeline.Pass) error {
	contents := make([][]byte, len(pass.Model.Packages))
	group, _ := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range pass.Model.Packages {
		group.Go(func() (err error) {
			contents[i], err = generate(pass.Source.Collector, pass.Source.Packages[p.Path], pass.Options.Header)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, p := range pass.Model.Packages {
		if contents[i] == nil {
			continue
		}
		if err := pass.Emit(path.Join(p.Dir, file), contents[i]); err != nil {
			return err
		}
	}
	pass.ReportPackageErrors()
	return nil
}

// generate returns the file for a package, or nil if it needs none. What is wrong
// with its types is added to the errors of the package.
func generate(collector *markers.Collector, pkg *loader.Package, header string) ([]byte, error) {
	wanted, err := wantedTypes(collector, pkg)
	if err != nil {
		return nil, err
	}
	w := newWriter(pkg)
	for _, t := range wanted {
		w.methods(t)
	}
	return w.content(header), nil
}
