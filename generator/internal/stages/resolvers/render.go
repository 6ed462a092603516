package resolvers

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/render"
)

// receiver is the name of the kind in its method.
const receiver = "mg"

// variables are the names of parameters and variables in the methods, those with
// numbers apart.
var variables = []string{receiver, "ctx", "c", "r", "req", "rsp", "mreq", "mrsp", "err", "i"}

var clientPackage = flavor.Import{Path: "sigs.k8s.io/controller-runtime/pkg/client", Alias: "client"}

// renderPackage returns the file with the methods of a package.
func renderPackage(p *model.Package, options pipeline.Options, resolvers []*resolver) ([]byte, error) {
	w := &writer{
		file:    render.NewGo(p.Path, p.Name, options.Header),
		pkg:     p,
		helpers: map[helper]string{},
	}
	if options.Registry != nil {
		w.registry = flavor.Import{Path: options.Registry.Path, Alias: options.Registry.Name}
	}
	for _, r := range resolvers {
		w.method(r)
	}
	w.writeHelpers()
	return render.Go(w.file)
}

// writer writes methods into a file.
type writer struct {
	file *jen.File
	pkg  *model.Package
	// registry is the package that kinds are looked up in, if any are.
	registry flavor.Import
	// helpers are the names of the functions that the methods call, which end the
	// file.
	helpers map[helper]string
}

// qualified returns a reference to what a package declares. The alias of its
// import is changed if it clashes with a name of the author or with a variable.
func (w *writer) qualified(in flavor.Import, name string) *jen.Statement {
	for w.isTaken(in.Alias) {
		in.Alias += "pkg"
	}
	return render.Qualified(w.file, in, name)
}

// isTaken reports whether an alias would clash.
func (w *writer) isTaken(alias string) bool {
	_, declared := w.pkg.Names[alias]
	return declared || slices.Contains(variables, alias)
}

// method writes ResolveReferences of a kind.
func (w *writer) method(r *resolver) {
	m := &methodWriter{writer: w, generation: r.object.Generation}
	references := m.generation.References
	var single, multiple, lookedUp bool
	var calls jen.Statement
	for _, ref := range r.references {
		single = single || !ref.value.slice
		multiple = multiple || ref.value.slice
		lookedUp = lookedUp || ref.lookedUp && !ref.value.slice
		calls = append(calls, m.field(ref, 0, place{expr: jen.Id(receiver)}).Line())
	}
	var declarations jen.Statement
	if lookedUp {
		declarations = append(declarations, jen.Var().Id("req").Add(w.qualified(references.Package, references.Request)).Line())
	}
	if single {
		declarations = append(declarations, jen.Var().Id("rsp").Add(w.qualified(references.Package, references.Response)))
	}
	if multiple {
		declarations = append(declarations,
			jen.Line().Var().Id("mreq").Add(w.qualified(references.Package, references.MultiRequest)),
			jen.Line().Var().Id("mrsp").Add(w.qualified(references.Package, references.MultiResponse)))
	}
	w.file.Commentf("%s of this %s.", method, r.object.Name)
	w.file.Func().Params(jen.Id(receiver).Op("*").Id(r.object.Name)).Id(method).Params(
		jen.Id("ctx").Qual("context", "Context"),
		jen.Id("c").Add(w.qualified(clientPackage, "Reader")),
	).Error().Block(
		jen.Id("r").Op(":=").Add(w.qualified(references.Package, "New"+references.Resolver)).Call(jen.Id("c"), jen.Id(receiver)),
		jen.Line(),
		&declarations,
		jen.Var().Err().Error(),
		jen.Line(),
		&calls,
		jen.Line(),
		jen.Return(jen.Nil()),
	)
}
