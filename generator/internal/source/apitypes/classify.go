package apitypes

import (
	"cmp"
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

const codeFlavor diag.Code = "flavor"

// classify sets the role of an object and its row of the flavour table, by embedded types and JSON names.
func classify(o *model.Object) diag.List {
	if o.List {
		classifyList(o)
		return nil
	}
	if usage := embedded(o.Type, flavor.FindProviderConfigUsage); usage != nil {
		o.Role, o.Generation = model.ProviderConfigUsage, usage
		return nil
	}
	if config := fieldEmbeds(o.Status, flavor.FindProviderConfig); config != nil && o.Spec != nil {
		o.Role, o.Generation, o.Conditions = model.ProviderConfig, config, config.Types
		return nil
	}
	generation := fieldEmbeds(o.Spec, flavor.FindManaged)
	if generation == nil {
		generation = copied(o) // providers declare a spec of their own if it differs from the generation's in a field
	}
	if generation != nil {
		conditions := conditionTypes(generation, o.Status)
		if conditions != (flavor.Import{}) {
			o.Role, o.Generation, o.Conditions = model.Managed, generation, conditions
			return nil
		}
	}
	if generation == nil && o.Spec.Part("forProvider") == nil { // neither embeds nor looks like a managed resource
		return nil
	}
	o.Role = model.Managed
	switch {
	case o.SkipMethods || hasMethods(o): // no methods are generated, so no row is needed
		return nil
	case embedsUnknown(o.Spec) || embedsUnknown(o.Status): // the unresolved type is reported where it is embedded
		return nil
	}
	if generation != nil {
		status := "ResourceStatus"
		if generation.Conditions[flavor.TypeName{Package: generation.Types.Path, Name: "Managed" + status}] != (flavor.Import{}) {
			status = "Managed" + status
		}
		return notInline(o.Status, func(t flavor.TypeName) bool { return generation.Conditions[t] != flavor.Import{} }, diag.Errorf(o.Pos, codeFlavor,
			"%s is a managed resource of %s, but its status embeds no matching type: embed %s.%s, write the methods, or mark the kind +crossplane:generate:methods=false",
			o.Name, generation.Name, generation.Types.Alias, status))
	}
	return notInline(o.Spec, func(t flavor.TypeName) bool { return flavor.FindManaged(t) != nil }, diag.Errorf(o.Pos, codeFlavor,
		"%s has spec.forProvider, but its spec embeds no type of managed resources inline: embed ResourceSpec or ManagedResourceSpec or ClusterManagedResourceSpec, write the methods, or mark the kind +crossplane:generate:methods=false",
		o.Name))
}

// notInline returns an error at the first field of a part with a known type that isn't embedded inline, or the error about a part without
// such a field.
func notInline(part *model.Field, known func(flavor.TypeName) bool, missing diag.Diagnostic) diag.List {
	if part == nil {
		return diag.List{missing}
	}
	for _, f := range part.Type.Deref().Fields {
		t := f.Type.Deref()
		switch isKnown := known(f.Embeds) || known(flavor.TypeName{Package: t.Package, Name: t.Name}); {
		case isKnown && f.JSONName == "": // the tag is an error in any struct
			return nil
		case isKnown:
			missing = diag.Errorf(f.Pos, codeFlavor, "%s isn't inline, so that its fields are below %s in JSON: embed it, with `json:\",inline\"`", t.Name, f.JSONName)
		}
	}
	return diag.List{missing}
}

// embedsUnknown reports whether the struct of a field, if there is one, embeds a type that can't be resolved.
func embedsUnknown(in *model.Field) bool {
	return in != nil && slices.ContainsFunc(in.Type.Deref().Fields, func(f *model.Field) bool {
		return f.Embedded && !f.Type.Deref().IsKnown()
	})
}

// copied returns the row whose type the object's spec is a copy of, or nil.
func copied(o *model.Object) *flavor.Generation {
	if o.Spec.Part("forProvider") == nil {
		return nil
	}
	for _, g := range flavor.ManagedGenerations() {
		has := func(method, jsonName string) bool {
			i := slices.IndexFunc(g.Methods, func(m flavor.Method) bool { return m.Name == method })
			f := o.Spec.Type.MethodField(g.Methods[i])
			return f != nil && f == o.Spec.Type.Field(jsonName) &&
				slices.Contains(append(slices.Clip(g.References.Declarations), g.Types.Path), f.Type.Deref().Package)
		}
		// the types of references and the status tell the generations apart
		if has("GetProviderConfigReference", "providerConfigRef") && has("GetWriteConnectionSecretToReference", "writeConnectionSecretToRef") &&
			conditionTypes(&g, o.Status) != (flavor.Import{}) {
			return flavor.FindManaged(g.Embed)
		}
	}
	return nil
}

// classifyList sets the role of a list by the role of its items.
func classifyList(o *model.Object) {
	if o.Items == nil || o.Items.Type.Kind != model.Slice {
		return
	}
	item := o.Items.Type.Elem.Deref()
	if item.Kind != model.Struct {
		return
	}
	of := &model.Object{Type: item, Spec: item.Field("spec"), Status: item.Field("status"), SkipMethods: true}
	classify(of)
	switch {
	case of.Generation == nil:
		// Items without a row have the methods that their author wrote, and so has
		// their list.
	case of.Role == model.Managed:
		o.Role, o.Generation = model.ManagedList, of.Generation
	case of.Role == model.ProviderConfigUsage:
		o.Role, o.Generation = model.ProviderConfigUsageList, of.Generation
	}
}

// embedded returns the row that find returns for a type that t embeds, or nil.
func embedded(t *model.Type, find func(flavor.TypeName) *flavor.Generation) *flavor.Generation {
	for _, f := range t.Deref().Fields {
		if !f.Inline {
			continue
		}
		if g := find(f.Embeds); g != nil {
			return g
		}
		if named := f.Type.Deref(); named.Name != "" { // an alias may have another name than the type
			if g := find(flavor.TypeName{Package: named.Package, Name: named.Name}); g != nil {
				return g
			}
		}
	}
	return nil
}

func fieldEmbeds(f *model.Field, find func(flavor.TypeName) *flavor.Generation) *flavor.Generation {
	if f == nil {
		return nil
	}
	return embedded(f.Type, find)
}

// conditionTypes returns the package of the condition types that the status
// names, or the zero Import if it embeds no status of the generation.
func conditionTypes(g *flavor.Generation, status *model.Field) (found flavor.Import) {
	fieldEmbeds(status, func(name flavor.TypeName) *flavor.Generation {
		found = cmp.Or(found, g.Conditions[name])
		return nil
	})
	return found
}

// hasMethods reports whether the author declared every method of managed resources, as far as the object has the fields
// for it.
func hasMethods(o *model.Object) bool {
	for _, m := range flavor.ManagedMethods() {
		needed := m.Field == "" || o.Spec != nil && o.Spec.Type.PromotedField(m.Field) != nil
		if needed && !o.Methods[m.Name] {
			return false
		}
	}
	return true
}
