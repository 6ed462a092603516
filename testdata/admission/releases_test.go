package admission_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/admission"
	"github.com/mrgen-io/admission/matrix"
)

// The flags say which release of Kubernetes the module's libraries are of, since a test can't ask
// them: see the folder releases.
var (
	release = flag.String("release", "1.37", "the release of Kubernetes that judges")
	update  = flag.Bool("update", false, "record what was judged, and write docs/compatibility.md")
	more    = flag.String("crds", "", "a folder with more CRDs for the release to judge")
)

// A judgement is a row of docs/compatibility.md.
type judgement struct {
	Kubernetes string `json:"kubernetes"`
	Libraries  string `json:"libraries"`
	// CRDs and MRDs that the release accepts, requests with the verdict that their cases name, and
	// rules of which mrgen says offline what the release says.
	CRDs     int `json:"crds"`
	MRDs     int `json:"mrds"`
	Requests int `json:"requests"`
	Rules    int `json:"rules"`
	// Refused are those of newerRules that the release refuses.
	Refused []string `json:"refused"`
	// Differs is what the release does otherwise than the newest one, and how many requests show it.
	Differs map[string]int `json:"differs,omitempty"`
}

// TestRelease has the API server's code of a release judge what mrgen generates, and what mrgen says of
// that release without it.
func TestRelease(t *testing.T) {
	needsLargeBudget(t)
	j := judgement{Kubernetes: *release, Refused: []string{}}
	t.Run("definitions", func(t *testing.T) { j.CRDs, j.MRDs = definitions(t) })
	t.Run("requests", func(t *testing.T) { j.Requests, j.Differs = requests(t) })
	t.Run("rules", func(t *testing.T) { j.Rules, j.Refused = offline(t) })
	j.Libraries = libraries(t)
	content, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	recorded := "releases/" + *release + ".json"
	if *update && !t.Failed() {
		write(t, recorded, string(content)+"\n")
	}
	if was, err := os.ReadFile(recorded); err != nil || string(was) != string(content)+"\n" {
		t.Errorf("%s has something else than %s, %v: run make update-matrix", recorded, content, err)
	}
}

// requests counts the cases, which TestMatrix runs, and those in which the release differs, by why.
func requests(t *testing.T) (int, map[string]int) {
	t.Helper()
	cases, err := matrix.Load(os.DirFS(".."), "admission/cases")
	if err != nil {
		t.Fatal(err)
	}
	differs := map[string]int{}
	for _, c := range cases {
		if c.Older != nil && older(*release, c.Older.Before) {
			differs[c.Older.Why]++
		}
	}
	return len(cases), differs
}

// libraries returns the version of the libraries, as the module's file for the release says.
func libraries(t *testing.T) string {
	t.Helper()
	file := "go.mod"
	if *release != "1.37" {
		file = "releases/" + *release + ".mod"
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, version, found := strings.Cut(string(content), "k8s.io/apiextensions-apiserver ")
	if !found {
		t.Fatalf("%s doesn't require k8s.io/apiextensions-apiserver", file)
	}
	version, _, _ = strings.Cut(version, "\n")
	if want := "v0." + strings.TrimPrefix(*release, "1.") + "."; !strings.HasPrefix(version, want) {
		t.Fatalf("%s requires %s, and not a version of %s", file, version, *release)
	}
	return version
}

// definitions checks that the release accepts all CRDs that mrgen generates, and those that Crossplane
// makes of MRDs, both when they are created and when they replace themselves.
func definitions(t *testing.T) (crds, mrds int) {
	folders := map[string]*int{"../provider-*/package/crds": &crds, "../provider-*/package/mrds": &mrds}
	if *more != "" {
		folders[*more] = new(int)
	}
	for folder, count := range folders {
		files, err := filepath.Glob(folder + "/*.yaml")
		if err != nil || len(files) == 0 {
			t.Fatalf("no YAML in %s: %v", folder, err)
		}
		*count = len(files)
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			// An MRD has the fields of a CRD, and some more.
			var crd apiextensionsv1.CustomResourceDefinition
			if err := yaml.Unmarshal(content, &crd); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			crd.APIVersion, crd.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
			for _, v := range crd.Spec.Versions {
				if _, err := admission.New(&crd, v.Name); err != nil {
					t.Errorf("%s: Kubernetes %s refuses version %s: %v", file, *release, v.Name, err)
				}
			}
			if err := replace(&crd); err != nil {
				t.Errorf("%s: Kubernetes %s refuses the update: %v", file, *release, err)
			}
		}
	}
	return crds, mrds
}

// replace returns what the API server says against a CRD that replaces itself.
func replace(crd *apiextensionsv1.CustomResourceDefinition) error {
	defaulted := crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(defaulted)
	defaulted.ResourceVersion = "1"
	for _, v := range defaulted.Spec.Versions {
		if v.Storage {
			defaulted.Status.StoredVersions = []string{v.Name}
		}
	}
	defaulted.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{
		{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue},
	}
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(defaulted, &internal, nil); err != nil {
		return err
	}
	return crdvalidation.ValidateCustomResourceDefinitionUpdate(context.Background(), &internal, &internal).ToAggregate()
}

// newerRules are rules that use what came with some release, or cost as much as one allows: one for
// each library of CEL that the API server has had.
var newerRules = map[string]string{
	"plain":         `size(self.text) < 10`,
	"regex":         `self.text.find('[0-9]+') == ''`,
	"urls":          `isURL(self.text)`,
	"lists":         `self.list.isSorted()`,
	"optional":      `self.?text.orValue('') == ''`,
	"quantity":      `isQuantity(self.text)`,
	"quantity ==":   `quantity(self.text) == quantity('1')`,
	"dyn":           `dyn(self.text) == dyn('a')`,
	"ip":            `isIP(self.text)`,
	"cidr":          `isCIDR(self.text)`,
	"sets":          `sets.contains(self.list, ['a'])`,
	"strings":       `self.text.charAt(0) == 'a'`,
	"join":          `self.list.join(',') == ''`,
	"format":        `format.dns1123Label().validate(self.text).hasValue()`,
	"semver":        `isSemver(self.text)`,
	"two variables": `self.list.all(i, e, i < 3 && e != '')`,
	"transformList": `self.list.transformList(i, e, e)[0] == 'a'`,
	"reverse":       `self.text.reverse() == ''`,
	"math":          `math.greatest(1, size(self.text)) == 1`,
	"flatten":       `[[1], [2]].flatten() == [1, 2]`,
	"no function":   `nothing(self.text)`,
	"too expensive": `self.unbounded.all(a, self.unbounded.all(b, self.unbounded.all(c, a == b && b == c)))`,
}

// offline checks that mrgen says of rules what the release says, and returns how many of newerRules
// there are, and which of them the release refuses.
func offline(t *testing.T) (rules int, refused []string) {
	all := maps.Clone(newerRules)
	r := rand.New(rand.NewPCG(*seed, 0))
	for i := range budget(15, 500) {
		all[fmt.Sprintf("random %d", i)] = randomRule(r)
	}
	theirs, ours := map[string]error{}, refusedByMrgen(t, all)
	refused = []string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict([]byte(ruleCRD("g", all[name])), &crd); err != nil {
			t.Fatal(err)
		}
		_, theirs[name] = admission.New(&crd, "v1")
		switch _, known := newerRules[name]; {
		case theirs[name] == nil && ours[name] != "" && !strings.Contains(ours[name], "Kubernetes "+*release):
			// The newest release, which mrgen asks as well, has something against it.
		case theirs[name] == nil && ours[name] != "" && strings.Contains(all[name], "dyn("):
			// Before 1.33 an item of a literal list was taken for empty, and text without a bound in
			// dyn() costs nothing against that.
		case (ours[name] == "") != (theirs[name] == nil):
			t.Errorf("%s, %s: Kubernetes %s says %v, and mrgen %q", name, all[name], *release, theirs[name], ours[name])
		case known && theirs[name] != nil:
			refused = append(refused, name)
		}
	}
	return len(newerRules), refused
}

// refusedByMrgen returns what mrgen says of CRDs with the rules, each on its own, by their names.
func refusedByMrgen(t *testing.T, rules map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	args, names := []string{"convert", "--min-kubernetes=" + *release}, slices.Sorted(maps.Keys(rules))
	for i, name := range names {
		file := fmt.Sprintf("%d.yaml", i)
		write(t, filepath.Join(dir, file), ruleCRD(fmt.Sprintf("g%d", i), rules[name]))
		args = append(args, file)
	}
	said, _ := run(t, dir, args...)
	refused := map[string]string{}
	for _, line := range strings.Split(said, "\n") {
		var i int
		if _, err := fmt.Sscanf(line, "%d.yaml:", &i); err == nil {
			refused[names[i]] = line
		}
	}
	return refused
}

// ruleCRD returns a CRD of a managed resource with a rule, in a group of the name.
func ruleCRD(name, rule string) string {
	return fmt.Sprintf(ruleCRDFormat, name, strings.ReplaceAll(rule, "'", "''"))
}

const ruleCRDFormat = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.%[1]s.example.org
spec:
  group: %[1]s.example.org
  names: {kind: Bucket, listKind: BucketList, plural: buckets, singular: bucket}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              providerConfigRef: {type: object, properties: {name: {type: string}}}
              forProvider:
                type: object
                required: [when, count, flag, amount]
                properties:
                  text: {type: string, maxLength: 10}
                  long: {type: string}
                  when: {type: string, format: date-time}
                  count: {type: integer}
                  flag: {type: boolean}
                  amount: {x-kubernetes-int-or-string: true}
                  list: {type: array, maxItems: 10, items: {type: string, maxLength: 10}}
                  unbounded: {type: array, items: {type: string}}
                  numbers: {type: array, maxItems: 10, items: {type: integer}}
                  labels: {type: object, maxProperties: 10, additionalProperties: {type: string, maxLength: 10}}
                  parts:
                    type: array
                    maxItems: 10
                    items:
                      type: object
                      required: [name, values, size]
                      properties:
                        name: {type: string, maxLength: 10}
                        size: {x-kubernetes-int-or-string: true}
                        values: {type: array, maxItems: 5, items: {type: string, maxLength: 5}}
                x-kubernetes-validations:
                - rule: '%[2]s'
`

// page is what the table in docs/compatibility.md is preceded by.
const page = `<!-- Written by make update-matrix, from testdata/admission/releases. -->
# Compatibility

## controller-gen

CRDs have the same bytes as controller-gen v0.23's, with these exceptions:

- **Order of markers.** controller-gen applies the markers of a field in an order that changes from run to run. mrgen applies
  markers of equal priority in source order. Two markers that give one keyword different values are an error.
- **Constants.** With ` + "`+k8s:enum`" + `, controller-gen takes only string literals, including excluded ones. mrgen takes each
  constant of the type once, except those marked ` + "`+k8s:enumExclude`" + `.
- **Hidden fields.** Of two fields with one JSON name, encoding/json reads the outer one. mrgen applies only the
  constraints of that field, controller-gen the constraints of both.

## Kubernetes

The libraries of each release validate the output for the providers below testdata: definitions, with structural schemas, compiled rules
and their cost; and requests for objects, with defaults, rules and ratcheting. Each release accepts all definitions, and answers each
request as expected, except for the last column.

The column "refuses" lists kinds of rules that the release refuses. If mrgen accepts a rule with that release as ` + "`minKubernetes`" + `, the
release accepts it, too: a test tries these rules and 500 random ones.

| Kubernetes | libraries | CRDs | MRDs | requests | rules | refuses | answers differently |
|---|---|---|---|---|---|---|---|
`

// ties is what follows the table.
const ties = `
## Go

mrgen itself needs Go 1.26. The provider's go.mod may name an older version: generated code compiles as Go 1.18.

## Crossplane

mrgen supports kinds for crossplane-runtime v0.11 and later, and both of its generations side by side. Crossplane 1 knows only CRDs: to
support it, don't set ` + "`mrds.dir`" + `, or keep ` + "`crds.managed: true`" + ` and exclude the MRDs from that package. If MRDs ship without CRDs,
` + "`crossplane.yaml`" + ` should require ` + "`>=v2.0.0`" + `.
`

// TestCompatibility checks that the page is made of what was recorded, release by release up to the one
// whose libraries the module has.
func TestCompatibility(t *testing.T) {
	want := page
	for minor := 31; ; minor++ {
		content, err := os.ReadFile(fmt.Sprintf("releases/1.%d.json", minor))
		if err != nil {
			t.Fatalf("%v: run make update-matrix", err)
		}
		var j judgement
		if err := json.Unmarshal(content, &j); err != nil {
			t.Fatal(err)
		}
		var otherwise []string
		for _, why := range slices.Sorted(maps.Keys(j.Differs)) {
			otherwise = append(otherwise, fmt.Sprintf("%s, in %d of the requests", why, j.Differs[why]))
		}
		want += fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %s | %s |\n", j.Kubernetes, j.Libraries, j.CRDs, j.MRDs, j.Requests, j.Rules,
			strings.Join(j.Refused, ", "), strings.Join(otherwise, "; "))
		if j.Kubernetes == *release {
			break
		}
	}
	want += ties
	const name = "../../docs/compatibility.md"
	if *update {
		write(t, name, want)
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s is not made of what was recorded, %v: run make update-matrix", name, err)
	}
}
