package mirroring

import (
	"fmt"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

const core = "k8s.io/api/core/v1"

func marked(t *testing.T, f *model.Field, list ...string) *model.Field {
	t.Helper()
	for _, text := range list {
		value, problem := markers.Parse(text)
		if problem != nil {
			t.Fatal(problem.Message)
		}
		f.Markers = append(f.Markers, model.Marker{Text: text, Value: value})
	}
	return f
}

func ignored(f *model.Field) *model.Field {
	f.Ignored = true
	return f
}

// reasonNames are those of the fields below: of no secret, of one, and of a reference to one or
// to something else.
var reasonNames = []string{"size", "password", "passwordRef", "vpcRef"}

// reasonTypes are types of fields, with the reason why a field of each name is left out that
// bears no marker.
var reasonTypes = []struct {
	name    string
	typ     *model.Type
	reasons [4]Reason
}{
	{"text", text, [4]Reason{"", SecretName, SecretReference, ""}},
	{"a pointer to a list of texts", pointer(slice(text)), [4]Reason{"", SecretName, SecretReference, ""}},
	{"bytes", bytes, [4]Reason{"", SecretName, SecretReference, ""}},
	{"bytes by their other name", slice(&model.Type{Name: "byte", Basic: "byte"}), [4]Reason{"", SecretName, SecretReference, ""}},
	{"a number", number, [4]Reason{"", "", SecretReference, ""}},
	{"an enum", choice, [4]Reason{"", "", SecretReference, ""}},
	{"a list of an enum", slice(choice), [4]Reason{"", "", SecretReference, ""}},
	{"a map of bytes", mapOf(bytes), [4]Reason{"", SecretName, SecretReference, ""}},
	{"an octet", &model.Type{Name: "uint8", Basic: "uint8"}, [4]Reason{"", "", SecretReference, ""}},
	{"a map of octets", mapOf(&model.Type{Name: "uint8", Basic: "uint8"}), [4]Reason{"", "", SecretReference, ""}},
	{"an interface", &model.Type{Kind: model.Opaque}, [4]Reason{"", SecretName, SecretReference, ""}},
	{"a type that another stage writes", &model.Type{Kind: model.Missing, Name: "Later", Package: local}, [4]Reason{"", SecretName, SecretReference, ""}},
	{"a type that encodes itself", &model.Type{Kind: model.Struct, Name: "Text", Package: local, Local: true, Marshals: true}, [4]Reason{"", SecretName, SecretReference, ""}},
	{"a Time of another module", &model.Type{Kind: model.Struct, Name: "Time", Package: "k8s.io/apimachineries", Marshals: true}, [4]Reason{"", SecretName, SecretReference, ""}},
	{"a micro time", apimachinery("MicroTime"), [4]Reason{"", "", SecretReference, ""}},
	{"a duration", apimachinery("Duration"), [4]Reason{"", "", SecretReference, ""}},
	{"a quantity", apimachinery("Quantity"), [4]Reason{"", "", SecretReference, ""}},
	{"a number or text", apimachinery("IntOrString"), [4]Reason{"", "", SecretReference, ""}},
	{"a reference", structOf(xpv1, "Reference", field("name", text)), [4]Reason{Reference, Reference, Reference, Reference}},
	{"a namespaced reference", structOf(xpv1, "NamespacedReference", field("name", text)), [4]Reason{Reference, Reference, Reference, Reference}},
	{"a typed reference", structOf(xpv1, "TypedReference", field("name", text)), [4]Reason{Reference, Reference, Reference, Reference}},
	{"a reference to a ProviderConfig", structOf(xpv1, "ProviderConfigReference", field("name", text)), [4]Reason{Reference, Reference, Reference, Reference}},
	{"a selector", structOf(xpv1, "Selector"), [4]Reason{Reference, Reference, Reference, Reference}},
	{"a selector of Crossplane 2", structOf("github.com/crossplane/crossplane/apis/v2/core/v2", "NamespacedSelector"), [4]Reason{Reference, Reference, Reference, Reference}},
	{"a type that is named like a reference", structOf(local, "Reference", field("name", text)), [4]Reason{"", SecretName, SecretReference, ""}},
	{"another type of Crossplane", structOf(xpv1, "MergeOptions", field("name", text)), [4]Reason{"", SecretName, SecretReference, ""}},
	{"a reference to a secret", structOf(xpv1, "SecretReference", field("name", text)), [4]Reason{SecretReference, SecretReference, SecretReference, SecretReference}},
	{"a reference to a secret, by a list", slice(structOf(core, "SecretKeySelector", field("name", text), field("key", text))), [4]Reason{SecretReference, SecretReference, SecretReference, SecretReference}},
	{"a type that is named like a reference to a secret, without a name", structOf(local, "SecretRef", field("id", text)), [4]Reason{"", SecretName, SecretReference, ""}},
	{"text that is named like a reference to a secret", &model.Type{Name: "SecretRef", Package: local, Local: true, Basic: "string"}, [4]Reason{"", SecretName, SecretReference, ""}},
	{"a struct", structOf(local, "User", field("password", text)), [4]Reason{"", SecretName, SecretReference, ""}},
	{"a struct without text", structOf(local, "User", field("size", number)), [4]Reason{"", "", SecretReference, ""}},
	{"a struct of another module", structOf(other, "User", field("name", text)), [4]Reason{"", SecretName, SecretReference, ""}},
	{"a struct of another module without text", structOf(other, "User", field("size", number)), [4]Reason{"", "", SecretReference, ""}},
	{"a struct of another module with a secret", structOf(other, "User", field("name", text), field("password", text)), [4]Reason{HoldsSecret, SecretName, SecretReference, HoldsSecret}},
	{"a struct of another module with a reference to a secret", structOf(other, "User", field("passwordRef", text)), [4]Reason{HoldsSecret, HoldsSecret, SecretReference, HoldsSecret}},
	{"a struct of another module with a type for such references", structOf(other, "User", field("login", structOf(other, "SecretRef", field("name", text)))), [4]Reason{HoldsSecret, HoldsSecret, SecretReference, HoldsSecret}},
	{"a struct of another module with a selector named like that of a secret", structOf(other, "User", field("tokenSelector", structOf(xpv1, "Selector"))), [4]Reason{"", "", SecretReference, ""}},
	{"a struct of another module that doesn't encode its secret", structOf(other, "User", ignored(field("password", text))), [4]Reason{"", "", SecretReference, ""}},
	{"a struct of another module that encodes itself", &model.Type{Kind: model.Struct, Name: "User", Package: other, Marshals: true, Fields: []*model.Field{field("password", text)}}, [4]Reason{"", SecretName, SecretReference, ""}},
	{"a map of structs of another module, with a secret below", mapOf(structOf(other, "User", field("logins", slice(structOf(other, "Login", field("password", text)))))), [4]Reason{HoldsSecret, SecretName, SecretReference, HoldsSecret}},
}

func apimachinery(name string) *model.Type {
	return &model.Type{Kind: model.Struct, Name: name, Package: "k8s.io/apimachinery/pkg/x", Marshals: true}
}

// TestReasons has every name with every type and every marker: each is a reason of its own. Markers
// prevail over types, and types over names.
func TestReasons(t *testing.T) {
	markerReasons := []struct {
		markers []string
		reason  *Reason // nil if there is none: the name and the type count
	}{
		{nil, nil},
		{[]string{"mrgen:mirror=false"}, reason(Marked)},
		{[]string{"mrgen:mirror=true"}, reason("")},
		{[]string{"mrgen:sensitive"}, reason(Sensitive)},
		{[]string{"mrgen:mirror=true", "mrgen:sensitive"}, reason(Sensitive)},
		{[]string{"mrgen:sensitive", "mrgen:mirror=false"}, reason(Sensitive)},
	}
	for _, typ := range reasonTypes {
		for i, name := range reasonNames {
			for _, m := range markerReasons {
				want := typ.reasons[i]
				if m.reason != nil {
					want = *m.reason
				}
				rules, f := New(nil), marked(t, field(name, typ.typ), m.markers...)
				for range 2 { // what was found is kept
					expect.Equal(t, want, rules.Of(f), "%s with %s, marked %v, is left out as", name, typ.name, m.markers)
				}
			}
		}
	}
}

func reason(r Reason) *Reason { return &r }

// TestReasonsAre says which reasons speak of secrets, and which are guesses.
func TestReasonsAre(t *testing.T) {
	for r, want := range map[Reason][2]bool{
		"": {false, false}, Sensitive: {true, false}, Marked: {false, false}, SecretReference: {true, false},
		Reference: {false, false}, SecretName: {true, true}, HoldsSecret: {true, true},
	} {
		expect.Equal(t, want, [2]bool{r.Secret(), r.Guessed()}, "%q: of a secret, and guessed", r)
	}
}

// TestInnerFields has every kind of field in a struct that is named like a secret, and says whether it
// may hold that: alone, and beside one that may not.
func TestInnerFields(t *testing.T) {
	selector := structOf(xpv1, "SecretReference", field("name", text))
	nest := func(f *model.Field) *model.Field { return field("inner", pointer(structOf(local, "Inner", f))) }
	for _, tc := range []struct {
		name  string
		field *model.Field
		want  Reason
	}{
		{"text", field("value", text), SecretName},
		{"text that JSON doesn't have", ignored(field("value", text)), ""},
		{"sensitive text, which is left out itself", marked(t, field("value", text), "mrgen:sensitive"), ""},
		{"text that is not mirrored", marked(t, field("value", text), "mrgen:mirror=false"), ""},
		{"text that is mirrored", marked(t, field("value", text), "mrgen:mirror=true"), SecretName},
		{"a reference to a secret by its name", field("passwordRef", text), ""},
		{"a reference to a secret by its type", field("from", slice(selector)), ""},
		{"a number", field("value", number), ""},
		{"an enum", marked(t, field("value", text), "kubebuilder:validation:Enum=a;b"), ""},
		{"items of an enum", marked(t, field("value", slice(text)), "kubebuilder:validation:items:Enum=a;b"), ""},
		{"an enum of declarative validation", &model.Field{Name: "value", Type: text, Markers: []model.Marker{{Text: "k8s:enum"}}}, ""},
		{"text with another marker", marked(t, field("value", text), "kubebuilder:validation:MinLength=1"), SecretName},
		{"an enum by its type", field("value", choice), ""},
	} {
		for _, f := range []*model.Field{tc.field, nest(tc.field), nest(nest(tc.field))} {
			for _, fields := range [][]*model.Field{{f}, {f, field("size", number)}, {field("size", number), f}} {
				got := New(nil).Of(field("token", structOf(local, "Token", fields...)))
				expect.True(t, got == tc.want, "a token with %s among %d fields is left out as %q, want %q", tc.name, len(fields), got, tc.want)
			}
		}
	}
}

// TestRecursion has types that are part of themselves.
func TestRecursion(t *testing.T) {
	recursive := func(pkg string, fields ...*model.Field) *model.Type {
		r := structOf(pkg, "Node")
		r.Fields = append([]*model.Field{field("next", pointer(r))}, fields...)
		return r
	}
	embeds := structOf(local, "Source")
	embeds.Fields = []*model.Field{{Name: "Source", Inline: true, Embedded: true, Type: pointer(embeds)}, field("name", text)}
	rules := New([]*model.Object{{Spec: field("spec", structOf(local, "Spec", field("forProvider", recursive(local))))}})
	for _, tc := range []struct {
		typ                *model.Type
		size, token        Reason
		secret, secretText bool
	}{
		{recursive(local, field("size", number)), "", "", false, false},
		{recursive(local, field("name", text)), "", SecretName, false, true},
		{recursive(local, field("token", text)), "", SecretName, true, true},
		{recursive(other, field("name", text)), "", SecretName, false, true},
		{recursive(other, field("token", text)), HoldsSecret, SecretName, true, true},
		{recursive(other, field("size", number)), "", "", false, false},
		{embeds, "", SecretName, false, true},
	} {
		expect.Equal(t, tc.size, rules.Of(field("size", tc.typ)), "size, with %s.%s, is left out as", tc.typ.Package, tc.typ.Fields[1].Name)
		expect.Equal(t, tc.token, rules.Of(field("token", tc.typ)), "token, with %s.%s, is left out as", tc.typ.Package, tc.typ.Fields[1].Name)
		none := func(*model.Field) bool { return false }
		expect.Equal(t, tc.secret, rules.SecretIn(field("size", tc.typ), none) != nil, "size, with %s.%s, holds a secret", tc.typ.Package, tc.typ.Fields[1].Name)
		expect.Equal(t, tc.secretText, rules.SecretIn(field("token", tc.typ), none) != nil, "token, with %s.%s, holds a secret", tc.typ.Package, tc.typ.Fields[1].Name)
	}
}

// TestSecretIn finds the field that may hold a secret: itself, or the first below it.
func TestSecretIn(t *testing.T) {
	known := field("computed", text)
	selector := structOf(xpv1, "SecretReference", field("name", text))
	in := func(fields ...*model.Field) *model.Field { return field("user", structOf(local, "User", fields...)) }
	password := func(list ...string) *model.Field { return marked(t, field("password", text), list...) }
	for _, tc := range []struct {
		field *model.Field
		want  string
		none  bool // it holds none, even as part of a secret
	}{
		{field("name", text), "", false},
		{password(), "password", false},
		{password("mrgen:mirror=true"), "", true},
		{password("mrgen:mirror=false"), "password", false},
		{password("mrgen:mirror=true", "mrgen:sensitive"), "password", true},
		{marked(t, field("name", text), "mrgen:sensitive"), "name", false},
		{field("password", number), "", false},
		{ignored(field("password", text)), "", false},
		{ignored(marked(t, field("name", text), "mrgen:sensitive")), "", false},
		{field("passwordRef", text), "", true},
		{field("login", selector), "", true},
		{field("logins", slice(selector)), "", true},
		{field("password", selector), "", true},
		{field("password", structOf(xpv1, "Reference", field("name", text))), "", true},
		{known, "computed", false},
		{ignored(field("computed", text)), "", false},
		{in(field("name", text), password()), "password", false},
		{in(field("name", text), in(in(password()))), "password", false},
		{in(field("name", text), known, password()), "computed", false},
		{in(password("mrgen:mirror=true"), field("token", text)), "token", false},
		{in(password("mrgen:mirror=true")), "", false},
		{in(field("passwordRef", text), field("vpcRef", structOf(xpv1, "Reference", field("password", text)))), "", false},
		{field("user", structOf(other, "User", field("logins", mapOf(structOf(other, "Login", field("token", bytes)))))), "token", false},
		{field("user", &model.Type{Kind: model.Struct, Name: "User", Package: other, Marshals: true, Fields: []*model.Field{password()}}), "", false},
		{field("credentials", structOf(local, "Credentials", field("name", text))), "credentials", false},
		{marked(t, in(password()), "mrgen:mirror=true"), "", true},
	} {
		got := ""
		if f := New(nil).SecretIn(tc.field, func(f *model.Field) bool { return f.Name == "computed" }); f != nil {
			got = f.Name
		}
		about := fmt.Sprintf("%s with %v", tc.field.Name, tc.field.Type.Leaf().Name)
		expect.Equal(t, tc.want, got, "%s: the secret is in", about)
		expect.Equal(t, tc.none, New(nil).HoldsNoSecret(tc.field), "%s: holds none", about)
	}
}

// TestLearned has fields of one kind say what the types of others are.
func TestLearned(t *testing.T) {
	for _, tc := range []struct {
		name   string
		fields []*model.Field // of the type
		want   Reason
	}{
		{"passwordSecretRef", []*model.Field{field("name", text), field("key", text)}, SecretReference},
		{"passwordSecretRef", []*model.Field{field("name", text)}, ""},
		{"passwordSecretRef", []*model.Field{field("key", text)}, ""},
		{"vpcRef", []*model.Field{field("name", text), field("key", text)}, ""},
		{"password", []*model.Field{field("name", text), field("key", text)}, ""},
	} {
		source := structOf(local, "Source", tc.fields...)
		parameters := structOf(local, "Parameters", field("user", pointer(structOf(local, "User", field(tc.name, slice(source))))))
		kinds := []*model.Object{
			{}, // without a spec
			{Spec: field("spec", structOf(local, "Spec"))},
			{Spec: field("spec", structOf(local, "Spec", field("initProvider", structOf(local, "Init")), field("forProvider", parameters)))},
		}
		expect.Equal(t, tc.want, New(kinds).Of(field("x", source)), "a type with %d fields, which %s has, is left out as", len(tc.fields), tc.name)
		elsewhere := []*model.Object{{Spec: field("spec", structOf(local, "Spec", field("other", parameters)))}}
		got := New(elsewhere).Of(field("x", source))
		expect.True(t, got == "", "a type that spec.other has is left out as %q", got)
	}
}
