package scopecopies

import (
	"fmt"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestSettings has one message about each wrong folder or group of a pair, at its setting or marker, and no copies. Tests are copied
// if a pair says so.
func TestSettings(t *testing.T) {
	const kind, copied = "apis/namespaced/v1/kind.go", "apis/cluster/v1/zz_generated.scope_kind.go"
	for _, test := range []struct{ folders, more, file, want string }{
		{"folders apis/namespaced apis/cluster", "", "", ""},
		{"folders apis/namespaced apis/cluster", "", copied, ""},
		{"folders ../apis apis/cluster", "", "", "mrgen.yaml:1:1: ../apis is not the path of a folder below the module root: write it as apis/cluster"},
		{"folders apis/namespaced /apis/cluster", "", "", "mrgen.yaml:1:2: /apis/cluster is not the path of a folder below the module root: write it as apis/cluster"},
		{"folders apis/namespaced .", "", "", "mrgen.yaml:1:2: . is not the path of a folder below the module root: write it as apis/cluster"},
		{"folders apis/namespaced apis/_cluster", "", "", "mrgen.yaml:1:2: apis/_cluster is not the path of a folder below the module root: write it as apis/cluster"},
		{"folders apis/namespaced/ apis/cluster", "", "", "mrgen.yaml:1:1: apis/namespaced/ is not the path of a folder below the module root: write it as apis/cluster"},
		{"folders apis/* apis/cluster", "", "", "mrgen.yaml:1:2: apis/* and apis/cluster must have the same number of asterisks, each of which stands for one element of the path"},
		{"folders apis/namespaced apis/namespaced", "", "", "mrgen.yaml:1:2: neither of apis/namespaced and apis/namespaced may be in the other: name folders beside each other"},
		{"folders apis/namespaced apis/namespaced/v1", "", "", "mrgen.yaml:1:2: neither of apis/namespaced and apis/namespaced/v1 may be in the other: name folders beside each other"},
		{"folders apis/namespaced apis", "", "", "mrgen.yaml:1:2: neither of apis/namespaced and apis may be in the other: name folders beside each other"},
		{"folders apis/namespaced apis/namespaced2", "", "", ""},
		{"folders apis/namespaced apis/cluster", "code internal internal/cluster", "", "mrgen.yaml:3:2: neither of internal and internal/cluster may be in the other: name folders beside each other"},
		{"folders apis/namespaced apis/cluster", "code internal/namespaced internal/cluster", "", "mrgen.yaml:3:1: the folder internal/namespaced with code to copy isn't there: correct the name, or remove the entry"},
		{"folders apis/nothing apis/cluster", "", "", "mrgen.yaml:1:1: there are no Go packages below apis/nothing: name the folder with the API types of one scope"},
		{"folders apis/namespaced apis/cluster", "", "apis/namespaced/v2/zz_generated.scope_kind.go", "mrgen.yaml:1:1: there are copies in the folder to copy from, such as apis/namespaced/v2/zz_generated.scope_kind.go: swap from and to, or delete them"},
		{"folders apis/namespaced apis/cluzter", "", copied, "mrgen.yaml:1:2: the folder apis/cluzter isn't there, and apis/cluster has copies: correct the name, or rename the folder"},
		{"folders apis/namespaced apiz/cluster", "", copied, "mrgen.yaml:1:2: the folder apiz/cluster isn't there, and apis/cluster has copies: correct the name, or rename the folder"},
		{"folders apis/namespaced apis/cluzter", "", "apis/cluster/v1/kind.go", ""},
		{"folders apis/namespaced apis/other", "", copied, ""},
		{"folders apis/namespaced apis/cluster", "replace a.B c.D", "", "mrgen.yaml:3:1: a.B occurs nowhere in the copied source: remove the entry"},
		{"folders apis/namespaced apis/cluster\ngroup *.other.test *.example.org", "", "apis/namespaced/v1/more.go",
			kind + ":1:1: the group a.m.example.org matches no entry of groups of scopes in the settings: correct it, or add an entry"},
		{"folders apis/namespaced apis/cluster\ngroup *.n.example.org *.example.org", "", "apis/namespaced/v1/more.go",
			"mrgen.yaml:2:1: no group of the source matches *.n.example.org, and the group a.m.example.org matches no entry: correct one of them"},
		{"folders apis/namespaced apis/cluster\ngroup m.example.org example.org\ngroup *.n.example.org *.example.org", "", "apis/namespaced/v1/more.go",
			"mrgen.yaml:3:1: no group of the source matches *.n.example.org, and the group a.m.example.org matches no entry: correct one of them"},
		{"folders apis/namespaced apis/cluster\ngroup *.m.example.org *.cluster.example.org\ngroup m.example.org cluter.example.org", "", "",
			"mrgen.yaml:3:2: cluter.example.org replaces m.example.org, and *.cluster.example.org replaces *.m.example.org: correct one of them"},
		{"folders apis/namespaced apis/cluster\ngroup *.m.example.org *.cluster.example.org\ngroup m.example.org example.org", "", "", ""},
		{"folders apis/namespaced apis/cluster\ngroup *.m.example.org *.example.org\ngroup *.m.other.org *.other.org", "", "",
			"mrgen.yaml:3:1: warning: no group of the source matches *.m.other.org: correct the entry, or remove it"},
	} {
		root := t.TempDir()
		tree := map[string][]byte{"go.mod": []byte("module " + testmodule.Path + "\n"), kind: []byte("// +groupName=a.m.example.org\n" + headed), "apis/namespaced/v1/kind_test.go": []byte("package v1\n")}
		if strings.Contains(test.want, "cluzter") {
			tree["APIS/notes"] = []byte("\n") // beside apis, which is there
		}
		if test.file != "" {
			tree[test.file] = []byte("// +groupName=a.m.example.org\npackage v1\n")
		}
		testmodule.WriteTree(t, root, tree)
		text := test.folders
		if !strings.Contains(text, "group") {
			text += "\ngroup *.m.example.org *.example.org"
		}
		pair := parsePair(t, text+"\n"+test.more)
		files, diags := Files(Options{
			Root: root, Module: testmodule.Path, Pairs: []scopepair.Pair{pair}, PackageNames: packageNames,
			IsOutput: func(name string) bool { return strings.HasPrefix(name, "zz_generated.") },
		})
		for name := range files {
			expect.True(t, !strings.HasSuffix(name, "_test.go"), "%s is copied without the setting for tests", name)
		}
		got := expect.Strings(diags)
		if strings.Join(got, "\n") != test.want || (len(files) > 0) == diags.HasErrors() {
			t.Errorf("%s %s beside %q: %d copies, got\n%s\nwant\n%s", test.folders, test.more, test.file, len(files), strings.Join(got, "\n"), test.want)
		}
	}
}

// TestBrokenSource copies controllers that lack tokens, or have others in their place: there are copies, or errors about the source, but
// neither a panic nor an error that is the fault of mrgen.
func TestBrokenSource(t *testing.T) {
	core := [2]string{"github.com/crossplane/crossplane/apis/v2/core/v2", "github.com/crossplane/crossplane/apis/v2/core/v2"}
	r := rand.New(rand.NewPCG(3, 4))
	root, copied := t.TempDir(), 0
	bucket := fmt.Appendf(nil, bucketOf, core[0], core[1])
	for i := range budget.Of(200, 5000) {
		var all []string
		var s scanner.Scanner
		text := []byte(controller(r, i, pick(r, statements...), core))
		s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
		for _, tok, literal := s.Scan(); tok != token.EOF; _, tok, literal = s.Scan() {
			if literal == "" {
				literal = tok.String()
			}
			all = append(all, literal)
		}
		for range 1 + r.IntN(2) {
			at := 3 + r.IntN(len(all)-3) // after package namespaced
			all[at] = pick(r, "", all[r.IntN(len(all))])
		}
		testmodule.WriteTree(t, root, map[string][]byte{
			"go.mod": []byte("module " + testmodule.Path + "\n"), "apis/namespaced/v1/bucket.go": bucket,
			"internal/namespaced/part.go": []byte(strings.Join(all, " ")),
		})
		pair := parsePair(t, "folders apis/namespaced apis/cluster\ngroup *.m.example.org *.example.org\ncode internal/namespaced internal/cluster\ntests")
		files, diags := Files(Options{Root: root, Module: testmodule.Path, Pairs: []scopepair.Pair{pair}, IsOutput: func(string) bool { return false }, PackageNames: packageNames})
		for _, d := range diags {
			expect.True(t, !strings.Contains(d.Message, "internal error") && d.Pos.File == "internal/namespaced/part.go", "%s: %s", strings.Join(all, " "), d)
		}
		if len(files) > 0 {
			copied++
		}
	}
	expect.True(t, copied >= budget.Of(200, 5000)/10, "%d are copied", copied)
}
