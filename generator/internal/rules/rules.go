// Package rules turns the constraints of spec.forProvider into CEL rules: required fields,
// which resources that are only observed must be able to omit, and immutable fields.
//
// It follows Crossplane's design documents (design-doc-observe-only-resources.md and
// one-pager-managed-resource-api-design.md). What the API server's rules can't express
// stays in the schema, or is reported.
package rules

import (
	"context"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
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
	// Describe adds what a rule demands to the descriptions of fields.
	Describe bool
	// Release is the oldest release of Kubernetes that the rules must work with.
	Release *version.Version
	// Costs estimates what rules cost the API server.
	Costs apiserver.Validator
}

// The first releases of Kubernetes that support rules, and their fieldPath and reason. See
// release.go in the apiserver package.
var (
	rulesSince     = version.MajorMinor(1, 25)
	fieldPathSince = version.MajorMinor(1, 28)
)

// A Decision records what was decided about a field of spec.forProvider, and why.
type Decision struct {
	// Field leads from the root of the schema to the field.
	Field schema.Path
	// Pos is where the field is declared.
	Pos diag.Position
	// Reason begins with a verb: "stays required, since …".
	Reason string
	// Required is set if it was decided whether the field is required.
	Required bool
	// Immutable is set if it was decided whether the field is immutable. Tolerance lists
	// the changes that its rule allows.
	Immutable bool
	Tolerance Tolerance
	// Rule is the rule that was added, or nil.
	Rule *Rule
}

// A Tolerance lists the changes that the rule of an immutable field allows, so that the API
// server accepts updates from Go.
type Tolerance struct {
	// Empty is set if an empty value counts as unset, Form if values count as equal that Go
	// writes the same way, and Omission if a value that Go omits part of may change.
	Empty, Form, Omission bool
}

// A Rule is a rule in a schema.
type Rule struct {
	// Path leads from the root of the schema to the one that holds the rule.
	Path schema.Path
	// Index is that of the rule in the schema's list.
	Index int
	// Subject says what the rule demands: "vpcId is immutable".
	Subject string
}

// Apply adds rules to the schema of a version of a managed kind, and drops the constraints
// that the rules replace. It returns what was decided about each field, sorted by path, and
// warnings for markers without effect.
func Apply(ctx context.Context, o *model.Object, props *apiextensionsv1.JSONSchemaProps, settings Settings) ([]Decision, diag.List) {
	a := &applier{object: o, root: schema.Root(o, props), settings: settings}
	if f := o.Spec.Part(forProvider); f != nil {
		a.requiresOneOf = requiresOneOf(f.Type)
	}
	if !a.supportsRules() {
		if a.requiresOneOf {
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
	if a.requiresOneOf {
		a.requiredOneOfElsewhere()
	}
	slices.SortStableFunc(a.decisions, func(x, y Decision) int { return x.Field.Compare(y.Field) })
	return a.decisions, a.diags
}

// supportsRules reports whether the schema has fields for rules, and the release supports
// them.
func (a *applier) supportsRules() bool {
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
	// requiresOneOf is set if a field is marked +mrgen:requiredOneOf. The objects at the
	// paths in ruled have their rules for these markers in spec.
	requiresOneOf bool
	ruled         []schema.Path
}

// add adds a rule to the schema at a path, and records the decision. The field path leads
// from that schema to the field that the rule constrains.
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
