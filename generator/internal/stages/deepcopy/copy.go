package deepcopy

import (
	"go/types"
	"slices"
)

// into writes the code that copies *in to *out, both of type t. name is the type whose methods are being
// written, or "" for a type inside it.
func (w *copyWriter) into(t types.Type, name string) {
	under := t.Underlying()
	if _, isPointer := under.(*types.Pointer); !isPointer && w.methodsOf(t).any() {
		w.calls(t, "DeepCopy")
		w.Line("*out = in.DeepCopy()")
		return
	}
	if isReference(under) {
		// type T []T has no end.
		if named, ok := t.(*types.Named); ok && slices.Contains(w.within, t) {
			w.errorAt(named.Obj(), "%s is an element of itself: write DeepCopyInto and DeepCopy of it yourself", named.Obj().Name())
			return
		}
		w.within = append(w.within, t)
		defer func() { w.within = w.within[:len(w.within)-1] }()
	}
	switch under := under.(type) {
	case *types.Map:
		w.mapInto(t, name, under)
	case *types.Slice:
		w.sliceInto(t, name, under)
	case *types.Struct:
		w.structInto(under)
	case *types.Pointer:
		w.pointerInto(t, under.Elem())
	case *types.Basic:
		if isValue(under) {
			w.Line("*out = *in")
			return
		}
		w.cannotCopy(under)
	default:
		w.cannotCopy(under)
	}
}

// makeOut writes the line that allocates a slice or map as long as the original.
func (w *copyWriter) makeOut(t types.Type, name string) {
	if name == "" {
		name = w.typeName(t)
	}
	w.Line("*out = make(", name, ", len(*in))")
}

func (w *copyWriter) mapInto(t types.Type, name string, m *types.Map) {
	// A key with pointers would be another key after copying.
	if !assignable(types.Unalias(m.Key())) {
		w.errorf("deep copies can't be made of a map with keys of type %s: use strings", m.Key())
		return
	}
	w.makeOut(t, name)
	w.Block("for key, val := range *in", func() { w.mapValue(m.Elem()) })
}

// mapValue writes the code that copies the value of one key.
func (w *copyWriter) mapValue(elem types.Type) {
	under := elem.Underlying()
	_, isBasic := under.(*types.Basic)
	switch m := w.methodsOf(elem); {
	case m.any():
		w.mapValueByMethod(elem, m)
	case assignable(elem), isBasic && assignable(under): // also an alias
		w.Line("(*out)[key] = val")
	case isReference(under):
		w.Line("var outVal ", w.typeName(under))
		w.Line("if val == nil {")
		w.Indented(func() { w.Line("(*out)[key] = nil") })
		w.Block("} else", func() {
			w.Line("inVal := (*in)[key]")
			w.Line("in, out := &inVal, &outVal")
			w.into(elem, "")
		})
		w.Line("(*out)[key] = outVal")
	default:
		if _, isStruct := under.(*types.Struct); !isStruct {
			w.cannotCopy(under)
			return
		}
		w.calls(elem, "DeepCopy")
		w.Line("(*out)[key] = *val.DeepCopy()")
	}
}

func (w *copyWriter) mapValueByMethod(elem types.Type, m methods) {
	w.calls(elem, "DeepCopy")
	_, isPointer := types.Unalias(elem).(*types.Pointer)
	switch {
	case m.copiesToPointer(elem) == isPointer:
		w.Line("(*out)[key] = val.DeepCopy()")
	case isPointer:
		w.Line("{")
		w.Indented(func() {
			w.Line("x := val.DeepCopy()")
			w.Line("(*out)[key] = &x")
		})
		w.Line("}")
	default:
		w.Line("(*out)[key] = *val.DeepCopy()")
	}
}

func (w *copyWriter) sliceInto(t types.Type, name string, s *types.Slice) {
	elem, under := s.Elem(), s.Elem().Underlying()
	w.makeOut(t, name)
	hasMethods := w.methodsOf(elem).any()
	if !hasMethods && assignable(under) {
		w.Line("copy(*out, *in)")
		return
	}
	w.Block("for i := range *in", func() {
		_, isStruct := under.(*types.Struct)
		_, isPointer := types.Unalias(elem).(*types.Pointer)
		switch {
		case hasMethods && !isPointer || isStruct:
			w.calls(elem, "DeepCopyInto")
			w.Line("(*in)[i].DeepCopyInto(&(*out)[i])")
		case isReference(under):
			w.Block("if (*in)[i] != nil", func() {
				w.Line("in, out := &(*in)[i], &(*out)[i]")
				w.into(elem, "")
			})
		default:
			w.cannotCopy(under)
		}
	})
}

func (w *copyWriter) structInto(s *types.Struct) {
	w.Line("*out = *in")
	within := w.at
	defer func() { w.at = within }()
	for field := range s.Fields() {
		if field.Pkg() == w.pkg.Types {
			w.at = field
			// Another package's unexported field can only be copied by assignment.
		} else if !field.Exported() && !assignable(field.Type()) {
			w.errorf("no code of this package can copy the field %s, which package %s doesn't export: write DeepCopyInto and DeepCopy of %s yourself",
				field.Name(), field.Pkg().Path(), w.of.name)
			continue
		}
		if field.Name() == "_" {
			continue // the assignment copies it, and no code can name it
		}
		if !w.field(field) {
			w.cannotCopy(field.Type().Underlying())
		}
	}
}

// field writes the code that copies a field's references, after the struct is assigned. It returns false if the
// type of the field is invalid.
func (w *copyWriter) field(field *types.Var) bool {
	t, name := field.Type(), field.Name()
	under := t.Underlying()
	_, isPointer := types.Unalias(t).(*types.Pointer)
	_, isStruct := under.(*types.Struct)
	m := w.methodsOf(t)
	switch {
	case m.any() && !isPointer && !m.copiesToPointer(t):
		w.calls(t, "DeepCopy")
		w.Line("out.", name, " = in.", name, ".DeepCopy()")
	case m.any() && !isPointer, !m.any() && isStruct && !assignable(t):
		w.calls(t, "DeepCopyInto")
		w.Line("in.", name, ".DeepCopyInto(&out.", name, ")")
	case m.any() || isReference(under):
		w.Block("if in."+name+" != nil", func() {
			w.Line("in, out := &in.", name, ", &out.", name)
			w.into(t, "")
		})
	case isStruct:
		w.Line("out.", name, " = in.", name)
	default:
		basic, isBasic := under.(*types.Basic)
		return isBasic && isValue(basic)
	}
	return true
}

// pointerInto writes the code for pointers of type t to a type.
func (w *copyWriter) pointerInto(t, elem types.Type) {
	under := elem.Underlying()
	m := w.methodsOf(elem)
	_, isStruct := under.(*types.Struct)
	if _, isPointer := types.Unalias(elem).(*types.Pointer); isPointer {
		m = methods{} // Go finds no methods through two pointers
	}
	switch {
	case m.any() && m.copiesToPointer(elem):
		w.pointerCalls(t, elem, "DeepCopy")
		w.Line("*out = (*in).DeepCopy()")
	case m.any():
		w.pointerCalls(t, elem, "DeepCopy")
		w.Line("x := (*in).DeepCopy()")
		w.Line("*out = &x")
	case assignable(under):
		w.Line("*out = new(", w.typeName(elem), ")")
		w.Line("**out = **in")
	case isReference(under):
		w.Line("*out = new(", w.typeName(elem), ")")
		w.Block("if **in != nil", func() {
			w.Line("in, out := *in, *out")
			w.into(elem, "")
		})
	case isStruct:
		w.Line("*out = new(", w.typeName(elem), ")")
		w.pointerCalls(t, elem, "DeepCopyInto")
		w.Line("(*in).DeepCopyInto(*out)")
	default:
		w.cannotCopy(under)
	}
}

// pointerCalls checks a call of a copying method of the type that a pointer type t points to.
func (w *copyWriter) pointerCalls(t, elem types.Type, method string) {
	// A declared pointer type can't have methods.
	if named, ok := types.Unalias(t).(*types.Named); ok {
		w.errorf("Go allows no methods of the pointer type %s, such as %s: write *%s in its place", named.Obj().Name(), method, w.typeName(elem))
		return
	}
	w.calls(elem, method)
}
