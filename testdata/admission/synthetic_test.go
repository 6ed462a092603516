package admission_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mrgen-io/admission"
)

// A synthetic kind goes to the limits: of what rules can name, of what they may cost,
// and of what Go has types for.
type synthetic struct {
	name string
	// types are the declarations of its parameters and of what they consist of.
	types string
	// check judges objects.
	check func(*syntheticTest)
}

// TestSynthetic has mrgen generate CRDs for synthetic kinds, installs them, and has
// them admit and refuse objects. A small budget leaves out those with hundreds of immutable fields.
func TestSynthetic(t *testing.T) {
	kinds := []synthetic{
		requiredKind(1), requiredKind(31), requiredKind(32), requiredKind(80),
		namesKind(), shapesKind(), zeroValuesKind(), nullsKind(), placesKind(),
		immutableKind("Immutable317", 317), immutableKind("Immutable400", 400, "+kubebuilder:validation:MaxLength=63"),
	}
	kinds = kinds[:budget(len(kinds)-2, len(kinds))]
	source := typesHeader + goShapeTypes
	for _, k := range kinds {
		declared := kindSource(k.name, false)
		if k.name == "Places" { // where forProvider has another name in Go
			declared = strings.Replace(declared, "ForProvider", "Parameters", 1)
		}
		source += declared + k.types
	}
	result := generate(t, source, dangerous+relaxedAndImmutable)
	if result.refused {
		t.Fatalf("mrgen refuses the kinds:\n%s", result.diagnostics)
	}
	servers := result.install(t)
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			k.check(&syntheticTest{t, k.name, source, result.diagnostics, servers[k.name]})
		})
	}
}

const (
	dangerous           = "crds:\n  allowDangerousTypes: true\n"
	relaxedAndImmutable = "rules:\n  required: enforce\n  immutable: enforce\n"
)

// requiredKind requires many fields.
func requiredKind(count int) synthetic {
	fields, object := "", map[string]any{}
	var missing []string
	for i := range count {
		name := fmt.Sprintf("f%d", i)
		fields += declaration(i, name, "*string", "+kubebuilder:validation:Required")
		object[name] = "a"
		missing = append(missing, refusedWithout(name))
	}
	name := fmt.Sprintf("Required%d", count)
	return synthetic{name, parameters(name, fields), func(t *syntheticTest) {
		t.create("all", "*", object)
		t.create("none, managed", "*", nil, missing...)
		t.create("none, only observed", "Observe", nil)
	}}
}

// immutableKind has many immutable strings.
func immutableKind(name string, count int, markers ...string) synthetic {
	fields, before, after := "", map[string]any{}, map[string]any{}
	var changed []string
	for i := range count {
		name := fmt.Sprintf("f%d", i)
		fields += declaration(i, name, "*string", append([]string{"+optional", "+immutable"}, markers...)...)
		before[name], after[name] = "a", "b"
		changed = append(changed, refusedChange(name))
	}
	return synthetic{name, parameters(name, fields), func(t *syntheticTest) {
		t.update("keep", before, before)
		t.update("change", before, after, changed...)
	}}
}

// namesKind has required and immutable fields with names that rules have to escape:
// see Escape in k8s.io/apiserver/pkg/cel.
func namesKind() synthetic {
	names := []string{
		"namespace", "in", "default", "my-name", "a.b", "__x__",
		"true", "false", "null", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
		"let", "loop", "package", "return", "var", "void", "while",
		"self", "oldSelf", "has", "type", "size", "string", "spec", "forProvider", "managementPolicies",
		"A", "_", "_a", "a_", "__", "___", "a__b", "x-", "a.b-c__d", "__in__", "x__dot__y", "a1",
	}
	fields, before, after := "", map[string]any{}, map[string]any{}
	var missing, changed []string
	for i, name := range names {
		fields += declaration(i, name, "*string", "+kubebuilder:validation:Required", "+immutable", "+kubebuilder:validation:MaxLength=63")
		before[name], after[name] = "a", "b"
		missing = append(missing, refusedWithout(name))
		changed = append(changed, refusedChange(name))
	}
	return synthetic{"Names", parameters("Names", fields), func(t *syntheticTest) {
		t.create("all", "*", before)
		t.create("none, managed", "*", nil, missing...)
		t.create("none, only observed", "Observe", nil)
		t.update("keep", before, before)
		t.update("change", before, after, changed...)
		t.update("set later", nil, after)
	}}
}

// shapesKind has required and immutable fields of each Go type that real APIs use.
func shapesKind() synthetic {
	fields, before, after := "", map[string]any{}, map[string]any{}
	var missing, changed, free []string
	for i, shape := range goShapes {
		name := fmt.Sprintf("f%d", i)
		fields += declaration(i, name, shape.goType, "+kubebuilder:validation:Required", "+immutable")
		before[name], after[name] = shape.a, shape.b
		missing = append(missing, refusedWithout(name))
		switch shape.goType {
		case "*Point":
			changed = append(changed, refusedChange(name+".x"))
		case "*Derived":
			changed = append(changed, refusedChange(name+".y"))
		case "[]corev1.EnvVar", "*runtime.RawExtension": // too much that Go omits, and fields that rules can't see
			free = append(free, name)
		default:
			changed = append(changed, refusedChange(name))
		}
	}
	return synthetic{"Shapes", parameters("Shapes", fields), func(t *syntheticTest) {
		for _, name := range free {
			t.expectDiagnostic(name)
		}
		t.create("all", "*", before)
		t.create("none, managed", "*", nil, missing...)
		t.create("none, only observed", "Observe", nil)
		t.update("keep", before, before)
		t.update("change", before, after, changed...)
		t.update("set later", nil, after)
	}}
}

// zeroValuesKind has required fields that Go always sends: they stay required, and
// mrgen says so at each of them.
func zeroValuesKind() synthetic {
	fields, object := "", map[string]any{}
	var missing, names []string
	for i, shape := range goShapes {
		if shape.valueType == "" {
			continue
		}
		name := fmt.Sprintf("f%d", i)
		fields += strings.Replace(declaration(i, name, shape.valueType, "+kubebuilder:validation:Required"), ",omitempty", "", 1)
		object[name] = shape.a
		names = append(names, name)
		missing = append(missing, "spec.forProvider."+name+": Required value")
	}
	return synthetic{"ZeroValues", parameters("ZeroValues", fields), func(t *syntheticTest) {
		for _, name := range names {
			t.expectDiagnostic(name)
		}
		t.create("all", "*", object)
		t.create("all, only observed", "Observe", object)
		t.create("none, only observed", "Observe", nil, missing...)
	}}
}

// nullsKind has required fields that may be null, which satisfied the schema, and which
// rules can't tell from unset.
func nullsKind() synthetic {
	fields := declaration(0, "sent", "*string", "+kubebuilder:validation:Required", "+nullable", "+immutable") +
		declaration(1, "list", "[]string", "+kubebuilder:validation:Required", "+nullable")
	fields = strings.ReplaceAll(fields, ",omitempty", "") + declaration(2, "omitted", "*string", "+kubebuilder:validation:Required", "+nullable")
	nulls := map[string]any{"sent": nil, "list": nil, "omitted": nil}
	return synthetic{"Nulls", parameters("Nulls", fields), func(t *syntheticTest) {
		for name := range nulls {
			t.expectDiagnostic(name)
		}
		t.create("nulls", "*", nulls)
		t.update("keep nulls", nulls, nulls)
		t.update("set late", nulls, map[string]any{"sent": "a", "list": []any{"a"}, "omitted": "a"})
		t.create("none", "*", nil, "spec.forProvider.list: Required value", "spec.forProvider.omitted: Required value", "spec.forProvider.sent: Required value", unchecked)
	}}
}

// placesKind has required fields wherever Go lets them come from: embedded structs,
// with and without a JSON name, that hide each other's fields.
func placesKind() synthetic {
	return synthetic{"Places", `
// Common is embedded.
type Common struct {
	// +kubebuilder:validation:Required
	// +immutable
	Shared *string ` + "`json:\"shared,omitempty\"`" + `
	// +kubebuilder:validation:Required
	Hidden *string ` + "`json:\"hidden,omitempty\"`" + `
}

// Named is embedded under a name.
type Named struct {
	// +kubebuilder:validation:Required
	Leaf *string ` + "`json:\"leaf,omitempty\"`" + `
}

// PlacesParameters are the desired state.
type PlacesParameters struct {
	Common ` + "`json:\",inline\"`" + `
	// +optional
	*Named ` + "`json:\"named,omitempty\"`" + `
	// Hidden hides that of Common.
	// +kubebuilder:validation:Required
	Hidden *string ` + "`json:\"hidden,omitempty\"`" + `
}
`, func(t *syntheticTest) {
		t.create("all", "*", map[string]any{"shared": "a", "hidden": "a"})
		t.create("none, managed", "*", nil, refusedWithout("shared"), refusedWithout("hidden"))
		t.create("none, only observed", "Observe", nil)
		t.create("a leaf", "*", map[string]any{"shared": "a", "hidden": "a", "named": map[string]any{"leaf": "a"}})
		t.create("no leaf", "Observe", map[string]any{"named": map[string]any{}}, "spec.forProvider.named.leaf: Required value", unchecked)
		t.update("change", map[string]any{"shared": "a", "hidden": "a"}, map[string]any{"shared": "b", "hidden": "b"}, refusedChange("shared"))
	}}
}

// TestSyntheticTooExpensive has so many immutable strings without a bound that the
// rules would cost too much.
func TestSyntheticTooExpensive(t *testing.T) {
	needsLargeBudget(t)
	k := immutableKind("Immutable", 400)
	source := typesHeader + kindSource(k.name, false) + k.types
	result := generate(t, source, relaxedAndImmutable)
	if !result.refused {
		t.Fatalf("mrgen admits the kind:\n%s", result.diagnostics)
	}
	lines := strings.Split(source, "\n")
	for _, diagnostic := range strings.Split(strings.TrimSpace(result.diagnostics), "\n") {
		if strings.Contains(diagnostic, ": warning: ") { // of something else
			continue
		}
		var line, column int
		if _, err := fmt.Sscanf(diagnostic, typesFile+":%d:%d:", &line, &column); err != nil {
			t.Errorf("no position: %s", diagnostic)
			continue
		}
		if text := lines[line-1]; !strings.Contains(text, "`json:\"f") && !strings.Contains(text, "// +immutable") {
			t.Errorf("this is no immutable field: %q: %s", text, diagnostic)
		}
		if !strings.Contains(strings.ToLower(diagnostic), "maxlength") {
			t.Errorf("it does not say what to do: %s", diagnostic)
		}
	}
}

// TestSyntheticOutOfReach has required fields that no rule can name, or look into.
// The schema goes on to require them, or mrgen refuses them; it says which.
func TestSyntheticOutOfReach(t *testing.T) {
	needsLargeBudget(t)
	names := []string{"1st", "$ref", "größe", "a b"}
	fields := declaration(0, "untyped", "*apiextensionsv1.JSON", "+kubebuilder:validation:Required") +
		declaration(1, "fixed", "*apiextensionsv1.JSON", "+optional", "+immutable")
	object := map[string]any{"untyped": "anything"}
	for i, name := range names {
		fields += declaration(2+i, name, "*string", "+kubebuilder:validation:Required")
		object[name] = "a"
	}
	source := typesHeader + kindSource("OutOfReach", false) + parameters("OutOfReach", fields)
	result := generate(t, source, relaxedAndImmutable)
	test := &syntheticTest{T: t, kind: "OutOfReach", source: source, diagnostics: result.diagnostics}
	for _, name := range append(names, "untyped", "fixed") {
		test.expectDiagnostic(name)
	}
	if result.refused {
		return
	}
	test.server = result.install(t)["OutOfReach"]
	test.create("all", "*", object)
	for name := range object {
		incomplete := maps.Clone(object)
		delete(incomplete, name)
		for _, policy := range []string{"*", "Observe"} {
			if _, err := test.server.Create(context.Background(), test.object(policy, incomplete)); err == nil {
				t.Errorf("%s may be missing under the policy %s", name, policy)
			}
		}
	}
}

// parameters returns the struct of a kind's parameters.
func parameters(kind, fields string) string {
	return fmt.Sprintf("\n// %sParameters are the desired state.\ntype %sParameters struct {\n%s}\n", kind, kind, fields)
}

// declaration returns a field, the nth of its struct.
func declaration(n int, name, goType string, markers ...string) string {
	text := ""
	for _, marker := range markers {
		text += "\t// " + marker + "\n"
	}
	return text + fmt.Sprintf("\tF%d %s `json:\"%s,omitempty\"`\n", n, goType, name)
}

// refusedWithout is what the rule of a required field says.
func refusedWithout(name string) string {
	return fmt.Sprintf("spec.forProvider.%s: Required value: %s is required when managementPolicies includes \"*\", \"Create\" or \"Update\"", name, name)
}

// refusedChange is what the rule of an immutable field says.
func refusedChange(name string) string {
	return fmt.Sprintf("spec.forProvider.%s: Invalid value: %s can't be changed once set", name, name)
}

// unchecked is what the API server adds if the schema has refused an object already.
const unchecked = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// A syntheticTest tests one kind.
type syntheticTest struct {
	*testing.T
	kind                string
	source, diagnostics string
	server              *admission.Server
}

func (t *syntheticTest) object(policy string, forProvider map[string]any) map[string]any {
	if forProvider == nil {
		forProvider = map[string]any{}
	}
	return map[string]any{
		"apiVersion": "rules.example.org/v1alpha1",
		"kind":       t.kind,
		"metadata":   map[string]any{"name": "test"},
		"spec":       map[string]any{"managementPolicies": []any{policy}, "forProvider": forProvider},
	}
}

func (t *syntheticTest) create(name, policy string, forProvider map[string]any, refused ...string) {
	t.Helper()
	_, err := t.server.Create(context.Background(), t.object(policy, forProvider))
	t.expect(name, err, refused)
}

// update updates a resource that is managed, and was only observed. What is required may be
// missing. While it is only observed, nothing is immutable.
func (t *syntheticTest) update(name string, before, after map[string]any, refused ...string) {
	t.Helper()
	stored, err := t.server.Create(context.Background(), t.object("Observe", before))
	if err != nil {
		t.Errorf("%s: the stored object is refused: %v", name, admission.Refusals(err))
		return
	}
	_, err = t.server.Update(context.Background(), t.object("Delete", after), stored)
	t.expect(name+", only observed", err, nil)
	_, err = t.server.Update(context.Background(), t.object("*", after), stored)
	t.expect(name, err, refused)
}

func (t *syntheticTest) expect(name string, err error, refused []string) {
	t.Helper()
	slices.Sort(refused)
	if diff := cmp.Diff(refused, admission.Refusals(err), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: (-want +got):\n%s", name, diff)
	}
}

// expectDiagnostic expects mrgen to say something about a field of the kind's
// parameters, at the field or at one of its markers.
func (t *syntheticTest) expectDiagnostic(name string) {
	t.Helper()
	lines := strings.Split(t.source, "\n")
	first := slices.Index(lines, "type "+t.kind+"Parameters struct {")
	for i := first + 1; i < len(lines); i++ {
		if !strings.Contains(lines[i], "`json:\""+name+"\"") && !strings.Contains(lines[i], "`json:\""+name+",") {
			continue
		}
		for at := i; at == i || strings.HasPrefix(lines[at], "\t//"); at-- {
			if strings.Contains(t.diagnostics, fmt.Sprintf("%s:%d:", typesFile, at+1)) {
				return
			}
		}
		t.Errorf("mrgen says nothing about %s at %s:%d", name, typesFile, i+1)
		return
	}
	t.Fatalf("%s has no field %s", t.kind, name)
}
