package roundtrip

import (
	"encoding/json"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubernetesjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

const codeMarker diag.Code = "marker"

// readers are Go types that read values as encoding/json does in the author's program, by their names.
var readers = map[string]reflect.Type{
	"Duration": reflect.TypeFor[metav1.Duration](), "MicroTime": reflect.TypeFor[metav1.MicroTime](),
}

func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[string](),
		reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	} {
		readers[t.Name()] = t
	}
}

// tellingValues are values of each JSON type that some Go type can't read.
var tellingValues = map[string][]any{
	"integer": {
		int64(-1), int64(128), int64(-129), int64(256), int64(32768), int64(-32769), int64(65536),
		int64(1) << 31, int64(-1)<<31 - 1, int64(1) << 32,
	},
	"number":  {1.5},
	"boolean": {true},
	"string":  {"1 day", "2006-01-02T15:04:05Z", "a"},
}

// unread reports a value that the API server stores and Go can't read: then nobody can read the object, nor list its kind.
func (c *checker) unread(name string, at schema.Cursor) {
	t, isQuoted := at.Type.Deref(), false
	known := readers[t.Name]
	if t.Encoding() == model.Plain {
		known = readers[t.Basic]
		isQuoted = at.Field != nil && slices.Contains(at.Field.Options, "string")
	}
	if known == nil || t.Kind != model.Basic && t.Package != reflect.TypeFor[metav1.Duration]().PkgPath() {
		return
	}
	var values []any
	// Any text of a type that encodes itself is only checked if a marker promises a form.
	if t.Kind == model.Basic && (t.Basic != "string" || isQuoted) || at.Schema.Format != "" {
		values = tellingValues[at.Schema.Type]
	}
	for _, value := range at.Schema.Enum {
		values = append(slices.Clip(values), decoded(value.Raw))
	}
	isUnread := func(value any) bool { // Go reads most values, and asking the API server takes longer
		return isOf(value, at.Schema.Type) && !reads(known, isQuoted, value) && c.acceptance(at.Schema)(value)
	}
	if d := at.Schema.Default; d != nil && isUnread(decoded(d.Raw)) {
		c.diags = append(c.diags, diag.Errorf(at.Pos, codeMarker,
			"Go can't read %s, the default of %s, and so no object that leaves it out: correct the default", schema.RawJSON(d.Raw), name))
		return
	}
	if i := slices.IndexFunc(values, isUnread); i >= 0 {
		c.diags = append(c.diags, diag.Warningf(at.Pos, codeRoundTrip,
			"if %s is %s, which the API server stores, Go can't read the object, nor list its kind: %s", name, schema.JSON(values[i]),
			readRemedy(at, known, isQuoted, values[i])))
	}
}

// isOf reports whether a scalar has a type of JSON. The API server's validation reports others.
func isOf(value any, schemaType string) bool {
	switch value.(type) {
	case string:
		return schemaType == "string"
	case bool:
		return schemaType == "boolean"
	case int64:
		return schemaType == "integer" || schemaType == "number"
	case float64:
		return schemaType == "number"
	}
	return false
}

func decoded(raw []byte) any {
	var value any
	if kubernetesjson.Unmarshal(raw, &value) != nil {
		return nil // the API server's validation reports it
	}
	return value
}

// reads reports whether encoding/json can decode a value.
func reads(t reflect.Type, isQuoted bool, value any) bool {
	tag := reflect.StructTag(`json:"value"`)
	if isQuoted {
		tag = `json:"value,string"`
	}
	content, err := json.Marshal(map[string]any{"value": value})
	object := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "Value", Type: t, Tag: tag}}))
	return err == nil && json.Unmarshal(content, object.Interface()) == nil
}

// readRemedy says how to refuse a value that Go can't read.
func readRemedy(at schema.Cursor, t reflect.Type, isQuoted bool, value any) string {
	number, isNumber := value.(int64)
	marker, bound := "+"+markers.ValidationPrefix, ""
	if at.Field == nil {
		marker = "+" + markers.ItemsValidationPrefix
	}
	switch isBounded := isNumber && !isQuoted && at.Schema.Type == "integer"; {
	case isQuoted:
		return "remove the option string from its tag"
	case isBounded && t.Kind() >= reflect.Uint && number < 0:
		bound = "Minimum=0"
	case isBounded && t.Kind() >= reflect.Uint:
		bound = "Maximum=" + schema.JSON(uint64(1)<<t.Bits()-1)
	case isBounded && t.Kind() >= reflect.Int && number < 0:
		bound = "Minimum=" + schema.JSON(int64(-1)<<(t.Bits()-1))
	case isBounded && t.Kind() >= reflect.Int:
		bound = "Maximum=" + schema.JSON(int64(1)<<(t.Bits()-1)-1)
	default:
		return "make its Go type and its markers agree"
	}
	return "add " + marker + bound
}
