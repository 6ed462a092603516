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
	if rules.isSecretSelector(a) || rules.isSecretSelector(b) {
		t.Error("structs that embed each other select secrets")
	}
}

// TestNames says which names are like those of secrets, and which are not.
func TestNames(t *testing.T) {
	for name, want := range map[string]Reason{
		"password": SecretName, "masterUserPassword": SecretName, "password1": SecretName, "adminPasswords": SecretName,
		"administratorLoginPasswordWo": SecretName, "dbpassword": SecretName, "db_passwd": SecretName, "rootPwd": SecretName,
		"passphrase": SecretName, "passcode": SecretName, "pass": SecretName, "RootPass": SecretName, "PASSWORD": SecretName, "passwordHash": SecretName,
		"secret": SecretName, "secrets": SecretName, "clientSecret": SecretName, "secretString": SecretName, "secret-binary": SecretName,
		"token": SecretName, "auth_token": SecretName, "hECToken": SecretName, "sasToken": SecretName, "tokenValue": SecretName,
		"credentials": SecretName, "gcmCredential": SecretName, "awsCreds": SecretName,
		"apiKey": SecretName, "apikey": SecretName, "APIKey": SecretName, "accessKey": SecretName, "secretAccessKeys": SecretName,
		"privateKey": SecretName, "privateKeyPem": SecretName, "privateKeyContentBase64": SecretName, "tlsClientKey": SecretName,
		"preSharedKey": SecretName, "storageAccountKey": SecretName, "webhookSigningKey": SecretName, "psk": SecretName,
		"connectionString": SecretName, "kubeconfig": SecretName,

		"secretRef": SecretReference, "adminCredentialsSecretRef": SecretReference, "pullSecretRefs": SecretReference,
		"passwordSecretKeyRef": SecretReference, "passwordRef": SecretReference, "apiKeyReference": SecretReference,
		"clientSecretSelector": SecretReference, "clientIdSecretRef": SecretReference,

		"secretName": "", "secretArn": "", "secretId": "", "secretSize": "", "secretLabels": "", "tokenUrl": "", "tokenTtl": "",
		"tokenType": "", "tokenEndpoint": "", "accessTokenLifespan": "", "passwordPolicy": "", "minimumPasswordLength": "",
		"credentialsARN": "", "keyId": "", "accessKeyId": "", "awsAccessKeyID": "", "apiKeyIdRef": "", "publicKey": "", "sshKey": "",
		"encryptionKey": "", "kmsKey": "", "key": "", "bypass": "", "author": "", "signingAlgorithm": "", "accessToken_url": "",
		"clientToken": "", "clientRequestToken": "", "creationToken": "", "idempotencyToken": "", "nextToken": "", "httpTokens": "",
		"vpcIdRef": "", "data": "", "value1": "", "": "",
	} {
		for _, f := range []*model.Field{{Name: "X", JSONName: name, Type: text}, {Name: name, JSONName: "x", Type: text}} {
			expect.Equal(t, want, New(nil).Of(f), "a field %s with the JSON name %s is left out as", f.Name, f.JSONName)
		}
	}
}

// TestTypes says which types may hold the secret that a name speaks of.
func TestTypes(t *testing.T) {
	recursive := structOf(local, "Recursive", field("size", number))
	recursive.Fields = append(recursive.Fields, field("again", pointer(recursive)))
	for _, tc := range []struct {
		name string
		typ  *model.Type
		want Reason
	}{
		{"token", pointer(text), SecretName},
		{"token", slice(pointer(text)), SecretName},
		{"token", mapOf(text), SecretName},
		{"token", bytes, SecretName},
		{"token", mapOf(bytes), SecretName},
		{"token", structOf(local, "Token", field("value", text)), SecretName},
		{"token", slice(structOf(other, "Token", field("size", number), field("value", text))), SecretName},
		{"token", &model.Type{Kind: model.Struct, Name: "RawExtension", Package: "k8s.io/apimachinery/pkg/runtime", Marshals: true}, SecretName},
		{"token", number, ""},
		{"token", slice(number), ""},
		{"token", boolean, ""},
		{"token", choice, ""},
		{"token", slice(choice), ""},
		{"token", moment, ""},
		{"token", recursive, ""},
		{"token", structOf(local, "Token", field("size", number), field("secretRef", text)), ""},
		{"token", structOf(local, "Token"), ""},
		// Types of other modules can't be taken apart.
		{"user", structOf(other, "User", field("name", text), field("password", text)), HoldsSecret},
		{"user", slice(structOf(other, "User", field("logins", slice(structOf(other, "Login", field("key", bytes), field("apiKey", bytes)))))), HoldsSecret},
		{"env", structOf("k8s.io/api/core/v1", "EnvVarSource", field("secretKeyRef", structOf("k8s.io/api/core/v1", "SecretKeySelector", field("name", text), field("key", text)))), HoldsSecret},
		{"user", structOf(other, "User", field("name", text), field("tokens", number), field("ref", structOf(xpv1, "Reference"))), ""},
		{"user", &model.Type{Kind: model.Struct, Name: "User", Package: other, Marshals: true, Fields: []*model.Field{field("password", text)}}, ""},
		{"user", structOf(local, "User", field("name", text), field("password", text)), ""},
	} {
		expect.Equal(t, tc.want, New(nil).Of(field(tc.name, tc.typ)), "%s %s is left out as", tc.name, tc.typ.Name)
	}
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

// TestMarkers says that markers prevail.
func TestMarkers(t *testing.T) {
	for _, tc := range []struct {
		name    string
		markers []string
		want    Reason
	}{
		{"password", []string{"mrgen:mirror=true"}, ""},
		{"passwordSecretRef", []string{"mrgen:mirror=true"}, ""},
		{"password", []string{"mrgen:mirror=false"}, Marked},
		{"size", []string{"mrgen:mirror=false"}, Marked},
		{"size", []string{"mrgen:sensitive"}, Sensitive},
		{"password", []string{"mrgen:mirror=true", "mrgen:sensitive"}, Sensitive},
	} {
		f := field(tc.name, text)
		for _, marker := range tc.markers {
			value, problem := markers.Parse(marker)
			if problem != nil {
				t.Fatal(problem.Message)
			}
			f.Markers = append(f.Markers, model.Marker{Text: marker, Value: value})
		}
		expect.Equal(t, tc.want, New(nil).Of(f), "%s with %v is left out as", tc.name, tc.markers)
	}
}

// TestNamesAreDocumented checks that the guide lists the words that make a name one of
// a secret, and those that don't.
func TestNamesAreDocumented(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/guide/observe-only.md")
	expect.NoError(t, err)
	documented := map[string]bool{}
	for _, code := range regexp.MustCompile("`([A-Za-z]+)`").FindAllStringSubmatch(string(guide), -1) {
		documented[compact(code[1])] = true
	}
	for _, words := range [][]string{secretWords, notSecretWords} {
		for _, word := range words {
			if !documented[word] && !documented[word+"s"] {
				t.Errorf("the guide doesn't list %s", word)
			}
		}
	}
}
