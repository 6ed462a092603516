package admission_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/admission"
)

// A kept field has a rule that it stays as it is.
type kept struct {
	kind, json string
	// goType is that of the field, and marker another one that it has.
	goType, marker string
	omitEmpty      bool
	// empty is a value without content, nil if there is none, and values are others.
	empty  any
	values []any
	// alike are values that Go writes in one form.
	alike []any
	// isStruct tells that the field has fields.
	isStruct bool

	// outer tells that the field is in a struct in forProvider.
	outer    bool
	required bool
	rule     keptRule
}

func (k *kept) path() string {
	if k.outer {
		return "outer." + k.json
	}
	return k.json
}

// keptTypes are types of fields.
var keptTypes = []kept{
	{goType: "*string", marker: "+kubebuilder:validation:MaxLength=8", omitEmpty: true, empty: "", values: []any{"a", "b"}},
	{goType: "string", marker: "+kubebuilder:validation:MaxLength=8", omitEmpty: true, empty: "", values: []any{"a", "b"}},
	{goType: "string", marker: "+kubebuilder:validation:MaxLength=8", empty: "", values: []any{"a", "b"}},
	{goType: "*int64", omitEmpty: true, empty: int64(0), values: []any{int64(1), int64(2)}},
	{goType: "int64", omitEmpty: true, empty: int64(0), values: []any{int64(1), int64(2)}},
	{goType: "bool", omitEmpty: true, empty: false, values: []any{true}},
	{goType: "[]int64", marker: "+kubebuilder:validation:MaxItems=4", omitEmpty: true, empty: []any{}, values: []any{[]any{int64(1)}, []any{int64(2)}}},
	{goType: "map[string]int64", marker: "+kubebuilder:validation:MaxProperties=4", omitEmpty: true, empty: map[string]any{}, values: []any{map[string]any{"k": int64(1)}, map[string]any{"l": int64(1)}}},
	{goType: "*resource.Quantity", omitEmpty: true, values: []any{"1Gi", "1024Mi", "2Gi"}, alike: []any{"1Gi", "1024Mi"}},
	{goType: "*metav1.Duration", omitEmpty: true, values: []any{"1h0m0s", "60m", "2h0m0s"}, alike: []any{"1h0m0s", "60m"}},
	{goType: "*Inner", omitEmpty: true, empty: map[string]any{}, values: []any{map[string]any{"a": "x"}, map[string]any{"a": "x", "b": "y"}, map[string]any{"a": "y"}}, isStruct: true},
}

// A keptRule is a rule, which stands at the field, or else at an object around it and calls
// the field FIELD.
type keptRule struct {
	text            string
	atField, atRoot bool
	// sized tells that the value must have a size.
	sized bool
	// isOptional tells that there need be no old object.
	isOptional bool
}

var keptRules = []keptRule{
	{text: "self == oldSelf", atField: true},
	{text: "!(oldSelf != self)", atField: true},
	{text: "size(oldSelf) == 0 || self == oldSelf", atField: true, sized: true},
	{text: "size(self) == 0 || oldSelf == self", atField: true, sized: true},
	{text: "oldSelf.size() > 0 ? self == oldSelf : true", atField: true, sized: true},
	{text: "!oldSelf.hasValue() || self == oldSelf.value()", atField: true, isOptional: true},
	{text: "self == oldSelf.orValue(self)", atField: true, isOptional: true},
	{text: "self.FIELD == oldSelf.FIELD"},
	{text: "self.spec.forProvider.FIELD == oldSelf.spec.forProvider.FIELD", atRoot: true},
	{text: "!has(oldSelf.spec.forProvider.FIELD) || has(self.spec.forProvider.FIELD) && self.spec.forProvider.FIELD == oldSelf.spec.forProvider.FIELD", atRoot: true},
	{text: "!has(oldSelf.FIELD) || self.FIELD == oldSelf.FIELD"},
	{text: "!has(oldSelf.FIELD) || has(self.FIELD) && self.FIELD == oldSelf.FIELD"},
	{text: "!has(oldSelf.FIELD) || !has(self.FIELD) || self.FIELD == oldSelf.FIELD"},
	{text: "has(self.FIELD) == has(oldSelf.FIELD) && (!has(self.FIELD) || self.FIELD == oldSelf.FIELD)"},
	{text: "has(oldSelf.FIELD) ? has(self.FIELD) && self.FIELD == oldSelf.FIELD : true"},
	{text: "!has(oldSelf.FIELD) || size(oldSelf.FIELD) == 0 || has(self.FIELD) && self.FIELD == oldSelf.FIELD", sized: true},
	{text: "!oldSelf.hasValue() || has(self.FIELD) && has(oldSelf.value().FIELD) && self.FIELD == oldSelf.value().FIELD || !has(self.FIELD) && !has(oldSelf.value().FIELD)", isOptional: true},
}

// kept returns a random field with a rule.
func (r *random) kept(i int) *kept {
	for {
		k := keptTypes[r.IntN(len(keptTypes))]
		k.rule = keptRules[r.IntN(len(keptRules))]
		_, isText := k.empty.(string)
		_, isList := k.empty.([]any)
		if k.rule.sized && !isText && !isList {
			continue
		}
		k.kind, k.json = fmt.Sprintf("Kind%d", i), fmt.Sprintf("f%d", i)
		k.outer, k.required = r.oneIn(2), r.oneIn(3)
		return &k
	}
}

// source returns the declarations of a kind with the field.
func (k *kept) source() string {
	rule := k.rule.text
	if k.rule.atRoot && k.outer {
		rule = strings.ReplaceAll(rule, "FIELD", "outer.FIELD")
	}
	marker := "+kubebuilder:validation:XValidation:rule=\"" + strings.ReplaceAll(rule, "FIELD", k.json) + "\""
	if k.rule.isOptional {
		marker += ",optionalOldSelf=true"
	}
	field := "\t// F is a field.\n"
	if k.rule.atField {
		field += "\t// " + marker + "\n"
	}
	if k.marker != "" {
		field += "\t// " + k.marker + "\n"
	}
	tag := k.json
	if k.omitEmpty {
		tag += ",omitempty"
	}
	presence := "optional"
	if k.required {
		presence = "required"
	}
	field += fmt.Sprintf("\t// +%s\n\tF %s `json:%q`\n", presence, k.goType, tag)
	comment, around := "// "+marker+"\n", ""
	if k.rule.atField || k.rule.atRoot {
		comment = ""
	}
	owner := k.kind + "Parameters"
	if k.outer {
		owner = k.kind + "Outer"
		around = fmt.Sprintf("\n// %sParameters are the desired state.\ntype %[1]sParameters struct {\n\tOuter *%[1]sOuter `json:\"outer,omitempty\"`\n}\n", k.kind)
	}
	var root []string
	if k.rule.atRoot {
		root = []string{marker}
	}
	return kindSource(k.kind, false, root...) + around + fmt.Sprintf("\n// %s has a field.\n%stype %[1]s struct {\n%[3]s}\n", owner, comment, field)
}

// absent stands for a field that is not set.
type absent struct{}

// objects returns objects with all values, and those.
func (k *kept) objects() (objects []map[string]any, values []any) {
	add := func(desired map[string]any, value any) {
		objects = append(objects, map[string]any{
			"apiVersion": "rules.example.org/v1alpha1", "kind": k.kind, "metadata": map[string]any{"name": "test"},
			"spec": map[string]any{"managementPolicies": []any{"Observe"}, "forProvider": desired},
		})
		values = append(values, value)
	}
	all := append([]any{absent{}}, k.values...)
	if k.empty != nil {
		all = append(all, k.empty)
	}
	for _, value := range all {
		desired := map[string]any{k.json: value}
		if value == any(absent{}) {
			desired = map[string]any{}
		}
		if k.outer {
			desired = map[string]any{"outer": desired}
		}
		add(desired, value)
	}
	if k.outer {
		add(map[string]any{}, absent{})
	}
	return objects, values
}

// causes returns what may change about an update of the field from one value to another,
// which was accepted and is refused, or the other way round.
func (k *kept) causes(from, to any, refused bool) []string {
	isNone := func(value any) bool { return value == any(absent{}) }
	isEmpty := func(value any) bool { return k.empty != nil && cmp.Equal(value, k.empty) }
	switch {
	case refused && isEmpty(from):
		return []string{"an empty value can no longer change", "it can no longer be removed"}
	case refused && isNone(to):
		return []string{"it can no longer be removed"}
	case refused && isEmpty(to):
		return []string{"it can no longer be emptied"}
	case refused:
		return nil
	case isNone(from) && isNone(to):
		return []string{"resources without it can be updated"}
	case isNone(from):
		return []string{"it can be set later"}
	case isEmpty(from):
		return []string{"an empty value counts as none"}
	case slices.ContainsFunc(k.alike, func(v any) bool { return v == from }) && slices.ContainsFunc(k.alike, func(v any) bool { return v == to }):
		return []string{"values are equal that Go writes alike"}
	case k.isStruct:
		return []string{"what is unset in it can be set later"}
	}
	return nil
}

var listed = regexp.MustCompile(`(?m)rule about ((?:outer\.)?f\d+): (.*?)(?: \[[a-z-]+\])?$`)

// FuzzFixImmutable guards that fix immutable changes nothing about which updates the API
// server accepts but what it says, and says nothing that does not change.
func FuzzFixImmutable(f *testing.F) {
	for seed := range budget(1, 2) {
		f.Add(uint64(1 + seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := &random{rand.New(rand.NewPCG(seed, 2))}
		source := typesHeader + `
// Inner is a struct.
type Inner struct {
	// +kubebuilder:validation:MaxLength=8
	A *string ` + "`json:\"a,omitempty\"`" + `
	// +kubebuilder:validation:MaxLength=8
	B *string ` + "`json:\"b,omitempty\"`" + `
}
`
		var fields []*kept
		for i := range budget(3, 150) {
			fields = append(fields, r.kept(i))
			source += fields[i].source()
		}
		const settings = "rules:\n  required: enforce\n  immutable: enforce\n"
		fixed, said := fix(t, "immutable --all -v", source, settings)
		if strings.Contains(fixed, "oldSelf") {
			t.Errorf("rules stay:\n%s", said)
		}
		changes := map[string][]string{}
		for _, match := range listed.FindAllStringSubmatch(said, -1) {
			changes[match[1]] = strings.Split(match[2], "; ")
		}
		before, after := generateQuickly(t, source, settings), generate(t, fixed, settings)
		if before.refused || after.refused {
			t.Fatalf("mrgen refuses the kinds:\n%s\n%s", before.diagnostics, after.diagnostics)
		}
		old, now := before.install(t), after.install(t)
		for _, k := range fields {
			k.compare(t, old[k.kind], now[k.kind], changes[k.path()])
		}
	})
}

// compare updates all values of a field to all others, under its rule and under +immutable, while
// the resource is managed and while it is only observed.
func (k *kept) compare(t *testing.T, old, now *admission.Server, changes []string) {
	t.Helper()
	ctx, seen := context.Background(), map[string]bool{"users read mrgen's message": true}
	objects, values := k.objects()
	for i, stored := range objects {
		stored, oldErr := old.Create(ctx, stored)
		if _, nowErr := now.Create(ctx, objects[i]); (oldErr == nil) != (nowErr == nil) {
			t.Errorf("%s: to create it was %v, and is %v:\n%s", k.rule.text, oldErr, nowErr, document(t, objects[i]))
		}
		if oldErr != nil {
			continue
		}
		for j := range objects {
			for _, policy := range []string{"*", "Observe"} {
				object := runtime.DeepCopyJSON(objects[j])
				object["spec"].(map[string]any)["managementPolicies"] = []any{policy}
				if _, err := old.Create(ctx, object); err != nil {
					continue
				}
				_, oldErr := old.Update(ctx, object, stored)
				_, nowErr := now.Update(ctx, object, stored)
				if (oldErr == nil) == (nowErr == nil) {
					continue
				}
				causes := k.causes(values[i], values[j], nowErr != nil)
				if policy == "Observe" && nowErr == nil {
					causes = append(causes, "it can change while the resource is observe-only")
				}
				isSaid := false
				for _, cause := range causes {
					if slices.Contains(changes, cause) {
						isSaid, seen[cause] = true, true
					}
				}
				if !isSaid {
					t.Errorf("%s (%s, %q): that the update was %v and is %v isn't in %q:\n%s\n%s", k.path(), k.goType, k.rule.text,
						admission.Refusals(oldErr), admission.Refusals(nowErr), changes, document(t, stored["spec"]), document(t, object["spec"]))
				}
			}
		}
	}
	for _, change := range changes {
		if !seen[change] {
			t.Errorf("%s (%s, %q): it isn't true that %s", k.path(), k.goType, k.rule.text, change)
		}
	}
}
