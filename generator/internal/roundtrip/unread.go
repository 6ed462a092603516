package roundtrip

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
	kubernetesjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

const codeMarker diag.Code = "marker"

// readers are Go types that read values as encoding/json does in the author's program, by import path and name.
var readers = map[[2]string]reflect.Type{}

func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[metav1.Duration](), reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](), reflect.TypeFor[time.Time](),
		reflect.TypeFor[json.Number](), reflect.TypeFor[unstructured.Unstructured](), reflect.TypeFor[resource.Quantity](), reflect.TypeFor[intstr.IntOrString](), reflect.TypeFor[bool](), reflect.TypeFor[string](),
		reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](),
	} {
		readers[[2]string{t.PkgPath(), t.Name()}] = t
	}
	readers[[2]string{"", "byte"}], readers[[2]string{"", "rune"}] = reflect.TypeFor[uint8](), reflect.TypeFor[int32]()
}

// readerOf returns a type that reads values as another does, apart from the values in them, or nil.
func readerOf(t *model.Type) reflect.Type {
	known := readers[[2]string{t.Package, t.Name}]
	// A type that only writes itself is read as what it is declared as. One that writes a text is reported with its declaration.
	switch onlyWrites := t.Marshals && !t.Unmarshals && !t.Texts; {
	case known != nil, !onlyWrites && t.Encoding() != model.Plain:
		return known
	case t.Kind == model.Struct:
		return reflect.TypeFor[struct{}]()
	case t.Kind == model.Map:
		return reflect.TypeFor[map[string]any]()
	case t.IsBytes() && t.Elem.Encoding() == model.Plain:
		return reflect.TypeFor[[]byte]()
	case t.Kind == model.Slice:
		return reflect.TypeFor[[]any]()
	default:
		return readers[[2]string{"", t.Basic}]
	}
}

// tellingValues are values that some Go type can't read. They lack lists, which the API server accepts wherever a text has a
// format: no marker leads to these. They lack what nobody writes and metav1.Time and resource.Quantity can't read of their
// own schemas, such as a small t in a time or the exponent 1.5: every API with such a field has these.
var tellingValues = []any{
	int64(-1), int64(128), int64(-129), int64(256), int64(32768), int64(-32769), int64(65536),
	int64(1) << 31, int64(-1)<<31 - 1, int64(1) << 32, 1.5, true,
	"1 day", "2006-01-02T15:04:05Z", "a", "aaaa", "", "10.0.0.1", "2001:db8::1", "10.0.0.0/8", "a@example.org", "02:00:00:00:00:01", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", map[string]any{},
}

// A reading is a Go type, and whether its values are quoted as the option string of a tag has them.
type reading struct {
	of       reflect.Type
	isQuoted bool
}

// untold are the telling values that a reading fails for.
var untold parallel.Memo[reading, []any]

// unread reports a value that the API server stores and Go can't read: then nobody can read the object, nor list its kind.
func (c *checker) unread(name string, at schema.Cursor) {
	t := at.Type.Deref()
	known := readerOf(t)
	switch isAny := at.Schema.Type == "" && !at.Schema.XIntOrString; {
	case known == nil:
		c.decodesItself(name, at)
		return
	case isAny && !schema.KeepsUnknown(at.Schema): // another error says why there is no schema
		return
	case holdsUnread(at):
		c.diags = append(c.diags, diag.Warningf(at.Pos, codeRoundTrip,
			"Go can't list the kind if %s holds other types, which the API server stores: remove +Schemaless and +PreserveUnknownFields, or use apiextensionsv1.JSON",
			name))
		return
	}
	isQuoted := t.Encoding() == model.Plain && at.Field != nil && slices.Contains(at.Field.Options, "string")
	values := untold.Get(reading{known, isQuoted}, func() []any {
		return slices.DeleteFunc(slices.Clone(tellingValues), func(value any) bool { return reads(known, isQuoted, value) })
	})
	if of := at.Schema.MultipleOf; of != nil { // no other number is stored
		for _, value := range tellingValues {
			if n, isWhole := value.(int64); isWhole && !reads(known, isQuoted, n*int64(*of)) {
				values = append(slices.Clip(values), n*int64(*of))
			}
		}
	}
	for _, s := range conjuncts(at.Schema) {
		for _, raw := range s.Enum {
			if value := decoded(raw.Raw); !reads(known, isQuoted, value) {
				values = append(slices.Clip(values), value)
			}
		}
	}
	accepts := sync.OnceValue(func() func(any) bool { return c.acceptance(at.Schema) }) // Go reads all values of most fields
	isStored := func(value any) bool {
		// A format makes the API server accept other types, too.
		isTyped := at.Schema.Format == "" && !at.Schema.XIntOrString && at.Schema.Type != ""
		return (!isTyped || schema.Fits(value, at.Schema.Type)) && accepts()(value)
	}
	if d := at.Schema.Default; d != nil && !reads(known, isQuoted, decoded(d.Raw)) && isStored(decoded(d.Raw)) {
		c.diags = append(c.diags, diag.Errorf(at.Pos, codeMarker,
			"Go can't read %s, the default of %s, and so no object that leaves it out: correct the default", schema.RawJSON(d.Raw), name))
		return
	}
	if stored := slices.DeleteFunc(slices.Clone(values), func(value any) bool { return !isStored(value) }); len(stored) > 0 {
		remedy := readRemedy(at, known, isQuoted, stored)
		problem := diag.Warningf(at.Pos, codeRoundTrip, "Go can't list the kind if %s is %s, which the API server stores: %s", name,
			schema.JSON(stored[0]), remedy)
		problem.Cause = remedy
		c.diags = append(c.diags, problem)
	}
}

// decodesItself warns about a value that a method of the author's reads. Only he knows what it refuses.
func (c *checker) decodesItself(name string, at schema.Cursor) {
	t := at.Type.Deref()
	// Another error is about a marker for another type than the schema has.
	typed := model.Named(at.Markers(), markers.ValidationType)
	if t.Local && drops(at.Schema) && len(at.Schema.Properties) == 0 && (typed == nil || strings.HasSuffix(typed.Text, "=object")) {
		c.diags = append(c.diags, diag.Warningf(at.Pos, codeRoundTrip,
			"the API server drops all that %s holds, since its schema declares no fields: add +%s", name, markers.PreserveUnknownFields))
		return
	}
	if !t.Unmarshals || t.Encoding() != model.Unknown {
		return
	}
	isAsked, asked := false, "+"+markers.ValidationPrefix+"Pattern, Enum or a rule for what it decodes"
	s := new(*at.Schema)
	s.XValidations = nil
	for _, rule := range at.Schema.XValidations {
		if !cel.IsAboutUpdates(rule.Rule) { // or it says nothing about the first value
			s.XValidations = append(s.XValidations, rule)
		}
	}
	switch {
	case s.XIntOrString: // a pattern admits all numbers
		asked = "a rule for the numbers and texts that it decodes"
		accepts := c.acceptance(s)
		isAsked = accepts(int64(-1)) && accepts(int64(1)<<31) || accepts("") && accepts("1 day")
	case slices.Contains([]string{"string", "integer", "number"}, s.Type):
		isIgnored := s.Format != "" && !apiserver.KnowsFormat(s.Type, s.Format)
		isAsked = !constrained(s) || isIgnored && !schema.Has(s, schema.Bound|schema.Branch)
	case s.Type == "object", s.Type == "":
		// It is mostly made of the fields, unless a marker makes it one.
		isStated := t.Local && at.Field != nil && model.Named(at.Field.Markers, markers.Schemaless, markers.ValidationType) != nil
		isAsked = isStated && len(s.XValidations) == 0
	}
	if !isAsked {
		return
	}
	pos := at.Pos
	if t.Local {
		pos = t.Pos // the marker counts wherever the type is
	}
	c.diags = append(c.diags, diag.Warningf(pos, codeRoundTrip,
		"Go can't list the kind if a value is stored that %s fails to decode: add %s", t.Name, asked))
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

// remedies say how to refuse values that Go types of Kubernetes can't read. controller-tools accepts rules on all of them,
// and a pattern only beside the type. Rules don't see the text of a time.
var remedies = map[reflect.Type]string{
	reflect.TypeFor[json.Number]():               "make it a resource.Quantity or an integer",
	reflect.TypeFor[unstructured.Unstructured](): "add +" + markers.EmbeddedResource,
	reflect.TypeFor[metav1.Duration]():           "add a rule such as duration(self) >= duration('0s')",
	reflect.TypeFor[intstr.IntOrString]():        "add a rule such as type(self) == string || self >= 0 && self < 65536",
	reflect.TypeFor[metav1.MicroTime]():          "mark it +" + markers.ValidationType + "=string and Pattern=`T.*[.][0-9]{6}(Z|[+-][01].:[0-5].)$`",
}

// readRemedy says how to refuse values that Go can't read.
func readRemedy(at schema.Cursor, known reflect.Type, isQuoted bool, values []any) string {
	_, isNumber := values[0].(int64)
	switch isBounded := isNumber && known.Kind() >= reflect.Int && known.Kind() <= reflect.Uintptr && at.Schema.Type == "integer"; {
	case at.Schema.Type == "" && known == reflect.TypeFor[unstructured.Unstructured]():
		return "add +" + markers.ValidationType + "=object"
	case at.Schema.Type == "" && at.Type.Deref().JSONType() == "array": // whose items need a schema, too
		return "remove +" + markers.Schemaless + ", or use apiextensionsv1.JSON"
	case at.Schema.Type == "" && !at.Schema.XIntOrString: // only +Schemaless leaves the type out
		return "add +" + markers.ValidationType + "=" + cmp.Or(at.Type.Deref().JSONType(), "string")
	case isQuoted:
		return "remove the option string from its tag"
	case isBounded:
		return addition(at, boundsOf(known, values))
	case at.Field == nil && remedies[known] != "":
		return "make them strings"
	case remedies[known] != "" && at.Schema.Format != "" && at.Schema.Format != "date-time":
		return "remove +" + markers.Format + ", and " + remedies[known] // with it, a rule reads another type than text
	}
	return cmp.Or(remedies[known], "make its Go type and its markers agree")
}

// boundsOf returns the markers for the least and the largest number of a type, as far as they refuse some of the values.
func boundsOf(number reflect.Type, values []any) string {
	bits, minimum := number.Bits(), int64(0)
	if number.Kind() < reflect.Uint {
		bits, minimum = bits-1, -1<<(bits-1)
	}
	var bounds []string
	for _, value := range values {
		bound := "Maximum=" + schema.JSON(uint64(1)<<bits-1)
		if value, _ := value.(int64); value < minimum {
			bound = "Minimum=" + schema.JSON(minimum)
		}
		if !slices.Contains(bounds, bound) {
			bounds = append(bounds, bound)
		}
	}
	return strings.Join(bounds, " and ")
}

// holdsUnread reports whether a value without a schema holds values that Go reads as some type.
func holdsUnread(at schema.Cursor) bool {
	t, s := at.Type.Deref(), at.Schema
	if isOpen := schema.KeepsUnknown(s) && len(s.Properties) == 0 && s.AdditionalProperties == nil; !isOpen || at.Above.Schema.XEmbeddedResource {
		return false
	}
	isTyped := func(f *model.Field) bool { return !f.Ignored && readerOf(f.Type.Deref()) != nil }
	hasTypedElements := t.Elem != nil && !t.IsBytes() && readerOf(t.Elem.Deref()) != nil
	return t.Encoding() == model.Plain && (hasTypedElements || slices.ContainsFunc(t.Fields, isTyped))
}

// addition says how to add a marker to a value.
func addition(at schema.Cursor, marker string) string {
	switch isItem := at.Field == nil; {
	case isItem && at.Above.Schema.Type == "object":
		return "give the values of the map a type with +" + markers.ValidationPrefix + marker
	case isItem:
		return "add +" + markers.ItemsValidationPrefix + marker
	}
	return "add +" + markers.ValidationPrefix + marker
}

// unwritable warns about a number that Go can have and the API server refuses for its format, which no marker asks for.
func (c *checker) unwritable(name string, at schema.Cursor) {
	if at.Type.Deref().Basic != "uint32" || at.Schema.Format != "int32" {
		return
	}
	const largest = int64(1)<<32 - 1
	s := at.Schema.DeepCopy()
	s.Format = "int64" // with the same bounds
	if accepts := c.acceptance(s); !c.acceptance(at.Schema)(largest) && accepts(largest) {
		instead := "Format=int64"
		if accepts(largest + 1) {
			instead += " and " + boundsOf(reflect.TypeFor[uint32](), []any{largest + 1})
		}
		c.diags = append(c.diags, diag.Warningf(at.Pos, codeRoundTrip,
			"Kubernetes 1.36 and later refuses %s above 2147483647, beyond the format int32: %s", name, addition(at, instead)))
	}
}
