package generator

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/internal/source/apitypes"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// FuzzField runs every stage on a kind with a field whose marker and struct tag
// are anything. Whatever they are, the run ends with output or with diagnostics
// that have a position, and a second run ends the same way.
func FuzzField(f *testing.F) {
	root := expect.Value(filepath.Abs("../testdata/stubs/provider"))(f)
	for _, marker := range []string{
		"+optional", "+kubebuilder:default={a:{b:{\"c\"}},}", "+kubebuilder:validation:Enum=a;b;\"c\"",
		"+kubebuilder:validation:XValidation:rule=\"self.size() < 3\",message=\"too long\"", "+kubebuilder:validation:Pattern=`^[a-z]+$`",
		"+kubebuilder:validation:Schemaless", "+kubebuilder:metadata:labels=\"x\"", "+listType=map", "+kubebuilder:title=\"\x7f\"", "\x01", "+mrgen:identifier",
		"+mrgen:connectionDetail:name=endpoint,description=\"where\"", "+crossplane:generate:reference:type=Bucket",
		"+crossplane:generate:reference:type=example.org/nowhere.Bucket",
	} {
		f.Add(marker, `json:"field,omitempty"`)
	}
	for _, tag := range []string{``, `json:""`, `json:"-"`, `json:"-,"`, `json:",inline"`, `json:"a b"`, `json:"a.b"`, `json`, `json:"`, `yaml:"x"`, `json:"é"`, `json:"region"`, "json:\"\x7f\""} {
		f.Add("", tag)
	}
	scope, diags := modules.New(modules.Options{Root: root, Patterns: []string{"./..."}, Outputs: stage.GoFiles(command.Stages)})
	expect.None(f, diags.Errors())
	source, diags := apitypes.Load(context.Background(), scope, apitypes.Options{})
	expect.None(f, diags.Errors())
	f.Fuzz(func(t *testing.T, marker, tag string) {
		const file = "apis/v1/parameters.go"
		content := "package v1\n\n// BucketParameters have a field.\ntype BucketParameters struct {\n" +
			"\tRegion string `json:\"region\"`\n\n" +
			"\t// " + strings.NewReplacer("\n", " ", "\r", " ").Replace(marker) + "\n" +
			"\tField string " + quoteTag(tag) + "\n}\n"
		first, firstDiags := runStages(t, source, file, content)
		second, secondDiags := runStages(t, source, file, content)
		expect.True(t, slices.Equal(firstDiags, secondDiags), "one run says\n%v\nand the next\n%v", firstDiags, secondDiags)
		expect.True(t, bytes.Equal(first, second), "one run writes\n%s\nand the next\n%s", first, second)
		for _, d := range firstDiags {
			expect.True(t, d.Pos.File == file || d.Pos.File == "apis/v1/types.go", "the position is not in the source: %s", d)
		}
	})
}

// quoteTag returns a tag as a Go literal.
func quoteTag(tag string) string {
	if strconv.CanBackquote(tag) {
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}

// runStages runs the stages with the file in place of the one on disk.
func runStages(t *testing.T, source *apitypes.Source, file, content string) ([]byte, diag.List) {
	t.Helper()
	diags := source.AddFiles(map[string][]byte{file: []byte(content)})
	if diags.HasErrors() {
		return nil, diags.Sorted()
	}
	settings, optionDiags := command.Runner(run.Options{}).Settings(t.TempDir(), run.Default(), nil)
	expect.None(t, optionDiags.Errors())
	output, stageDiags, err := stage.Run(context.Background(), source, settings, command.Stages)
	expect.NoError(t, err)
	var all bytes.Buffer
	for name, artifact := range output.Artifacts.Files() {
		all.WriteString(name + "\n")
		all.Write(artifact)
	}
	return all.Bytes(), append(diags, stageDiags...).Sorted()
}
