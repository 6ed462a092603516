package resolvers

import (
	_ "embed" // for registrySource
	"path"
	"reflect"
	"strings"

	"github.com/dave/jennifer/jen"

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
func (m *methodWriter) lookUp(ref *reference, request string, failed *jen.Statement) *jen.Statement {
	to := jen.Id(request).Dot("To")
	return &jen.Statement{
		jen.If(jen.Id(receiver).Dot("GetDeletionTimestamp").Call().Op("==").Nil().Op("&&").Op("!").Id(request).Dot("IsNoOp").Call()).Block(
			jen.List(to.Clone().Dot("Managed"), to.Clone().Dot("List"), jen.Err()).Op("=").Add(m.qualified(m.registry, "New")).Types(
				m.qualified(m.generation.Resource, "Managed"), m.qualified(m.generation.Resource, "ManagedList"),
			).Call(jen.Lit(ref.group), jen.Lit(ref.version), jen.Lit(ref.target)),
			jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(failed)),
		),
		jen.Line(),
	}
}
