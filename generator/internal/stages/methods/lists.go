package methods

import (
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

const codeList diag.Code = "list"

// checkLists reports types that are named like a kind's list but have other items: they would silently get no
// methods. It warns about items with another JSON name than the API server's.
func checkLists(p *model.Package) diag.List {
	var diags diag.List
	for _, o := range p.Objects {
		if o.List && o.Items != nil && o.Items.Type.Kind == model.Slice && o.Items.JSONName != "items" {
			diags = append(diags, diag.Warningf(o.Items.Pos, codeList,
				"the API server sends what is in a list as items, so that %s stays empty: give %s the name items in JSON", o.Name, o.Items.Name))
		}
		// crossplane-runtime reads lists of these two roles only.
		if o.Generation == nil || o.Role != model.Managed && o.Role != model.ProviderConfigUsage {
			continue
		}
		list := p.Object(o.Name + "List")
		isOff := list == nil || !list.List || list.SkipMethods || list.Methods["GetItems"]
		if isOff || list.Items != nil && list.Items.Type.Kind == model.Slice && list.Items.Type.Elem.Deref() == o.Type {
			continue
		}
		diags = append(diags, diag.Errorf(list.Pos, codeList,
			"%[1]s has no slice of %[2]s for the method GetItems: declare Items []%[2]s `json:\"items\"`, or mark the type +crossplane:generate:methods=false",
			list.Name, o.Name))
	}
	return diags
}
