package versionconversion

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestFiles runs the stage on a kind, and says which files it writes.
func TestFiles(t *testing.T) {
	const hub, spoke = "type Kind struct {\n\tA string `json:\"a\"`\n}\n", "type Kind struct {\n\tA int64 `json:\"a\"`\n}\n"
	const methods = "func (k *Kind) ConvertTo(hub any) error { return nil }\nfunc (k *Kind) ConvertFrom(hub any) error { return nil }\n"
	const hubFile, file, test = "v1/zz_generated.conversion.go ", "v1alpha1/zz_generated.conversion.go ", "v1alpha1/zz_generated.conversion_test.go "
	for name, test := range map[string]struct {
		hub, spoke     string
		apart, noTests bool
		want           string
		hasErrors      bool
	}{
		"a kind":                  {hub, hub, false, false, hubFile + file + test, false},
		"without tests":           {hub, hub, false, true, hubFile + file, false},
		"that isn't converted":    {hub, hub, true, false, "", false},
		"with an error":           {hub, spoke, false, false, "", true},
		"with methods":            {hub, spoke + methods, false, false, hubFile, false},
		"with a method Hub":       {hub + "func (k *Kind) Hub() {}\n", hub, false, false, file + test, false},
		"with all of its methods": {hub + "func (k *Kind) Hub() {}\n", spoke + methods, false, false, "", false},
	} {
		b := newBatch(1)
		_, objects := b.parse(t, "", []string{test.hub, test.spoke})
		source := &apitypes.Source{Model: &model.Model{}}
		for _, o := range objects {
			o.Role, o.Package.Objects = model.Managed, []*model.Object{o.Object}
			source.Model.Packages = append(source.Model.Packages, o.Package)
		}
		definitions := stage.Definitions{definitionOf(objects)}
		definitions[0].Converted = !test.apart
		crds := stage.Stage{Name: "crd", Run: func(_ context.Context, pass *stage.Pass) error {
			pass.Definitions = definitions
			return nil
		}}
		var options stage.Options
		output, diags, err := stage.Run(t.Context(), source, options, []stage.Stage{crds, newStage(!test.noTests)})
		expect.True(t, err == nil && diags.HasErrors() == test.hasErrors, "%s: %v, %v", name, diags, err)
		var files []string
		for file := range output.Artifacts.Files() {
			files = append(files, file+" ")
		}
		slices.Sort(files)
		expect.Equal(t, test.want, strings.Join(files, ""), "%s: writes", name)
	}
}
