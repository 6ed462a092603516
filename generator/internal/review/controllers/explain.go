package controllers

import (
	"cmp"
	"go/types"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// A Use is where code does something with a field: each function once, in the order of the source.
type Use struct {
	// Read and Written are where the field is, Sent where a request may get its value, and Compared where
	// a comparison may.
	Read, Written, Sent, Compared []Site
}

// Uses says what the code does with the fields at some positions.
func (code *Code) Uses(kinds []Kind, at []diag.Position) map[diag.Position]Use {
	a := newAnalysis(code, kinds)
	wanted := map[diag.Position]bool{}
	for _, pos := range at {
		wanted[pos] = true
	}
	uses, found := a.uses(), map[diag.Position]Use{}
	for pos, f := range a.apiFields() {
		if wanted[pos] {
			found[pos] = a.useOf(f, cmp.Or(uses[f], &use{}))
		}
	}
	return found
}

func (a *analysis) useOf(f *types.Var, u *use) Use {
	var sending, comparing []place
	search{graph: a.graph}.from(a.field(f), func(at step) bool {
		switch p := a.places[at.node]; p.end {
		case sent, named:
			sending = append(sending, p)
		case compared:
			comparing = append(comparing, p)
		}
		return false
	})
	return Use{PerFunction(a.sites(u.read)), PerFunction(a.sites(u.written)), PerFunction(a.sites(sending)), PerFunction(a.sites(comparing))}
}

// PerFunction leaves one site for each function.
func PerFunction(all []Site) []Site {
	var left []Site
	seen := map[string]bool{}
	for _, s := range all {
		if !seen[s.Function] {
			seen[s.Function] = true
			left = append(left, s)
		}
	}
	return left
}
