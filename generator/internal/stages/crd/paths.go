package crd

import (
	"slices"
	"strings"

	"k8s.io/client-go/util/jsonpath"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// checkPaths reports the paths of columns and of the scale that the API server accepts, and that lead to nothing.
func checkPaths(d stage.Definition) diag.List {
	var diags diag.List
	for i, version := range d.CRD.Spec.Versions {
		at := func(field string) diag.Position {
			return locate(d, crdvalidation.ValidationError{Version: version.Name, Rule: -1, Field: field})
		}
		root := d.Root(i)
		for n, column := range version.AdditionalPrinterColumns {
			if !strings.HasPrefix(column.JSONPath, ".") {
				continue // the API server refuses it
			}
			pos := nthMarker(root.Markers(), "printcolumn", n)
			// As in the API server's pkg/registry/customresource/tableconvertor.
			if err := jsonpath.New(column.Name).Parse("{" + column.JSONPath + "}"); err != nil {
				diags = append(diags, diag.Errorf(pos, codeMarker,
					"the path of the column %s can't be read, and so kubectl shows no column at all: %s: correct it", column.Name, err))
			} else if lacks(root, column.JSONPath) {
				diags = append(diags, diag.Warningf(pos, codeMarker,
					"the column %s is always empty, since %s leads to no field: correct its path", column.Name, column.JSONPath))
			}
		}
		if version.Subresources == nil || version.Subresources.Scale == nil {
			continue
		}
		scale := version.Subresources.Scale
		paths := []string{scale.SpecReplicasPath, scale.StatusReplicasPath}
		if scale.LabelSelectorPath != nil {
			paths = append(paths, *scale.LabelSelectorPath)
		}
		for _, path := range paths {
			if lacks(root, path) {
				diags = append(diags, diag.Errorf(at("scale"), codeMarker, "the scale subresource never works, since %s leads to no field: correct its path", path))
			}
		}
	}
	return diags
}

// lacks reports whether a path leads to a field that the schema doesn't declare. Filters and indexes aren't followed.
func lacks(root schema.Cursor, path string) bool {
	path, _, _ = strings.Cut(path, "[")
	at := root
	for name := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		isOfAll := len(at.Path) == 0 && slices.Contains([]string{"metadata", "apiVersion", "kind"}, name)
		if isOfAll || strings.ContainsAny(name, `\*'@`) {
			return false
		}
		s := at.Schema
		if s.Type != "object" || schema.KeepsUnknown(s) || s.AdditionalProperties != nil {
			return false
		}
		below := at.Property(name)
		if below.Schema == nil {
			return !embedsOutside(at.Type)
		}
		at = below
	}
	return false
}

// embedsOutside reports whether a struct is of another module, or embeds one, whose next version may have more fields.
func embedsOutside(t *model.Type) bool {
	return t == nil || !t.Deref().Local || slices.ContainsFunc(t.Deref().Fields, func(f *model.Field) bool { return f.Inline && !f.Type.Deref().Local })
}
