package combinations_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"go/types"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// load type-checks the cells that were not refused, and has controller-gen make their definitions.
func (b *batch) load() {
	config := &packages.Config{Dir: b.root, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")}
	roots := expect.Value(loader.LoadRootsWithConfig(config, "./apis/..."))(b.t)
	generator, registry, written := crd.Generator{}, &markers.Registry{}, outputs{}
	expect.NoError(b.t, generator.RegisterMarkers(registry))
	if err := generator.Generate(&genall.GenerationContext{
		Collector: &markers.Collector{Registry: registry}, Roots: roots, OutputRule: written, Checker: &loader.TypeChecker{},
	}); err != nil {
		b.t.Error(err)
	}
	for _, content := range written {
		definition := &apiextensionsv1.CustomResourceDefinition{}
		expect.NoError(b.t, yaml.Unmarshal(content.Bytes(), definition))
		if k := b.kinds[definition.Spec.Names.Kind]; k != nil {
			k.upstream = definition
		}
	}
	byFolder := map[string]*types.Package{}
	for _, root := range roots {
		byFolder[strings.TrimPrefix(root.PkgPath, modulePath+"/")] = root.Types
		for _, problem := range root.Errors {
			// These types are generated.
			isLater := strings.Contains(problem.Msg, "InitParameters") || strings.Contains(problem.Msg, "unknown type Observed")
			if problem.Kind != packages.TypeError && !isLater {
				b.blame(problem)
			}
		}
	}
	for _, k := range b.kinds {
		k.packages = []*types.Package{byFolder[k.folder], byFolder["apis/common"]}
	}
}

// blame reports an error of controller-gen.
func (b *batch) blame(problem packages.Error) {
	file, rest, _ := strings.Cut(problem.Pos, ":")
	line, column, _ := strings.Cut(rest, ":")
	name := expect.Value(filepath.Rel(b.root, file))(b.t)
	at := diag.Position{File: filepath.ToSlash(name), Line: numeral(line), Column: numeral(column)}
	for _, o := range b.outcomesAt(diag.Errorf(at, "upstream", "%s", problem.Msg)) {
		b.findings.add("refused by controller-gen", o, problem.Msg)
	}
}

// outputs holds what a generator of controller-tools writes.
type outputs map[string]*buffer

type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

func (o outputs) Open(_ *loader.Package, name string) (io.WriteCloser, error) {
	o[name] = &buffer{}
	return o[name], nil
}
