package importgraph_test

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// testGraph has the ring a, b, c, which c closes in two ways, the ring d, e, a
// package f that imports both, and g, which is imported.
func testGraph() importgraph.Graph {
	g := importgraph.New(map[string][]model.Import{
		"b": {{Path: "c", Pos: diag.Position{File: "b.go", Line: 3, Column: 8}}, {Path: "g"}},
		"c": {{Path: "g"}},
		"e": {{Path: "d"}},
		"f": {{Path: "a"}, {Path: "e"}},
		"g": {},
	})
	g.Add("a", importgraph.Edge{To: "b", Reason: importgraph.Refers, Pos: diag.Position{File: "a.go", Line: 9, Column: 4}})
	g.Add("a", importgraph.Edge{To: "a", Reason: importgraph.Refers})
	g.Add("c", importgraph.Edge{To: "a", Reason: importgraph.Extracts, Pos: diag.Position{File: "c.go", Line: 7, Column: 4}})
	g.Add("c", importgraph.Edge{To: "a", Reason: importgraph.Refers, Pos: diag.Position{File: "c.go", Line: 8, Column: 4}})
	g.Add("c", importgraph.Edge{To: "a", Reason: importgraph.Refers, Pos: diag.Position{File: "c.go", Line: 6, Column: 4}})
	g.Add("d", importgraph.Edge{To: "e", Reason: importgraph.Mirrors})
	return g
}

func TestRings(t *testing.T) {
	want := [][]string{{"g"}, {"a", "b", "c"}, {"d", "e"}, {"f"}}
	expect.Equal(t, want, testGraph().Rings(), "rings")
}

func TestCycle(t *testing.T) {
	g := testGraph()
	for from, test := range map[string]struct{ to, want string }{
		"a": {"b", "a -> b -> c -> a, where b imports c at b.go:3:8 and c refers to a at c.go:6:4"},
		"c": {"a", "c -> a -> b -> c, where a refers to b at a.go:9:4 and b imports c at b.go:3:8"},
		"d": {"e", "d -> e -> d, where e imports d"},
		"e": {"d", "e -> d -> e, where d mirrors types of e"},
	} {
		expect.Equal(t, test.want, g.Cycle(from, test.to))
	}
}

func TestCyclic(t *testing.T) {
	want := importgraph.Cyclic{"a": "a", "b": "a", "c": "a", "d": "d", "e": "d"}
	got := testGraph().Cyclic()
	expect.Equal(t, want, got)
	for _, test := range []struct {
		a, b string
		want bool
	}{{"a", "c", true}, {"a", "a", false}, {"a", "d", false}, {"f", "g", false}} {
		expect.True(t, got.Together(test.a, test.b) == test.want, "%s and %s: want %v", test.a, test.b, test.want)
	}
}

// TestCycleOfPart has a graph without the imports that close a cycle.
func TestCycleOfPart(t *testing.T) {
	g := importgraph.Graph{}
	g.Add("a", importgraph.Edge{To: "b", Reason: importgraph.Refers})
	expect.Equal(t, "a -> b", g.Cycle("a", "b"))
}

func TestAgrees(t *testing.T) {
	ring := func(more ...importgraph.Edge) importgraph.Graph {
		g := importgraph.Graph{}
		g.Add("a", importgraph.Edge{To: "b", Reason: importgraph.Refers})
		g.Add("b", importgraph.Edge{To: "a", Reason: importgraph.Refers})
		for _, e := range more {
			g.Add("b", e)
		}
		return g
	}
	both := importgraph.Cyclic{"a": "a", "b": "a"}
	for name, test := range map[string]struct {
		graph importgraph.Graph
		said  importgraph.Cyclic
		want  bool
	}{
		"a cycle":                              {ring(), both, true},
		"a cycle that was overlooked":          {ring(), importgraph.Cyclic{}, false},
		"no cycle":                             {importgraph.Graph{"a": {{To: "b", Reason: importgraph.Refers}}}, importgraph.Cyclic{}, true},
		"a cycle that is none":                 {importgraph.Graph{"a": {{To: "b", Reason: importgraph.Refers}}}, both, false},
		"a cycle that needs no reference":      {importgraph.Graph{"a": {{To: "b"}}, "b": {{To: "a"}}}, importgraph.Cyclic{}, true},
		"an extractor, and a look-up":          {ring(importgraph.Edge{To: "a", Reason: importgraph.Extracts}), both, true},
		"an extractor on a cycle that remains": {importgraph.Graph{"a": {{To: "b"}}, "b": {{To: "a", Reason: importgraph.Extracts}}}, both, false},
	} {
		expect.Equal(t, test.want, test.graph.Agrees(test.said), "%s", name)
	}
}

func TestMerge(t *testing.T) {
	g := importgraph.New(map[string][]model.Import{"a": {{Path: "b"}}, "b": {{Path: "c"}}})
	other := importgraph.New(map[string][]model.Import{"b": {{Path: "c"}}, "d": {{Path: "b"}}})
	other.Add("b", importgraph.Edge{To: "d", Reason: importgraph.Refers})
	other.Add("b", importgraph.Edge{To: "a", Reason: importgraph.Extracts})
	other.Add("b", importgraph.Edge{To: "a", Reason: importgraph.Refers})
	g.Merge(other)
	want := importgraph.Graph{
		"a": {{To: "b"}},
		"b": {{To: "c"}, {To: "d", Reason: importgraph.Refers}, {To: "a", Reason: importgraph.Extracts}, {To: "a", Reason: importgraph.Refers}},
		"d": {{To: "b"}},
	}
	expect.Equal(t, want, g)
}

// TestCycleNames has packages below a folder, of which the text names no more than tells them apart.
func TestCycleNames(t *testing.T) {
	g := importgraph.Graph{}
	g.Add("example.org/p/apis/ec2", importgraph.Edge{To: "example.org/p/names", Reason: importgraph.Imports})
	g.Add("example.org/p/names", importgraph.Edge{To: "example.org/p/apis/iam", Reason: importgraph.Imports})
	g.Add("example.org/p/apis/iam", importgraph.Edge{To: "example.org/p/apis/ec2", Reason: importgraph.Refers})
	want := "apis/iam -> apis/ec2 -> names -> apis/iam, where apis/ec2 imports names and names imports apis/iam"
	expect.Equal(t, want, g.Cycle("example.org/p/apis/iam", "example.org/p/apis/ec2"))
}
