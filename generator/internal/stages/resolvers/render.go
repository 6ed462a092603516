package resolvers

import (
	"slices"

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
		Source:  render.NewSource(p.Path, p.Name, options.Header),
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
	return w.Content()
}

// writer writes methods into a file.
type writer struct {
	*render.Source
	pkg *model.Package
	// registry is the package that kinds are looked up in, if any are.
	registry flavor.Import
	// helpers are the names of the functions that the methods call, which end the
	// file.
	helpers map[helper]string
}

// qualified returns a reference to what a package declares. The alias of its
// import is changed if it clashes with a name of the author or with a variable.
func (w *writer) qualified(in flavor.Import, name string) string {
	for w.isTaken(in.Alias) {
		in.Alias += "pkg"
	}
	return w.Qualified(in, name)
}

// isTaken reports whether an alias would clash.
func (w *writer) isTaken(alias string) bool {
	_, declared := w.pkg.Names[alias]
	return declared || slices.Contains(variables, alias)
}

// method writes ResolveReferences of a kind.
func (w *writer) method(r *resolver) {
	m := &methodWriter{writer: w, generation: r.object.Generation}
	signature := "(" + receiver + " *" + r.object.Name + ") " + method +
		"(ctx " + w.Standard("context", "Context") + ", c " + w.qualified(clientPackage, "Reader") + ") error"
	w.Function(method+" of this "+r.object.Name+".", signature, func() {
		w.Line("r := ", m.reference("New"+m.generation.References.Resolver), "(c, ", receiver, ")")
		w.Blank()
		m.declare(r)
		w.Blank()
		for _, ref := range r.references {
			m.field(ref, 0, place{expr: receiver})
		}
		w.Blank()
		w.Line("return nil")
	})
}

// declare declares the variables that the method needs.
func (m *methodWriter) declare(r *resolver) {
	var single, multiple, lookedUp bool
	for _, ref := range r.references {
		single = single || !ref.value.slice
		multiple = multiple || ref.value.slice
		lookedUp = lookedUp || ref.lookedUp && !ref.value.slice
	}
	references := m.generation.References
	if lookedUp {
		m.Line("var req ", m.reference(references.Request))
	}
	if single {
		m.Line("var rsp ", m.reference(references.Response))
	}
	if multiple {
		m.Line("var mreq ", m.reference(references.MultiRequest))
		m.Line("var mrsp ", m.reference(references.MultiResponse))
	}
	m.Line("var err error")
}
