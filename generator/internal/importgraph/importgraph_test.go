package importgraph

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// testGraph has the ring a, b, c, which c closes in two ways, the ring d, e, a
// package f that imports both, and g, which is imported.
func testGraph() Graph {
	g := New(map[string][]model.Import{
		"b": {{Path: "c", Pos: diag.Position{File: "b.go", Line: 3, Column: 8}}, {Path: "g"}},
		"c": {{Path: "g"}},
		"e": {{Path: "d"}},
		"f": {{Path: "a"}, {Path: "e"}},
		"g": {},
	})
	g.Add("a", Edge{To: "b", Reason: Refers, Pos: diag.Position{File: "a.go", Line: 9, Column: 4}})
	g.Add("a", Edge{To: "a", Reason: Refers})
	g.Add("c", Edge{To: "a", Reason: Extracts, Pos: diag.Position{File: "c.go", Line: 7, Column: 4}})
	g.Add("c", Edge{To: "a", Reason: Refers, Pos: diag.Position{File: "c.go", Line: 8, Column: 4}})
	g.Add("c", Edge{To: "a", Reason: Refers, Pos: diag.Position{File: "c.go", Line: 6, Column: 4}})
	g.Add("d", Edge{To: "e", Reason: Mirrors})
	return g
}

func TestRings(t *testing.T) {
	want := []string{"abc", "de", "f", "g"}
	rings := testGraph().Rings()
	of := map[int]int{}
	for i, members := range want {
		for _, p := range members {
			if ring, known := of[i]; known && rings[string(p)] != ring {
				t.Errorf("%c is in no ring with the others of %s", p, members)
			}
			of[i] = rings[string(p)]
		}
	}
	for i := range want {
		for j := range i {
			if of[i] == of[j] {
				t.Errorf("%s and %s are in one ring", want[i], want[j])
			}
		}
	}
}

func TestCycle(t *testing.T) {
	g := testGraph()
	for from, test := range map[string]struct{ to, want string }{
		"a": {"b", "a -> b -> c -> a, where b imports c at b.go:3:8 and c refers to a at c.go:6:4"},
		"c": {"a", "c -> a -> b -> c, where a refers to b at a.go:9:4 and b imports c at b.go:3:8"},
		"d": {"e", "d -> e -> d, where e imports d"},
		"e": {"d", "e -> d -> e, where d mirrors types of e"},
	} {
		if got := g.Cycle(from, test.to); got != test.want {
			t.Errorf("got %s\nwant %s", got, test.want)
		}
	}
}
