package connectiondetails

import (
	"context"
	_ "embed"
	"go/token"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// generate runs the stage on a package with kinds that have these details.
func generate(t *testing.T, p *model.Package, details map[*model.Object][]connection.Detail) (map[string]string, []string) {
	t.Helper()
	define := stage.Stage{Name: "define", Doc: "Writes nothing.", Run: func(_ context.Context, pass *stage.Pass) error {
		pass.Definitions = stage.Definitions{}
		for o, d := range details {
			pass.Definitions = append(pass.Definitions, stage.Definition{Objects: []*model.Object{o}, ConnectionDetails: d})
		}
		return nil
	}}
	source := &apitypes.Source{Model: &model.Model{Packages: []*model.Package{p}}}
	output, diags, err := stage.Run(context.Background(), source, stage.Options{}, []stage.Stage{define, Stage})
	expect.NoError(t, err)
	files := map[string]string{}
	for name, content := range output.Artifacts.Files() {
		files[name] = string(content)
	}
	messages := expect.Strings(diags.Sorted())
	return files, messages
}

func generation(specPackage, specEmbed string) *flavor.Generation {
	return flavor.FindManaged(flavor.TypeName{Package: specPackage, Name: specEmbed})
}

// wantDetails is what is written for the connection details of two kinds.
//
//go:embed testdata/details.go
var wantDetails string

func TestFile(t *testing.T) {
	p := &model.Package{Path: "example.org/apis/v1", Name: "v1", Dir: "apis/v1"}
	old := &model.Object{Name: "Account", Package: p, Generation: generation("github.com/crossplane/crossplane-runtime/apis/common/v1", "ResourceSpec")}
	silent := &model.Object{Name: "Bucket", Package: p, Generation: old.Generation}
	unknown := &model.Object{Name: "Database", Package: p}
	p.Objects = []*model.Object{old, silent, unknown}
	files, diags := generate(t, p, map[*model.Object][]connection.Detail{
		old: {
			{Name: "output.*", Description: "What the account holds"}, {Name: "password", Description: "The password.\n+kubebuilder:object:generate=true\x00"},
			{Name: "tls.crt", Description: "The certificate."},
		},
		silent:  nil,
		unknown: {{Name: "endpoint", Description: "The host."}, {Name: "port", Description: "The port."}},
	})
	expect.True(t, len(diags) == 0, "%v", diags)
	want := map[string]string{"apis/v1/zz_generated.connectiondetails.go": wantDetails}
	expect.Equal(t, want, files)
}

// TestNames covers names that Go would refuse to have twice.
func TestNames(t *testing.T) {
	at := func(line int) diag.Position { return diag.Position{File: "apis/v1/types.go", Line: line, Column: 4} }
	p := &model.Package{Path: "example.org/apis/v1", Name: "v1", Dir: "apis/v1", Names: map[string]diag.Position{
		"Account": at(1), "AccountConnectionDetails": at(2), "AccountConnectionDetailClientID": at(3), "AccountConnectionDetail": at(4),
	}}
	o := &model.Object{Name: "Account", Package: p, Generation: generation("github.com/crossplane/crossplane/apis/v2/core/v2", "ManagedResourceSpec")}
	p.Objects = []*model.Object{o}
	_, diags := generate(t, p, map[*model.Object][]connection.Detail{o: {
		{Name: "client-id", Description: "One.", Pos: at(11)}, {Name: "client_id", Description: "Other.", Pos: at(12)},
		{Name: "connectionDetails", Description: "All.", Pos: at(13)},
	}})
	want := []string{
		"apis/v1/types.go:2:4: AccountConnectionDetails is also the name of a declaration that mrgen writes for the connection details of Account: rename this one",
		"apis/v1/types.go:3:4: AccountConnectionDetailClientID is also the name of a declaration that mrgen writes for the connection details of Account: rename this one",
		`apis/v1/types.go:12:4: the keys "client-id" and "client_id" have the same Go name, ClientID: declare them by one pattern that matches both`,
		`apis/v1/types.go:13:4: the key "connectionDetails" has the Go name ConnectionDetails, which is that of a generated method: declare it by a pattern that matches the key`,
	}
	expect.Equal(t, want, diags)
}

func TestGoName(t *testing.T) {
	for key, want := range map[string]string{
		"password": "Password", "clusterCA": "ClusterCA", "aws_access_key_id": "AwsAccessKeyID", "tls.crt": "TlsCRT", "output.*": "Output", "*-dsn": "Dsn",
		"*": "Other", "_": "Other", "2fa": "Key2fa",
	} {
		expect.Equal(t, want, goName(key), "%s", key)
	}
}

// FuzzGoName checks that every key has a name that other packages can use.
func FuzzGoName(f *testing.F) {
	for _, key := range []string{"password", "tls.crt", "a_b-c.*", "-0", "..."} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._*") != "" {
			t.Skip("no key of a Secret, and no pattern")
		}
		name := goName(key)
		expect.True(t, token.IsExported(name) && token.IsIdentifier(name), "%q has the name %q", key, name)
	})
}
