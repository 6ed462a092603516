package model

// An Encoding says how encoding/json writes a value that it has read.
type Encoding uint8

const (
	// Plain types are written as they were read, apart from omitted fields, see
	// [Field.OmitsZero].
	Plain Encoding = iota
	// Verbatim types encode themselves as they were read.
	Verbatim
	// Quantity types write an equal quantity as a string: 1Gi for 1024Mi, "5" for 5.
	Quantity
	// Duration types write an equal duration: 1h0m0s for 60m.
	Duration
	// Seconds types are times, truncated to seconds.
	Seconds
	// Rounded types are numbers that lose precision.
	Rounded
	// Unknown types encode themselves, and mrgen doesn't know how.
	Unknown
)

// selfEncoding are types of other modules that encode themselves in a known way, by import
// path and name.
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

// Encoding returns how encoding/json writes a value of the type after reading it.
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

// OmitsZero reports whether encoding/json omits the field after reading an empty or zero
// value.
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

// OmitsNull reports whether encoding/json omits the field after reading null.
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

// AlwaysMarshals reports whether objects from Go always have a value in the field, such as
// "" or 0, even if nobody set one. A nil pointer, slice or map is null, which counts as
// unset.
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

// OmitZeroSince is the first version of k8s.io/apimachinery that knows the option omitzero of json
// tags wherever it encodes: its pkg/runtime/converter.go reads it from this version on, as do
// structured-merge-diff/v6 v6.3.0 (value/jsontagutil.go) and fxamacker/cbor v2.9.0
// (structfields.go), which it is the first to require. It needs Go 1.24, whose encoding/json knows
// omitzero; sigs.k8s.io/json only decodes. Earlier versions write null for a nil list or map with
// omitzero alone.
const OmitZeroSince = "v0.34.0"
