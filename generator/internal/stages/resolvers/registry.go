package resolvers

import (
	_ "embed" // for registrySource
	"path"
	"reflect"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// registryFile is the only file of the registry package.
const registryFile = "zz_generated.registry.go"

// registrySource is the source of the package, except for its name and import path.
//
//go:embed registry/registry.go
var registrySource string

// emitRegistry writes the registry package, if the settings name one.
func emitRegistry(pass *stage.Pass) error {
	p := pass.Options.Registry
	// Otherwise always write it, even without look-ups: the author's main calls AddScheme.
	if p == nil {
		return nil
	}
	template := gosrc.MustParseTemplate(registrySource)
	into, copied := pass.GoPackage(p.Path, p.Name, p.Dir), &strings.Builder{}
	imports, write := into.NewImports(gosrc.Variables()), func(text string) { copied.WriteString(text) }
	write(template.Text(template.Syntax.FileStart, template.Syntax.Package))
	template.Copy(template.Syntax, write, func(importPath, name string) func() {
		if importPath == "" {
			return nil
		}
		qualified := imports.Standard(importPath, name)
		if name == "" {
			qualified = imports.Spec(importPath)
		}
		return func() { write(qualified) }
	})
	own := path.Join(reflect.TypeFor[reference]().PkgPath(), "registry")
	source := strings.NewReplacer(
		"// Package registry ", "// Package "+p.Name+" ",
		"package registry\n", "package "+p.Name+"\n",
		own, p.Path,
	).Replace(copied.String())
	content, err := into.Source(pass.Options.Header, source)
	if err != nil {
		return err
	}
	return pass.Emit(path.Join(p.Dir, registryFile), content)
}

// lookUp writes the code that looks up the kind of a request in the registry. Like a resolver, it does nothing
// without a reference, or while the object is being deleted.
func (m *methodWriter) lookUp(ref *reference, request string, failed func()) {
	m.Block(m.code("if $mg.GetDeletionTimestamp() == nil && !"+request+".IsNoOp()"), func() {
		m.Line(m.code(request+".To.Managed, "+request+".To.List, $err = "), m.Qualified(m.registry, "New"),
			"[", m.Qualified(m.generation.Resource, "Managed"), ", ", m.Qualified(m.generation.Resource, "ManagedList"), "]",
			"(", strconv.Quote(ref.group), ", ", strconv.Quote(ref.version), ", ", strconv.Quote(ref.target), ")")
		m.Block(m.code("if $err != nil"), failed)
	})
}
