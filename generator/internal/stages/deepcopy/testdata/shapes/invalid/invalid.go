// Package invalid has types that can't be copied.
//
// +kubebuilder:object:generate=true
package invalid

import "unsafe"

type (
	Interface      interface{ Method() }
	Function       func()
	Channel        chan string
	Array          [3]string
	Interfaces     []any
	Arrays         [][3]string
	InterfaceMap   map[string]any
	KeyMap         map[any]string
	Functions      map[string]func()
	UnsafePointers []unsafe.Pointer
)

// InterfaceField has a field that can't be copied, and more after it.
type InterfaceField struct {
	A any
	B func()
}

// ArrayField has one.
type ArrayField struct{ A [2]string }

// UnsafeField has one.
type UnsafeField struct{ A unsafe.Pointer }

// PointerField has pointers to such types.
type PointerField struct {
	A *any
	B *[2]string
	C *unsafe.Pointer
	D []*interface{}
	E map[[2]string]string
	F map[string]struct{ A []string }
	G []struct{ A []string }
	H *struct{ A []string }
	I map[string][]struct{ A []string }
	J [][]func()
}
