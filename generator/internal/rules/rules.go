// Package rules turns what managed resources ask of spec.forProvider into CEL
// rules: required fields, which a resource that is only observed must be able to do
// without, and fields that are immutable.
//
// It follows Crossplane's design documents (design-doc-observe-only-resources.md and
// one-pager-managed-resource-api-design.md) and the limits of the API server: what a
// rule can't express stays as it is in the schema, or is reported.
package rules

import (
	"context"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	codeRequired  diag.Code = "required"
	codeImmutable diag.Code = "immutable"
)

// Settings decide which rules are made.
type Settings struct {
	// Required relaxes required fields, and Immutable enforces +immutable.
	Required, Immutable bool
	// Describe tells whether descriptions say what a rule demands.
	Describe bool
	// Release is the oldest release of Kubernetes that must know the rules.
	Release *version.Version
}

// The first releases that know rules at all, and what a rule says about the field
// that it is about. See release.go of the apiserver package.
var (
	rulesSince     = version.MajorMinor(1, 25)
	fieldPathSince = version.MajorMinor(1, 28)
)

// A Decision says why a field of spec.forProvider is in the schema as it is.
type Decision struct {
	// Field leads from the root of the schema to the field.
	Field schema.Path
	// Pos is where the field is declared.
	Pos diag.Position
	// Reason says what was decided, and why, beginning with a verb: "stays required,
	// since …".
	Reason string
	// Required is set if the decision is about whether the field is required.
	Required bool
	// Immutable is set if the decision is about whether the field is immutable, and
	// Tolerance tells what its rule doesn't take for a change.
	Immutable bool
	Tolerance Tolerance
	// Rule is the rule that was added, or nil.
	Rule *Rule
}

// A Tolerance tells what the rule of an immutable field doesn't take for a change, so that
// updates from Go are accepted.
type Tolerance struct {
	// Empty is set if an empty value counts as none, Form if values are equal that Go
	// writes in one form, and Omission if what Go leaves something out of may change.
	Empty, Form, Omission bool
}

// A Rule is a rule in a schema.
type Rule struct {
	// Path leads from the root of the schema to the one that has the rule.
	Path schema.Path
	// Index counts among the rules of that schema.
	Index int
	// Subject says what the rule demands: "vpcId is immutable".
	Subject string
}

// Apply adds rules to the schema of a version of a managed kind, and changes what
// the rules stand for. It returns what was decided about each field, in the order
// of their paths, and warnings for fields whose markers can't have their effect.
func Apply(ctx context.Context, o *model.Object, props *apiextensionsv1.JSONSchemaProps, settings Settings) ([]Decision, diag.List) {
	a := &applier{object: o, root: schema.Root(o, props), settings: settings}
	if f := o.Spec.Part(forProvider); f != nil {
		a.asksForOneOf = asksForOneOf(f.Type)
	}
	if !a.hasRules() {
		if a.asksForOneOf {
			a.diags = append(a.diags, diag.Warningf(o.Pos, codeRequired, "+%s has no effect on %s: Kubernetes before %s knows no rules: raise minKubernetes", markers.RequiredOneOf, o.Name, rulesSince))
		}
		return nil, a.diags
	}
	if settings.Immutable {
		a.immutable()
	}
	if settings.Required {
		a.relax(ctx)
	}
	if a.asksForOneOf {
		a.requiredOneOfElsewhere()
	}
	slices.SortStableFunc(a.decisions, func(x, y Decision) int { return x.Field.Compare(y.Field) })
	return a.decisions, a.diags
}

// hasRules reports whether there is anything that rules could be about.
func (a *applier) hasRules() bool {
	desired := a.part(forProvider)
	return desired.Field != nil && desired.Schema != nil && a.settings.Release.AtLeast(rulesSince)
}

// part returns the cursor at a part of spec.
func (a *applier) part(name string) schema.Cursor { return a.root.Property("spec").Property(name) }

// applier changes one schema.
type applier struct {
	object    *model.Object
	root      schema.Cursor
	settings  Settings
	decisions []Decision
	diags     diag.List
	// asksForOneOf is set if a marker demands one of several fields, and chosen are the
	// objects that have the rules for these.
	asksForOneOf bool
	chosen       []schema.Path
}

// add adds a rule to the schema at a path, below which fieldPath leads to the field
// that it is about.
func (a *applier) add(at schema.Path, fieldPath []string, rule apiextensionsv1.ValidationRule, d Decision) {
	if a.settings.Release.AtLeast(fieldPathSince) {
		rule.FieldPath = fieldPathOf(fieldPath)
	} else {
		rule.Reason = nil
	}
	schema.Edit(a.root.Schema, at, func(s *apiextensionsv1.JSONSchemaProps) {
		d.Rule = &Rule{Path: at, Index: len(s.XValidations), Subject: rule.Message}
		s.XValidations = append(s.XValidations, rule)
	})
	a.decisions = append(a.decisions, d)
}
