package batches

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestScan makes sure that no API package is taken for another package, whose groups and
// imports would not count.
func TestScan(t *testing.T) {
	const head = "package v1\n"
	tests := map[string]struct {
		content                  string
		api                      bool
		groups, imports, targets []string
	}{
		"Object":        {content: head + "type A struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n}\n", api: true},
		"NoObject":      {content: head + "var a = A{TypeMeta: metav1.TypeMeta{Kind: kind}}\n"},
		"OtherType":     {content: head + "type A struct {\n\tmetav1.TypeMetadata\n}\n"},
		"ObjectMarker":  {content: "// +kubebuilder:object:generate=true\n" + head, api: true},
		"DeepCopy":      {content: "// +k8s:deepcopy-gen=package\n" + head, api: true},
		"Groups":        {content: "// +groupName= a.example.org \r\n//+groupName=b.example.org\n" + head, api: true, groups: []string{"a.example.org", "b.example.org"}},
		"GroupAtEnd":    {content: head + "// +groupName=a.example.org", api: true, groups: []string{"a.example.org"}},
		"Imports":       {content: head + "import (\n\t\"fmt\"\n\tb `example.org/b`\n)\n", imports: []string{"example.org/b", "fmt"}},
		"BrokenImports": {content: head + "import (\n\t\"fmt\n)\n"},
		"BrokenRest":    {content: head + "import \"fmt\"\nfunc (", imports: []string{"fmt"}},
		"Targets": {
			content: head + "// +crossplane:generate:reference:type=example.org/b.VPC\n// +crossplane:generate:reference:type=Subnet\n" +
				"// +crossplane:generate:reference:extractor=example.org/c.ARN()\n",
			targets: []string{"example.org/b", "example.org/c"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := scan([]byte(test.content))
			if got.api != test.api || !slices.Equal(got.groups, test.groups) ||
				!slices.Equal(got.imports, test.imports) || !slices.Equal(got.targets, test.targets) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// TestEmbedsTypeMeta compares with an expression for lines that embed it, which must not be missed.
func TestEmbedsTypeMeta(t *testing.T) {
	want := regexp.MustCompile("(?m)^\\s*\\w+\\.TypeMeta([ \t\r\n`;]|$)")
	pieces := []string{".TypeMeta", ".TypeMeta", "metav1", "v_1", "A", "é", "\xff", "\x00", " ", "\t", "\f", "\v", "\r", "\n", "\u00a0", ".", "*", "Type", "`", "@", "["}
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	const contents = 200_000
	for range contents {
		var b strings.Builder
		for range random.IntN(9) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		content := []byte(b.String())
		if want.Match(content) {
			found++
			expect.Must(t, embedsTypeMeta(content), "%q is missed", content)
		}
	}
	expect.True(t, found >= contents/200, "%d of %d contents embed it: that proves little", found, contents)
}
