package validobject

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// decoders are types of other modules that decode themselves, by import path and name. mrgen asks them which values they
// accept.
var decoders = typesByName(
	apiextensionsv1.JSON{}, json.RawMessage{}, resource.Quantity{}, metav1.Duration{}, metav1.MicroTime{}, metav1.Time{}, metav1.FieldsV1{},
	runtime.RawExtension{}, intstr.IntOrString{}, time.Time{}, big.Int{}, big.Float{}, net.IP{}, netip.Addr{}, netip.AddrPort{},
	netip.Prefix{}, url.URL{},
)

// basics are the predeclared types.
var basics = typesByName(
	false, "", 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0), float32(0),
	float64(0),
)

func typesByName(values ...any) map[[2]string]reflect.Type {
	types := map[[2]string]reflect.Type{}
	for _, v := range values {
		t := reflect.TypeOf(v)
		types[[2]string{t.PkgPath(), t.Name()}] = t
	}
	return types
}

// decodesUnknown reports whether a type decodes itself in a way that mrgen doesn't know.
func decodesUnknown(t *model.Type) bool {
	if t == nil {
		return false
	}
	t = t.Deref()
	return t.Unmarshals && decoders[[2]string{t.Package, t.Name}] == nil
}

// A Mismatch is a value that Go can't decode into the type of its field. If the API server accepts it, all clients in Go
// fail to read the object, and to list any objects of its kind.
type Mismatch struct {
	// Field is the path of the value, as the API server names it in a [apiserver.Refusal].
	Field string
	// Reason is one line.
	Reason string
}

// Undecodable returns the parts of a value that encoding/json can't decode into a type, sorted. It skips types that
// decode themselves in a way that mrgen doesn't know.
func Undecodable(t *model.Type, value any) []Mismatch {
	var d decoding
	d.value(t, value, "")
	return d.mismatches
}

// A decoding collects mismatches.
type decoding struct{ mismatches []Mismatch }

func (d *decoding) value(t *model.Type, value any, at string) {
	if t == nil || t.Kind == model.Pointer && value == nil {
		return
	}
	t = t.Deref()
	decoder, name := decoders[[2]string{t.Package, t.Name}], t.Name
	switch {
	case decoder != nil:
	case t.Unmarshals:
		return
	case t.Kind == model.Basic:
		decoder, name = basics[[2]string{"", t.Basic}], t.Basic
	case isBytes(t):
		decoder, name = reflect.TypeFor[[]byte](), "[]byte"
	default:
		d.elements(t, value, at)
		return
	}
	if decoder == nil { // such as complex128, which no schema can express
		return
	}
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, reflect.New(decoder).Interface())
	}
	if err != nil {
		reason := strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "json: ")), " ")
		d.mismatches = append(d.mismatches, Mismatch{at, fmt.Sprintf("no client in Go can read %s as %s: %s", schema.JSON(value), name, reason)})
	}
}

// isBytes reports whether a list is Base64 text in JSON.
func isBytes(t *model.Type) bool {
	return t.IsSlice() && t.Elem.Kind == model.Basic && t.Elem.Basic == "uint8" && !t.Elem.Unmarshals
}

// elements goes through the elements of a list, a map or a struct.
func (d *decoding) elements(t *model.Type, value any, at string) {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			d.value(t.Elem, item, fmt.Sprintf("%s[%d]", at, i))
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if t.Kind == model.Map {
				d.value(t.Elem, value[name], at+"["+name+"]")
			} else if f := t.Field(name); f != nil {
				d.value(f.Type, value[name], strings.TrimPrefix(at+"."+name, "."))
			}
		}
	}
}
