// Package rules turns the constraints of spec.forProvider into CEL rules: fields that are required unless the resource
// is observe-only, and immutable fields.
//
// It follows Crossplane's design documents (design-doc-observe-only-resources.md and
// one-pager-managed-resource-api-design.md). What the API server's rules can't express
// stays in the schema, or is reported.
package rules

import (
	"context"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

const (
	codeRequired  diag.Code = "required"
	codeImmutable diag.Code = "immutable"
)

// Settings decide which rules are made.
type Settings struct {
	// Required relaxes required fields, and Immutable enforces +immutable.
	Required, Immutable bool
	// Describe adds what a rule demands to the descriptions of fields.
	Describe bool
	// Validator estimates what rules cost the API server, and tells which defaults it accepts.
	Validator crdvalidation.Validator
}

// Apply adds rules to the schema of a version of a managed kind, and drops the constraints that the rules replace. It
// returns the decision about each field, sorted by path, and warnings for markers without effect.
func Apply(
	ctx context.Context, o *model.Object, props *apiextensionsv1.JSONSchemaProps, settings Settings,
) ([]provenance.Decision, diag.List) {
	a := &applier{object: o, root: schema.Root(o, props), settings: settings}
	if !a.hasParameters() {
		return nil, nil
	}
	if settings.Immutable {
		a.immutable()
	}
	a.relaxIdentifiers()
	if settings.Required {
		a.relax(ctx)
	}
	a.warnReaders()
	if requiresOneOf(a.part(forProvider).Type) {
		a.requiredOneOfElsewhere()
	}
	if settings.Describe {
		a.describe()
	}
	slices.SortStableFunc(a.decisions, func(x, y provenance.Decision) int { return x.Field.Compare(y.Field) })
	return a.decisions, a.diags
}

// Demands, or their beginnings, that are appended to the descriptions of fields: the schema doesn't say that they are required or immutable.
const (
	RequiredWhen   = "Required when "
	RequiredUnless = "Required unless its reference or selector is set."
	SetOnce        = "Can't be changed once set."
)

// describe appends the demands of rules to the descriptions of fields.
func (a *applier) describe() {
	describe := func(field schema.Path, demand string) {
		schema.Edit(a.root.Schema, field, func(s *apiextensionsv1.JSONSchemaProps) {
			s.Description = strings.TrimPrefix(s.Description+"\n"+demand, "\n")
		})
	}
	for _, d := range a.decisions {
		switch {
		case !d.Required || d.Rule == nil: // the schema itself requires it, or nothing does
		case isIdentifier(a.root.Follow(d.Field).Field):
			describe(d.Field, RequiredUnless)
		default:
			describe(d.Field, RequiredWhen+guardOf(a.root.Property("spec"), cel.Self).managed+".")
		}
	}
	for _, d := range a.decisions {
		if d.Immutable && d.Rule != nil {
			describe(d.Field, SetOnce)
		}
	}
}

// hasParameters reports whether the schema has fields for rules.
func (a *applier) hasParameters() bool {
	desired := a.part(forProvider)
	return desired.Field != nil && desired.Schema != nil
}

// part returns the cursor at a part of spec.
func (a *applier) part(name string) schema.Cursor { return a.root.Property("spec").Property(name) }

// applier changes one schema.
type applier struct {
	object    *model.Object
	root      schema.Cursor
	settings  Settings
	decisions []provenance.Decision
	diags     diag.List
	// ruled are the paths of the objects whose rules for +mrgen:requiredOneOf are in spec.
	ruled []schema.Path
}

// add adds a rule to the schema at a path, and records the decision. The field path leads
// from that schema to the field that the rule constrains.
func (a *applier) add(at schema.Path, fieldPath []string, rule apiextensionsv1.ValidationRule, d provenance.Decision) {
	rule.FieldPath = fieldPathOf(fieldPath)
	schema.Edit(a.root.Schema, at, func(s *apiextensionsv1.JSONSchemaProps) {
		d.Rule = &provenance.Rule{Path: at, Index: len(s.XValidations), Subject: rule.Message}
		s.XValidations = append(s.XValidations, rule)
	})
	a.decisions = append(a.decisions, d)
}
