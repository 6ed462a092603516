package mirroring

import (
	"os"
	"regexp"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

var (
	text    = &model.Type{Kind: model.Basic, Name: "string", Basic: "string"}
	number  = &model.Type{Kind: model.Basic, Name: "int64", Basic: "int64"}
	boolean = &model.Type{Kind: model.Basic, Name: "bool", Basic: "bool"}
	bytes   = slice(&model.Type{Kind: model.Basic, Name: "uint8", Basic: "uint8"})
	choice  = &model.Type{Kind: model.Basic, Name: "Mode", Basic: "string", Package: local, Local: true,
		Markers: []model.Marker{{Text: "kubebuilder:validation:Enum=a;b"}}}
	moment = &model.Type{Kind: model.Struct, Name: "Time", Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Marshals: true}
)

const (
	local = "example.org/provider/apis/v1"
	other = "example.org/sdk"
	xpv1  = "github.com/crossplane/crossplane-runtime/apis/common/v1"
)

func pointer(to *model.Type) *model.Type { return &model.Type{Kind: model.Pointer, Elem: to} }
func slice(of *model.Type) *model.Type   { return &model.Type{Kind: model.Slice, Elem: of} }
func mapOf(of *model.Type) *model.Type   { return &model.Type{Kind: model.Map, Key: text, Elem: of} }

func structOf(pkg, name string, fields ...*model.Field) *model.Type {
	return &model.Type{Kind: model.Struct, Name: name, Package: pkg, Local: pkg == local, Fields: fields}
}

func field(name string, t *model.Type) *model.Field {
	return &model.Field{Name: name, JSONName: name, Type: t}
}

// TestEmbeddedInEachOther has structs that embed each other by pointers: neither selects a secret.
func TestEmbeddedInEachOther(t *testing.T) {
	a, b := structOf(local, "A", field("name", text)), structOf(local, "B", field("key", text))
	a.Fields = append([]*model.Field{{Name: "B", Inline: true, Embedded: true, Type: pointer(b)}}, a.Fields...)
	b.Fields = append([]*model.Field{{Name: "A", Inline: true, Embedded: true, Type: pointer(a)}}, b.Fields...)
	rules := New([]*model.Object{{Spec: field("spec", structOf(local, "Spec", field("forProvider", a)))}})
	expect.True(t, !rules.isSecretSelector(a) && !rules.isSecretSelector(b), "structs that embed each other select secrets")
}

// TestSelectors says which types refer to secrets.
func TestSelectors(t *testing.T) {
	reference := structOf(xpv1, "SecretReference", field("name", text), field("namespace", text))
	embedded := &model.Field{Name: "SecretReference", Embedded: true, Inline: true, Type: reference}
	learned := structOf(local, "Source", field("name", text), field("key", text))
	named := structOf(local, "Named", field("name", text))
	kind := &model.Object{Spec: field("spec", structOf(local, "Spec", field("forProvider", structOf(local, "Parameters",
		field("users", slice(structOf(local, "User", field("passwordSecretRef", pointer(learned)), field("tokenRef", named)))),
	))))}
	for _, tc := range []struct {
		typ  *model.Type
		want Reason
	}{
		{reference, SecretReference},
		{structOf(xpv1, "SecretKeySelector", embedded, field("key", text)), SecretReference},
		{structOf(local, "LocalSecretKeySelector", field("name", text), field("key", text)), SecretReference},
		{structOf(other, "SecretRef", field("name", text)), SecretReference},
		{structOf(local, "PasswordSource", embedded, field("key", text), field("optional", boolean)), SecretReference},
		{structOf(local, "PasswordSource", embedded, field("key", text), field("path", text)), ""},
		{structOf(local, "PasswordSource", &model.Field{Inline: true, Type: structOf(local, "SecretRef", field("name", text))}, field("namespace", text)), SecretReference},
		{structOf(local, "PasswordSource", &model.Field{Inline: true, Type: structOf(local, "Named", field("name", text))}, field("key", text)), ""},
		{structOf(local, "SecretRef", field("id", text)), ""},
		{structOf(local, "Dimension", field("name", text), field("key", text)), ""},
		{learned, SecretReference},
		{slice(learned), SecretReference},
		{named, ""},
		{structOf(xpv1, "Reference", field("name", text)), Reference},
	} {
		expect.Equal(t, tc.want, New([]*model.Object{kind}).Of(field("x", tc.typ)), "%s is left out as", tc.typ.Leaf().Name)
	}
}

// TestNamesNamespace says which fields may name the namespace of a secret.
func TestNamesNamespace(t *testing.T) {
	reference := structOf(xpv1, "SecretReference", field("name", text), field("namespace", text))
	embedded := &model.Field{Name: "SecretReference", Embedded: true, Inline: true, Type: reference}
	selector := structOf(xpv1, "SecretKeySelector", embedded, field("key", text))
	hidden := field("x", reference)
	sensitive, _ := markers.Parse(markers.Sensitive)
	hidden.Markers = []model.Marker{{Text: markers.Sensitive, Value: sensitive}}
	for _, tc := range []struct {
		field *model.Field
		want  bool
	}{
		{field("x", pointer(reference)), true},
		{field("x", slice(selector)), true},
		{hidden, true},
		{field("x", structOf(xpv1, "CommonCredentialSelectors", field("fs", structOf(xpv1, "FsSelector", field("path", text))), field("secretRef", pointer(selector)))), true},
		{field("passwordRef", structOf(local, "Key", field("name", text), field("namespace", text), field("key", text))), true},
		{field("adminSecretNamespace", pointer(text)), true},
		{field("x", structOf(xpv1, "LocalSecretKeySelector", field("name", text), field("key", text))), false},
		{field("x", structOf(local, "Users", field("secretRef", reference))), false}, // which that field says
		{field("database", structOf(local, "Database", field("name", text), field("namespace", text))), false},
		{field("namespace", text), false},
		{field("secretNamespaces", number), false},
	} {
		expect.Equal(t, tc.want, New(nil).NamesNamespace(tc.field), "%s %s names a namespace", tc.field.Name, tc.field.Type.Leaf().Name)
	}
}

// TestNamesAreDocumented checks that the guide lists the words that make a name one of
// a secret, and those that don't.
func TestNamesAreDocumented(t *testing.T) {
	guide := expect.Value(os.ReadFile("../../../docs/guide/observe-only.md"))(t)
	documented := map[string]bool{}
	for _, code := range regexp.MustCompile("`([A-Za-z]+)`").FindAllStringSubmatch(string(guide), -1) {
		documented[compact(code[1])] = true
	}
	for _, words := range [][]string{secretWords, notSecretWords} {
		for _, word := range words {
			expect.True(t, documented[word] || documented[word+"s"], "the guide doesn't list %s", word)
		}
	}
}
