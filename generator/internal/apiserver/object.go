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
	// Rule is the rule that does not hold, or "" if it is none. Field is the object that
	// the rule is about, and At leads there: to the names of properties and the keys of
	// maps, which are strings, and to the items of lists, which are numbers.
	Rule string
	At   []any
}

// An ObjectValidator tells which objects the API server would create with a schema.
type ObjectValidator struct {
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
	labelled   []labelledRule
}

// A labelledRule is a rule in a schema. The API server says of a rule that does not hold
// nothing but its message, so that the message has a label in it.
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

// label puts labels in the messages of the rules at a path and below. The path of an
// error then is that of the object, not of the field that the rule names.
func (v *ObjectValidator) label(s *structuralschema.Structural, path schema.Path) {
	s.XValidations = slices.Clone(s.XValidations)
	for i := range s.XValidations {
		rule := &s.XValidations[i]
		mark := fmt.Sprintf("<rule %d>", len(v.labelled))
		v.labelled = append(v.labelled, labelledRule{path, rule.Rule})
		if rule.Message == "" {
			rule.Message = "failed rule: " + strings.TrimSpace(rule.Rule)
		}
		rule.Message = mark + oneLine(rule.Message)
		if rule.MessageExpression != "" {
			rule.MessageExpression = "'" + mark + "' + (" + rule.MessageExpression + ")"
		}
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

// Refusals returns the reasons for which the API server would not create an object,
// sorted; none if it would. Unknown fields are a reason. Values are those of
// encoding/json with int64 for whole numbers. Metadata is not checked. The object is not
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

// errors adds to the errors that the keywords of a schema lead to all others of an object in the place
// of a stored one, if there is one. What is called, and in which order, is that of
// k8s.io/apiextensions-apiserver/pkg/registry/customresource, which can't be imported without the
// machinery of a server.
func (v *ObjectValidator) errors(ctx context.Context, errs field.ErrorList, object map[string]any, old any, options ...cel.Option) field.ErrorList {
	errs = append(errs, objectmeta.Validate(ctx, nil, object, v.structural, false)...)
	stored, _ := old.(map[string]any)
	if len(listtype.ValidateListSetsAndMaps(nil, v.structural, stored)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, v.structural, object)...)
	}
	if len(errs) > 0 {
		return errs // rules are only asked about objects that have the right form
	}
	errs, _ = v.rules.Validate(ctx, nil, v.structural, object, old, celconfig.RuntimeCELCostBudget, options...)
	return errs
}

// refusals adds what errors about an object mean to refusals, and sorts them.
func (v *ObjectValidator) refusals(refusals []Refusal, errs field.ErrorList, object map[string]any) []Refusal {
	for _, e := range errs {
		refusals = append(refusals, v.refusal(locateError(e, object)))
	}
	slices.SortFunc(refusals, func(a, b Refusal) int {
		return strings.Compare(a.Field+"\x00"+a.Reason, b.Field+"\x00"+b.Reason)
	})
	return slices.CompactFunc(refusals, func(a, b Refusal) bool { return a.Field == b.Field && a.Reason == b.Reason })
}

// located match errors that have their field in words alone: of a number that has another format
// than the schema asks for, or whose bounds have, and of alternatives.
var located = []*regexp.Regexp{
	regexp.MustCompile(`^(?:Checked|Maximum boundary|Minimum boundary|MultipleOf) value must be of type (?:integer|number) (?:with format \S+|\(default format\)) in (.+)$`),
	regexp.MustCompile(`^"([^"]+)" must (?:not )?validate `),
}

// locateError returns an error that has its field in words alone with that field and its value, and
// others as they are.
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

// valueAt returns the scalar that a path of the API server leads to, which has the names of the
// properties on it unquoted.
func valueAt(at any, path string) (any, bool) {
	switch at := at.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(at)) {
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

// refusal returns what an error means.
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
	// A message that an author wrote to look like a label may be no number of ours.
	if n, err := strconv.Atoi(found[1]); err == nil && n < len(v.labelled) {
		r.Rule, r.At = v.labelled[n].rule, locateInObject(v.labelled[n].path, r.Field)
	}
	return r
}

// locateInObject returns where in an object a path of the API server leads, which has
// the names of the properties on it unquoted.
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
		if index, err := strconv.Atoi(key); err == nil && step.Kind == schema.Items {
			at = append(at, index)
		} else {
			at = append(at, key)
		}
	}
	return at
}
