package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/connection"
)

// sample returns two kinds, whose texts try to be more than text.
func sample() []*Kind {
	fields := func(names ...string) []Part {
		part := Part{Path: ".spec.forProvider"}
		for _, name := range names {
			part.Fields = append(part.Fields, Field{Path: name, Type: "string", Description: "<b>bold</b> a|b `<c>` & `d", Facts: []string{"required", "matches `^<a|b>$`"}})
		}
		return []Part{part}
	}
	bucket := &Kind{
		Group: "example.org", Name: "Bucket", File: "example.org_buckets.md", Scope: "Cluster", Description: "</section><script>alert(1)</script>",
		Versions:          []Version{{Name: "v1", Served: true, Stored: true, Manifest: "kind: </pre><img src=x>\ntext: |\n  ```\n", Parts: fields("size", "color")}},
		ConnectionDetails: []connection.Detail{{Name: "url", Description: "<img src=x> | more"}},
	}
	object := &Kind{
		Group: "other.org", Name: "Object", File: "other.org_objects.md", Scope: "Namespaced",
		Versions: []Version{{Name: "v1", Served: true, Stored: true, Parts: fields("color")}, {Name: "v1alpha1", Differences: []string{"`.spec.a|b` is only in v1"}}},
	}
	object.Versions[0].Parts[0].Fields[0].Reference = &Target{Name: "Bucket", Kind: bucket}
	bucket.ReferredBy = []Referrer{{object, "spec.forProvider.color"}}
	return []*Kind{bucket, object}
}

// TestTextStaysText holds that what authors write is shown as they wrote it, and is no HTML, and no
// other cell of a table.
func TestTextStaysText(t *testing.T) {
	kinds := sample()
	page, err := HTML(kinds)
	if err != nil {
		t.Fatal(err)
	}
	pages := Markdown(kinds)
	pages["page.html"] = page
	for name, content := range pages {
		if before, after, found := strings.Cut(string(content), "\n````yaml\nkind: </pre><img src=x>\ntext: |\n  ```\n````\n"); found {
			content = []byte(before + after) // what is code is shown as it is
		}
		for _, tag := range []string{"<script>alert", "<img", "<b>bold"} {
			if strings.Contains(string(content), tag) {
				t.Errorf("%s has the tag %s", name, tag)
			}
		}
		for line := range strings.Lines(string(content)) {
			if cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); strings.HasPrefix(line, "|") && cells != 3 && cells != 4 && cells != 5 {
				t.Errorf("%s has a row of %d cells: %s", name, cells-1, line)
			}
		}
	}
	for _, want := range []string{
		"| `size` | string | &lt;b&gt;bold&lt;/b&gt; a\\|b `<c>` &amp; `d<br>*required, matches `^<a\\|b>$`* |\n",
		"| `url` | &lt;img src=x&gt; \\| more |\n",
		"- [Object](other.org_objects.md) `spec.forProvider.color`\n",
	} {
		if !strings.Contains(string(pages["example.org_buckets.md"]), want) {
			t.Errorf("the page of the bucket lacks %q:\n%s", want, pages["example.org_buckets.md"])
		}
	}
	if want := "| v1alpha1 | not served | `.spec.a\\|b` is only in v1 |\n"; !strings.Contains(string(pages["other.org_objects.md"]), want) {
		t.Errorf("the page of the object lacks %q:\n%s", want, pages["other.org_objects.md"])
	}
}

// TestGraph draws each reference once, and says so if there are more than anybody can follow.
func TestGraph(t *testing.T) {
	kinds := sample()
	if index := string(Markdown(kinds)[Index]); strings.Count(index, "k0[\"Object\"] --> k1[\"Bucket\"]\n") != 3 {
		t.Errorf("the whole and the two groups draw other references:\n%s", index)
	}
	for i := range maxEdges {
		kind := &Kind{Group: "more.org", Name: fmt.Sprintf("Kind%d", i), File: fmt.Sprintf("more.org_%d.md", i)}
		kinds = append(kinds, kind)
		kinds[0].ReferredBy = append(kinds[0].ReferredBy, Referrer{kind, "spec.forProvider.a"}, Referrer{kind, "spec.forProvider.b"})
	}
	if want, index := "201 references are too many for one drawing", string(Markdown(kinds)[Index]); !strings.Contains(index, want) {
		t.Errorf("the index doesn't say that %s:\n%s", want, index)
	}
}

// TestBounds says what a schema demands.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		schema apiextensionsv1.JSONSchemaProps
		want   []string
	}{
		{apiextensionsv1.JSONSchemaProps{}, nil},
		{apiextensionsv1.JSONSchemaProps{Default: &apiextensionsv1.JSON{Raw: []byte(`"a"`)}}, []string{"default `\"a\"`"}},
		{apiextensionsv1.JSONSchemaProps{Default: &apiextensionsv1.JSON{Raw: []byte(`"\u003e=1 \u0026 \u003c2"`)}, Enum: []apiextensionsv1.JSON{{Raw: []byte(`"a\u003eb"`)}}}, []string{"default `\">=1 & <2\"`", "one of `\"a>b\"`"}},
		{apiextensionsv1.JSONSchemaProps{Minimum: new(1.5), ExclusiveMinimum: true, Maximum: new(1e21)}, []string{"more than 1.5", "at most 1000000000000000000000"}},
		{apiextensionsv1.JSONSchemaProps{MinLength: new(int64(1)), MaxLength: new(int64(2))}, []string{"at least 1 character", "at most 2 characters"}},
		{apiextensionsv1.JSONSchemaProps{MinItems: new(int64(0)), MaxProperties: new(int64(2))}, []string{"at most 2 entries"}},
		{apiextensionsv1.JSONSchemaProps{Pattern: "^`$", Nullable: true}, []string{"matches ^`$", "may be null"}},
		{apiextensionsv1.JSONSchemaProps{Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Pattern: "a"}}}, []string{"each matches `a`"}},
	} {
		if got := bounds(&test.schema); !slices.Equal(got, test.want) {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// TestSearch searches the page in a browser.
func TestSearch(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			browser = found
		}
	}
	if browser == "" {
		t.Skip("there is no browser: install chromium to test the search in pages")
	}
	page, err := HTML(sample())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ Search, Shown string }{
		{"", "Bucket[size color] Object[color]"},
		{"SIZE", "Bucket[size]"},
		{"bucket", "Bucket[size color] Object[color]"}, // which takes its value from a Bucket
		{"object", "Object[color]"},
		{"required size", "Bucket[size]"},
		{"nothing", ""},
	}
	searches, err := json.Marshal(tests)
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`<script>
const shown = element => element.offsetParent !== null;
document.title = "SHOWN:" + JSON.stringify(%s.map(test => {
  search.value = test.Search;
  search.dispatchEvent(new Event("input"));
  return {Search: test.Search, Shown: [...document.querySelectorAll("section")].filter(shown).map(section =>
    section.querySelector("h2").textContent + "[" + [...section.querySelectorAll(".field")].filter(shown).map(row => row.querySelector("code").textContent).join(" ") + "]").join(" ")};
}));
</script>`, searches)
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, append(page, script...), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatalf("%s: %v", browser, err)
	}
	_, title, _ := strings.Cut(string(out), "<title>SHOWN:")
	title, _, _ = strings.Cut(title, "</title>")
	if title != string(searches) {
		t.Errorf("the page shows\n%s, want\n%s", title, searches)
	}
}
