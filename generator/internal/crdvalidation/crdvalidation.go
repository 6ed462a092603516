// Package crdvalidation describes the API server's verdicts on a definition as plain data, and the interface to ask for
// them. Packages that ask, or pass a verdict on, don't link the API server's own code.
package crdvalidation

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Validator returns the API server's verdicts. It doesn't change its arguments, and may be used concurrently.
type Validator interface {
	// Validate returns the API server's objections to creating a definition, in the order of versions and paths. A
	// problem that several versions share is returned once for each of them. If the context ends, the evaluation of
	// rules on defaults stops early, and the result is useless.
	Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) []ValidationError
	// Cost returns the estimated cost of a rule in the schema that a path leads to, by the release whose API server
	// estimates most. The rule may read no more than the field that the names lead to from there. A rule that doesn't
	// compile costs [MaxRuleCost].
	Cost(root *apiextensionsv1.JSONSchemaProps, at schema.Path, field []string, rule apiextensionsv1.ValidationRule) uint64
	// Accepts reports whether the API server would accept a value as the default of a schema. Values are as
	// encoding/json decodes them. It returns false for schemas that the API server would refuse.
	Accepts(ctx context.Context, props *apiextensionsv1.JSONSchemaProps, value any) bool
}

// MaxRuleCost is the most that a rule may cost: StaticEstimatedCostLimit in pkg/apis/apiextensions/validation of
// k8s.io/apiextensions-apiserver. Importing that would link the API server; package apiserver only compiles if the two
// are equal.
const MaxRuleCost = 10_000_000

// A ValidationError is a reason for which the API server would reject a CustomResourceDefinition, or ignore part of it.
type ValidationError struct {
	// Version is the name of the version with the problem, or "" if the versions share it, as names and scope.
	Version string
	// Path is where in the version's schema the problem is. It is empty at the root
	// of the schema, and if the problem is not in a schema.
	Path schema.Path
	// Rule is the index into x-kubernetes-validations at Path, or -1 if the problem
	// is not about a rule.
	Rule int
	// Field is the wrong field below the rule, the path or the version, as the JSON of a CustomResourceDefinition calls
	// it: "messageExpression", "default.size", "anyOf[0].type", "additionalPrinterColumns[2].jsonPath". Without a
	// version it is relative to the spec, "names.plural", or begins with "metadata.". It is "" if the problem is about
	// all of the schema at Path.
	Field string
	// Reason is one line, in the words of the API server if the objection is the API server's.
	Reason string
}

// Subject names what the problem is about, as it stands in the
// CustomResourceDefinition: "the pattern of .spec.forProvider.name".
func (p ValidationError) Subject() string {
	place := p.Path.String()
	if len(p.Path) == 0 {
		place = "the kind"
	}
	switch {
	case p.Rule >= 0 && (p.Field == "" || p.Field == "rule"):
		return "the rule of " + place
	case p.Rule >= 0:
		return fmt.Sprintf("the %s of the rule of %s", p.Field, place)
	case len(p.Path) > 0 && p.Field != "":
		return fmt.Sprintf("the %s of %s", p.Field, p.Path)
	case len(p.Path) > 0:
		return p.Path.String()
	case p.Field != "":
		return "the " + p.Field + " of the CRD"
	default:
		return "the CRD"
	}
}

// IsTotalCost reports whether the problem is the total cost of a version's rules.
func (p ValidationError) IsTotalCost() bool { return strings.Contains(p.Reason, totalExceeded) }

// IsContribution reports whether the problem is that a rule is among the most expensive ones of a version whose rules
// cost too much together.
func (p ValidationError) IsContribution() bool { return strings.Contains(p.Reason, Contributed) }

// Compare orders problems of one version by where they are, and then by their reasons.
func (p ValidationError) Compare(q ValidationError) int {
	return cmp.Or(
		p.Path.Compare(q.Path),
		cmp.Compare(p.Rule, q.Rule),
		strings.Compare(p.Field, q.Field),
		strings.Compare(p.Reason, q.Reason),
	)
}

// SameLocation reports whether p and q are about the same part of the definition.
func (p ValidationError) SameLocation(q ValidationError) bool {
	q.Reason = p.Reason // problems of the same part may differ in their reasons
	return p.Version == q.Version && p.Compare(q) == 0
}

// Contributed is the API server's message about the most expensive rules of a schema whose rules cost too much together.
const Contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"

// totalExceeded is part of the API server's message about such a schema.
const totalExceeded = "estimated rule cost total for entire OpenAPIv3 schema exceeds budget"
