package resolvers

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

var clientPackage = flavor.Import{Path: "sigs.k8s.io/controller-runtime/pkg/client", Alias: "client"}

// renderPackage returns the file with the methods of a package.
func renderPackage(
	into *gosrc.Package, p *model.Package, runtimes map[string]*model.Runtime, options stage.Options,
	common *stage.Helpers, resolvers []*resolver,
) ([]byte, error) {
	w := &fileWriter{
		File:     into.NewFile(options.Header, isVariable),
		into:     into,
		pkg:      p,
		runtimes: runtimes,
		policies: map[*flavor.Generation]bool{},
		helpers:  map[helper]string{},
		ends:     map[string]func(name string){},
		common:   common,
	}
	for _, r := range resolvers {
		if slices.ContainsFunc(r.references, func(ref *reference) bool { return ref.policy }) {
			w.policies[r.object.Generation] = true
		}
	}
	w.locals = w.newLocals()
	if options.Registry != nil {
		w.registry = flavor.Import{Path: options.Registry.Path, Alias: options.Registry.Name}
	}
	for _, r := range resolvers {
		w.method(r)
	}
	w.writeHelpers()
	return w.Content()
}

// fileWriter writes methods into a file.
type fileWriter struct {
	*gosrc.File
	into *gosrc.Package
	pkg  *model.Package
	// runtimes are the versions of crossplane-runtime, see [model.Model.Runtimes].
	runtimes map[string]*model.Runtime
	// policies are the generations whose selectors have a policy.
	policies map[*flavor.Generation]bool
	// registry is the package to look up kinds in, if the settings name one.
	registry flavor.Import
	// helpers are the names of the helpers that methods use, and ends the functions that write them at the end
	// of the file.
	helpers map[helper]string
	ends    map[string]func(name string)
	// common is the package of helpers.
	common *stage.Helpers
	// locals replaces $mg and other placeholders by the names of variables.
	locals *strings.Replacer
}

// method writes ResolveReferences of a kind.
func (w *fileWriter) method(r *resolver) {
	m := &methodWriter{fileWriter: w, generation: r.object.Generation}
	signature := w.code("($mg *") + r.object.Name + ") " + method +
		w.code("($ctx ") + w.Standard("context", "Context") + w.code(", $c ") + w.Qualified(clientPackage, "Reader") + ") error"
	w.Function(method+" of this "+r.object.Name+".", signature, func() {
		m.resolvers(r)
		w.Blank()
		m.declare(r)
		w.Blank()
		m.resolveAll(r.references, 0, operand{expr: w.code("$mg")})
		w.Blank()
		w.Line("return nil")
	})
}

// resolvers creates the resolvers that the method needs: one for cluster-scoped kinds, and one
// for others.
func (m *methodWriter) resolvers(r *resolver) {
	isCluster := func(ref *reference) bool { return ref.clusterScoped }
	if slices.ContainsFunc(r.references, func(ref *reference) bool { return !ref.clusterScoped }) {
		m.Line(m.code("$r := "), m.reference("New"+m.generation.References.Resolver), m.code("($c, $mg)"))
	}
	if slices.ContainsFunc(r.references, isCluster) {
		m.Line(m.code("$cr := "), m.reference("New"+m.generation.References.Resolver), "(", m.clusterReader(), m.code("{$c}, $mg)"))
	}
}

// resolver returns the variable of the resolver for a reference.
func (m *methodWriter) resolver(ref *reference) string {
	if ref.clusterScoped {
		return m.code("$cr")
	}
	return m.code("$r")
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
		m.Line(m.code("var $req "), m.reference(references.Request))
	}
	if single {
		m.Line(m.code("var $rsp "), m.reference(references.Response))
	}
	if multiple {
		m.Line(m.code("var $mreq "), m.reference(references.MultiRequest))
		m.Line(m.code("var $mrsp "), m.reference(references.MultiResponse))
	}
	m.Line(m.code("var $err error"))
}
