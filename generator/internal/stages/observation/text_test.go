package observation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestQualifiedReference(t *testing.T) {
	const prefix = "crossplane:generate:reference:"
	for text, want := range map[string]string{
		prefix + "type=VPC":                        prefix + "type=example.org/ec2.VPC",
		prefix + "type=example.org/iam.Role":       prefix + "type=example.org/iam.Role",
		prefix + "extractor=ARN()":                 prefix + "extractor=example.org/ec2.ARN()",
		prefix + "extractor=ARN(\"a.b\", x.Y)":     prefix + "extractor=example.org/ec2.ARN(\"a.b\", x.Y)",
		prefix + "extractor=example.org/iam.ARN()": prefix + "extractor=example.org/iam.ARN()",
		prefix + "refFieldName=VPCRef":             prefix + "refFieldName=VPCRef",
		"optional":                                 "optional",
	} {
		expect.Equal(t, want, qualifiedReference(text, "example.org/ec2"), "qualifiedReference(%q)", text)
	}
}

func TestCommentLines(t *testing.T) {
	got := commentLines("A Tag.\n\n+kubebuilder:validation:Enum=a\n  +listType=set\n\tindented\nlast", []string{"optional"})
	want := []string{"// A Tag.", "//", "// \tindented", "// last", "// +optional"}
	expect.Equal(t, want, got)
}

// TestFieldsMarkersAsWritten has text that gofmt changes in comments of
// declarations: the parser finds a field's as their author wrote them.
func TestFieldsMarkersAsWritten(t *testing.T) {
	markers := []string{"kubebuilder:validation:XValidation:rule=\"self != ''\"", "kubebuilder:validation:Pattern=\"``a``\"", "kubebuilder:default=\"  - a\""}
	doc := "A ''text''.\n- item\n 1. number"
	text := &model.Type{Kind: model.Basic, Name: "string"}
	d := &declaration{name: flavor.TypeName{Name: "T"}, fields: []field{{name: "A", typ: text, doc: doc, markers: markers}}}
	r := &renderer{gosrc.NewPackage("example.org/v1", "v1").NewJennifer("", gosrc.Variables())}
	r.declaration(d)
	content := expect.Value(r.file.Content())(t)
	file := expect.Value(parser.ParseFile(token.NewFileSet(), "out.go", content, parser.ParseComments))(t)
	want := doc + "\n+" + strings.Join(markers, "\n+") + "\n"
	fields := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.TypeSpec).Type.(*ast.StructType).Fields
	expect.Equal(t, want, fields.List[0].Doc.Text())
}

// FuzzComment puts text into a block comment of a type, as an author may, and
// checks that the generated comment is one, and adds no markers.
func FuzzComment(f *testing.F) {
	for _, seed := range []string{"", "text", "+marker", "a\n+b\n\n  +c", "\t+d", "# Heading\n\n  - list\n  + list", "//", "[link]: https://example.org", "go:embed x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		source := "package v1\n\n/*" + text + "*/\ntype Tag struct{}\n"
		input, err := parser.ParseFile(token.NewFileSet(), "in.go", source, parser.ParseComments)
		if err != nil || len(input.Decls) != 1 || len(input.Comments) != 1 {
			t.Skip("the text ends the comment")
		}
		doc := strings.TrimSuffix(input.Comments[0].Text(), "\n")
		file := gosrc.NewPackage("example.org/v1", "v1").NewJennifer("", gosrc.Variables())
		for _, line := range commentLines(doc, nil) {
			file.Comment(line)
		}
		file.Type().Id("Tag").Struct()
		content, err := file.Content()
		expect.Must(t, err == nil, "%q: %v", doc, err)
		output, err := parser.ParseFile(token.NewFileSet(), "out.go", content, parser.ParseComments)
		expect.Must(t, err == nil && len(output.Decls) == 1, "%q became %s: %v", doc, content, err)
		ast.Inspect(output, func(n ast.Node) bool {
			if comment, ok := n.(*ast.Comment); ok {
				expect.True(t, !strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(comment.Text, "//")), "+"), "%q became the marker %s", doc, comment.Text)
			}
			return true
		})
	})
}
