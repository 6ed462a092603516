package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

// droppedReference is the rule dropped-reference.
var droppedReference = ofContract(linter.Rule{
	Name: "dropped-reference",
	Doc:  "The reconciler of a kind with two or more references has a resolver that keeps all resolved fields.",
	Why:  "crossplane-runtime's default resolver removes the fields of earlier reconciles: the API gets the two values in turn, for ever.",
	Run: func(p *linter.Pass) {
		for _, k := range p.Managed() {
			references := 0
			for _, f := range k.Fields {
				if f.Part == linter.ForProvider && f.IsValue() {
					references++
				}
			}
			if s, found := p.Code.DefaultResolvers[kindOf(k)]; found && references > 1 {
				p.Kind(k, nil, nil,
					"%s has %d references, and its reconciler at %s may drop one for another: set resolvers.reconciler, and pass managed.WithReferenceResolver",
					k.Object.Name, references, s.Pos)
			}
		}
	},
})
