package crd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/size"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeSize diag.Code = "size"

// checkSize reports a definition that exceeds etcd's limit or the budget.
func checkSize(d stage.Definition, budget int) diag.List {
	limit := size.Stored
	if budget > 0 {
		limit = min(limit, budget)
	}
	n := size.Of(d.CRD, limit)
	o := d.Objects[0]
	switch {
	case n > size.Stored:
		return diag.List{diag.Errorf(o.Pos, codeSize, "the definition of %s takes %d bytes of JSON, and etcd takes %d: %s; set crds.maxDescription",
			o.Name, n, size.Stored, fattest(d))}
	case budget > 0 && n > budget:
		why := ""
		if budget == run.DefaultBudget {
			why = ", which is what kubectl apply can take"
		}
		return diag.List{diag.Warningf(o.Pos, codeSize,
			"the definition of %s takes %d bytes of JSON, over the budget of %d%s: %s; set crds.maxDescription or crds.budget",
			o.Name, n, budget, why, fattest(d))}
	}
	return nil
}

// fattest names the fields that take most of a definition's size.
func fattest(d stage.Definition) string {
	const named = 3
	type field struct {
		path  string
		bytes int
	}
	var fields []field
	for i, v := range d.CRD.Spec.Versions {
		for _, f := range size.Fattest(d.Root(i), named) {
			path := f.At.Path.String()
			if len(d.CRD.Spec.Versions) > 1 {
				path = v.Name + path
			}
			fields = append(fields, field{path, f.Bytes})
		}
	}
	slices.SortStableFunc(fields, func(a, b field) int { return cmp.Compare(b.bytes, a.bytes) })
	total := max(1, size.Of(d.CRD, 0))
	var parts []string
	for _, f := range fields[:min(named, len(fields))] {
		parts = append(parts, fmt.Sprintf("%s takes %d %%", f.path, f.bytes*100/total))
	}
	return strings.Join(parts, ", ")
}
