package synthetic

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func emitGeneratedFiles(t *testing.T, kinds int) map[string]string {
	t.Helper()
	o := options
	o.Kinds, o.Shape = kinds, Generated
	return emitFiles(t, o)
}

func TestDistribution(t *testing.T) {
	d := distribution{{0, 1}, {0.5, 3}, {0.75, 7}, {1, 15}}
	for _, c := range []struct{ share, want float64 }{{0, 1}, {0.25, 1.8284271247461903}, {0.5, 3}, {0.75, 7}, {1, 15}} {
		if got := d.at(c.share); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("below %v are %v of all, want %v", got, c.share, c.want)
		}
	}
	// Few positions have the quartiles of many.
	for _, count := range []int{8, 1000} {
		var shares []float64
		for i := range count {
			shares = append(shares, spread(i, golden))
		}
		slices.Sort(shares)
		for quarter := 1; quarter < 4; quarter++ {
			if got, want := shares[quarter*count/4], float64(quarter)/4; got < want-0.13 || got > want+0.13 {
				t.Errorf("of %d positions, %v lies at %v", count, got, want)
			}
		}
	}
}

func TestGeneratedKinds(t *testing.T) {
	for _, kinds := range []int{1, 2, 3, 10, 11, 200} {
		found := map[string]bool{}
		for name, content := range emitGeneratedFiles(t, kinds) {
			if strings.Contains(content, "ForProvider ") && strings.HasSuffix(name, "_types.go") {
				found[path.Dir(path.Dir(name))+path.Base(name)] = true
			}
		}
		if len(found) != kinds {
			t.Errorf("%d kinds were written, want %d", len(found), kinds)
		}
	}
}

// TestGeneratedShape compares what was written with what was measured on real providers.
func TestGeneratedShape(t *testing.T) {
	var bytes, structs, fields, references, away, files []float64
	perPackage := map[string]float64{}
	second := 0.0
	for name, content := range emitGeneratedFiles(t, 500) {
		if !strings.HasSuffix(name, "_types.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, content, 0)
		if err != nil {
			t.Fatal(err)
		}
		perPackage[path.Dir(name)]++
		if strings.Contains(name, "/v1beta2/") {
			second++
		}
		files = append(files, 1)
		bytes = append(bytes, float64(len(content)))
		structs = append(structs, float64(strings.Count(content, " struct {\n")))
		fields = append(fields, float64(parameterFields(file)))
		references = append(references, float64(strings.Count(content, "reference:type=")))
		away = append(away, float64(strings.Count(content, "reference:type=")-strings.Count(content, path.Dir(path.Dir(name))+"/v")))
	}
	var packages []float64
	for _, kinds := range perPackage {
		packages = append(packages, kinds)
	}
	for _, c := range []struct {
		what             string
		value, low, high float64
	}{
		{"bytes of a file of types", mean(bytes), 19000, 25000},
		{"bytes of a file of types at the median", percentile(bytes, 50), 10000, 13000},
		{"bytes of a file of types at the 99th percentile", percentile(bytes, 99), 120000, 240000},
		{"structs of a file", mean(structs), 17, 22},
		{"fields below forProvider", mean(fields), 23, 28},
		{"fields below forProvider at the median", percentile(fields, 50), 10, 14},
		{"fields below forProvider at the 99th percentile", percentile(fields, 99), 180, 280},
		{"fields below forProvider at most", percentile(fields, 100), 350, 900},
		{"references in forProvider and initProvider", mean(references), 2.2, 3.4},
		{"references to other groups among them", mean(away) / mean(references), 0.4, 0.6},
		{"kinds of a package", mean(packages), 4, 7},
		{"kinds of the largest package", percentile(packages, 100), 30, 120},
		{"files of second versions", second / float64(len(files)), 0.08, 0.18},
	} {
		if c.value < c.low || c.value > c.high {
			t.Errorf("%s: %.2f is not between %.2f and %.2f", c.what, c.value, c.low, c.high)
		}
	}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func percentile(values []float64, percent int) float64 {
	return slices.Sorted(slices.Values(values))[(len(values)-1)*percent/100]
}

// parameterFields counts the fields of the structs that forProvider is made of.
func parameterFields(file *ast.File) int {
	count := 0
	for _, d := range file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			continue
		}
		for _, spec := range d.Specs {
			spec, ok := spec.(*ast.TypeSpec)
			if !ok || !strings.HasSuffix(spec.Name.Name, "Parameters") || strings.HasSuffix(spec.Name.Name, "InitParameters") {
				continue
			}
			count += len(spec.Type.(*ast.StructType).Fields.List)
		}
	}
	return count
}

// TestGeneratedReferences holds that groups refer to each other, to kinds that exist in
// their scope, and in the version that is stored.
func TestGeneratedReferences(t *testing.T) {
	files := emitGeneratedFiles(t, 301)
	target := regexp.MustCompile(`reference:type=` + Module + `/(apis/(cluster|namespaced)/(\w+)/v1beta[12])\.(\w+)`)
	refers := map[string]map[string]bool{}
	for name, content := range files {
		parts := strings.Split(name, "/")
		for _, m := range target.FindAllStringSubmatch(content, -1) {
			if refers[parts[2]] == nil {
				refers[parts[2]] = map[string]bool{}
			}
			refers[parts[2]][m[3]] = true
			if file := m[1] + "/zz_" + fileName(m[4]) + "_types.go"; m[2] != parts[1] || !strings.Contains(files[file], "+kubebuilder:storageversion") {
				t.Errorf("%s refers to %s", name, m[0])
			}
		}
	}
	mutual := 0
	for from, all := range refers {
		for to := range all {
			if to != from && refers[to][from] {
				mutual++
			}
		}
	}
	if mutual < 10 {
		t.Errorf("%d pairs of groups refer to each other", mutual)
	}
}

// TestGeneratedPackages holds that two packages implement one group version, and that a
// kind has one version that is stored.
func TestGeneratedPackages(t *testing.T) {
	packages, stored := map[string]int{}, map[string]int{}
	group := regexp.MustCompile(`(?m)^// \+groupName=.*\n// \+versionName=.*$`)
	for name, content := range emitGeneratedFiles(t, 200) {
		if match := group.FindString(content); match != "" {
			packages[match]++
		}
		if strings.Contains(content, "ForProvider ") && strings.HasSuffix(name, "_types.go") {
			stored[path.Dir(path.Dir(name))+path.Base(name)] += strings.Count(content, "+kubebuilder:storageversion")
		}
	}
	two := 0
	for _, count := range packages {
		if count == 2 {
			two++
		}
	}
	if two != 2 {
		t.Errorf("%d group versions have two packages, want one in each scope", two)
	}
	for kind, versions := range stored {
		if versions != 1 {
			t.Errorf("%s is stored in %d versions", kind, versions)
		}
	}
}
