package admission_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/admission"
)

var seed = flag.Uint64("seed", 0, "test random kinds and objects of this seed alone")

// policies are management policies, by whether they let Crossplane create or update.
// nil leaves them out.
var policies = map[bool][][]any{
	true:  {nil, {"*"}, {"Create"}, {"Update"}, {"*", "Observe"}},
	false: {{}, {"Observe"}, {"Observe", "Delete"}, {"Observe", "LateInitialize"}},
}

// needsLargeBudget skips a test that others make up for, unless make check runs the tests.
func needsLargeBudget(t *testing.T) {
	t.Helper()
	if budget(0, 1) == 0 {
		t.Skip("make check runs this")
	}
}

// budget returns the large number if make check runs the tests, and else the small one.
func budget(small, large int) int {
	if os.Getenv("MRGEN_TEST_BUDGET") != "" {
		return large
	}
	return small
}

const (
	strictSettings  = "rules:\n  required: off\n  immutable: off\n"
	relaxedSettings = "rules:\n  required: enforce\n  immutable: off\n"
)

// TestRandom compares the CRDs of random kinds that have required fields with those
// that have rules in their place, by what becomes of random objects. What is only
// observed is admitted under the rules if it is admitted without, and more. What is
// managed is admitted just if it is admitted without, but for what references,
// selectors and spec.initProvider stand in for.
func TestRandom(t *testing.T) {
	seeds := []uint64{1, 2, 3}[:budget(1, 3)]
	if *seed != 0 {
		seeds = []uint64{*seed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			testRandom(t, seed)
		})
	}
}

// choice declares a type of fields.
const choice = "\n// Choice is an enum.\n// +kubebuilder:validation:Enum=left;right\ntype Choice string\n"

func testRandom(t *testing.T, seed uint64) {
	r := &random{rand.New(rand.NewPCG(seed, 0))}
	source := typesHeader + choice
	var kinds []*kind
	for i := range budget(8, 40) {
		k := r.kind(fmt.Sprintf("Kind%d", i))
		kinds = append(kinds, k)
		source += k.source()
	}
	strict, relaxed := generateQuickly(t, source, strictSettings), generate(t, source, relaxedSettings)
	if strict.refused || relaxed.refused {
		t.Fatalf("mrgen refuses the kinds of seed %d:\n%s\n%s", seed, strict.diagnostics, relaxed.diagnostics)
	}
	c := comparison{t: t, r: r, seed: seed, strict: strict.install(t), relaxed: relaxed.install(t), seen: map[verdict]int{}}
	for _, k := range kinds {
		for range 50 {
			for _, managed := range []bool{true, false} {
				choice := policies[managed]
				c.compare(k, r.object(k, choice[r.IntN(len(choice))]), managed)
			}
			if t.Failed() {
				return // one object is enough to look at
			}
		}
	}
	for _, managed := range []bool{true, false} {
		for _, v := range []verdict{{managed, true, true}, {managed, false, true}, {managed, false, false}} {
			if c.seen[v] < 20 {
				t.Errorf("seed %d: only %d objects are %+v: the test proves little", seed, c.seen[v], v)
			}
		}
	}
}

// A verdict is what becomes of an object under the CRDs.
type verdict struct{ managed, strict, relaxed bool }

// comparison compares CRDs by their verdicts.
type comparison struct {
	t               *testing.T
	r               *random
	seed            uint64
	strict, relaxed map[string]*admission.Server
	seen            map[verdict]int
}

func (c *comparison) compare(k *kind, object map[string]any, managed bool) {
	ctx := context.Background()
	complete := standIn{c.r, k, !managed}.complete(object)
	_, strictErr := c.strict[k.name].Create(ctx, object)
	_, relaxedErr := c.relaxed[k.name].Create(ctx, object)
	_, completeErr := c.strict[k.name].Create(ctx, complete)
	c.seen[verdict{managed, strictErr == nil, relaxedErr == nil}]++

	var complaint string
	strict, relaxed := missing(completeErr), missing(relaxedErr)
	switch {
	case !managed && strictErr == nil && relaxedErr != nil:
		complaint = "what is only observed is refused by the rules alone"
	case completeErr == nil && relaxedErr != nil:
		complaint = "the rules refuse what is complete"
	case completeErr != nil && relaxedErr == nil:
		complaint = "the rules admit what is not complete"
	case strict != nil && relaxed != nil && !slices.Equal(strict, relaxed):
		complaint = fmt.Sprintf("the schema misses %v, the rules %v", strict, relaxed)
	default:
		return
	}
	c.t.Errorf("seed %d: %s\n\n%s\n%s\nwith what others stand in for:\n%s\nthe strict CRD says: %v\nthe strict CRD says with what others stand in for: %v\nthe relaxed CRD says: %v",
		c.seed, complaint, k.source(), document(c.t, object), document(c.t, complete["spec"]),
		admission.Refusals(strictErr), admission.Refusals(completeErr), admission.Refusals(relaxedErr))
}

// missing returns the paths that are required and not set, or nil if an object is
// refused for other reasons as well.
func missing(err error) []string {
	var paths []string
	for _, refusal := range admission.Refusals(err) {
		path, reason, _ := strings.Cut(refusal, ": ")
		if !strings.HasPrefix(reason, "Required value") {
			return nil
		}
		paths = append(paths, path)
	}
	return paths
}

func document(t *testing.T, value any) string {
	t.Helper()
	text, err := yaml.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
