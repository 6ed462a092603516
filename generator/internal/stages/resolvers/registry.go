package resolvers

import (
	_ "embed" // for registrySource
	"path"
	"reflect"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/render"
)

// registryFile is the one file of the package that kinds are looked up in.
const registryFile = "zz_generated.registry.go"

// registrySource is the package, but for its name and its import path.
//
//go:embed registry/registry.go
var registrySource string

// emitRegistry writes the package that kinds are looked up in, if the settings name
// one. It is the same whatever the run covers, and whether a kind is looked up or not:
// what the author calls stays where it is.
func emitRegistry(pass *pipeline.Pass) error {
	p := pass.Options.Registry
	if p == nil {
		return nil
	}
	own := path.Join(reflect.TypeFor[reference]().PkgPath(), "registry")
	source := strings.NewReplacer(
		"// Package registry ", "// Package "+p.Name+" ",
		"package registry\n", "package "+p.Name+"\n",
		own, p.Path,
	).Replace(registrySource)
	content, err := render.GoSource(p.Path, p.Name, pass.Options.Header, source)
	if err != nil {
		return err
	}
	return pass.Emit(path.Join(p.Dir, registryFile), content)
}

// lookUp writes what takes the kind that a request is about from the registry. As
// little as a resolver does it look up a kind that nothing refers to, or for an
// object that is being deleted.
func (m *methodWriter) lookUp(ref *reference, request string, failed func()) {
	m.Block(m.code("if $mg.GetDeletionTimestamp() == nil && !"+request+".IsNoOp()"), func() {
		m.Line(m.code(request+".To.Managed, "+request+".To.List, $err = "), m.qualified(m.registry, "New"),
			"[", m.qualified(m.generation.Resource, "Managed"), ", ", m.qualified(m.generation.Resource, "ManagedList"), "]",
			"(", strconv.Quote(ref.group), ", ", strconv.Quote(ref.version), ", ", strconv.Quote(ref.target), ")")
		m.Block(m.code("if $err != nil"), failed)
	})
}
