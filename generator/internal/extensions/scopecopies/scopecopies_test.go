package scopecopies

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestFiles copies the modules in testdata/scopecopies to the other scope. Each archive holds a
// module, the settings in a file "pair", and below "want" the copies, with the diagnostics.
func TestFiles(t *testing.T) {
	testmodule.EachArchive(t, "testdata/scopecopies", func(t *testing.T, file string, archive *txtar.Archive) {
		root := t.TempDir()
		var pair scopepair.Pair
		testmodule.Extract(t, archive, root, func(f txtar.File) bool {
			if f.Name == "pair" {
				pair = parsePair(t, string(f.Data))
			}
			return f.Name == "pair"
		})
		got := map[string]string{}
		files, diags := Files(Options{
			Root: root, Module: testmodule.Path, Pairs: []scopepair.Pair{pair}, IsOutput: func(name string) bool { return name == "zz_generated.deepcopy.go" },
			PackageNames: packageNames,
		})
		for name, f := range files {
			got[name] = string(f.Content)
			_, err := parser.ParseFile(token.NewFileSet(), name, f.Content, 0)
			expect.True(t, err == nil, "%v", err)
		}
		for _, d := range diags.Sorted() {
			got["diagnostics"] += fmt.Sprintln(d)
		}
		testmodule.Compare(t, file, archive, got)
	})
}

// packageNames returns the names of packages that don't follow from their paths.
func packageNames([]string) map[string]string {
	return map[string]string{
		"example.org/other/names/v2": "names", "example.org/other/lib/v2": "lib", "example.org/other/go-yaml.v3": "yaml", "example.org/other/odd": "strange",
		"github.com/crossplane/crossplane/apis/v2/core/v2": "v2",
	}
}

// parsePair parses settings, one a line.
func parsePair(t *testing.T, text string) scopepair.Pair {
	t.Helper()
	var p scopepair.Pair
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		setting := func(n int) scopepair.Setting {
			s := scopepair.Setting{Text: words[n]}
			s.Pos.File, s.Pos.Line, s.Pos.Column = "mrgen.yaml", i+1, n
			return s
		}
		if p.Pos.File == "" {
			p.Pos = setting(0).Pos
		}
		switch words[0] {
		case "folders":
			p.Folders = scopepair.Folders{From: setting(1), To: setting(2)}
		case "code":
			p.Code = append(p.Code, scopepair.Folders{From: setting(1), To: setting(2)})
		case "group":
			p.Groups = append(p.Groups, scopepair.Replacement{Old: setting(1), New: setting(2)})
		case "replace":
			p.Replace = append(p.Replace, scopepair.Replacement{Old: setting(1), New: setting(2)})
		case "helpers":
			p.Helpers = setting(1)
		case "tests":
			p.Tests = true
		default:
			t.Fatalf("unknown setting %q", line)
		}
	}
	return p
}

// TestPlaces checks that each token of a copy has the line and column of what it is made from:
// the same token, or one that differs in the other scope.
func TestPlaces(t *testing.T) {
	const source = `// Package v1 has kinds.
// +groupName=a.m.example.org
package v1

import (
	"github.com/crossplane/crossplane-runtime/v2/apis/common"
	xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +mrgen:scope=namespaced
type Gone struct{}

// BucketSpec is aligned.
type BucketSpec struct {
	xpv2.ManagedResourceSpec ` + "`json:\",inline\"`" + ` // inline
	ForProvider struct{ Ref *common.NamespacedReference } ` + "`json:\"forProvider\"`" + `
}

//line elsewhere.go:99

// A Bucket is a kind.
type Bucket struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec BucketSpec
}
`
	root := t.TempDir()
	testmodule.WriteTree(t, root, map[string][]byte{"apis/namespaced/v1/a.go": []byte(source)})
	pair := parsePair(t, "folders apis/namespaced apis/cluster\ngroup *.m.example.org *.example.org\n")
	files, diags := Files(Options{Root: root, Module: testmodule.Path, Pairs: []scopepair.Pair{pair}, IsOutput: func(string) bool { return false }, PackageNames: packageNames})
	expect.Must(t, len(diags) == 0 && len(files) == 1, "%d files, %v", len(files), diags)
	lines := strings.Split(source, "\n")
	var got []string
	for _, f := range files {
		tokens := token.NewFileSet().AddFile("copy.go", -1, len(f.Content))
		tokens.SetLinesForContent(f.Content)
		for _, mark := range f.Marks {
			tokens.AddLineColumnInfo(mark.Offset, "source.go", mark.Line, mark.Column)
		}
		for _, l := range lexemes(f.Content) {
			at := tokens.Position(tokens.Pos(l.Offset))
			if at.Filename != "source.go" {
				continue // the header
			}
			if !strings.HasPrefix(lines[at.Line-1][at.Column-1:], l.Text) {
				got = append(got, fmt.Sprintf("%d:%d: %s", at.Line, at.Column, l.Text))
			}
		}
	}
	want := []string{
		"2:1: // +groupName=a.example.org", "7:2: xpv1", `7:2: "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"`, "16:2: xpv1",
		"16:7: ResourceSpec", "17:34: Reference", "23:1: // +kubebuilder:resource:scope=Cluster",
	}
	expect.Equal(t, want, got, "places of text that differs")
}
