package rules

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// values are those of the fields that rules in this test read, two of each.
var values = map[string][2]any{
	"network": {"a", "b"},
	"size":    {int64(1), int64(2)},
	"list":    {[]any{"a"}, []any{"a", "b"}},
	"policy":  {map[string]any{"cooldown": int64(1)}, map[string]any{"cooldown": int64(2)}},
}

// parameters returns a kind whose parameters have required fields and a rule.
func parameters(rule string, marked ...string) (*model.Object, *apiextensionsv1.JSONSchemaProps) {
	text := &model.Type{Kind: model.Pointer, Elem: &model.Type{Kind: model.Basic, Basic: "string"}}
	number := &model.Type{Kind: model.Pointer, Elem: &model.Type{Kind: model.Basic, Basic: "int64"}}
	policy := &model.Type{Kind: model.Struct, Name: "Policy", Local: true, Fields: []*model.Field{{Name: "Cooldown", JSONName: "cooldown", OmitEmpty: true, Type: number}}}
	field := func(name string, t *model.Type) *model.Field {
		f := &model.Field{Name: strings.ToUpper(name), JSONName: name, OmitEmpty: true, Required: true, Type: t}
		if slices.Contains(marked, name) {
			f.Markers = []model.Marker{{Text: "immutable"}}
		}
		return f
	}
	params := &model.Type{Kind: model.Struct, Name: "Parameters", Local: true, Fields: []*model.Field{
		field("network", text), field("size", number), field("list", &model.Type{Kind: model.Slice, Elem: text.Elem}),
		field("policy", &model.Type{Kind: model.Pointer, Elem: policy}),
	}}
	spec := &model.Type{Kind: model.Struct, Name: "Spec", Local: true, Fields: []*model.Field{{Name: "ForProvider", JSONName: "forProvider", Required: true, Type: params}}}
	o := &model.Object{
		Name: "Thing", Role: model.Managed, Pos: diag.Position{File: "thing.go", Line: 1},
		Type: &model.Type{Kind: model.Struct, Name: "Thing", Local: true, Fields: []*model.Field{{Name: "Spec", JSONName: "spec", Type: spec}}},
	}
	o.Spec = o.Type.Fields[0]

	type props = apiextensionsv1.JSONSchemaProps
	path := schema.Properties("spec", forProvider)
	fields := map[string]props{
		"network": {Type: "string"},
		"size":    {Type: "integer"},
		"list":    {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &props{Type: "string"}}},
		"policy":  {Type: "object", Properties: map[string]props{"cooldown": {Type: "integer"}}},
	}
	root := &props{Type: "object", Required: []string{"spec"}, Properties: map[string]props{
		"spec": {Type: "object", Required: []string{"forProvider"}, Properties: map[string]props{
			"managementPolicies": {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &props{Type: "string"}}, Default: &apiextensionsv1.JSON{Raw: []byte(`["*"]`)}},
			"forProvider":        {Type: "object", Required: slices.Sorted(maps.Keys(fields)), Properties: fields},
		}},
	}}
	schema.Edit(root, path, func(s *props) {
		if rule != "" {
			s.XValidations = apiextensionsv1.ValidationRules{{Rule: rule}}
		}
	})
	return o, root
}

var settings = Settings{Required: true, Immutable: true, Validator: apiserver.Upstream{}}

// TestAdvisedRulesHold puts the rules that warnings advise in place of those that they
// are about, and tries all combinations of fields that are set and unset, before and
// after an update: none fails, and where all fields are set the rules say the same.
func TestAdvisedRulesHold(t *testing.T) {
	for _, test := range []struct {
		rule string
		// reads are the fields that the rule reads, before or after.
		reads []string
		// immutable is the field to mark in place of the rule, if that is the advice.
		immutable string
	}{
		{rule: "self.network == oldSelf.network", reads: []string{"network"}, immutable: "network"},
		{rule: "oldSelf.list == self.list", reads: []string{"list"}, immutable: "list"},
		{rule: "self.size > 1", reads: []string{"size"}},
		{rule: "self.size >= oldSelf.size", reads: []string{"size"}},
		{rule: "self.network == oldSelf.network || self.size == oldSelf.size", reads: []string{"network", "size"}},
		{rule: "self.network == 'a' ? self.size == 1 : self.size == 2", reads: []string{"network", "size"}},
		{rule: `self.network != "b" && self.size < 2`, reads: []string{"network", "size"}},
		{rule: `!self.network.matches("^[\\w-]+b$") && self.size < 2`, reads: []string{"network", "size"}},
		{rule: "self.list.all(x, x != 'b')", reads: []string{"list"}},
		{rule: "self.list.all(x, x in oldSelf.list)", reads: []string{"list"}},
		{rule: "has(self.policy.cooldown)", reads: []string{"policy"}},
		{rule: "self.policy.cooldown >= oldSelf.policy.cooldown", reads: []string{"policy"}},
		{rule: "has(self.size) && self.size > 1 || self.network == 'a'", reads: []string{"network"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			o, root := parameters(test.rule)
			_, diags := Apply(context.Background(), o, root, settings)
			expect.Must(t, len(diags) == 1, "got %v, want one warning", diags)
			advised, marked := adviceOf(t, diags[0].Message)
			expect.Must(t, marked == test.immutable, "the advice is to mark %q, want %q: %s", marked, test.immutable, diags[0])

			o, root = parameters(advised, marked)
			_, diags = Apply(context.Background(), o, root, settings)
			expect.Must(t, len(diags) == 0, "the advice has a warning of its own: %v", diags)
			policy := "Observe"
			if test.immutable != "" {
				policy = "*" // under which other rules require fields
			}
			admits := validator(t, root, policy)
			_, original := parameters(test.rule)
			admitsOriginal := validator(t, original, policy)

			for _, old := range combinations(test.reads) {
				for _, updated := range combinations(test.reads) {
					got := admits(updated, old)
					if test.immutable != "" && !strings.Contains(got, "can't be changed once set") {
						got = ""
					}
					isSet := len(old) == len(test.reads) && len(updated) == len(test.reads)
					switch {
					case strings.Contains(got, "no such key"):
						t.Errorf("%v to %v: fails: %s", old, updated, got)
					case isSet:
						want := admitsOriginal(updated, old)
						expect.True(t, (got == "") == (want == ""), "%v to %v: got %q, want %q", old, updated, got, want)
					case len(updated) == 0 && test.immutable == "" && got != "":
						t.Errorf("%v to %v is refused: %s", old, updated, got)
					}
				}
			}
		})
	}
}

// adviceOf returns the rule that a message advises, or the field that it says is to be
// marked +immutable.
func adviceOf(t *testing.T, message string) (rule, marked string) {
	t.Helper()
	if _, rest, found := strings.Cut(message, ": mark "); found {
		name, _, _ := strings.Cut(rest, " ")
		return "", name
	}
	_, quoted, found := strings.Cut(message, ": write rule=")
	rule, err := strconv.Unquote(quoted)
	expect.Must(t, found && err == nil, "%s: no rule is advised: %v", message, err)
	return rule, ""
}

// combinations returns objects with each field unset, or set to either value.
func combinations(names []string) []map[string]any {
	objects := []map[string]any{{}}
	for _, name := range names {
		for _, o := range slices.Clone(objects) {
			for _, value := range values[name] {
				with := maps.Clone(o)
				with[name] = value
				objects = append(objects, with)
			}
		}
	}
	return objects
}

// validator returns a function that says why the rules of a schema refuse parameters of
// a resource with a management policy, in place of others; "" if they don't.
func validator(t *testing.T, root *apiextensionsv1.JSONSchemaProps, policy string) func(parameters, old map[string]any) string {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	expect.NoError(t, apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(root, &internal, nil))
	structural := expect.Value(structuralschema.NewStructural(&internal))(t)
	rules := cel.NewValidator(structural, true, celconfig.PerCallLimit)
	expect.Must(t, rules != nil, "there are no rules")
	object := func(parameters map[string]any) map[string]any {
		return map[string]any{"spec": map[string]any{"managementPolicies": []any{policy}, "forProvider": parameters}}
	}
	return func(parameters, old map[string]any) string {
		errs, _ := rules.Validate(context.Background(), nil, structural, object(parameters), object(old), celconfig.RuntimeCELCostBudget)
		if len(errs) == 0 {
			return ""
		}
		return fmt.Sprint(errs.ToAggregate())
	}
}
