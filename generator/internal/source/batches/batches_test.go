package batches

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// randomTree returns a tree of some folders that import and name each other at random. As Go has it,
// none imports itself, directly or not.
func randomTree(r *rand.Rand) *Tree {
	t := &Tree{scope: &modules.Scope{Options: modules.Options{Root: "/nowhere"}, Modules: []modules.Module{{Dir: ".", Path: "example.org/p"}}}, folders: map[string]*source{}}
	names := []string{"a", "b", "c", "d", "e", "f", "g"}[:2+r.IntN(6)]
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for i, name := range names {
		f := &source{covered: r.IntN(3) > 0, api: r.IntN(3) > 0, size: r.IntN(3)}
		for j, other := range names {
			if j < i && r.IntN(4) == 0 {
				f.imports = append(f.imports, other)
			}
			if i != j && r.IntN(4) == 0 {
				f.targets = append(f.targets, other)
			}
		}
		if f.api && r.IntN(2) == 0 {
			f.groups = append(f.groups, fmt.Sprint(r.IntN(3)))
		}
		if r.IntN(4) == 0 {
			f.generated = []string{"example.org/q/" + name, "example.org/q"}
		}
		t.folders[name] = f
	}
	t.divide()
	return t
}

// reachable returns what a folder leads to by some steps, without itself unless it does.
func (t *Tree) reachable(from string, steps func(*source) []string) map[string]bool {
	found := map[string]bool{}
	for todo := []string{from}; len(todo) > 0; todo = todo[1:] {
		for _, to := range steps(t.folders[todo[0]]) {
			if !found[to] {
				found[to] = true
				todo = append(todo, to)
			}
		}
	}
	return found
}

func imports(f *source) []string { return f.imports }
func both(f *source) []string    { return slices.Concat(f.imports, f.targets) }

// relabeled returns the number of each folder: those are the same that are in one unit, by changing the
// number of one for as long as two must be the same.
func (t *Tree) relabeled() map[string]int {
	numbers := map[string]int{}
	for name := range t.folders {
		numbers[name] = len(numbers)
	}
	for changed := true; changed; {
		changed = false
		for a, f := range t.folders {
			reached := t.reachable(a, imports)
			for b, g := range t.folders {
				sameGroup := g.api && slices.ContainsFunc(f.groups, func(group string) bool { return slices.Contains(g.groups, group) })
				if f.api && (sameGroup || reached[b]) && numbers[a] != numbers[b] {
					numbers[a], numbers[b] = min(numbers[a], numbers[b]), min(numbers[a], numbers[b])
					changed = true
				}
			}
		}
	}
	return numbers
}

// TestUnits divides trees at random. Units are as a search from each folder has them.
func TestUnits(t *testing.T) {
	for seed := range uint64(budget.Of(300, 20_000)) {
		tree := randomTree(rand.New(rand.NewPCG(seed, 1)))
		numbers := tree.relabeled()
		for a := range tree.folders {
			for b := range tree.folders {
				same := tree.unitNames[a] == tree.unitNames[b]
				expect.Must(t, same == (numbers[a] == numbers[b]), "seed %d: %s and %s are in one unit: %t", seed, a, b, same)
			}
		}
	}
}

// TestBatches divides trees at random, and judges batches by what they are for.
func TestBatches(t *testing.T) {
	several, early := 0, 0
	for seed := range uint64(budget.Of(1000, 20_000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		tree := randomTree(r)
		size := 1 + r.IntN(4)
		b := tree.Batches(size)
		batchOf := map[string]int{}
		for i, batch := range b {
			total, last := 0, map[string]int{}
			for _, name := range batch {
				_, isDouble := batchOf[name]
				expect.Must(t, !isDouble && tree.folders[name].covered, "seed %d: %s is in %v", seed, name, b)
				batchOf[name] = i
				total += tree.folders[name].size
				last[tree.unitNames[name]] += tree.folders[name].size
			}
			if i < len(b)-1 && total < size || total-last[tree.unitNames[batch[len(batch)-1]]] >= size {
				t.Fatalf("seed %d: a batch of %d bytes is too small, or too large, to have %d: %v", seed, total, size, b)
			}
		}
		for name, f := range tree.folders {
			_, isIn := batchOf[name]
			expect.Must(t, isIn == f.covered, "seed %d: %s is in a batch: %t, want %t", seed, name, isIn, f.covered)
		}
		for name, i := range batchOf {
			for other, j := range batchOf {
				expect.Must(t, tree.unitNames[name] != tree.unitNames[other] || i == j, "seed %d: %s and %s are one unit, and in two batches", seed, name, other)
			}
		}
		// Nothing comes before what it names in batches of one unit each, but where units name each other in a ring.
		single := map[string]int{}
		for i, batch := range tree.Batches(1) {
			for _, name := range batch {
				single[name] = i
			}
		}
		isEarly := false
		for name, i := range single {
			isEarly = isEarly || slices.ContainsFunc(tree.folders[name].targets, func(target string) bool { return single[target] > i })
		}
		if isEarly && !tree.hasRing() {
			t.Fatalf("seed %d: %v are out of order, without a ring", seed, tree.Batches(1))
		}
		if len(b) > 1 {
			several++
		}
		if isEarly {
			early++
		}
	}
	expect.True(t, several >= 100 && early >= 10, "%d have several batches, and %d name what comes later: that proves little", several, early)
}

// hasRing reports whether units name each other in a ring.
func (t *Tree) hasRing() bool {
	units := map[string]*source{}
	for name, f := range t.folders {
		unit := t.unitNames[name]
		if units[unit] == nil {
			units[unit] = &source{}
		}
		for _, target := range f.targets {
			if t.unitNames[target] != unit {
				units[unit].targets = append(units[unit].targets, t.unitNames[target])
			}
		}
	}
	tree := &Tree{folders: units}
	for unit := range units {
		if tree.reachable(unit, both)[unit] {
			return true
		}
	}
	return false
}

// TestOrder has units that all name each other: those come first that most others name.
func TestOrder(t *testing.T) {
	tree := &Tree{scope: &modules.Scope{}, folders: map[string]*source{
		"a": {covered: true, size: 1, targets: []string{"b", "c"}},
		"b": {covered: true, size: 1, targets: []string{"c"}},
		"c": {covered: true, size: 1, targets: []string{"a", "d"}},
		"d": {covered: true, size: 1},
	}}
	tree.divide()
	b := tree.Batches(1)
	expect.Equal(t, "[[d] [c] [a] [b]]", fmt.Sprint(b))
}

// TestCycles has trees at random, of which a search says which packages import each other, and whether
// patterns leave out packages with markers.
func TestCycles(t *testing.T) {
	covering, cyclicTrees := 0, 0
	for seed := range uint64(budget.Of(1000, 20_000)) {
		tree := randomTree(rand.New(rand.NewPCG(seed, 3)))
		cyclic := tree.Cyclic()
		for a := range tree.folders {
			for b := range tree.folders {
				want := a != b && tree.reachable(a, both)[b] && tree.reachable(b, both)[a]
				got := cyclic.Together(path.Join("example.org/p", a), path.Join("example.org/p", b))
				expect.Must(t, got == want, "seed %d: %s and %s import each other: %t, want %t", seed, a, b, got, want)
			}
		}
		hasOther := slices.ContainsFunc(slices.Collect(maps.Values(tree.folders)), func(f *source) bool { return !f.covered && len(f.targets) > 0 })
		got := tree.CoversMarkers()
		expect.Must(t, got != hasOther, "seed %d: the patterns cover all markers: %t", seed, got)
		if !hasOther {
			covering++
		}
		if len(cyclic) > 0 {
			cyclicTrees++
		}
	}
	expect.True(t, covering >= 100 && cyclicTrees >= 100, "%d cover all markers, and %d have one: that proves little", covering, cyclicTrees)
}

// TestNeeded says what code needs besides what it imports.
func TestNeeded(t *testing.T) {
	for seed := range uint64(budget.Of(300, 5000)) {
		tree := randomTree(rand.New(rand.NewPCG(seed, 4)))
		want := map[string]bool{}
		for _, f := range tree.folders {
			if !f.covered {
				continue
			}
			for _, generated := range f.generated {
				want[generated] = true
			}
			for _, target := range f.targets {
				if !tree.folders[target].covered {
					want["example.org/p/"+target] = true
				}
			}
		}
		got := tree.Needed()
		expect.Must(t, slices.Equal(got, slices.Sorted(maps.Keys(want))), "seed %d: needs %v, want %v", seed, got, want)
	}
}

// TestModuleBelow has packages of a module below the one at the root.
func TestModuleBelow(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module example.org/p\n\ngo 1.26\n", "nested/go.mod": "module example.org/nested\n", "nested/nested.go": "package nested\n",
		"apis/a/v1/a.go": "package v1\n", "apis/b/v1/b.go": "package v1\n", "internal/lone/lone.go": "package lone\n",
		"nested/apis/n/n.go": "// Package n is one.\n//\n// +groupName=n.example.org\npackage n\n\nimport \"example.org/p/internal/lone\"\n\ntype T struct {\n\t// +crossplane:generate:reference:type=example.org/p/apis/a/v1.A\n\tName string\n}\n",
	} {
		file := filepath.Join(root, name)
		expect.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		expect.NoError(t, os.WriteFile(file, []byte(content), 0o600))
	}
	sc, diags := modules.New(modules.Options{Root: root, Patterns: []string{"./apis/...", "./internal/...", "./nested/..."}})
	expect.None(t, diags.Errors())
	tree := expect.Value(NewTree(t.Context(), sc))(t)
	for name, want := range map[string]string{
		"apis/a/v1": "example.org/p/apis/a/v1", "nested": "example.org/nested", "nested/apis/n": "example.org/nested/apis/n", "internal/lone": "example.org/p/internal/lone",
	} {
		expect.Equal(t, want, tree.importPath(name), "%s", name)
	}
	f := tree.folders["nested/apis/n"]
	expect.True(t, slices.Equal(f.imports, []string{"internal/lone"}) && slices.Equal(f.targets, []string{"apis/a/v1"}), "the package of the module below is %+v", f)
	got := tree.local([]string{"example.org/nested/apis/n", "example.org/nested", "example.org/p2/apis/a/v1", "example.org/p/nowhere", "example.org/p/apis/b/v1", "example.org/p/apis/b/v1"})
	expect.True(t, slices.Equal(got, []string{"apis/b/v1", "nested", "nested/apis/n"}), "the folders are %v", got)
}
