package compare

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/budget"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// thing is what rules are about in TestImpliedRulesHold.
const thing = `
type: object
properties:
  a: {type: integer}
  b: {type: boolean}
  s: {type: string, maxLength: 3}
  o: {type: object, required: [k], properties: {x: {type: string, maxLength: 3}, k: {type: integer, minimum: 2}, z: {type: string, default: d, maxLength: 3}}}
  l: {type: array, maxItems: 3, items: {type: string, maxLength: 3}}
`

// TestImpliedRulesHold holds that a rule which is taken to follow from others refuses nothing that
// they don't, for random rules in random places, objects of all sorts, and updates.
func TestImpliedRulesHold(t *testing.T) {
	ctx := context.Background()
	var bare props
	if err := yaml.UnmarshalStrict([]byte(thing), &bare); err != nil {
		t.Fatal(err)
	}
	objects := things()
	implied, compared := 0, 0
	for i := range budget.Of(60, 300) {
		r := &writer{rand.New(rand.NewPCG(uint64(i), 5)), ""}
		old, new := bare.DeepCopy(), bare.DeepCopy()
		old.XValidations, new.XValidations = nil, nil
		var at schema.Path
		given, wanted := r.pair()
		for _, g := range given {
			if err := place(old, g.at, g.rule); err != nil {
				t.Fatal(err)
			}
		}
		at = wanted.at
		_ = place(new, wanted.at, wanted.rule)
		was, err := apiserver.NewObjectValidator(old)
		if err != nil {
			t.Fatal(err)
		}
		is, err := apiserver.NewObjectValidator(new)
		if err != nil {
			t.Fatal(err)
		}
		if !newImplication(old, new).holds(at, apiextensionsv1.ValidationRule{Rule: wanted.rule}) {
			continue
		}
		implied++
		for range 150 {
			object := objects[r.IntN(len(objects))]
			if len(was.Refusals(ctx, object)) > 0 {
				continue
			}
			if refusals := is.Refusals(ctx, object); len(refusals) > 0 {
				t.Fatalf("%d: %v imply %v, but of %s: %v", i, given, wanted, text(object), refusals)
			}
			for range 6 {
				other := objects[r.IntN(len(objects))]
				compared++
				before, _ := was.Read(other)
				after, _ := was.Read(object)
				if len(was.UpdateRefusals(ctx, after, before, false)) > 0 {
					continue
				}
				if refusals := is.UpdateRefusals(ctx, after, before, false); len(refusals) > 0 {
					t.Fatalf("%d: %v imply %v, but of %s after %s: %v", i, given, wanted, text(object), text(other), refusals)
				}
			}
		}
	}
	t.Logf("%d implied, %d updates", implied, compared)
	if implied < 15 {
		t.Errorf("only %d rules were implied", implied)
	}
}

// place puts a rule in a schema.
func place(root *props, at schema.Path, rule string) error {
	schema.Edit(root, at, func(s *props) {
		s.XValidations = append(s.XValidations, apiextensionsv1.ValidationRule{Rule: rule})
	})
	_, err := apiserver.NewObjectValidator(root)
	return err
}

// things returns objects with fields in all states that matter.
func things() []map[string]any {
	var all []map[string]any
	with := func(name string, values ...any) {
		if all == nil {
			all = []map[string]any{{}}
		}
		var next []map[string]any
		for _, object := range all {
			next = append(next, object)
			for _, value := range values {
				more := map[string]any{name: value}
				for name, value := range object {
					more[name] = value
				}
				next = append(next, more)
			}
		}
		all = next
	}
	with("a", int64(2), int64(3), int64(4))
	with("b", true, false)
	with("s", "", "p", "q")
	with("o", map[string]any{"k": int64(2)}, map[string]any{"k": int64(3), "x": "p"}, map[string]any{"k": int64(3), "x": "q", "z": "p"})
	with("l", []any{}, []any{"p"})
	return all
}

// A placedRule is a rule and where it stands.
type placedRule struct {
	at   schema.Path
	rule string
}

func (p placedRule) String() string { return fmt.Sprintf("%s{%s}", p.at, p.rule) }

// A writer writes random rules.
type writer struct {
	*rand.Rand
	// around is what self is at the place of the rule, ".o" for instance.
	around string
}

// pair returns rules, and one that often follows from them.
func (r *writer) pair() (given []placedRule, wanted placedRule) {
	var parts []func(around string) string
	for range 1 + r.IntN(2) {
		part := r.condition(2)
		parts = append(parts, part)
	}
	places := []schema.Path{nil, nil, schema.Properties("o")}
	put := func(part func(around string) string) placedRule {
		at := places[r.IntN(len(places))]
		around := "in the object"
		if len(at) == 0 {
			around = ""
		}
		return placedRule{at, part(around)}
	}
	for _, part := range parts {
		given = append(given, put(part))
	}
	other := r.condition(1)
	switch r.IntN(5) {
	case 0:
		return given, put(parts[0])
	case 1:
		return given, put(func(around string) string { return "(" + other(around) + ") || (" + parts[0](around) + ")" })
	case 2:
		return given, put(func(around string) string {
			return "(" + parts[0](around) + ") && (" + parts[len(parts)-1](around) + ")"
		})
	case 3:
		return given, put(func(around string) string {
			return "!has(self" + suffix(around, "x") + ") || (" + parts[0](around) + ")"
		})
	default:
		return given, put(r.condition(2))
	}
}

// suffix selects a field of o from a place.
func suffix(around, name string) string {
	if around == "" {
		return ".o." + name
	}
	return "." + name
}

// condition returns a condition that can stand at any place, about o alone where that is one in o.
func (r *writer) condition(depth int) func(around string) string {
	if depth > 0 && r.IntN(3) > 0 {
		a, b := r.condition(depth-1), r.condition(depth-1)
		form := pick(&chooser{r.Rand}, "(%s) && (%s)", "(%s) || (%s)", "!(%s) || (%s)", "(%s) ? (%s) : true", "(%s) == (%s)")
		return func(around string) string { return fmt.Sprintf(form, a(around), b(around)) }
	}
	n := r.IntN(4)
	inside := []string{
		"has(self%x)", "self%x == 'p'", "self%x != 'q'", "self%k > N", "self%k >= N", "self%k < N", "self%k == N", "self%x in ['p', 'r']",
		"size(self%x) <= N", "self%x.startsWith('p')", "self%x == oldSelf%x", "has(oldSelf%x)", "self%k >= oldSelf%k", "self%z == self%x",
		"self%z == 'd'", "!has(oldSelf%x) || has(self%x) && self%x == oldSelf%x", "self%k <= N", "N > self%k", "'p' == self%x",
	}
	outside := []string{
		"has(self.a)", "self.a > N", "self.a >= N", "self.a == N", "has(self.o)", "self.b", "has(self.b) && self.b", "self.s == self.o.x", "size(self.s) > N",
		"self.o == oldSelf.o", "has(oldSelf.o)", "self.l.all(v, v == 'p')", "self.l == oldSelf.l", "!has(self.l) || self.l.exists(v, v == 'q')", "self.b == oldSelf.b", "self.s in ['p', 'q']",
	}
	form := pick(&chooser{r.Rand}, inside...)
	within := r.IntN(2) == 0
	if !within {
		form = pick(&chooser{r.Rand}, outside...)
	}
	return func(around string) string {
		var b []byte
		text := form
		if !within && around != "" {
			text = "self%x == oldSelf%x"
		}
		for i := 0; i < len(text); i++ {
			switch {
			case text[i] == '%' && i+1 < len(text):
				i++
				b = append(b, suffix(around, string(text[i]))...)
			case text[i] == 'N':
				b = fmt.Append(b, n)
			default:
				b = append(b, text[i])
			}
		}
		return string(b)
	}
}

// TestImpliedForms holds that the forms which rules are rewritten to follow from one another, so
// that nothing need be tried.
func TestImpliedForms(t *testing.T) {
	const resource = `
type: object
properties:
  managementPolicies: {type: array, default: ['*'], maxItems: 16, items: {type: string}}
  forProvider:
    type: object
    properties:
      x: {type: string}
      count: {type: integer, minimum: 1}
      ref: {type: object, required: [name], properties: {name: {type: string}, namespace: {type: string}, policy: {type: string}}}
required: [forProvider]
`
	const guard = "!('*' in self.managementPolicies || 'Create' in self.managementPolicies || 'Update' in self.managementPolicies) || "
	spec, forProvider := schema.Path(nil), schema.Properties("forProvider")
	immutable := placedRule{forProvider, "!has(oldSelf.x) || (has(self.x) && self.x == oldSelf.x)"}
	for _, c := range []struct {
		given, wanted placedRule
		isImplied     bool
	}{
		{immutable, placedRule{spec, guard + "!has(oldSelf.forProvider.x) || has(self.forProvider.x) && self.forProvider.x == oldSelf.forProvider.x"}, true},
		{immutable, placedRule{forProvider, "has(oldSelf.x) ? has(self.x) && oldSelf.x == self.x : true"}, true},
		{immutable, placedRule{schema.Properties("forProvider", "x"), "self == oldSelf"}, true},
		{placedRule{schema.Properties("forProvider", "x"), "self == oldSelf"}, immutable, false},
		{placedRule{spec, guard + "!has(oldSelf.forProvider.x) || has(self.forProvider.x) && self.forProvider.x == oldSelf.forProvider.x"}, immutable, false},
		{
			placedRule{forProvider, "!has(oldSelf.ref) || (has(self.ref) && self.ref == oldSelf.ref)"},
			placedRule{spec, guard + "!has(oldSelf.forProvider.ref) || has(self.forProvider.ref) && self.forProvider.ref.name == oldSelf.forProvider.ref.name && " +
				"(has(self.forProvider.ref.namespace) ? has(oldSelf.forProvider.ref.namespace) && self.forProvider.ref.namespace == oldSelf.forProvider.ref.namespace : !has(oldSelf.forProvider.ref.namespace))"},
			true,
		},
		{
			placedRule{spec, guard + "has(self.forProvider.x)"},
			placedRule{spec, guard + "has(self.forProvider.x) || has(self.forProvider.ref)"},
			true,
		},
		{placedRule{spec, guard + "has(self.forProvider.x)"}, placedRule{spec, "has(self.forProvider.x)"}, false},
		{placedRule{spec, "true"}, placedRule{schema.Properties("forProvider", "count"), "self > 0"}, true},
		{placedRule{spec, "true"}, placedRule{schema.Properties("forProvider", "count"), "self > 1"}, false},
	} {
		var old props
		if err := yaml.UnmarshalStrict([]byte(resource), &old); err != nil {
			t.Fatal(err)
		}
		new := old.DeepCopy()
		if err := place(&old, c.given.at, c.given.rule); err != nil {
			t.Fatal(err)
		}
		if got := newImplication(&old, new).holds(c.wanted.at, apiextensionsv1.ValidationRule{Rule: c.wanted.rule}); got != c.isImplied {
			t.Errorf("%v implies %v: %t", c.given, c.wanted, got)
		}
	}
}
