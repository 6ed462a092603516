package lintrules

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

// crossedFields is the rule crossed-fields.
var crossedFields = ofContract(linter.Rule{
	Name:   "crossed-fields",
	Doc:    "A field has the value of the field of its own name, if there is one.",
	Why:    "A slip of the one who copied a line: users see, or send, another value than they think.",
	Before: "input.ICMPType = p.ICMPCode",
	After:  "input.ICMPType = p.ICMPType",
	Run: func(p *linter.Pass) {
		eachField(p, linter.ForProvider|linter.InitProvider|linter.AtProvider, func(f *linter.Field, code *controllers.Field) {
			for _, c := range code.Crossed {
				p.Field(f, nil, "%s sets %s to %s at %s, although there is a field %s: use that one", c.Function, c.To, c.From, c.Pos, f.Name)
			}
		})
	},
})

// mutatedSpec is the rule mutated-spec.
var mutatedSpec = ofContract(linter.Rule{
	Name:   "mutated-spec",
	Doc:    "Observe leaves spec as it is, but for late initialization.",
	Why:    "The order that the user wrote is lost with the next update of the resource, and tools that apply manifests set it again.",
	Before: "sort.Strings(cr.Spec.ForProvider.SubnetIDs)",
	After:  "want := slices.Sorted(slices.Values(cr.Spec.ForProvider.SubnetIDs))",
	Run: func(p *linter.Pass) {
		eachField(p, linter.ForProvider|linter.InitProvider, func(f *linter.Field, code *controllers.Field) {
			for _, s := range code.Sorted {
				p.Field(f, nil, "%s sorts %s in place at %s, which changes spec: sort a copy", s.Function, f.Name, s.Pos)
			}
		})
	},
})

// foreignSecret is the rule foreign-secret.
var foreignSecret = &linter.Rule{
	Name:        "foreign-secret",
	Doc:         "The controller of a namespaced kind reads secrets of the namespace of the resource.",
	Source:      "Crossplane v2 proposal, Namespaced managed resources",
	URL:         "https://github.com/crossplane/crossplane/blob/main/design/proposal-crossplane-v2.md",
	Why:         "Whoever may create the resource in one namespace has the provider read any secret of the cluster.",
	Before:      "key := types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}",
	After:       "key := types.NamespacedName{Namespace: cr.GetNamespace(), Name: ref.Name}",
	Severity:    linter.Error,
	Controllers: true,
	Run: func(p *linter.Pass) {
		eachField(p, linter.ForProvider|linter.InitProvider, func(f *linter.Field, code *controllers.Field) {
			sites := code.Foreign[kindOf(f.Kind)]
			if len(sites) == 0 || f.Kind.CRD.Spec.Scope != apiextensionsv1.NamespaceScoped {
				return
			}
			p.Field(f, nil, "%s reads a secret at %s from the namespace in %s: read it from the namespace of the resource", sites[0].Function, sites[0].Pos, f.Name)
		})
	},
}

// droppedError is the rule dropped-error.
var droppedError = ofContract(linter.Rule{
	Name:   "dropped-error",
	Doc:    "Controllers look at the errors of conversions.",
	Why:    "A value that can't be parsed becomes zero, which is sent, or shown, as if it had been meant.",
	Before: "port, _ := strconv.Atoi(p.Port)",
	After:  "port, err := strconv.Atoi(p.Port)\nif err != nil {\n\treturn nil, errors.Wrap(err, \"spec.forProvider.port\")\n}",
	Run: func(p *linter.Pass) {
		for _, c := range p.Code.Dropped {
			p.File(c.Pos, c.Pos.File+": "+c.Function, nil, "%s ignores the error of %s: return it", c.Function, c.Name)
		}
	},
})

// unsetExternalName is the rule unset-external-name.
var unsetExternalName = ofContract(linter.Rule{
	Name:   "unset-external-name",
	Doc:    "What Observe reads as the external name, an initializer or Create sets.",
	Why:    "Observe never finds what Create made, and Create makes another one.",
	Before: "managed.WithInitializers()",
	After:  "meta.SetExternalName(cr, answer.ID) // in Create",
	Run: func(p *linter.Pass) {
		for _, k := range p.Managed() {
			if s, found := p.Code.Unnamed[kindOf(k)]; found {
				p.Kind(k, nil, nil, "Observe looks %s up by its external name, but neither an initializer nor %s at %s sets it: call meta.SetExternalName there", k.Object.Name, s.Function, s.Pos)
			}
		}
	},
})

// unpublishedConnectionKey is the rule unpublished-connection-key.
var unpublishedConnectionKey = ofContract(linter.Rule{
	Name:   "unpublished-connection-key",
	Doc:    "The controller of a kind publishes the keys of the connection secret that the kind declares.",
	Why:    "Users, and compositions, wait for a key that never comes.",
	Before: "// +mrgen:connectionDetail:name=password,description=\"The password of the user.\"\ntype User struct { // its controller publishes a username",
	After:  "return managed.ExternalCreation{ConnectionDetails: managed.ConnectionDetails{\"password\": password}}, nil",
	Run: func(p *linter.Pass) {
		for _, k := range p.Managed() {
			published, known := p.Code.Published[kindOf(k)]
			if !known {
				continue
			}
			for _, d := range k.ConnectionDetails {
				if !d.IsPattern() && !published[d.Name] {
					p.Detail(k, d.Pos, d.Name, "%s declares the key %q of its connection secret, but its controller never publishes it: return it in the ConnectionDetails of Observe or Create, or remove the marker", k.Object.Name, d.Name)
				}
			}
		}
	},
})
