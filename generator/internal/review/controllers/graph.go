package controllers

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// A node is a value, a field of all structs of a type, a result of a function, or a place where values end.
type node int32

// An edgeKind says how a value gets from one node to another.
type edgeKind uint8

const (
	// direct edges hand on a value, or what is made of it.
	direct edgeKind = iota
	// call edges lead into a function, and result edges out of it.
	call
	result
	// part edges lead from a value to what is in it, and whole edges the other way.
	part
	whole
	// control edges lead from a condition to what depends on it, and decides edges to a yes or no that
	// does.
	control
	decides
)

// A callSite is an instruction that calls, or zero.
type callSite int32

// An edge leads to a node. Call and result edges have the instruction that calls.
type edge struct {
	to   node
	site callSite
	kind edgeKind
}

// An end is what becomes of a value that leaves the module.
type end uint8

const (
	noEnd end = iota
	// sent values are in a request: set in a struct of a client, or an argument of a call of one. A
	// handed value is given to something that may send it, and a named one becomes the external name.
	sent
	handed
	named
	// compared values are compared with others, tested ones with constants, and steering ones decide on
	// what is done.
	compared
	tested
	steering
)

// A place is where a node is.
type place struct {
	fn  *ssa.Function
	pos token.Pos
	end end
	// equals is set if the value says whether others are equal.
	equals bool
	// of is the value that an ending is about, or -1, and operands are what is compared.
	of       node
	operands []node
	// request is the field of a request that is set.
	request *types.Var
}

// A graph says where values go. Values of fields aren't told apart by the structs that they are in.
type graph struct {
	edges  [][]edge
	places []place
	// back has for each node those from which edges lead there. It is made once all edges are there.
	back [][]node

	values  map[ssa.Value]node
	fields  map[*types.Var]node
	results map[resultOf]node
	wholes  map[*types.Struct]node
	sites   map[ssa.CallInstruction]callSite
	unnamed typeutil.Map

	// seen has for each node the last search that came there.
	seen     []int
	searches int
}

type resultOf struct {
	fn *ssa.Function
	i  int
}

func newGraph() *graph {
	return &graph{values: map[ssa.Value]node{}, fields: map[*types.Var]node{}, results: map[resultOf]node{}, wholes: map[*types.Struct]node{}, sites: map[ssa.CallInstruction]callSite{}}
}

func (g *graph) add(p place) node {
	g.edges, g.places = append(g.edges, nil), append(g.places, p)
	return node(len(g.places) - 1)
}

// value returns the node of a value, or -1 for what is known when the program is compiled.
func (g *graph) value(v ssa.Value) node {
	switch v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, nil:
		return -1
	}
	n, _ := nodeOf(g, g.values, v, place{fn: v.Parent(), pos: v.Pos()})
	return n
}

// nodeOf returns the node that is known for something, or a new one at a place.
func nodeOf[K comparable](g *graph, known map[K]node, key K, at place) (n node, isNew bool) {
	n, isKnown := known[key]
	if !isKnown {
		n = g.add(at)
		known[key] = n
	}
	return n, !isKnown
}

// field returns the node of a field.
func (g *graph) field(f *types.Var) node {
	f = f.Origin()
	n, _ := nodeOf(g, g.fields, f, place{pos: f.Pos()})
	return n
}

func (g *graph) result(fn *ssa.Function, i int) node {
	n, _ := nodeOf(g, g.results, resultOf{fn, i}, place{fn: fn, pos: fn.Pos()})
	return n
}

// ending returns a new node where values end.
func (g *graph) ending(in ssa.Instruction, e end) node {
	of := node(-1)
	switch in := in.(type) {
	case *ssa.If:
		of = g.value(in.Cond)
	case ssa.Value:
		of = g.value(in)
	}
	return g.add(place{fn: in.Parent(), pos: in.Pos(), end: e, of: of})
}

func (g *graph) link(from, to node, kind edgeKind) { g.linkCall(from, to, kind, nil) }

func (g *graph) linkCall(from, to node, kind edgeKind, in ssa.CallInstruction) {
	if from < 0 || to < 0 || from == to {
		return
	}
	var site callSite
	if in != nil {
		if site = g.sites[in]; site == 0 {
			site = callSite(len(g.sites) + 1)
			g.sites[in] = site
		}
	}
	g.edges[from] = append(g.edges[from], edge{to, site, kind})
}

// whole returns the node of all that is in structs of a type.
func (g *graph) whole(s *types.Struct) node {
	n, isNew := nodeOf(g, g.wholes, s, place{})
	if !isNew {
		return n
	}
	for f := range s.Fields() {
		g.link(g.field(f), n, whole)
		for _, inner := range g.structsIn(f.Type()) {
			g.link(g.whole(inner), n, whole)
		}
	}
	return n
}

// fieldOf returns the i-th field of a struct, or of what a pointer to one leads to.
func (g *graph) fieldOf(t types.Type, i int) *types.Var {
	return g.structOf(pointee(t)).Field(i)
}

// selection returns the field that a value is, or is the address of, with what has that, or nil.
func (g *graph) selection(v ssa.Value) (base ssa.Value, f *types.Var) {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X, g.fieldOf(v.X.Type(), v.Field)
	case *ssa.Field:
		return v.X, g.fieldOf(v.X.Type(), v.Field)
	}
	return nil, nil
}

// pointee returns what a pointer leads to, even one of a declared type, or the type if it is none.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// structOf returns the struct that a type is. Those without a name are the same if their fields are.
func (g *graph) structOf(t types.Type) *types.Struct {
	s := t.Underlying().(*types.Struct)
	if types.Unalias(t) != s {
		return s
	}
	if same, ok := g.unnamed.At(s).(*types.Struct); ok {
		return same
	}
	g.unnamed.Set(s, s)
	return s
}

// structsIn returns the structs that a value of a type has, or leads to.
func (g *graph) structsIn(t types.Type) []*types.Struct {
	for depth := 0; depth < 20; depth++ {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			return []*types.Struct{g.structOf(t)}
		case interface{ Elem() types.Type }: // a pointer, list, map or channel
			t = u.Elem()
		case *types.Tuple:
			var all []*types.Struct
			for v := range u.Variables() {
				all = append(all, g.structsIn(v.Type())...)
			}
			return all
		default:
			return nil
		}
	}
	return nil
}

// A search follows values from a node.
type search struct {
	graph *graph
	// in tells which functions may be gone through. It may be nil.
	in func(*ssa.Function) bool
	// strict searches take only edges that hand on a value, and leave functions where they entered them.
	// Beyond a comparison, they take edges to what depends on it.
	strict bool
	// apart searches, of those that aren't strict, leave out what is done with structs as wholes.
	apart bool
}

// deepest is how many calls a strict search remembers.
const deepest = 4

// A step is a node that a search has come to. Equal is the last comparison before, or -1.
type step struct{ node, equal node }

// from calls visit with each node that values of one get to, perhaps that one again, until it returns true,
// and reports whether it did.
func (s search) from(start node, visit func(step) bool) bool {
	type state struct {
		step
		calls [deepest]callSite
	}
	if !s.strict {
		return s.anywhere(start, visit)
	}
	first := state{step: step{start, -1}}
	seen := map[state]bool{first: true}
	queue := []state{first}
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if at != first && visit(at.step) {
			return true
		}
		for _, e := range s.graph.edges[at.node] {
			p := &s.graph.places[e.to]
			if s.in != nil && p.fn != nil && !s.in(p.fn) {
				continue
			}
			next := state{step: step{e.to, at.equal}}
			if p.equals {
				next.equal = e.to
			}
			next.calls = at.calls
			switch e.kind {
			case whole, control, part:
				continue
			case decides:
				if next.equal < 0 {
					continue
				}
			case call:
				if at.calls[deepest-1] != 0 {
					continue
				}
				copy(next.calls[1:], at.calls[:])
				next.calls[0] = e.site
			case result:
				if at.calls[0] != 0 && at.calls[0] != e.site {
					continue
				}
				copy(next.calls[:], at.calls[1:])
				next.calls[deepest-1] = 0
			case direct:
				if p.fn == nil { // a field of any struct
					next.calls = [deepest]callSite{}
				}
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			} else if next == first && visit(next.step) {
				return true
			}
		}
	}
	return false
}

// anywhere is from for searches that take all edges.
func (s search) anywhere(start node, visit func(step) bool) bool {
	g := s.graph
	if len(g.seen) < len(g.edges) {
		g.seen = make([]int, len(g.edges))
	}
	g.searches++
	g.seen[start] = g.searches
	queue := []node{start}
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, e := range g.edges[at] {
			fn := g.places[e.to].fn
			if g.seen[e.to] == g.searches || s.in != nil && fn != nil && !s.in(fn) || s.apart && e.kind == whole {
				continue
			}
			if g.seen[e.to] = g.searches; visit(step{e.to, -1}) {
				return true
			}
			queue = append(queue, e.to)
		}
	}
	return false
}

// reaching returns the nodes from which values get to those that are wanted.
func (g *graph) reaching(wanted func(node, place) bool) []bool {
	if len(g.back) < len(g.edges) {
		counts := make([]int, len(g.edges))
		all := 0
		for _, edges := range g.edges {
			for _, e := range edges {
				counts[e.to]++
			}
			all += len(edges)
		}
		g.back = make([][]node, len(g.edges))
		free := make([]node, all)
		for to, n := range counts {
			g.back[to], free = free[:0:n], free[n:]
		}
		for from, edges := range g.edges {
			for _, e := range edges {
				g.back[e.to] = append(g.back[e.to], node(from))
			}
		}
	}
	reached := make([]bool, len(g.edges))
	var queue []node
	for n, p := range g.places {
		if wanted(node(n), p) {
			reached[n] = true
			queue = append(queue, node(n))
		}
	}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, from := range g.back[n] {
			if !reached[from] {
				reached[from] = true
				queue = append(queue, from)
			}
		}
	}
	return reached
}
