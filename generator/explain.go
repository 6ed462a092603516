package generator

import (
	"context"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/exclusion"
	"github.com/mrgen-io/mrgen/generator/internal/explain"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

const codeExplain diag.Code = "explain"

// An Explanation says why a field is as it is in the output.
type Explanation = explain.Explanation

// Explain explains a field of a kind, in all its versions, and in all groups that
// have the kind: "VPC.region", or "VPC.spec.forProvider.region". A path that begins
// neither with spec nor with status is one below spec.forProvider.
//
// It runs the stages as Generate does, and writes nothing.
func Explain(ctx context.Context, options Options, field string) ([]Explanation, []Diagnostic, error) {
	kind, rest, _ := strings.Cut(field, ".")
	names := strings.Split(rest, ".")
	if kind == "" || slices.Contains(names, "") {
		return nil, diag.List{diag.Errorf(Position{}, codeExplain, "%q names no field: write KIND.FIELD, as in VPC.region", field)}, nil
	}
	if names[0] != "spec" && names[0] != "status" {
		names = append([]string{"spec", "forProvider"}, names...)
	}
	options.KeepSchemas = true
	r, diags, err := evaluate(ctx, options)
	if err != nil || diags.HasErrors() {
		return nil, diags.Sorted(), err
	}
	var objects []*model.Object
	for _, d := range r.output.Definitions {
		if d.Managed() {
			objects = append(objects, d.Objects...)
		}
	}
	exclusions := exclusion.New(objects)
	var explanations []Explanation
	var kinds []string
	for _, d := range r.output.Definitions {
		name := d.CRD.Spec.Names.Kind
		kinds = append(kinds, name)
		if !strings.EqualFold(name, kind) {
			continue
		}
		for version := range d.Objects {
			if e, ok := explain.Field(d, version, names, exclusions); ok {
				explanations = append(explanations, e)
			}
		}
	}
	switch {
	case !slices.ContainsFunc(kinds, func(name string) bool { return strings.EqualFold(name, kind) }):
		slices.Sort(kinds)
		return nil, diag.List{diag.Errorf(Position{}, codeExplain,
			"there is no kind %s in these packages: there are %s", kind, strings.Join(slices.Compact(kinds), ", "))}, nil
	case len(explanations) == 0:
		return nil, diag.List{diag.Errorf(Position{}, codeExplain,
			"%s has no field %s: its CRD lists the fields that it has", kind, strings.Join(names, "."))}, nil
	}
	return explanations, nil, nil
}
