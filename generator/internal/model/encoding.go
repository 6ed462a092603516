package model

// An Encoding says how encoding/json writes a value that it has read.
type Encoding uint8

const (
	// Plain types are written as they were read, apart from omitted fields, see
	// [Field.Zero].
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
	// nullIfZero is set if the zero value is null, and keepsAll if the type reads and writes any JSON.
	nullIfZero, keepsAll bool
}{
	{"encoding/json", "RawMessage"}: {Verbatim, true, true},
	{"time", "Time"}:                {Verbatim, false, false},
	{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON"}: {Verbatim, true, true},
	{"k8s.io/apimachinery/pkg/api/resource", "Quantity"}:                 {Quantity, false, false},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "Duration"}:                 {Duration, false, false},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "MicroTime"}:                {Verbatim, true, false},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "Time"}:                     {Seconds, true, false},
	{"k8s.io/apimachinery/pkg/runtime", "RawExtension"}:                  {Verbatim, true, true},
	{"k8s.io/apimachinery/pkg/util/intstr", "IntOrString"}:               {Verbatim, false, false},
}

// Encoding returns how encoding/json writes a value of the type after reading it.
func (t *Type) Encoding() Encoding {
	switch {
	case t.Marshals || t.Unmarshals:
		if known, ok := selfEncoding[t.encoder()]; ok {
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

// encoder returns the import path and the name of the type whose methods encode values of t: of t, or of one that keeps any
// JSON and that t embeds.
func (t *Type) encoder() [2]string {
	_, writes := t.Methods["MarshalJSON"]
	_, reads := t.Methods["UnmarshalJSON"]
	for _, f := range t.Fields {
		of := [2]string{f.Type.Package, f.Type.Name}
		if f.Embedded && selfEncoding[of].keepsAll && !writes && !reads {
			return of
		}
	}
	return [2]string{t.Package, t.Name}
}

// A Presence is how encoding/json writes a field.
type Presence uint8

const (
	// Written fields have a value, such as "" or 0.
	Written Presence = iota
	// Null fields count as unset.
	Null
	// Omitted fields are left out.
	Omitted
)

// Unset returns how encoding/json writes the field if it is unset, or after reading null.
func (f *Field) Unset() Presence {
	// omitempty never omits a struct, or an array with elements
	isOmitted := f.OmitZero || f.OmitEmpty && f.Type.Kind != Struct && !f.Type.Array
	return presence(isOmitted, f.Type.IsNilable() || f.Type.Kind == Opaque || f.Type.NullIfZero())
}

// Zero returns how encoding/json writes the field after reading an empty or zero value.
func (f *Field) Zero() Presence {
	isOmitted := f.OmitZero || f.OmitEmpty
	switch t := f.Type; {
	case t.Kind == Struct, t.Array:
		isOmitted = f.OmitZero
	case t.Kind == Pointer: // a pointer to zero isn't zero, unless IsZero says so
		isOmitted = f.OmitZero && t.Elem.Zeroes
	case t.IsNilable(): // omitzero keeps empty slices and maps that aren't nil
		isOmitted = f.OmitEmpty || f.OmitZero && t.Zeroes
	}
	return presence(isOmitted, f.Type.Deref().NullIfZero())
}

func presence(isOmitted, isNull bool) Presence {
	switch {
	case isOmitted:
		return Omitted
	case isNull:
		return Null
	default:
		return Written
	}
}

// NullIfZero reports whether encoding/json writes null for the zero value of the type.
func (t *Type) NullIfZero() bool { return t.Marshals && selfEncoding[t.encoder()].nullIfZero }

// OmitZeroSince is the first version of k8s.io/apimachinery that supports the option omitzero of json tags wherever it
// encodes: its pkg/runtime/converter.go reads it from this version on, and so do structured-merge-diff/v6 v6.3.0
// (value/jsontagutil.go) and fxamacker/cbor v2.9.0 (structfields.go), which it is the first to require. It needs Go
// 1.24, whose encoding/json supports omitzero; sigs.k8s.io/json only decodes. Earlier versions write null for a nil list
// or map with omitzero alone.
const OmitZeroSince = "v0.34.0"

// OmitsStruct reports whether the field is a struct that Go leaves out when it is zero, as with omitzero.
func (f *Field) OmitsStruct() bool { return f.Type.Kind == Struct && f.Zero() == Omitted }
