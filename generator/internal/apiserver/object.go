package apiserver

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Refusal is a reason for which the API server would not create an object.
type Refusal struct {
	// Field is the path of the field, as "spec.forProvider.size"; "" for the whole object.
	Field string
	// Reason is one line, in the words of the API server.
	Reason string
	// Rule is the rule that doesn't hold, or "" if the reason isn't a rule. Field is then the object that holds the
	// rule, and At leads there: strings are names of properties and keys of maps, numbers are indexes of lists.
	Rule string
	At   []any
}

// An ObjectValidator decides which objects the API server would create with a schema.
type ObjectValidator struct {
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
	labelled   []labelledRule
}

// A labelledRule is a rule in a schema. For a rule that fails, the API server returns only its message, so the validator
// puts a label into the message.
type labelledRule struct {
	path schema.Path
	rule string
}

var label = regexp.MustCompile(`<rule ([0-9]+)>`)

// NewObjectValidator returns a validator for the schema of a version. An error is a
// schema that the API server would refuse.
func NewObjectValidator(props *apiextensionsv1.JSONSchemaProps) (*ObjectValidator, error) {
	v := &ObjectValidator{}
	var err error
	if v.structural, v.validator, err = compiled(props); err != nil {
		return nil, err
	}
	v.label(v.structural, nil)
	v.rules = cel.NewValidator(v.structural, true, celconfig.PerCallLimit)
	return v, nil
}

// compiled returns a schema in the two forms that the API server validates with.
func compiled(props *apiextensionsv1.JSONSchemaProps) (*structuralschema.Structural, validation.SchemaValidator, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, &internal, nil); err != nil {
		return nil, nil, err
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		return nil, nil, err
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	return structural, validator, err
}

// label puts labels into the messages of the rules at a path and below.
func (v *ObjectValidator) label(s *structuralschema.Structural, path schema.Path) {
	s.XValidations = slices.Clone(s.XValidations)
	for i := range s.XValidations {
		rule := &s.XValidations[i]
		mark := fmt.Sprintf("<rule %d>", len(v.labelled))
		v.labelled = append(v.labelled, labelledRule{path, rule.Rule})
		if rule.Message == "" {
			// A label alone would replace the message that the API server makes of the rule.
			rule.Message = "failed rule: " + strings.TrimSpace(rule.Rule)
		}
		rule.Message = mark + oneLine(rule.Message)
		if rule.MessageExpression != "" {
			rule.MessageExpression = "'" + mark + "' + (" + rule.MessageExpression + ")"
		}
		// With a fieldPath, the error would name that field, and not the object with the rule.
		rule.FieldPath, rule.Reason = "", nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		v.label(&property, path.With(schema.Step{Name: name}))
		s.Properties[name] = property
	}
	if s.Items != nil {
		v.label(s.Items, path.With(schema.Step{Kind: schema.Items}))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		v.label(s.AdditionalProperties.Structural, path.With(schema.Step{Kind: schema.Values}))
	}
}

// Refusals returns the reasons for which the API server would not create an object, sorted. Unknown fields are a reason.
// Values are as encoding/json decodes them, with int64 for whole numbers. Metadata is not checked. The object is not
// changed.
func (v *ObjectValidator) Refusals(ctx context.Context, object map[string]any) []Refusal {
	object, dropped := v.Read(object)
	var refusals []Refusal
	for _, path := range dropped {
		refusals = append(refusals, Refusal{Field: path, Reason: "unknown field"})
	}
	errs := validation.ValidateCustomResource(nil, object, v.validator)
	return v.refusals(refusals, v.errors(ctx, errs, object, nil), object)
}

// errors adds the other errors of an object to the errors from the keywords of its schema. If there is a stored object,
// the new one takes its place. It calls the same functions in the same order as
// k8s.io/apiextensions-apiserver/pkg/registry/customresource, which can't be imported without the machinery of a server.
func (v *ObjectValidator) errors(
	ctx context.Context, errs field.ErrorList, object map[string]any, old any, options ...cel.Option,
) field.ErrorList {
	errs = append(errs, objectmeta.Validate(ctx, nil, object, v.structural, false)...)
	stored, _ := old.(map[string]any)
	// Like the API server, accept duplicates in an update if the stored object already has some.
	if len(listtype.ValidateListSetsAndMaps(nil, v.structural, stored)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, v.structural, object)...)
	}
	if len(errs) > 0 {
		return errs // the API server asks rules only about objects that have the right form
	}
	errs, _ = v.rules.Validate(ctx, nil, v.structural, object, old, celconfig.RuntimeCELCostBudget, options...)
	return errs
}

// refusals adds the refusals for errors about an object, and sorts them.
func (v *ObjectValidator) refusals(refusals []Refusal, errs field.ErrorList, object map[string]any) []Refusal {
	for _, e := range errs {
		refusals = append(refusals, v.refusal(locateError(e, object)))
	}
	slices.SortFunc(refusals, func(a, b Refusal) int {
		return strings.Compare(a.Field+"\x00"+a.Reason, b.Field+"\x00"+b.Reason)
	})
	return slices.CompactFunc(refusals, func(a, b Refusal) bool { return a.Field == b.Field && a.Reason == b.Reason })
}

// located match errors that name their field only in the text: numbers with another format than the schema requires, or
// with bounds of another format, and alternatives.
var located = []*regexp.Regexp{
	regexp.MustCompile(`^(?:Checked|Maximum boundary|Minimum boundary|MultipleOf) value must be of type (?:integer|number) (?:with format \S+|\(default format\)) in (.+)$`),
	regexp.MustCompile(`^"([^"]+)" must (?:not )?validate `),
}

// locateError returns an error with the field and its value if only the text names the field. It returns other errors
// unchanged.
func locateError(e *field.Error, object map[string]any) *field.Error {
	if e.Field != (*field.Path)(nil).String() {
		return e
	}
	for _, words := range located {
		found := words.FindStringSubmatch(e.Detail)
		if found == nil {
			continue
		}
		at := *e
		at.Field = strings.TrimPrefix(found[1], ".")
		if value, ok := valueAt(object, at.Field); ok {
			at.BadValue = value
		}
		return &at
	}
	return e
}

// valueAt returns the scalar that a path of the API server leads to.
func valueAt(at any, path string) (any, bool) {
	switch at := at.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(at)) {
			// The names of properties aren't quoted in the path, so each that fits is tried.
			rest, ok := strings.CutPrefix(path, name)
			if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
				continue
			}
			if value, ok := valueAt(at[name], strings.TrimPrefix(rest, ".")); ok {
				return value, true
			}
		}
		return nil, false
	case []any:
		index, rest, ok := cutIndex(path, "")
		if !ok || index >= len(at) {
			return nil, false
		}
		return valueAt(at[index], strings.TrimPrefix(rest, "."))
	default:
		return at, path == ""
	}
}

// refusal returns the refusal for an error.
func (v *ObjectValidator) refusal(e *field.Error) Refusal {
	r := Refusal{Field: e.Field}
	if r.Field == (*field.Path)(nil).String() {
		r.Field = ""
	}
	found := label.FindStringSubmatch(e.Detail)
	if found == nil {
		r.Reason = oneLine(e.ErrorBody())
		return r
	}
	r.Reason = oneLine(strings.Replace(e.Detail, found[0], "", 1))
	// An author's message may look like a label, with a number that isn't in the list.
	if n, err := strconv.Atoi(found[1]); err == nil && n < len(v.labelled) {
		r.Rule, r.At = v.labelled[n].rule, locateInObject(v.labelled[n].path, r.Field)
	}
	return r
}

// locateInObject returns where in an object a path of the API server leads.
func locateInObject(path schema.Path, field string) []any {
	var at []any
	for _, step := range path {
		if step.Kind == schema.Property {
			at = append(at, step.Name)
			field = strings.TrimPrefix(strings.TrimPrefix(field, "."), step.Name)
			continue
		}
		key, rest, _ := strings.Cut(strings.TrimPrefix(field, "["), "]")
		field = rest
		// The keys of a map may be numbers, too.
		if index, err := strconv.Atoi(key); err == nil && step.Kind == schema.Items {
			at = append(at, index)
		} else {
			at = append(at, key)
		}
	}
	return at
}

// Accepts implements [crdvalidation.Validator].
func (Upstream) Accepts(ctx context.Context, props *apiextensionsv1.JSONSchemaProps, value any) bool {
	structural, validator, err := compiled(props)
	if err != nil || len(validation.ValidateCustomResource(nil, value, validator)) > 0 {
		return false
	}
	errs, _ := cel.NewValidator(structural, false, celconfig.PerCallLimit).Validate(ctx, nil, structural, value, value,
		celconfig.RuntimeCELCostBudget)
	return len(errs) == 0
}
