package fixes

import (
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// uses are the parts of kinds that use a struct.
type uses uint8

const (
	// relaxed means forProvider itself, in a kind with rules for required fields.
	relaxed uses = 1 << iota
	// direct means forProvider itself, in another kind: generate writes rules for its identifiers only.
	direct
	// desired means elsewhere in the spec of a managed resource.
	desired
	// other means anywhere else, such as in a status.
	other
)

// findUses returns the uses of the structs in a model. If requiredRules is set, generate writes rules
// for required fields.
func findUses(m *model.Model, requiredRules bool) map[*model.Type]uses {
	found := map[*model.Type]uses{}
	for o := range model.Objects(m.Packages) {
		if o.List {
			continue // a list has only its items
		}
		forProvider := direct
		if requiredRules && isRelaxed(o) {
			forProvider = relaxed
		}
		for _, f := range o.Type.Fields {
			if f != o.Spec || o.Role != model.Managed {
				addUses(found, f.Type, other, nil)
				continue
			}
			parameters := f.Part("forProvider")
			addUses(found, f.Type, desired, parameters)
			if parameters != nil {
				addUses(found, parameters.Type, forProvider, nil)
			}
		}
	}
	return found
}

// addUses adds a use to a struct and the structs in it, except in the field skip.
func addUses(found map[*model.Type]uses, t *model.Type, use uses, skip *model.Field) {
	if t = t.Leaf(); t.Kind != model.Struct || found[t]&use != 0 {
		return
	}
	found[t] |= use
	for _, f := range t.Fields {
		below := use
		// generate relaxes the fields of forProvider itself, not of structs in it.
		if use <= direct && !f.Inline {
			below = desired
		}
		if f != skip {
			addUses(found, f.Type, below, skip)
		}
	}
}

// isRelaxed reports whether generate relaxes the required fields of an object: a managed resource that may be
// observe-only.
func isRelaxed(o *model.Object) bool {
	if o.Role != model.Managed || o.Spec == nil || o.Spec.Part("forProvider") == nil {
		return false
	}
	return !model.IsOff(o.Type.Markers, markers.Relax) && (o.Spec.Part("managementPolicies") != nil || o.Spec.Part("managementPolicy") != nil)
}
