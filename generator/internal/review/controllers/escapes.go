package controllers

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// An escape is where a struct is handed on: its fields are read there, unless it is only compared, or
// written, if it is handed on by reference.
type escape struct {
	at            place
	read, written bool
}

// escape records that structs in a type are handed on to a node. The class is that of what does so.
func (b *builder) escape(in ssa.Instruction, t types.Type, to node, c class) {
	if b.isRoot(t) {
		return
	}
	for _, s := range b.structsIn(t) {
		b.link(b.whole(s), to, whole)
		b.escapes[s] = append(b.escapes[s], escape{at: place{fn: in.Parent(), pos: in.Pos()}, read: c != compares, written: c != compares && isReference(t)})
	}
}

func (b *builder) isRoot(t types.Type) bool {
	named, ok := types.Unalias(pointee(t)).(*types.Named)
	if !ok || !b.isAPI(named) {
		return false
	}
	meta := fieldNamed(named, "TypeMeta")
	return meta != nil && meta.Embedded() // a kind, or a list of resources
}

// isReference reports whether who has a value can change what others see of it.
func isReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Chan:
		return true
	}
	return false
}

// converted records a struct that becomes one of another type, with other fields.
func (b *builder) converted(in ssa.Instruction, from ssa.Value, to types.Type) {
	before, after := b.structsIn(from.Type()), b.structsIn(to)
	if len(before) != 1 || len(after) != 1 || before[0] == after[0] {
		return
	}
	b.escape(in, from.Type(), b.value(in.(ssa.Value)), unknown)
	b.escapes[after[0]] = append(b.escapes[after[0]], escape{at: place{fn: in.Parent(), pos: in.Pos()}, written: true})
	if pkg := packageOf(to); pkg != nil && !b.program.local[pkg] && !isQuiet(pkg.Path()) {
		b.link(b.value(in.(ssa.Value)), b.ending(in, sent), direct)
	}
}

// packageOf returns the package of a named type, or of what one leads to, or nil.
func packageOf(t types.Type) *types.Package {
	for depth := 0; depth < 20; depth++ {
		if named, ok := types.Unalias(t).(*types.Named); ok {
			return named.Obj().Pkg()
		}
		e, ok := t.Underlying().(interface{ Elem() types.Type })
		if !ok {
			return nil
		}
		t = e.Elem()
	}
	return nil
}

// boxed records a struct that becomes the value of an interface, through which anything can be done with
// it. As a managed resource, an object is what it was.
func (b *builder) boxed(in *ssa.MakeInterface) {
	c := b.boxedFor(in, 0)
	if c == ignored {
		return
	}
	hasMethods := in.Type().Underlying().(*types.Interface).NumMethods() > 0
	if n := gotypes.NamedOf(in.X.Type()); hasMethods && n != nil && gotypes.IsPointer(in.X.Type()) && b.program.local[n.Obj().Pkg()] && !b.isAPI(n) {
		return // calls of its methods are known
	}
	b.escape(in, in.X.Type(), b.value(in), c)
}

// boxedFor returns the class of the calls that a value is an argument of, perhaps in a list of arguments:
// unknown unless all are ignored, or comparisons.
func (b *builder) boxedFor(v ssa.Value, depth int) class {
	if v.Referrers() == nil || depth > 4 {
		return unknown
	}
	found := ignored
	for _, r := range *v.Referrers() {
		c := unknown
		switch r := r.(type) {
		case *ssa.Call:
			if _, others := b.callees.of(r.Common()); others {
				c = classOf(r.Common())
			}
		case *ssa.Store:
			if item, ok := r.Addr.(*ssa.IndexAddr); ok && r.Val == v {
				c = b.boxedFor(item.X, depth+1)
			} else if r.Addr == v {
				continue
			}
		case *ssa.Slice:
			c = b.boxedFor(r, depth+1)
		case *ssa.IndexAddr, *ssa.DebugRef:
			continue
		}
		if c != ignored && c != compares {
			return unknown
		}
		found = min(found, c)
	}
	return found
}

// isAPI reports whether a type belongs to a package with kinds.
func (b *builder) isAPI(n *types.Named) bool { return b.apis[n.Obj().Pkg()] }

// madeElsewhere records that the fields of structs in a type may have any value: who made them isn't known.
func (b *builder) madeElsewhere(in ssa.Instruction, t types.Type) {
	if b.isRoot(t) {
		return
	}
	for _, s := range b.structsIn(t) {
		b.escapes[s] = append(b.escapes[s], escape{at: place{fn: in.Parent(), pos: in.Pos()}, written: true})
	}
}
