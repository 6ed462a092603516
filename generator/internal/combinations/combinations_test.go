// Package combinations_test combines markers, types and places. Each combination is a cell, which becomes a kind. It is
// refused, with a position in the author's file, or it is generated, and then [relations] hold, of which the API server's
// code, encoding/json and controller-gen are the judges.
package combinations_test

import (
	"flag"
	"fmt"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

var (
	seed  = flag.Uint64("seed", 1, "the seed of the choice of cells")
	every = flag.Bool("every", false, "try every cell")
	three = flag.Bool("three", false, "with -every, try three markers, too")
)

// perBatch is the number of kinds that are generated together.
const perBatch = 300

// TestCombinations tries some base cells and some others.
func TestCombinations(t *testing.T) {
	random := rand.New(rand.NewPCG(*seed, 0))
	base, others := bases(), marked(random, *three)
	for _, cells := range [][]*cell{base, others} {
		random.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	}
	t.Logf("seed %d: %d base cells and %d with markers in all", *seed, len(base), len(others))
	if !*every {
		base, others = base[:min(len(base), budget.Of(25, len(base)))], others[:min(len(others), budget.Of(50, 3000))]
	}
	c := &comparison{t: t, found: newFindings(), values: values(t), bases: map[baseKey]*judgement{}}
	cells := append(base, others...)
	for i, cell := range cells {
		cell.number = i
	}
	for batch := range slices.Chunk(grouped(cells), perBatch) {
		c.compare(batch)
	}
	c.found.report(t, len(cells))
	t.Logf("%d cells: %d refused, %d judged, %d not judged", len(cells), c.refused, c.judged, c.unjudged)
	expect.True(t, c.judged != 0 && c.refused != 0, "no cell is judged, or none is refused")
}

// TestAliases holds that markers on aliases of basic types count everywhere, as those on types do.
func TestAliases(t *testing.T) {
	var aliases []*cell
	for _, c := range marked(rand.New(rand.NewPCG(*seed, 0)), false) {
		_, isBasic := types.Universe.Lookup(c.goType.expr).(*types.TypeName)
		if isBasic && c.place.name == "alias" && !strings.Contains(c.marking.name, " and ") {
			c.number = len(aliases)
			aliases = append(aliases, c)
		}
	}
	c := &comparison{t: t, found: newFindings(), values: values(t), bases: map[baseKey]*judgement{}}
	c.compare(grouped(aliases[:budget.Of(30, len(aliases))]))
	if found := c.found.byRelation["initProvider takes what forProvider refuses"]; len(found) > 0 || c.judged == 0 {
		t.Errorf("%d cells are judged, and initProvider of %d takes more, such as %s", c.judged, len(found), found[:min(1, len(found))])
	}
}

// A comparison judges cells batch by batch.
type comparison struct {
	t      *testing.T
	found  *findings
	values []any
	// bases are the judgements of the base cells.
	bases map[baseKey]*judgement

	refused, judged, unjudged int
}

type baseKey struct {
	*goType
	*place
}

// compare judges the cells of some groups.
func (c *comparison) compare(groups []*group) {
	start := time.Now()
	b := newBatch(c.t, groups, c.found)
	unclear, ok := b.generate()
	if !ok {
		if half := len(groups) / 2; half > 0 {
			c.compare(groups[:half])
			c.compare(groups[half:])
		} else if len(groups[0].cells) > 1 {
			c.compare(apart(groups[0]))
		}
		return
	}
	generated := time.Now()
	b.load()
	loaded := time.Now()
	servers := map[*kindOutcome]*apiserver.ObjectValidator{}
	for _, o := range b.outcomes {
		if slices.Contains(unclear, o.kind) {
			continue // tried again below
		}
		if len(o.refused) > 0 {
			c.refused++
			continue
		}
		if o.kind.definition == nil {
			c.found.add("no definition", o, "")
			continue
		}
		if servers[o.kind] == nil {
			server := expect.Value(apiserver.NewObjectValidator(schemaOf(o.kind.definition)))(c.t)
			servers[o.kind] = server
		}
		c.judge(o, servers[o.kind])
	}
	c.t.Logf("%d cells in %d kinds: generated in %s, loaded in %s, judged in %s", len(b.outcomes), len(groups), generated.Sub(start).Round(time.Millisecond),
		loaded.Sub(generated).Round(time.Millisecond), time.Since(loaded).Round(time.Millisecond))
	for _, o := range b.outcomes { // that are kept with findings, and as bases
		o.kind.packages = nil
	}
	for _, k := range unclear {
		c.compare(apart(k.group))
	}
}

// judge judges a cell.
func (c *comparison) judge(o *outcome, server *apiserver.ObjectValidator) {
	j := judge(c.t, o, server, c.values)
	if j == nil {
		c.unjudged++
		return
	}
	c.judged++
	if o.marking.lines == nil {
		c.bases[baseKey{o.goType, o.place}] = j
	}
	base := c.bases[baseKey{o.goType, o.place}]
	if base == j {
		base = nil
	}
	for _, r := range relations {
		r.holds(j, base, func(what string) { c.found.add(r.name, o, what) })
	}
}

// apart returns a group of its own for each cell.
func apart(g *group) []*group {
	var all []*group
	for _, c := range g.cells {
		all = append(all, &group{name: g.name, place: g.place, cells: []*cell{c}})
		all[len(all)-1].name = fmt.Sprintf("G%05d", c.number)
	}
	return all
}
