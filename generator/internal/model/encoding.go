package model

// An Encoding says how encoding/json writes a value of a type that it has read.
type Encoding uint8

const (
	// Plain types have no methods for it: a value is written as it was read, but for
	// what [Field.OmitsZero] says about the fields of structs.
	Plain Encoding = iota
	// Verbatim types encode themselves, in the form that they were read in.
	Verbatim
	// Quantity types write an equal quantity, as text: 1Gi for 1024Mi, "5" for 5.
	Quantity
	// Duration types write an equal duration: 1h0m0s for 60m.
	Duration
	// Seconds types are times of which they keep whole seconds.
	Seconds
	// Rounded types are numbers that are rounded when they are read.
	Rounded
	// Unknown types encode themselves in a form that nobody knows.
	Unknown
)

// selfEncoding are the types of other modules that encode themselves, by import path
// and name, as far as it is known how.
var selfEncoding = map[[2]string]struct {
	encoding Encoding
	// nullIfZero is set if the zero value is null.
	nullIfZero bool
}{
	{"encoding/json", "RawMessage"}: {Verbatim, true},
	{"time", "Time"}:                {Verbatim, false},
	{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON"}: {Verbatim, true},
	{"k8s.io/apimachinery/pkg/api/resource", "Quantity"}:                 {Quantity, false},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "Duration"}:                 {Duration, false},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "MicroTime"}:                {Verbatim, true},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "Time"}:                     {Seconds, true},
	{"k8s.io/apimachinery/pkg/runtime", "RawExtension"}:                  {Verbatim, true},
	{"k8s.io/apimachinery/pkg/util/intstr", "IntOrString"}:               {Verbatim, false},
}

// Encoding returns how encoding/json writes a value of the type that it has read.
func (t *Type) Encoding() Encoding {
	switch {
	case t.Marshals || t.Unmarshals:
		if known, ok := selfEncoding[[2]string{t.Package, t.Name}]; ok {
			return known.encoding
		}
		return Unknown
	case t.Kind == Opaque, t.Kind == Missing:
		return Unknown
	case t.Basic == "float32":
		return Rounded
	default:
		return Plain
	}
}

// OmitsZero reports whether encoding/json leaves the field out although it was read,
// because what was read is empty or zero.
func (f *Field) OmitsZero() bool {
	switch f.Type.Kind {
	case Opaque, Missing:
		return f.OmitEmpty || f.OmitZero
	case Pointer:
		return f.OmitZero && f.Type.Elem.Zeroes
	case Map:
		return f.OmitEmpty || f.OmitZero && f.Type.Zeroes
	case Slice:
		return !f.Type.Array && f.OmitEmpty || f.OmitZero && (f.Type.Array || f.Type.Zeroes)
	case Struct:
		return f.OmitZero
	default:
		return f.OmitEmpty || f.OmitZero
	}
}

// OmitsNull reports whether encoding/json leaves the field out if it was read as null.
func (f *Field) OmitsNull() bool {
	switch f.Type.Kind {
	case Pointer, Map, Opaque:
		return f.OmitEmpty || f.OmitZero
	case Slice:
		return !f.Type.Array && (f.OmitEmpty || f.OmitZero)
	default:
		return f.OmitsZero()
	}
}

// AlwaysMarshals reports whether an object from Go always has a value in the
// field, such as "" or 0, also when nobody set one. A nil pointer, slice or map has
// none: it is null, which counts as absent.
func (f *Field) AlwaysMarshals() bool {
	if f.Type.NullIfZero() {
		return false
	}
	switch f.Type.Kind {
	case Pointer, Map, Opaque:
		return false
	case Slice:
		return f.Type.Array && !f.OmitZero
	case Struct:
		return !f.OmitZero
	default:
		return !f.OmitEmpty && !f.OmitZero
	}
}

// NullIfZero reports whether encoding/json writes null for the zero value of the type.
func (t *Type) NullIfZero() bool {
	return t.Marshals && selfEncoding[[2]string{t.Package, t.Name}].nullIfZero
}
