// Package report answers questions about an API and about messages: why fields are as they are, examples, and the
// meaning of codes.
package report

import (
	"context"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/review/explain"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
)

const codeExplain diag.Code = "explain"

// An Explanation describes a field in the output, with reasons.
type Explanation struct {
	// Group, Version and Kind identify the kind, and Field is the path from the root of its objects, such as
	// ".spec.forProvider.region".
	Group, Version, Kind, Field string
	// Pos is where the field is declared. It is invalid if Go has no such field.
	Pos diag.Position
	// Facts are phrases such as "is optional".
	Facts []string
	// Fields are the fields of an object, or of the elements of a list or map, sorted by name.
	Fields []ExplainedField
}

// An ExplainedField summarizes a field of an object.
type ExplainedField struct {
	Name string `json:"name"`
	Type string `json:"type"`
	// Facts are the most important facts: "required, immutable once it is set".
	Facts string `json:"facts"`
}

// Explain explains a kind or a field of a kind, such as "VPC", "VPC.region", or
// "VPC.spec.forProvider.region", in all versions and groups that have the kind. Paths that don't
// begin with spec or status are below spec.forProvider, or below spec if the kind is not a managed
// resource. A version before the kind, as in "v1/VPC.region" or "example.org/v1/VPC.region",
// leaves out other versions.
//
// It runs the stages as [Generate] does, and writes nothing.
func Explain(ctx context.Context, options run.Options, field string) ([]Explanation, diag.List, error) {
	slash := strings.LastIndex(field, "/") + 1
	apiVersion := strings.TrimSuffix(field[:slash], "/")
	kind, rest, hasRest := strings.Cut(field[slash:], ".")
	var names []string
	if hasRest {
		names = strings.Split(rest, ".")
	}
	if kind == "" || slices.Contains(names, "") {
		return nil, diag.List{diag.Errorf(diag.Position{}, codeExplain,
			"%q names no field: write KIND or KIND.FIELD, as in VPC.region", field)}, nil
	}
	r, diags, err := inspection.Evaluate(ctx, options, stage.Report)
	if err != nil || diags.HasErrors() {
		return nil, diags.Sorted(), err
	}
	var objects []*model.Object
	definitions := r.Output.Definitions()
	for _, d := range definitions {
		if d.Managed() {
			objects = append(objects, d.Objects...)
		}
	}
	exclusions := mirroring.New(objects)
	var explanations []Explanation
	var unknown diag.List
	var kinds, versions []string
	for _, d := range definitions {
		name := d.CRD.Spec.Names.Kind
		kinds = append(kinds, name)
		if !strings.EqualFold(name, kind) {
			continue
		}
		for version, o := range d.Objects {
			// Another version was asked for: remember this one for the error.
			if name := o.Package.Version; apiVersion != "" && apiVersion != name && apiVersion != d.CRD.Spec.Group+"/"+name {
				versions = append(versions, name)
				continue
			}
			e, missing := explain.Of(d, version, fromRoot(d, version, names), exclusions)
			if missing != nil {
				unknown = append(unknown, diag.Errorf(diag.Position{}, codeExplain, "%s", missing.Message(name)))
				continue
			}
			explanations = append(explanations, newExplanation(e, r.Notes))
		}
	}
	if len(explanations) > 0 {
		return explanations, nil, nil
	}
	switch {
	case len(unknown) > 0: // the field is unknown, and an error per version says so
	case len(versions) > 0:
		unknown = diag.List{diag.Errorf(diag.Position{}, codeExplain,
			"there is no version %s of %s: there are %s", apiVersion, kind, strings.Join(versions, ", "))}
	default:
		slices.Sort(kinds)
		unknown = diag.List{diag.Errorf(diag.Position{}, codeExplain, "%s", inspection.UnknownKind(kind, slices.Compact(kinds)))}
	}
	return nil, unknown.Sorted(), nil
}

// newExplanation returns an explanation with the notes about the field.
func newExplanation(e explain.Explanation, notes []provenance.Note) Explanation {
	for _, n := range notes {
		if n.Pos == e.Pos {
			e.Facts = append(e.Facts, n.Fact)
		}
	}
	fields := inspection.Each(e.Fields, func(f explain.Field) ExplainedField { return ExplainedField(f) })
	return Explanation{e.Group, e.Version, e.Kind, e.Field, e.Pos, e.Facts, fields}
}

// fromRoot returns the path of a field from the root of the kind's objects.
func fromRoot(d stage.Definition, version int, names []string) []string {
	if len(names) > 0 && (names[0] == "spec" || names[0] == "status") {
		return names
	}
	switch {
	case d.Managed() && len(names) > 0 && names[0] == "atProvider":
		return append([]string{"status"}, names...)
	case d.Managed() && len(names) > 0 && (names[0] == "forProvider" || names[0] == "initProvider"):
		return append([]string{"spec"}, names...)
	case d.Managed():
		return append([]string{"spec", "forProvider"}, names...)
	case d.Root(version).Property("spec").Schema != nil:
		return append([]string{"spec"}, names...)
	default:
		return names
	}
}
