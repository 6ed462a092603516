package observation

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/lateinit"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// planSpecs adds the methods of specs with initProvider to the plans of their packages: those
// of kinds whose forProvider is mirrored, or whose initProvider mrgen writes. It returns the specs
// whose method fills forProvider.
func (p *planner) planSpecs(mirrors []*mirror) (filling map[*model.Type]bool) {
	seen, filling := map[*model.Type]bool{}, map[*model.Type]bool{}
	for _, o := range p.kinds {
		forProvider, initProvider := o.Spec.Part("forProvider"), o.Spec.Part("initProvider")
		if forProvider == nil || initProvider == nil || p.packages[o.Spec.Type.Deref().Package] == nil || seen[o.Spec.Type.Deref()] {
			continue
		}
		spec, initial := o.Spec.Type.Deref(), initProvider.Type.Deref()
		seen[spec] = true
		s := lateinit.Spec{Type: spec, Parameters: lateinit.Parameters{Desired: forProvider.Type.Deref(), Kinds: []*model.Object{o}}}
		i := slices.IndexFunc(mirrors, func(m *mirror) bool { return slices.Contains(m.kinds, o) })
		if i < 0 && initial.Kind != model.Missing || !isStruct(s.Desired) || initial.Kind != model.Missing && !isStruct(initial) {
			continue
		}
		wants := func(m lateinit.Method) bool {
			_, declared := spec.Methods[string(m)]
			return !declared && spec.GoField(string(m)) == nil
		}
		if wants(lateinit.CreateParameters) {
			s.Methods = append(s.Methods, lateinit.CreateParameters)
		}
		if i >= 0 {
			m := mirrors[i]
			s.Kinds, s.Treatment = m.kinds, p.treatment(m)
			if observed := m.methodsObserve(); observed != nil {
				s.Observed = observed
				for _, method := range []lateinit.Method{lateinit.LateInitialize, lateinit.Diff} {
					if wants(method) && slices.Contains(p.wantedMethods(m), method) {
						s.Methods = append(s.Methods, method)
					}
				}
			}
		}
		if len(s.Methods) > 0 {
			plan := p.planOf(spec.Package)
			plan.specs = append(plan.specs, s)
			filling[spec] = slices.Contains(s.Methods, lateinit.LateInitialize)
		}
	}
	return filling
}

func isStruct(t *model.Type) bool {
	return t.Kind == model.Struct && t.Local && t.Name != "" && !t.Generic
}
