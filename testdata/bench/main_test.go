package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/bench/internal/measure"
	"github.com/mrgen-io/bench/internal/synthetic"
	"github.com/mrgen-io/bench/internal/tree"
)

// TestControllerTools holds that the chain has the version of controller-tools that
// mrgen is built with.
func TestControllerTools(t *testing.T) {
	requirement := regexp.MustCompile(`sigs\.k8s\.io/controller-tools v\S+`)
	var versions []string
	for _, file := range []string{"go.mod", "../../go.mod"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, requirement.FindString(string(content)))
	}
	if versions[0] == "" || versions[0] != versions[1] {
		t.Errorf("the bench requires %q, mrgen %q", versions[0], versions[1])
	}
}

func TestParse(t *testing.T) {
	if got, err := parseSizes("10,200"); err != nil || !slices.Equal(got, []int{10, 200}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, list := range []string{"", "0", "ten", "10,,20"} {
		if _, err := parseSizes(list); err == nil {
			t.Errorf("the sizes %q are taken", list)
		}
	}
	if got, err := parseShapes("generated,written"); err != nil || !slices.Equal(got, []synthetic.Shape{synthetic.Generated, synthetic.Written}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, list := range []string{"", "round", "written,"} {
		if _, err := parseShapes(list); err == nil {
			t.Errorf("the shapes %q are taken", list)
		}
	}
	if got, err := parseScenarios("cold,edited,compile"); err != nil || !slices.Equal(got, []scenario{cold, edited, compile}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, list := range []string{"", "warm", "edited,cold", "edited,compile,unchanged"} {
		if _, err := parseScenarios(list); err == nil {
			t.Errorf("the scenarios %q are taken", list)
		}
	}
}

func TestReport(t *testing.T) {
	usage := func(seconds, cpu, megabytes int) measure.Usage {
		return measure.Usage{Wall: time.Duration(seconds) * time.Second, CPU: time.Duration(cpu) * time.Second, Memory: int64(megabytes) << 20}
	}
	var results []result
	for _, kinds := range []int{10, 100} {
		results = append(results, result{
			subject:  &subject{name: "s", kinds: kinds, tree: tree.Size{Packages: 2, Files: 3, SourceBytes: 1234567, GeneratedBytes: 7654321}},
			scenario: cold,
			chain:    []measure.Usage{usage(8, 9, 400), usage(4, 9, 400), usage(6, 9, 400)},
			mrgen:    []measure.Usage{usage(2, 3, 100), usage(2, 3, 200), usage(2, 3, 50)},
			floor:    []measure.Usage{usage(1, 1, 50), usage(1, 2, 50), usage(1, 1, 50)},
		})
	}
	parallel := []parallelism{{
		subject:  results[0].subject,
		measured: map[int][]measure.Usage{1: {usage(6, 5, 100), usage(5, 5, 100)}, 2: {usage(3, 5, 100), usage(4, 5, 100)}},
		chain:    results[0].chain,
	}}
	var b strings.Builder
	report(&b, results, parallel, []compilation{{"peers", 300, usage(70, 120, 1000)}, {"mrgen", 600, usage(90, 150, 1000)}}, nil, "a machine")
	const want = `## Results

All from one call of ` + "`make bench`" + `, on a machine.

### Ratios

How many times as much as mrgen the chain takes: median (smallest to largest).

| provider | scenario | runs | wall time | processor time | peak memory |
|---|---|---|---|---|---|
| s | cold | 3 | 3.0 (2.0 to 4.0) | 3.0 (3.0 to 3.0) | 4.0 (2.0 to 8.0) |
| s | cold | 3 | 3.0 (2.0 to 4.0) | 3.0 (3.0 to 3.0) | 4.0 (2.0 to 8.0) |

### Distance to the floor

How many times as much as the floor mrgen takes: median (smallest to largest).

| provider | scenario | wall time | processor time | peak memory |
|---|---|---|---|---|
| s | cold | 2.0 (2.0 to 2.0) | 3.0 (1.5 to 3.0) | 2.0 (1.0 to 4.0) |
| s | cold | 2.0 (2.0 to 2.0) | 3.0 (1.5 to 3.0) | 2.0 (1.0 to 4.0) |

### Medians

What the chain, mrgen and the floor take.

| provider | scenario | wall time | processor time | peak memory |
|---|---|---|---|---|
| s | cold | 6.00, 2.00 and 1.00 s | 9.00, 3.00 and 1.00 s | 400, 100 and 50 MB |
| s | cold | 6.00, 2.00 and 1.00 s | 9.00, 3.00 and 1.00 s | 400, 100 and 50 MB |

### Sizes

The API packages of the providers: what is read, and what mrgen writes, definitions included.

| provider | packages | files | source | source a kind | written |
|---|---|---|---|---|---|
| s | 2 | 3 | 1.2 MB | 123.5 kB | 7.7 MB |
| s | 2 | 3 | 1.2 MB | 12.3 kB | 7.7 MB |

### Processors

Seconds of a cold run: medians of runs with GOMAXPROCS, which the go command and the garbage collector share; the chain has all processors.

| provider | on 1 | on 2 | one by two | the chain |
|---|---|---|---|---|
| s | 5.50 | 3.50 | 1.6 (1.2 to 2.0) | 6.00 |

### Compile time

From an empty build cache, with all modules downloaded.

| commands | packages | wall time | processor time |
|---|---|---|---|
| peers | 300 | 70 s | 120 s |
| mrgen | 600 | 90 s | 150 s |
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	report(&b, nil, nil, nil, []string{"-sizes", "10"}, "a machine")
	if want := "## Results\n\nAll from one call of `make bench BENCHFLAGS='-sizes 10'`, on a machine.\n"; b.String() != want {
		t.Errorf("without results, got\n%s\nwant\n%s", b.String(), want)
	}
}
