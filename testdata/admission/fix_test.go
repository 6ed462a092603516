package admission_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/admission"
)

// A fixed kind is random, and what a fix may change about what objects of it the API
// server accepts.
type fixed struct {
	name string
	// object returns a random object.
	object func(policies []any) map[string]any
	// complete returns an object with a value wherever the fix lets it be missing: if
	// the CRD accepts an object since it is fixed, it accepted this one before.
	complete func(object map[string]any, observed bool) map[string]any
	// content returns an object with a value where the fix demands one, such as for an
	// empty one that is none since: if the CRD refuses an object since it is fixed, it
	// accepts this one.
	content func(object map[string]any) map[string]any
}

// compareFix compares the CRDs of kinds before and after a fix, by what becomes of
// random objects.
func compareFix(t *testing.T, r *random, before, after generated, kinds []fixed, objects int) {
	t.Helper()
	if before.refused || after.refused {
		t.Fatalf("mrgen refuses the kinds:\n%s\n%s", before.diagnostics, after.diagnostics)
	}
	ctx, old, now := context.Background(), before.install(t), after.install(t)
	for _, k := range kinds {
		for range objects {
			managed := r.oneIn(2)
			object := k.object(policies[managed][r.IntN(len(policies[managed]))])
			complete, content := k.complete(object, !managed), k.content(object)
			_, oldErr := old[k.name].Create(ctx, object)
			_, nowErr := now[k.name].Create(ctx, object)
			_, completeErr := old[k.name].Create(ctx, complete)
			_, contentErr := now[k.name].Create(ctx, content)
			switch {
			case nowErr == nil && completeErr != nil:
				t.Errorf("%s: what was refused is accepted, though the fix is not about that:\n%s\ncompleted:\n%s\nrefused before: %v",
					k.name, document(t, object), document(t, complete["spec"]), admission.Refusals(completeErr))
			case oldErr == nil && contentErr != nil:
				t.Errorf("%s: what was accepted is refused:\n%s\nrefused after: %v", k.name, document(t, object), admission.Refusals(contentErr))
			case oldErr == nil && nowErr != nil && !slices.ContainsFunc(admission.Refusals(nowErr), isRequired):
				t.Errorf("%s: what was accepted is refused for another reason than that it is empty:\n%s\nrefused after: %v", k.name, document(t, object), admission.Refusals(nowErr))
			}
			if t.Failed() {
				return // one object is enough to look at
			}
		}
	}
}

func isRequired(refusal string) bool { return strings.Contains(refusal, "required") }

// FuzzFixRelax guards that fix relax changes nothing but that required fields may be
// missing in resources that are only observed, or where spec.initProvider or a reference
// stands in for them; and that they must not be missing in a struct that
// spec.initProvider alone has, which the schema can't demand. Without pointers, strings
// that were empty count as missing.
func FuzzFixRelax(f *testing.F) {
	for seed := range budget(1, 2) {
		f.Add(uint64(1 + seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := &random{rand.New(rand.NewPCG(seed, 0))}
		how, pointers := "relax --pointers", true
		if seed%2 == 0 {
			how, pointers = "relax", false
		}
		source := typesHeader + choice
		var kinds []fixed
		for i := range budget(1, 20) {
			k := r.kind(fmt.Sprintf("Kind%d", i))
			source += k.source()
			loose := *k
			loose.fields = loosened(k.fields, k.initProvider)
			kinds = append(kinds, fixed{
				name:   k.name,
				object: func(policies []any) map[string]any { return r.object(k, policies) },
				complete: func(object map[string]any, observed bool) map[string]any {
					return standIn{r, &loose, observed}.complete(object)
				},
				content: func(object map[string]any) map[string]any {
					object = standIn{r, &loose, false}.fillInitial(object)
					if desired, _ := object["spec"].(map[string]any)["forProvider"].(map[string]any); !pointers {
						standIn{r, &loose, false}.fillEmpty(loose.fields, desired)
					}
					return object
				},
			})
		}
		after, _ := fix(t, how, source, relaxedSettings)
		if after == source {
			t.Skip("there is nothing to fix")
		}
		compareFix(t, r, generateQuickly(t, source, relaxedSettings), generate(t, after, relaxedSettings), kinds, 40)
	})
}

// fillInitial returns an object with the required fields of structs that spec.initProvider
// alone has.
func (s standIn) fillInitial(object map[string]any) map[string]any {
	object = runtime.DeepCopyJSON(object)
	spec := object["spec"].(map[string]any)
	desired, _ := spec["forProvider"].(map[string]any)
	initial, _ := spec["initProvider"].(map[string]any)
	s.fillStructs(s.kind.fields, desired, initial)
	return object
}

func (s standIn) fillStructs(fields []*field, desired, initial map[string]any) {
	for _, f := range fields {
		inner, isStruct := initial[f.json].(map[string]any)
		if !f.isStruct || !isStruct {
			continue
		}
		outer, _ := desired[f.json].(map[string]any)
		for _, below := range f.fields {
			if outer == nil && below.presence == required && inner[below.json] == nil {
				inner[below.json] = s.sample(below)
			}
		}
		s.fillStructs(f.fields, outer, inner)
	}
}

// fillEmpty gives required strings that are empty a value.
func (s standIn) fillEmpty(fields []*field, object map[string]any) {
	for _, f := range fields {
		if inner, isStruct := object[f.json].(map[string]any); isStruct && f.isStruct {
			s.fillEmpty(f.fields, inner)
		}
		if f.presence == required && object[f.json] == "" {
			object[f.json] = s.sample(f)
		}
	}
}

// loosened returns fields as fix relax leaves them: those that Go always sent can be
// missing, in structs below only if initProvider may have them.
func loosened(fields []*field, below bool) []*field {
	var all []*field
	for _, f := range fields {
		loose := *f
		if f.presence == always {
			loose.presence = required
		}
		if f.isStruct && below {
			loose.fields = loosened(f.fields, below)
		}
		all = append(all, &loose)
	}
	return all
}

// A referrer is a field of a random kind that has a reference, or a struct with such
// fields.
type referrer struct {
	name, json, goType string
	marker             string
	omitEmpty          bool
	// valid and empty are values; an empty one is nil if JSON has it.
	valid, empty any
	// fields are those of the struct that the field, its items or its values have.
	fields []*referrer
	list   bool
	isMap  bool
}

// referrer returns a field with a reference, at a depth.
func (r *random) referrer(owner string, i, depth int) *referrer {
	f := &referrer{name: fmt.Sprintf("F%d", i), json: fmt.Sprintf("f%d", i)}
	if depth < 2 && r.oneIn(3) {
		f.goType = owner + f.name
		for j := range 1 + r.IntN(3) {
			f.fields = append(f.fields, r.referrer(f.goType, j, depth+1))
		}
		switch r.IntN(3) {
		case 0:
			f.list, f.marker = true, "+kubebuilder:validation:MaxItems=8"
		case 1:
			f.isMap, f.marker = true, "+kubebuilder:validation:MaxProperties=8"
		}
		f.omitEmpty = true
		return f
	}
	types := []referrer{
		{goType: "string", valid: "a", empty: ""},
		{goType: "*string", valid: "a"},
		{goType: "int64", valid: int64(1), empty: int64(0)},
		{goType: "*int64", valid: int64(1)},
		{goType: "[]string", valid: []any{"a"}, empty: []any{}},
		{goType: "[]*string", valid: []any{"a"}, empty: []any{}},
	}
	chosen := types[r.IntN(len(types))]
	f.goType, f.valid, f.empty = chosen.goType, chosen.valid, chosen.empty
	f.marker = []string{"", "", "", "+optional", "+kubebuilder:validation:Required", "+mrgen:identifier"}[r.IntN(6)]
	f.omitEmpty = r.oneIn(5)
	return f
}

// isRequired reports whether the schema requires a field before it is fixed.
func (f *referrer) isRequired() bool {
	return f.marker == "+kubebuilder:validation:Required" || f.marker != "+optional" && !f.omitEmpty
}

// write writes the declaration of a field, with its reference or without, and returns
// those of the structs that it needs.
func (f *referrer) write(b *strings.Builder, referring bool) (structs string) {
	markers, goType, tag := f.marker, f.goType, f.json
	if len(f.fields) > 0 {
		var inner strings.Builder
		fmt.Fprintf(&inner, "\n// %s is a struct.\ntype %s struct {\n", f.goType, f.goType)
		for _, below := range f.fields {
			structs += below.write(&inner, referring)
		}
		structs += inner.String() + "}\n"
		switch {
		case f.list:
			goType = "[]" + goType
		case f.isMap:
			goType = "map[string]" + goType
		default:
			goType = "*" + goType
		}
	}
	if markers != "" {
		fmt.Fprintf(b, "\t// %s\n", markers)
	}
	if referring && len(f.fields) == 0 {
		b.WriteString("\t// +crossplane:generate:reference:type=Kind0\n")
	}
	if f.omitEmpty {
		tag += ",omitempty"
	}
	fmt.Fprintf(b, "\t%s %s `json:%q`\n", f.name, goType, tag)
	return structs
}

// reference returns the property with the reference.
func (f *referrer) reference() string {
	if strings.HasPrefix(f.goType, "[]") {
		return f.json + "Refs"
	}
	return f.json + "Ref"
}

// referring returns a random object with fields.
func (r *random) referring(fields []*referrer) map[string]any {
	object := map[string]any{}
	for _, f := range fields {
		if len(f.fields) > 0 {
			switch inner := r.referring(f.fields); {
			case r.oneIn(4):
			case f.list:
				object[f.json] = []any{inner}
			case f.isMap:
				object[f.json] = map[string]any{"k": inner}
			default:
				object[f.json] = inner
			}
			continue
		}
		switch r.IntN(8) {
		case 0:
		case 1:
			object[f.json] = nil
		case 2:
			if f.empty != nil {
				object[f.json] = runtime.DeepCopyJSONValue(f.empty)
			}
		default:
			object[f.json] = runtime.DeepCopyJSONValue(f.valid)
		}
		if r.oneIn(3) {
			var reference any = map[string]any{"name": "a"}
			if strings.HasSuffix(f.reference(), "s") {
				reference = []any{reference}
			}
			object[f.reference()] = []any{nil, reference}[r.IntN(2)]
		}
		if r.oneIn(4) {
			object[f.json+"Selector"] = []any{nil, map[string]any{}}[r.IntN(2)]
		}
	}
	return object
}

// visit calls a function for each field that can have a reference in an object, with
// the object that holds it.
func visit(fields []*referrer, object map[string]any, top bool, do func(f *referrer, holder map[string]any, top bool)) {
	for _, f := range fields {
		if len(f.fields) == 0 {
			do(f, object, top)
			continue
		}
		switch value := object[f.json].(type) {
		case []any:
			for _, item := range value {
				visit(f.fields, item.(map[string]any), false, do)
			}
		case map[string]any:
			if !f.isMap {
				visit(f.fields, value, false, do)
				continue
			}
			for _, item := range value {
				visit(f.fields, item.(map[string]any), false, do)
			}
		}
	}
}

// FuzzFixReferences guards that fix references changes nothing but that required values
// may be missing where a reference or a selector is given, and in spec.forProvider of
// resources that are only observed; and that an empty value, which Go leaves out since,
// counts as none.
func FuzzFixReferences(f *testing.F) {
	for _, rules := range []bool{true, false} {
		f.Add(uint64(1), rules)
	}
	f.Fuzz(func(t *testing.T, seed uint64, rules bool) {
		r := &random{rand.New(rand.NewPCG(seed, 1))}
		settings := strictSettings
		if rules {
			settings = relaxedSettings
		}
		plain, referring := typesHeader, typesHeader
		var kinds []fixed
		for i := range budget(1, 15) {
			name, relax := fmt.Sprintf("Kind%d", i), !r.oneIn(4)
			var markers []string
			if !relax {
				markers = []string{"+mrgen:relax=false"}
			}
			var fields []*referrer
			for j := range 1 + r.IntN(5) {
				fields = append(fields, r.referrer(name, j, 0))
			}
			for source, refers := range map[*string]bool{&plain: false, &referring: true} {
				var b strings.Builder
				structs := ""
				for _, f := range fields {
					structs += f.write(&b, refers)
				}
				*source += kindSource(name, false, markers...) + parameters(name, b.String()) + structs
			}
			kinds = append(kinds, fixed{
				name: name,
				object: func(policies []any) map[string]any {
					spec := map[string]any{"forProvider": r.referring(fields)}
					if policies != nil {
						spec["managementPolicies"] = policies
					}
					return map[string]any{"apiVersion": "rules.example.org/v1alpha1", "kind": name, "metadata": map[string]any{"name": "test"}, "spec": spec}
				},
				complete: func(object map[string]any, observed bool) map[string]any {
					return eachReferrer(fields, object, func(f *referrer, holder map[string]any, top bool) {
						given := holder[f.reference()] != nil || holder[f.json+"Selector"] != nil
						if f.isRequired() && holder[f.json] == nil && (given || rules && relax && observed && top && f.marker != "+mrgen:identifier") {
							holder[f.json] = f.valid
						}
						delete(holder, f.reference()) // which the fix adds
						delete(holder, f.json+"Selector")
					})
				},
				content: func(object map[string]any) map[string]any {
					return eachReferrer(fields, object, func(f *referrer, holder map[string]any, _ bool) {
						if value, has := holder[f.json]; has && f.empty != nil && fmt.Sprint(value) == fmt.Sprint(f.empty) {
							holder[f.json] = f.valid
						}
					})
				},
			})
		}
		after, _ := fix(t, "references", referring, settings)
		compareFix(t, r, generateQuickly(t, plain, settings), generate(t, after, settings), kinds, 40)
	})
}

// eachReferrer returns a copy of an object with what a function does to each field that
// can have a reference.
func eachReferrer(fields []*referrer, object map[string]any, do func(f *referrer, holder map[string]any, top bool)) map[string]any {
	object = runtime.DeepCopyJSON(object)
	visit(fields, object["spec"].(map[string]any)["forProvider"].(map[string]any), true, do)
	return object
}
