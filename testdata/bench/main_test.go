package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/bench/internal/measure"
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
	if got, err := parseScenarios("cold,edited"); err != nil || !slices.Equal(got, []scenario{cold, edited}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, list := range []string{"", "warm", "edited,cold"} {
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
			subject: &subject{name: "s", kinds: kinds}, scenario: cold,
			chain: []measure.Usage{usage(8, 9, 400), usage(4, 9, 400), usage(6, 9, 400)},
			mrgen: []measure.Usage{usage(2, 3, 100), usage(2, 3, 200), usage(2, 3, 50)},
		})
	}
	var b strings.Builder
	report(&b, results, "a machine")
	const want = `How many times as much as mrgen the chain takes: median (smallest to largest).

| provider | scenario | runs | wall time | processor time | peak memory |
|---|---|---|---|---|---|
| s | cold | 3 | 3.0 (2.0 to 4.0) | 3.0 (3.0 to 3.0) | 4.0 (2.0 to 8.0) |
| s | cold | 3 | 3.0 (2.0 to 4.0) | 3.0 (3.0 to 3.0) | 4.0 (2.0 to 8.0) |

What mrgen takes per kind, median.

| provider | scenario | wall time | processor time | peak memory |
|---|---|---|---|---|
| s | cold | 200.0 ms | 300.0 ms | 10.00 MB |
| s | cold | 20.0 ms | 30.0 ms | 1.00 MB |

The medians themselves, chain and mrgen, on a machine.

| provider | scenario | wall time | processor time | peak memory |
|---|---|---|---|---|
| s | cold | 6.00 and 2.00 s | 9.00 and 3.00 s | 400 and 100 MB |
| s | cold | 6.00 and 2.00 s | 9.00 and 3.00 s | 400 and 100 MB |
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
