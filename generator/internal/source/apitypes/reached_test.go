package apitypes

import (
	"go/parser"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestEachMarkerReachesSomething puts markers of types and fields anywhere in random files: those
// that describe no type or field to controller-tools are warnings, and no others.
func TestEachMarkerReachesSomething(t *testing.T) {
	unreached := 0
	for seed := range uint64(300) {
		probes := randomComments(rand.New(rand.NewPCG(seed, 1)))
		reached := map[string]bool{}
		for probe, targets := range theirTargets(t, probes) {
			reached[probe] = !slices.Contains(targets, "package")
		}
		for _, marker := range []string{"kubebuilder:validation:MaxItems", "immutable"} {
			warned := warnedProbes(t, probes, marker)
			for line, text := range strings.Split(probes, "\n") {
				_, probe, found := strings.Cut(text, "+probe=")
				if !found {
					continue
				}
				if warned[line+1] == reached[probe] {
					t.Fatalf("seed %d, line %d: +%s is reported: %t, and controller-tools reads it: %t\n%s", seed, line+1, marker, warned[line+1], reached[probe], probes)
				}
				if !reached[probe] {
					unreached++
				}
			}
		}
	}
	expect.True(t, unreached >= 500, "only %d markers reached nothing", unreached)
}

// warnedProbes returns the lines of markers in place of probes that are reported.
func warnedProbes(t *testing.T, probes, marker string) map[int]bool {
	t.Helper()
	source := strings.ReplaceAll(probes, "+probe=", "+"+marker+"=")
	source = value.ReplaceAllString(source, "$1") // which takes none
	s := newSource()
	file := expect.Value(parser.ParseFile(s.files.Fset, "p.go", source, parser.ParseComments|parser.SkipObjectResolution))(t)
	warned := map[int]bool{}
	for _, d := range s.visit(file).diags {
		expect.Must(t, d.Severity == diag.Warning, "%s\n%s", d, source)
		warned[d.Pos.Line] = true
	}
	return warned
}

// value matches the number of a probe.
var value = regexp.MustCompile(`(\+immutable)=\d+`)
