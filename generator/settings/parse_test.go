package settings

import (
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/generator/provider"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/generator/scopepair"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// compareSettings lets cmp look into settings.
var compareSettings = cmpopts.IgnoreFields(Settings{}, "From")

// everySetting has a value for each setting that isn't its default.
//
//go:embed testdata/every.yaml
var everySetting string

func TestParseConfig(t *testing.T) {
	changed := func(change func(*Settings)) Settings {
		s := Default()
		change(&s)
		return s
	}
	for name, test := range map[string]struct {
		content string
		want    Settings
	}{
		"empty":           {"", Default()},
		"only comments":   {"# nothing\n", Default()},
		"empty document":  {"---\n", Default()},
		"empty section":   {"crds:\n  # dir: elsewhere\n", Default()},
		"byte order mark": {"\ufeffheaderFile: a\n", changed(func(s *Settings) { s.Options.HeaderFile = "a" })},
		"CRLF":            {"crds:\r\n  dir: a\r\n", changed(func(s *Settings) { s.Options.CRDDir = "a" })},
		"JSON":            {`{"crds": {"dir": "a"}}`, changed(func(s *Settings) { s.Options.CRDDir = "a" })},
		"every setting": {everySetting, Settings{
			Strict: true,
			Lint: lint.Options{
				Baseline: ".mrgen-lint.yaml",
				Severity: map[string]lint.Severity{"identifier": lint.Error, "columns": lint.Off, "categories": lint.Hint, "scope": lint.Warning},
			},
			Options: provider.Options{Options: run.Options{
				MaxDefinitionSize: 5000, Packages: []string{"./apis/...", "./other"}, CRDDir: "crds", MRDDir: "mrds", HeaderFile: "header.txt",
				AllowDangerousTypes: true, MinKubernetes: "1.32", Versions: run.ConvertVersions, Helpers: "internal/mrgen",
				ResolverRegistry: "example.org/provider/internal/registry", ReconcilerResolver: true,
			}, VersionTests: true,
				Scopes: []scopepair.Pair{
					{
						Folders: folders("apis/namespaced", 29, 9, "apis/cluster", 30, 7),
						Groups:  []scopepair.Replacement{{Old: at("*.m.example.org", 31, 12), New: at("*.example.org", 31, 31)}},
						Code:    []scopepair.Folders{folders("internal/namespaced", 33, 12, "internal/cluster", 33, 37)},
						Replace: []scopepair.Replacement{{Old: at("example.org/p.A", 35, 5), New: at("example.org/p.B", 35, 22)}},
						Helpers: at("internal/scope", 36, 12), Tests: true, Pos: diag.Position{File: "mrgen.yaml", Line: 29, Column: 3},
					},
					{Folders: folders("a", 38, 10, "b", 38, 17), Pos: diag.Position{File: "mrgen.yaml", Line: 38, Column: 3}},
				},
			},
			Breaking: breaking.Options{
				Alpha: true, Severity: map[breaking.Class]string{"client": "off"},
				Allow: []breaking.Exception{{
					Kind: "Bucket.example.org", Version: "v1", Path: "spec.a", Reason: "it never worked", Until: "v1.2.0",
					Pos: diag.Position{File: "mrgen.yaml", Line: 27, Column: 5},
				}},
			},
		}},
		"version without quotes": {"minKubernetes: 1.40\n", changed(func(s *Settings) { s.Options.MinKubernetes = "1.40" })},
		"empty strings":          {"{headerFile: \"\", mrds: {dir: ''}}\n", Default()},
	} {
		t.Run(name, func(t *testing.T) {
			got := Default()
			diags := got.Parse([]byte(test.content))
			expect.Must(t, len(diags) == 0, "diagnostics: %v", diags)
			diff := cmp.Diff(test.want, got, compareSettings)
			expect.True(t, diff == "", "settings (-want +got):\n%s", diff)
		})
	}
}

// at returns a text at a place in the settings.
func at(text string, line, column int) placed {
	return placed{Text: text, Pos: diag.Position{File: "mrgen.yaml", Line: line, Column: column}}
}

func folders(from string, fromLine, fromColumn int, to string, toLine, toColumn int) scopepair.Folders {
	return scopepair.Folders{From: at(from, fromLine, fromColumn), To: at(to, toLine, toColumn)}
}

func TestParseConfigProblems(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		want    []string
	}{
		"unknown key":               {"crds:\n  dir: a\n  maxDescripton: 5\n", []string{"mrgen.yaml:3:3: unknown setting crds.maxDescripton: did you mean crds.maxDescription?"}},
		"unknown section":           {"crd:\n  dir: a\n", []string{"mrgen.yaml:1:1: unknown setting crd: did you mean crds?"}},
		"unlike all in its section": {"mrds:\n  path: a\n", []string{"mrgen.yaml:2:3: unknown setting mrds.path: the settings of mrds are mrds.dir"}},
		"merge conflict": {
			"crds:\n<<<<<<< HEAD\n  dir: a\n=======\n  dir: b\n>>>>>>> other\n",
			[]string{"mrgen.yaml:2: a merge conflict begins here: resolve it, and delete the lines that git added"},
		},
		"exceptions that match nothing": {
			"breaking:\n  allow:\n  - kind: Bucket\n    path: .spec\n    reason: a\n",
			[]string{
				`mrgen.yaml:3:11: breaking.allow.kind must be a kind with its group, such as Bucket.storage.example.org, not "Bucket"`,
				`mrgen.yaml:4:11: breaking.allow.path must be the path of a field, such as spec.forProvider.acl, not ".spec"`,
			},
		},
		"section left out":         {"managed: false\n", []string{"mrgen.yaml:1:1: unknown setting managed: did you mean crds.managed?"}},
		"name of a flag":           {"crd-dir: a\n", []string{"mrgen.yaml:1:1: unknown setting crd-dir: did you mean crds.dir?"}},
		"nothing near":             {"verbosity: 3\n", []string{"mrgen.yaml:1:1: unknown setting verbosity: mrgen help settings lists the settings"}},
		"key that breaks a line":   {"\"head\\nerFile\": a\n", []string{`mrgen.yaml:1:1: unknown setting "head\nerFile": did you mean headerFile?`}},
		"key that is a list":       {"[a]: b\n", []string{"mrgen.yaml:1:1: the name of a setting must be a word, not a list"}},
		"text for a number":        {"crds:\n  maxDescription: x\n", []string{`mrgen.yaml:2:19: crds.maxDescription must be a whole number, not "x"`}},
		"quoted number":            {"crds: {maxDescription: \"5\"}\n", []string{`mrgen.yaml:1:24: crds.maxDescription must be a whole number, not "5"`}},
		"fraction for a number":    {"crds:\n  maxDescription: 1.5\n", []string{`mrgen.yaml:2:19: crds.maxDescription must be a whole number, not 1.5`}},
		"number that is too large": {"crds:\n  maxDescription: 99999999999999999999\n", []string{`mrgen.yaml:2:19: crds.maxDescription must be a whole number, not 99999999999999999999`}},
		"text for a boolean": {
			"crds:\n  managed: yes\n  allowDangerousTypes: 1\n",
			[]string{`mrgen.yaml:2:12: crds.managed must be true or false, not "yes"`, `mrgen.yaml:3:24: crds.allowDangerousTypes must be true or false, not 1`},
		},
		"number for a path": {
			"headerFile: 5\ncrds:\n  dir: true\n",
			[]string{`mrgen.yaml:1:13: headerFile must be the path of a file, or "" for none, not 5`, `mrgen.yaml:3:8: crds.dir must be the path of a folder, not true`},
		},
		"no value":              {"headerFile:\n", []string{`mrgen.yaml:1:12: headerFile must be the path of a file, or "" for none, not empty`}},
		"empty folder for CRDs": {"crds: {dir: \"\"}\n", []string{`mrgen.yaml:1:13: crds.dir must be the path of a folder, not ""`}},
		"mapping for a text":    {"headerFile:\n  path: a\n", []string{`mrgen.yaml:2:3: headerFile must be the path of a file, or "" for none, not a mapping`}},
		"text for a section":    {"mrds: package/mrds\n", []string{`mrgen.yaml:1:7: mrds must hold settings, such as mrds.dir, not "package/mrds"`}},
		"list for everything":   {"- packages\n", []string{"mrgen.yaml:1:1: mrgen.yaml must hold settings, such as headerFile: hack/boilerplate.go.txt, not a list"}},
		"text for a list":       {"packages: ./apis/...\n", []string{`mrgen.yaml:1:11: packages must be a list of package patterns, such as [./apis/...], not "./apis/..."`}},
		"empty list":            {"packages: []\n", []string{"mrgen.yaml:1:11: packages must be a list of package patterns, such as [./apis/...], not an empty list"}},
		"wrong items of a list": {
			"packages:\n- ./apis/...\n- 5\n- \"\"\n- [a]\n",
			[]string{
				"mrgen.yaml:3:3: packages must be a list of package patterns, such as [./apis/...], not 5",
				`mrgen.yaml:4:3: packages must be a list of package patterns, such as [./apis/...], not ""`,
				"mrgen.yaml:5:3: packages must be a list of package patterns, such as [./apis/...], not a list",
			},
		},
		"not a version":             {"minKubernetes: new\n", []string{`mrgen.yaml:1:16: minKubernetes must be a Kubernetes version, 1.31 or later, not "new"`}},
		"number that is no version": {"minKubernetes: 131\n", []string{"mrgen.yaml:1:16: minKubernetes must be a Kubernetes version, 1.31 or later, not 131"}},
		"unknown mode of rules": {
			"rules:\n  required: on\n  immutable: false\n",
			[]string{`mrgen.yaml:2:13: rules.required must be enforce or off, not "on"`, "mrgen.yaml:3:14: rules.immutable must be enforce or off, not false"},
		},
		"not an import path": {
			"resolvers:\n  registry: ./internal/registry\n",
			[]string{`mrgen.yaml:2:13: resolvers.registry must be an import path, such as github.com/example/provider/internal/registry, not "./internal/registry"`},
		},
		"set twice":     {"crds:\n  dir: a\n  dir: b\n", []string{"mrgen.yaml:3:3: crds.dir is set twice: remove this one, or the first on line 2"}},
		"section twice": {"crds:\n  dir: a\nheaderFile: h\ncrds:\n  managed: false\n", []string{"mrgen.yaml:4:1: crds is set twice: remove this one, or the first on line 1"}},
		"alias": {
			"crds:\n  dir: &folder a\nmrds:\n  dir: *folder\n",
			[]string{"mrgen.yaml:2:8: anchors are not supported: remove &folder", "mrgen.yaml:4:8: aliases are not supported: write the value in place of *folder"},
		},
		"alias for a key and a list": {"*a : b\n", []string{"mrgen.yaml:1: this is not valid YAML: unknown anchor 'a' referenced: write the value itself, since aliases are not supported"}},
		"anchors at a section, a list and a key": {
			"crds: &c\n  dir: a\npackages: &p [a]\n&k headerFile: h\n",
			[]string{"mrgen.yaml:1:7: anchors are not supported: remove &c", "mrgen.yaml:3:11: anchors are not supported: remove &p", "mrgen.yaml:4:1: anchors are not supported: remove &k"},
		},
		"merge key":       {"crds:\n  <<: {dir: a}\n", []string{"mrgen.yaml:2:3: merge keys are not supported: write the settings in place of <<"}},
		"second document": {"headerFile: a\n---\nheaderFile: b\n", []string{"mrgen.yaml:2:1: a second document begins here: keep all settings in one"}},
		"syntax error":    {"crds:\n  dir: a\n  managed\n  x: y\n", []string{"mrgen.yaml:3: this is not valid YAML: could not find expected ':': correct it here or in the line before"}},
		"tab": {
			"crds:\n\tdir: a\n",
			[]string{"mrgen.yaml:2: this is not valid YAML: found character that cannot start any token: indent with spaces, not tabs, and quote text that begins with a sign"},
		},
		"not text":                  {"crds: \x00\n", []string{"mrgen.yaml:1: this is not valid YAML: control characters are not allowed: remove the character"}},
		"tests without conversions": {"versions:\n  tests: true\n", []string{"mrgen.yaml:2: versions.tests has no effect without conversions: set versions.mode to convert, or remove it"}},
		"column in bytes":           {"{headerFile: größe, packages: 5}\n", []string{"mrgen.yaml:1:33: packages must be a list of package patterns, such as [./apis/...], not 5"}},
	} {
		t.Run(name, func(t *testing.T) {
			into := Default()
			expect.Equal(t, test.want, expect.Strings(into.Parse([]byte(test.content))), "diagnostics")
		})
	}
}

// TestRemovedSettings holds that a setting which only earlier versions had is reported once, where it stands,
// with what to do, and that a section of such settings is not reported itself.
func TestRemovedSettings(t *testing.T) {
	defer func(rows []removal) { removed = rows }(removed)
	removed = append(slices.Clone(removed), removal{"pages.dir", "", "delete it"}, removal{"pages.form", "", "delete it, too"}, removal{"crds.folder", "", "set crds.dir"}, removal{"plain", "", "delete it"})
	for content, want := range map[string][]string{
		"headerFile: h\npages:\n  form: html\n  dir: docs\n": {"mrgen.yaml:3:3: pages.form was removed: delete it, too", "mrgen.yaml:4:3: pages.dir was removed: delete it"},
		"crds: {folder: a, dir: b}\n":                        {"mrgen.yaml:1:8: crds.folder was removed: set crds.dir"},
		"plain: [1]\nplain: {a: b}\n":                        {"mrgen.yaml:1:1: plain was removed: delete it"},
		"pages: {dir: a, title: b}\n":                        {"mrgen.yaml:1:9: pages.dir was removed: delete it", "mrgen.yaml:1:17: unknown setting pages.title: mrgen help settings lists the settings"},
		"lint:\n  controllers: [./...]\n  rules: {never-ready: off}\n": {
			"mrgen.yaml:2:3: lint.controllers was removed: delete it, since mrgen lint checks only the API",
			"mrgen.yaml:3:11: lint.rules.never-ready was removed: delete it, since mrgen lint checks only the API",
		},
		"docs: {dir: a}\n": {"mrgen.yaml:1:8: docs.dir was removed: delete it, and render reference pages with a tool such as crd-ref-docs"},
		"pages: a\n":       {"mrgen.yaml:1:1: unknown setting pages: mrgen help settings lists the settings"},
	} {
		into := Default()
		expect.Equal(t, want, expect.Strings(into.Parse([]byte(content))), "%q: diagnostics", content)
	}
}

func TestReadConfig(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(t *testing.T, root string)
		want    []string
	}{
		"no file": {func(*testing.T, string) {}, nil},
		"folder": {
			func(t *testing.T, root string) {
				expect.NoError(t, os.Mkdir(filepath.Join(root, "mrgen.yaml"), 0o755))
			},
			[]string{"mrgen.yaml: cannot read the settings: is a directory"},
		},
		"other name": {
			func(t *testing.T, root string) {
				writeFile(t, root, "mrgen.yml", "headerFile: a\n")
			},
			[]string{"mrgen.yml: settings are read from mrgen.yaml in the root of the module only: move the file there"},
		},
		"other name beside, and nested": {
			func(t *testing.T, root string) {
				for _, folder := range []string{"apis", "other/testdata", "vendor", "nested"} {
					expect.NoError(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
				}
				writeFile(t, root, "nested/go.mod", "")
				for _, name := range []string{"mrgen.yaml", ".mrgen.yml", "apis/mrgen.yaml", "other/testdata/mrgen.yaml", "vendor/mrgen.yaml", "nested/mrgen.yaml"} {
					writeFile(t, root, name, "headerFile: a\n")
				}
			},
			[]string{
				".mrgen.yml: settings are read from mrgen.yaml in the root of the module only: move them there, and delete this file",
				"apis/mrgen.yaml: settings are read from mrgen.yaml in the root of the module only: move them there, and delete this file",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			test.prepare(t, root)
			var got []string
			_, diags := Read(root)
			for _, d := range diags {
				got = append(got, d.String())
			}
			expect.Equal(t, test.want, got, "diagnostics")
		})
	}
}

func writeFile(t *testing.T, root, name, content string) {
	t.Helper()
	expect.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o644))
}

func FuzzParseConfig(f *testing.F) {
	for _, seed := range []string{
		"", "---\n", "crds:\n  dir: a\n", "packages: [./...]\n", "a: &a b\nc: *a\n", "<<: {}\n", "a: b\n---\nc: d\n",
		"{headerFile: größe, packages: 5}", "? a\n: b\n", "!!int a: !!str 5\n", "crds: {maxDescription: -1}\n", "\r0", "- - -\n", "\"\\x00\": |\n  a\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		first, second := Default(), Default()
		diags := first.Parse(content)
		diff := cmp.Diff(diags, second.Parse(content))
		expect.True(t, diff == "", "a second time gives other diagnostics:\n%s", diff)
		lines := lineBreak.Split(string(content), -1)
		for _, d := range diags {
			expect.True(t, !strings.ContainsAny(d.String(), "\n\r"), "%q has more than one line", d.String())
			if d.Pos.Line > len(lines) {
				t.Errorf("%s: there are %d lines", d, len(lines))
			} else if d.Pos.Line > 0 && d.Pos.Column > len(lines[d.Pos.Line-1])+1 {
				t.Errorf("%s: the line has %d bytes", d, len(lines[d.Pos.Line-1]))
			}
		}
	})
}
