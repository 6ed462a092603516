package resolvers

import (
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
)

// A helper is a function or a type that methods use. A file declares it once, if methods use it.
type helper struct {
	// wanted is its name, provided that the author doesn't use it.
	wanted string
	// generation is the generation of the kinds whose errors the function returns.
	generation *flavor.Generation
}

// errorName returns the name of the function for the errors of a request.
func errorName(request string) string {
	return strings.ToLower(request[:1]) + strings.TrimSuffix(request[1:], "Request") + "Error"
}

// helper returns the name of a helper, and queues it for writing.
func (w *fileWriter) helper(h helper, write func(name string)) string {
	if name, known := w.helpers[h]; known {
		return name
	}
	name := w.into.Declare(h.wanted)
	w.helpers[h], w.ends[name] = name, write
	return name
}

// singleError returns the name of the helper for errors about one reference.
func (w *fileWriter) singleError(g *flavor.Generation) string {
	return w.helper(helper{errorName(g.References.Request), g}, func(name string) { w.writeSingleError(name, g) })
}

// multiError returns the name of the helper for errors about one of several references.
func (w *fileWriter) multiError(g *flavor.Generation) string {
	w.singleError(g) // the other one calls it
	return w.helper(helper{errorName(g.References.MultiRequest), g}, func(name string) { w.writeMultiError(name, g) })
}

// clusterReader returns the name of the type that reads cluster-scoped objects.
func (w *fileWriter) clusterReader() string {
	return w.helper(helper{wanted: "clusterReader"}, w.writeClusterReader)
}

// writeHelpers writes the functions that the methods call, sorted by name.
func (w *fileWriter) writeHelpers() {
	for _, name := range slices.Sorted(maps.Keys(w.ends)) {
		w.ends[name](name)
	}
}

func (w *fileWriter) writeSingleError(name string, g *flavor.Generation) {
	types, references := g.Types, g.References
	signature := name + "(err error, path, kind string, ref *" + w.Qualified(types, references.Reference) +
		", selector *" + w.Qualified(types, references.Selector) + ") error"
	w.Function(name+" says which reference can't be resolved.", signature, func() {
		w.Block("if ref == nil"+w.orSelectsAlways(g, "selector"), func() { w.returnSelectorError(g) })
		w.Line("return ", w.Qualified(w.errors(g), "Wrapf"), `(err, "%s: cannot resolve reference to %s %q", path, kind, ref.Name)`)
	})
}

// writeMultiError writes the helper for errors about several references. The resolver doesn't tell which one
// failed, so the helper resolves them one by one.
func (w *fileWriter) writeMultiError(name string, g *flavor.Generation) {
	references := g.References
	elements := []gosrc.Element{{Key: "Extract", Value: "mreq.Extract"}}
	if references.Namespaced {
		elements = append(elements, gosrc.Element{Key: "Namespace", Value: "mreq.Namespace"})
	}
	elements = append(elements, gosrc.Element{Key: "Reference", Value: "&mreq.References[i]"}, gosrc.Element{Key: "To", Value: "mreq.To"})
	signature := name + "(ctx " + w.Standard("context", "Context") + ", r *" + w.Qualified(references.Package, references.Resolver) +
		", mreq " + w.Qualified(references.Package, references.MultiRequest) + ", err error, path, kind string) error"
	w.Function(name+" says which of several references can't be resolved: the first that can't be on its own.", signature, func() {
		w.Block("if len(mreq.References) == 0"+w.orSelectsAlways(g, "mreq.Selector"), func() { w.returnSelectorError(g) })
		w.Block("for i := range mreq.References", func() {
			w.Literal("_, refErr := r.Resolve(ctx, "+w.Qualified(references.Package, references.Request), elements, ")")
			w.Block("if refErr != nil", func() {
				w.Line("return ", w.singleError(g), "(refErr, ", w.Standard("fmt", "Sprintf"), `("%s[%d]", path, i), kind, &mreq.References[i], nil)`)
			})
		})
		w.Line("return ", w.Qualified(w.errors(g), "Wrapf"), `(err, "%s: cannot resolve references to %s", path, kind)`)
	})
}

// writeClusterReader writes a reader for references to cluster-scoped kinds. The resolver of a namespaced kind
// lists in a namespace: the API server ignores that, but controller-runtime's cache finds nothing there.
func (w *fileWriter) writeClusterReader(name string) {
	w.Blank()
	w.Line("// ", name, " reads what is cluster scoped, whatever namespace is asked for.")
	w.Line("// +kubebuilder:object:generate=false")
	w.Block("type "+name+" struct", func() { w.Line(w.Qualified(clientPackage, "Reader")) })
	signature := "(r " + name + ") List(ctx " + w.Standard("context", "Context") + ", list " + w.Qualified(clientPackage, "ObjectList") +
		", options ..." + w.Qualified(clientPackage, "ListOption") + ") error"
	w.Function("List lists objects, of which a cache has none in a namespace.", signature, func() {
		w.Line("return r.Reader.List(ctx, list, append(options, ", w.Qualified(clientPackage, "InNamespace"), `(""))...)`)
	})
}

// returnSelectorError writes the return of an error that names a selector.
func (w *fileWriter) returnSelectorError(g *flavor.Generation) {
	w.Line("return ", w.Qualified(w.errors(g), "Wrapf"), `(err, "%s: cannot resolve reference to %s by selector", path, kind)`)
}

// orSelectsAlways returns an alternative for a condition: that a selector replaces references resolved before.
// It is empty for selectors without a policy, which never do.
func (w *fileWriter) orSelectsAlways(g *flavor.Generation, selector string) string {
	if !w.policies[g] {
		return ""
	}
	return " || " + selector + " != nil && " + selector + ".Policy.IsResolvePolicyAlways()"
}

// errors returns the package for errors of a generation, in the version that the module requires.
func (w *fileWriter) errors(g *flavor.Generation) flavor.Import {
	runtime := w.runtimes[g.Resource.Path]
	// Older runtimes have the errors in another module.
	if runtime != nil && !runtime.Errors && g.References.OlderErrors != (flavor.Import{}) {
		return g.References.OlderErrors
	}
	return g.References.Errors
}
