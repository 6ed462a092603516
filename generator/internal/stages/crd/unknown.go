package crd

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/roundtrip"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
)

// checkUnknown reports unknown fields that a version keeps and conversions would drop: the webhook decodes
// objects into Go types.
func checkUnknown(d stage.Definition) diag.List {
	var diags diag.List
	isConverted := func(o *model.Object) bool {
		// The author's own conversions may handle them.
		return o != d.Objects[d.Stored()] && !(o.Methods[versions.ConvertToMethod] && o.Methods[versions.ConvertFromMethod])
	}
	if !slices.ContainsFunc(d.Objects, isConverted) {
		return nil
	}
	for i, o := range d.Objects {
		if i != d.Stored() && !isConverted(o) {
			continue
		}
		for _, at := range roundtrip.Unheld(d.Root(i)) {
			diags = append(diags, diag.Errorf(at.Pos, versions.Code,
				"%s of %s keeps fields that its Go type lacks, and conversions drop: use a type that holds any JSON, such as *runtime.RawExtension, or remove +%s",
				at.Path, o.Name, roundtrip.UnknownMarker(at)))
		}
	}
	return diags
}
