package deepcopy

import "go/types"

// methods are the copying methods that a type has without generated code.
type methods struct {
	deepCopy, deepCopyInto bool
	// deepCopyObject is only set for files that aren't loaded.
	deepCopyObject bool
	// onPointer is set if DeepCopy has a pointer receiver, and returns a pointer.
	onPointer bool
}

// any reports whether a type has one of the methods, and so gets the other one.
func (m methods) any() bool { return m.deepCopy || m.deepCopyInto }

// methodsOf returns the copying methods of a type, or of a pointer to it.
func methodsOf(t types.Type) methods {
	var m methods
	if signature := declared(t, "DeepCopy"); signature != nil && signature.Params().Len() == 0 && signature.Results().Len() == 1 {
		m.deepCopy, m.onPointer = returnsReceiver(signature)
	}
	if signature := declared(t, "DeepCopyInto"); signature != nil && signature.Params().Len() == 1 && signature.Results().Len() == 0 {
		into, isPointer := signature.Params().At(0).Type().(*types.Pointer)
		m.deepCopyInto = isPointer && into.Elem() == dereferenced(signature.Recv().Type())
	}
	return m
}

// declared returns the signature of a method, or nil.
func declared(t types.Type, method string) *types.Signature {
	found, index, _ := types.LookupFieldOrMethod(t, true, nil, method)
	// A promoted method would copy only a part.
	if f, ok := found.(*types.Func); ok && len(index) == 1 {
		return f.Signature()
	}
	return nil
}

// returnsReceiver reports whether a method returns the type of its receiver, and whether that is a pointer.
func returnsReceiver(signature *types.Signature) (same, pointer bool) {
	receiver, result := signature.Recv().Type(), signature.Results().At(0).Type()
	_, onPointer := receiver.(*types.Pointer)
	_, toPointer := result.(*types.Pointer)
	// Two pointer types to the same type need not be identical.
	if onPointer != toPointer || dereferenced(receiver) != dereferenced(result) {
		return false, false
	}
	return true, onPointer
}

func dereferenced(t types.Type) types.Type {
	if pointer, ok := t.(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}

// copiesToPointer reports whether DeepCopy of a type returns a pointer.
func (m methods) copiesToPointer(t types.Type) bool {
	if m.deepCopy {
		return m.onPointer
	}
	for {
		switch under := t.(type) {
		case *types.Named:
			t = under.Underlying()
		case *types.Pointer:
			t = under.Elem()
		case *types.Map, *types.Slice:
			return false
		default:
			return true
		}
	}
}

// isReference reports whether an underlying type is a slice, a map or a pointer.
func isReference(t types.Type) bool {
	switch t.(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	default:
		return false
	}
}

// assignable reports whether an assignment copies values of a type. Like controller-gen, it returns false for
// aliases and arrays: code calls methods for these.
func assignable(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return isValue(t)
	case *types.Named:
		return assignable(t.Underlying())
	case *types.Struct:
		for field := range t.Fields() {
			if !assignable(field.Type()) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// isValue reports whether API types may have a basic type.
func isValue(t *types.Basic) bool {
	return t.Kind() != types.Invalid && t.Kind() != types.UnsafePointer
}
