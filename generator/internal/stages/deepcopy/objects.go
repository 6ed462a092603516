package deepcopy

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

const codeObject diag.Code = "object"

// checkObjects reports types with a role in Crossplane, and lists of these, that neither have a DeepCopyObject
// method nor get one.
func (c *copies) checkObjects(p *model.Package, wanted []wantedType) diag.List {
	var diags diag.List
	for _, o := range p.Objects {
		if o.Methods["DeepCopyObject"] || !c.hasRole(o) || c.hiddenIn(c.source.Package(p.Path))[o.Name].deepCopyObject {
			continue
		}
		_, copied := o.Type.Methods["DeepCopy"]
		isObject := slices.ContainsFunc(wanted, func(t wantedType) bool { return t.name == o.Name && t.object })
		how := ""
		switch {
		case isObject && !copied:
			continue
		// controller-gen writes DeepCopyObject only together with DeepCopy.
		case isObject:
			how = "write that method, too, since you wrote DeepCopy"
		case slices.ContainsFunc(o.Type.Markers, func(m model.Marker) bool { return m.Text == markers.ObjectGenerate+"=false" }):
			how = "remove the marker +" + markers.ObjectGenerate + "=false, or write the method"
		default:
			how = "mark it +" + markers.ObjectRoot + "=true, or write the method"
		}
		diags = append(diags, diag.Errorf(o.Pos, codeObject,
			"%s is not a runtime.Object, since it has no method DeepCopyObject: %s", o.Name, how))
	}
	return diags
}

// hasRole reports whether a type has a role in Crossplane, or is a list of such a type, by its items or its
// name.
func (c *copies) hasRole(o *model.Object) bool {
	if o.Role != model.Unmanaged || !o.List {
		return o.Role != model.Unmanaged
	}
	if item := o.Package.Object(strings.TrimSuffix(o.Name, "List")); item != nil && item.Role != model.Unmanaged {
		return true
	}
	return o.Items != nil && o.Items.Type.Kind == model.Slice && c.roles[o.Items.Type.Elem.Deref()] != model.Unmanaged
}

// rolesOf returns the roles of the objects of a model.
func rolesOf(m *model.Model) map[*model.Type]model.Role {
	roles := map[*model.Type]model.Role{}
	for o := range model.Objects(m.Packages) {
		roles[o.Type] = o.Role
	}
	return roles
}
