// Package apiserver proves CustomResourceDefinitions before they are written,
// with the code that the Kubernetes API server itself runs when one is created:
// structural schemas, defaults, and the compilation and cost of CEL rules. It
// needs no server.
package apiserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Problem is a reason for which the API server would reject a
// CustomResourceDefinition, or not do what it asks for.
type Problem struct {
	// Version is the name of the version that the problem is in, "" if it is in
	// what all versions share, such as names and scope.
	Version string
	// Path is where in the version's schema the problem is. It is empty at the root
	// of the schema, and if the problem is not in a schema.
	Path schema.Path
	// Rule is the index into x-kubernetes-validations at Path, or -1 if the problem
	// is not about a rule.
	Rule int
	// Field is what is wrong below the rule, the path or the version, as the JSON of
	// a CustomResourceDefinition calls it: "messageExpression", "default.size",
	// "anyOf[0].type", "additionalPrinterColumns[2].jsonPath". Without a version it
	// is relative to the spec, "names.plural", or begins with "metadata.". It is ""
	// if all of the schema at Path is meant.
	Field string
	// Reason is one line: the words of the API server, if it is what objects.
	Reason string
}

// Subject names what the problem is about, as it stands in the
// CustomResourceDefinition: "the pattern of .spec.forProvider.name".
func (p Problem) Subject() string {
	switch {
	case p.Rule >= 0 && (p.Field == "" || p.Field == "rule"):
		return fmt.Sprintf("the rule of %s", p.Path)
	case p.Rule >= 0:
		return fmt.Sprintf("the %s of the rule of %s", p.Field, p.Path)
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

// IsTotalCost reports whether the problem is what all rules of a version cost
// together.
func (p Problem) IsTotalCost() bool { return strings.Contains(p.Reason, totalExceeded) }

// IsContribution reports whether the problem is that a rule is one of the most expensive of
// those that cost too much together.
func (p Problem) IsContribution() bool { return strings.Contains(p.Reason, contributed) }

func (p Problem) compare(q Problem) int {
	return cmp.Or(
		p.Path.Compare(q.Path),
		cmp.Compare(p.Rule, q.Rule),
		strings.Compare(p.Field, q.Field),
		strings.Compare(p.Reason, q.Reason),
	)
}

// samePlace reports whether p and q are about the same part of the definition.
func (p Problem) samePlace(q Problem) bool {
	q.Reason = p.Reason
	return p.Version == q.Version && p.compare(q) == 0
}

// maxBytes is how large the JSON of a CustomResourceDefinition may be. Etcd
// accepts requests of 1.5 MiB by default, but a definition that only just fits
// can't be deleted any more, since the API server adds a condition and a
// deletion timestamp first.
const maxBytes = 1_560_000

// A Validator says what the API server says. It changes nothing that it is given, and may be used
// concurrently.
type Validator interface {
	// Validate returns what the API server would object to if a definition were created,
	// in the order of versions and paths. A problem in what several versions share is
	// returned once for each of them. The context ends the evaluation of rules on defaults
	// early; what is returned then is of no use.
	Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) []Problem
	// Cost returns what the API server of the release that estimates most estimates that a rule
	// costs in the schema that a path leads to, if it reads no more than the field that the names
	// lead to from there. A rule that doesn't compile costs [MaxRuleCost].
	Cost(root *apiextensionsv1.JSONSchemaProps, at schema.Path, field []string, rule apiextensionsv1.ValidationRule) uint64
}

// Upstream is the Validator that has the API server's own code validate each definition
// as a whole, and keeps nothing.
type Upstream struct {
	// MinKubernetes is a release of Kubernetes. Unless it is nil, rules and fields that
	// the release doesn't know are problems as well.
	MinKubernetes *version.Version
}

// Validate implements [Validator].
func (u Upstream) Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) []Problem {
	internal, err := convert(crd)
	if err != nil {
		return []Problem{{Rule: -1, Reason: oneLine(err.Error())}}
	}

	problems := serverProblems(ctx, crd, internal)
	problems = append(problems, SizeProblems(crd)...)
	if u.MinKubernetes != nil {
		problems = append(problems, releaseProblems(internal, u.MinKubernetes, problems)...)
	}

	order := map[string]int{}
	for i, v := range slices.Backward(crd.Spec.Versions) {
		order[v.Name] = i + 1
	}
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(order[a.Version], order[b.Version]), a.compare(b))
	})
	return slices.CompactFunc(problems, func(a, b Problem) bool {
		return a.Version == b.Version && a.compare(b) == 0
	})
}

// convert returns crd as the API server holds it when it validates a new object. The
// two share memory, which nobody may change.
func convert(crd *apiextensionsv1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	// Defaulting changes no more than these: copies of schemas would cost as much
	// as their conversion.
	defaulted := *crd
	defaulted.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	defaulted.Spec.Conversion = crd.Spec.Conversion.DeepCopy()
	// Defaulting also sets status.storedVersions to the storage version.
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(&defaulted)

	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&defaulted, internal, nil); err != nil {
		return nil, fmt.Errorf("can't be read by the API server: %w", err)
	}
	return internal, nil
}

// serverProblems are what the API server's own validation finds.
func serverProblems(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, internal *apiextensions.CustomResourceDefinition) []Problem {
	errs, err := serverErrors(ctx, internal)
	if err != nil {
		return []Problem{{Rule: -1, Reason: oneLine(err.Error())}}
	}

	var problems []Problem
	overBudget := false
	for _, e := range errs {
		switch {
		case strings.HasPrefix(e.Field, "status."):
			// The status is the server's own. What can be wrong with it follows from a
			// missing storage version, which is an error in the spec already.
			continue
		case e.Detail == contributed:
			// Which of several equally expensive rules the server names is random, since
			// it follows the order of a map.
			overBudget = true
			continue
		}
		l := locate(crd, e.Field)
		for _, v := range l.versions {
			problems = append(problems, Problem{Version: v, Path: l.path, Rule: l.rule, Field: l.field, Reason: reason(crd, e)})
		}
	}
	if overBudget {
		contributors := expensiveRules(internal, problems)
		if len(contributors) == 0 {
			// Each of the rules that make up the total is over its own budget, and says
			// so already.
			problems = slices.DeleteFunc(problems, Problem.IsTotalCost)
		}
		problems = append(problems, contributors...)
	}
	return problems
}

// serverErrors are the errors of the API server's own validation. A panic in it
// is an error, too: it has some, for example if a fieldPath leads below the
// values of a map that have no schema.
func serverErrors(ctx context.Context, internal *apiextensions.CustomResourceDefinition) (errs field.ErrorList, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the API server's validation crashes on this definition, check each fieldPath and selectable field: %v", r)
		}
	}()
	return validation.ValidateCustomResourceDefinition(ctx, internal), nil
}

// jsonPerByte is how many bytes of JSON there are at most for a byte of the binary
// form: a switch is two or three bytes there, and has a long name in JSON, such as
// x-kubernetes-preserve-unknown-fields. A character of text takes up to six.
const jsonPerByte = 16

// SizeProblems tells if crd is too large to be stored. Most definitions are so small
// that their JSON needs not be written to tell: the binary form, whose size takes no
// memory to find, limits it.
func SizeProblems(crd *apiextensionsv1.CustomResourceDefinition) []Problem {
	if binarySize(crd) < maxBytes/jsonPerByte {
		return nil
	}
	data, err := json.Marshal(crd)
	if err != nil {
		return []Problem{{Rule: -1, Reason: oneLine(err.Error())}}
	}
	if len(data) <= maxBytes {
		return nil
	}
	return []Problem{{Rule: -1, Reason: fmt.Sprintf("is %d bytes of JSON, more than the %d that etcd can safely hold: shorten or drop descriptions", len(data), maxBytes)}}
}

// binarySize returns the size of the binary form of a definition, or a little more.
// The definition's own method allocates each property of its schemas.
func binarySize(crd *apiextensionsv1.CustomResourceDefinition) int {
	own := *crd
	own.Spec.Versions = slices.Clone(crd.Spec.Versions)
	size := 0
	for i := range own.Spec.Versions {
		if v := &own.Spec.Versions[i]; v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			size += schemaSize(v.Schema.OpenAPIV3Schema)
			v.Schema = nil
		}
	}
	return own.Size() + size
}

// maxFraming is how many bytes there are at most around a schema and its name in the
// binary form: four bytes of tags, and the lengths of the name, of the schema and of
// both, those in three bytes at most if the definition is of any size that matters.
// Those around lists and maps are fewer.
const maxFraming = 4 + 2 + 3 + 3

// schemaSize returns the size of the binary form of a schema in others, or a little more.
func schemaSize(s *apiextensionsv1.JSONSchemaProps) int {
	own := *s
	own.Properties = nil
	size := maxFraming
	for name, property := range s.Properties {
		size += len(name) + sizeOfCopy(property)
	}
	if s.Items != nil && s.Items.Schema != nil && len(s.Items.JSONSchemas) == 0 {
		own.Items = nil
		size += schemaSize(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		own.AdditionalProperties = nil
		size += schemaSize(s.AdditionalProperties.Schema)
	}
	return size + own.Size()
}

// sizeOfCopy does what schemaSize does, for a copy. A loop that passes the address of each
// value of a map to the function that it is in makes the compiler allocate all of them,
// half a kilobyte each; as an argument they are on the stack, unless this is inlined.
//
//go:noinline
func sizeOfCopy(s apiextensionsv1.JSONSchemaProps) int { return schemaSize(&s) }
