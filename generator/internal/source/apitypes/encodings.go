package apitypes

import (
	"fmt"
	"go/types"
)

// A codec is a method of a type that encoding/json calls.
type codec struct {
	name string
	// from is the embedded field that it is promoted from, or nil.
	from *types.Var
}

// codecOf returns the first of the methods that a type has, of its own or promoted, on values or on pointers.
func codecOf(named *types.Named, names ...string) (codec, bool) {
	for _, name := range names {
		path := methodPath(named, name)
		switch structType, isStruct := named.Underlying().(*types.Struct); {
		case path == nil:
		case isStruct && len(path) > 1:
			return codec{name, structType.Field(path[0])}, true
		default:
			return codec{name, nil}, true
		}
	}
	return codec{}, false
}

// encoding says why a type that writes or reads itself can't read what it writes, with a remedy, or returns "". What the methods do isn't
// known, but which of them encoding/json calls is.
func encoding(named *types.Named, writes, reads codec) string {
	for _, method := range []codec{writes, reads} {
		if method.from == nil {
			continue
		}
		name := method.from.Name()
		if _, isPointer := method.from.Type().(*types.Pointer); isPointer {
			return fmt.Sprintf("%s has %s from *%s, with which Go panics where that is nil: embed %[3]s without the asterisk, or name the field",
				named.Obj().Name(), method.name, name)
		}
		if named.Underlying().(*types.Struct).NumFields() > 1 {
			return fmt.Sprintf("%s has %s from %s, which leaves out the other fields: name the field, as in %[3]s %s, in place of embedding it",
				named.Obj().Name(), method.name, name, describe(method.from.Type()))
		}
	}
	switch {
	case isString(named):
	case writes.name == "MarshalText" && reads.name == "":
		return fmt.Sprintf("%s writes a text, which it can't read without UnmarshalText: declare that, too", named.Obj().Name())
	case reads.name == "UnmarshalText" && writes.name == "":
		return fmt.Sprintf("%s reads a text, which it doesn't write without MarshalText: declare that, too", named.Obj().Name())
	}
	return ""
}

// uncalled returns the method by which a type writes itself if encoding/json doesn't call it for keys and values of maps, or "": it can't
// take their addresses for a method with a pointer receiver.
func uncalled(t types.Type, names ...string) string {
	named, isNamed := types.Unalias(t).(*types.Named)
	if !isNamed {
		return ""
	}
	method, isEncoder := codecOf(named, names...)
	if !isEncoder {
		return ""
	}
	if ofValues, _, _ := types.LookupFieldOrMethod(named, false, nil, method.name); ofValues != nil {
		return ""
	}
	return method.name
}
