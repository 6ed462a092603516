package lateinit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// immutableBody returns the statement that returns those of the paths that lead to immutable
// fields.
func (w *pairWriter) immutableBody(of *pair, kinds []*model.Object) []jen.Code {
	all := slices.ContainsFunc(kinds, func(o *model.Object) bool { return o.Spec.Part("forProvider").Immutable() })
	fields := of.immutableFields("", all, nil)
	if len(fields) == 0 {
		return []jen.Code{jen.Return(jen.Nil())}
	}
	arguments := []jen.Code{w.variable(pathsName)}
	for _, name := range fields {
		arguments = append(arguments, jen.Lit(name))
	}
	return []jen.Code{jen.Return(w.help("PathsWithin", arguments...))}
}

// immutableFields returns the paths of the fields that can't change once they are set, each
// after the prefix, and with [] for items and entries.
func (p *pair) immutableFields(prefix string, all bool, around []*pair) []string {
	if slices.Contains(around, p) {
		return nil
	}
	var names []string
	for _, f := range p.fields {
		name := prefix + f.jsonName
		if all || p.setOnce || f.immutable() || p.Target.Deref().Immutable() {
			names = append(names, name)
			continue
		}
		r := f.relation
		for ; r.item != nil; r = r.item {
			name += "[]"
		}
		if r.Shape == mapping.Struct {
			names = append(names, r.pair.immutableFields(name+".", false, append(slices.Clip(around), p))...)
		}
	}
	return names
}
