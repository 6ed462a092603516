package scaffold_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator/report"
	"github.com/mrgen-io/mrgen/generator/scaffold"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
	"github.com/mrgen-io/mrgen/testdata/testprovider"
)

// unlived are the markers that no controller of a kind with one version and one scope meets.
var unlived = []string{
	"mrgen:convertedBy", "mrgen:renamedFrom", "mrgen:singleton", // versions
	"mrgen:scope",          // scopes
	"mrgen:convert:number", // conversions that return errors, which those of new kinds don't
	"crossplane:generate:methods",
}

// TestMarkedKindLives lives the life of a new kind that has every marker which its controller meets. A small budget generates it.
func TestMarkedKindLives(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "provider")
	newProvider(t, dir, scaffold.Namespaced)
	addKind(t, dir, "Bucket", "v1alpha1")
	archive := expect.Value(txtar.ParseFile("../../testdata/marked.txtar"))(t)
	for _, f := range archive.Files {
		name, place, _ := strings.Cut(f.Name, " before ")
		name = filepath.Join(dir, name)
		before, after, found := strings.Cut(string(testmodule.Read(t, name)), place)
		expect.Must(t, found, "%s has no %q", name, place)
		testmodule.Write(t, name, []byte(before+string(f.Data)+place+after))
	}
	var sources strings.Builder
	for _, name := range []string{"apis/storage/v1alpha1/bucket_types.go", "internal/controller/storage/bucket/client.go"} {
		sources.Write(testmodule.Read(t, filepath.Join(dir, name)))
	}
	for _, m := range markers.FullReference().Read {
		expect.True(t, slices.Contains(unlived, m.Name) || strings.Contains(sources.String(), "+"+m.Name), "the kind lacks +%s", m.Name)
	}
	testprovider.Apply(t, testprovider.Options(t, dir))
	testprovider.Vet(t, dir)
	if !budget.IsLarge() {
		return
	}
	manifests, err := report.Examples(context.Background(), testprovider.Options(t, dir).Run(), "examples")
	expect.Must(t, err == nil && len(manifests.Diagnostics) == 0, "%v %v", manifests.Diagnostics, err)
	if diags, err := manifests.Apply(context.Background()); err != nil || len(diags) > 0 {
		t.Fatal(diags, err)
	}
	out, err := testmodule.Run(dir, "go", "test", "-vet=off", "-trimpath", "-ldflags=-s -w", "-run=TestLife", "./internal/controller/storage/bucket")
	expect.True(t, err == nil, "%v\n%s", err, out)
}
