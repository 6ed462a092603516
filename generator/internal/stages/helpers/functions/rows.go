package functions

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// A Table says what is special about the fields of spec.forProvider. Everything else follows from
// their Go types and json tags. LateInitialize, Diff, ImmutableFields and CreateParameters read it.
type Table struct {
	// Rows belong to fields, by the name of the struct and the JSON name, such as "Tag.key", or to
	// structs, by their name. Types of other packages have their import path in front.
	Rows map[string]Row

	mutex sync.Mutex
	// home is the import path of the package with the table.
	home  string
	kinds map[reflect.Type]*valueKind
}

// A Row says what is special about a field, about the items of one, or about a struct.
type Row struct {
	// Required and Optional contradict the json tag: fields without omitempty are required.
	Required, Optional bool
	// Immutable fields can't change once they are set.
	Immutable bool
	// Ruled fields are never filled, and ruled structs never made: only the API server evaluates rules.
	Ruled bool
	// Secret fields are neither filled nor compared.
	Secret bool
	// Kept fields are never filled, and Filled ones are, below a field that is kept.
	Kept, Filled bool
	// Compare is how the field and what is below it are compared: exact, subset, unordered or off.
	Compare string
	// Set is for lists whose items have no order, and Keys for those whose items have keys, too.
	Set  bool
	Keys []string
	// Beside are the fields that replace this one, or exclude it.
	Beside []string
	// AnyOf are groups of fields of a struct. It needs one of each.
	AnyOf [][]string
	// Checks are the constraints on values, and Items is about the items of a list or map.
	Checks []Check
	Items  *Row
}

// A Check reports whether spec accepts a value, as encoding/json decodes it, with numbers as json.Number.
type Check func(value any) bool

// A valueKind describes a type, or what it points to.
type valueKind struct {
	of        reflect.Type
	isPointer bool
	shape     valueShape
	row       Row
	// isOwn is set for types of the package with the table.
	isOwn bool
	// zero is what Go writes for the zero value.
	zero any
	// item is set for lists and maps, fields for structs.
	item   *valueKind
	fields []*structField
}

type valueShape int

const (
	// scalar values are booleans, numbers, texts and bytes.
	shapeScalar valueShape = iota
	// opaque values are compared and copied as a whole, such as those that encode themselves.
	shapeOpaque
	shapeStruct
	shapeList
	shapeMap
)

// A structField is a field of a struct, or of one that it embeds, as encoding/json sees it.
type structField struct {
	*valueKind
	row                 Row
	name                string
	index               []int
	omitEmpty, omitZero bool
	// required fields have a value in each object. Go always writes those that are written.
	required, isWritten bool
	// isIndirect is set if the field is in an embedded pointer, and isGuarded if setting it there
	// would write other fields, too.
	isIndirect, isGuarded bool
}

// describe returns the kind of a type.
func (t *Table) describe(of reflect.Type) *valueKind {
	if known := t.kinds[of]; known != nil {
		return known
	}
	k := &valueKind{of: of, isPointer: of.Kind() == reflect.Pointer, shape: shapeOpaque}
	t.kinds[of] = k
	if k.isPointer {
		k.of = of.Elem()
	}
	k.isOwn, k.zero = k.of.PkgPath() == t.home, treeOf(reflect.Zero(k.of).Interface())
	if encodesItself(k.of) {
		return k
	}
	switch k.of.Kind() {
	case reflect.Struct:
		k.shape, k.row, k.fields = shapeStruct, t.Rows[t.key(k.of)], t.fieldsOf(k.of)
	case reflect.Slice:
		if k.of.Elem() == reflect.TypeOf(byte(0)) {
			k.shape, k.zero = shapeScalar, ""
		} else {
			k.shape, k.item = shapeList, t.describe(k.of.Elem())
		}
	case reflect.Map:
		if k.of.Key().Kind() == reflect.String {
			k.shape, k.item = shapeMap, t.describe(k.of.Elem())
		}
	case reflect.Array, reflect.Chan, reflect.Func, reflect.Interface, reflect.Pointer:
	default:
		k.shape = shapeScalar
	}
	return k
}

// fieldsOf returns the fields of a struct.
func (t *Table) fieldsOf(of reflect.Type) (all []*structField) {
	add := func(f *structField) {
		for i, other := range all {
			if other.name == f.name { // the outer one counts
				if len(f.index) < len(other.index) {
					all[i] = f
				}
				return
			}
		}
		all = append(all, f)
	}
	for i := 0; i < of.NumField(); i++ {
		f := of.Field(i)
		options := strings.Split(f.Tag.Get("json"), ",")
		name, isPointer := options[0], f.Type.Kind() == reflect.Pointer
		if inner := pointed(f.Type); f.Anonymous && name == "" && inner.Kind() == reflect.Struct {
			if inner == of || isPointer && !f.IsExported() {
				continue
			}
			embedded, isGuarded := t.fieldsOf(inner), false
			for _, below := range embedded {
				isGuarded = isGuarded || isPointer && below.isWritten && !below.isIndirect
			}
			for _, below := range embedded {
				below.index = append([]int{i}, below.index...)
				below.isIndirect, below.isGuarded = below.isIndirect || isPointer, below.isGuarded || isGuarded
				below.setRow(t.Rows[t.key(of)+"."+below.name])
				add(below)
			}
			continue
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		json := &structField{valueKind: t.describe(f.Type), name: name, index: []int{i}}
		for _, option := range options[1:] {
			json.omitEmpty, json.omitZero = json.omitEmpty || option == "omitempty", json.omitZero || option == "omitzero"
		}
		if _, says := reflect.New(f.Type).Interface().(interface{ IsZero() bool }); says && json.omitZero {
			json.omitEmpty = true // the method may leave out an empty list, too
		}
		json.isWritten = !json.omitZero && (!json.omitEmpty || f.Type.Kind() == reflect.Struct) && !json.isPointer && json.zero != nil
		json.setRow(t.Rows[t.key(of)+"."+name])
		add(json)
	}
	return all
}

func (f *structField) setRow(row Row) {
	f.row, f.required = row, row.Required || !row.Optional && !f.omitEmpty && !f.omitZero
}

func (t *Table) key(of reflect.Type) string {
	if of.PkgPath() != t.home {
		return of.PkgPath() + "." + of.Name()
	}
	return of.Name()
}

// start returns the kinds of types for a method of a type in the package of the table.
func (t *Table) start(receiver reflect.Type, types ...reflect.Type) (kinds []*valueKind) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.kinds == nil {
		t.home, t.kinds = receiver.PkgPath(), map[reflect.Type]*valueKind{}
	}
	for _, of := range types {
		kinds = append(kinds, t.describe(of))
	}
	return kinds
}

// field returns the field of a struct with a name, or nil.
func (k *valueKind) field(name string) *structField {
	for _, f := range k.fields {
		if f.name == name {
			return f
		}
	}
	return nil
}

// agrees reports whether the values of two kinds correspond.
func (k *valueKind) agrees(other *valueKind) bool {
	switch {
	case k.shape != other.shape:
		return false
	case k.shape == shapeOpaque:
		return k.of == other.of
	case k.item != nil:
		return k.item.agrees(other.item)
	default:
		return k.of.Kind() == other.of.Kind()
	}
}

// writes reports whether Go writes something that spec may refuse where nobody set the field.
func (f *structField) writes() bool {
	switch row := f.valueKind.row; {
	case f.shape != shapeStruct, !f.isWritten:
		return f.isWritten
	case row.Ruled, len(row.AnyOf) > 0: // it demands something of {}
		return true
	}
	for _, inner := range f.fields {
		if !inner.isIndirect && (inner.required || inner.writes()) {
			return true
		}
	}
	return false
}

// in returns the field of a struct, which is invalid if an embedded pointer on the way is nil.
func (f *structField) in(of reflect.Value) reflect.Value {
	value, err := of.FieldByIndexErr(f.index)
	if err != nil {
		return reflect.Value{}
	}
	return value
}

// alwaysSet reports whether the field has a value in each object: zero is then what a user gave.
func (f *structField) alwaysSet(of reflect.Value) bool {
	return f.required && !f.omitEmpty && !f.omitZero && !f.isPointer && f.item == nil && f.in(of).IsValid()
}

// isUnset reports whether nobody has set the field, as far as Go tells.
func (f *structField) isUnset(of reflect.Value) bool {
	switch value := f.in(of); {
	case !value.IsValid():
		return true
	case f.isPointer, f.item != nil && !f.omitEmpty:
		return value.IsNil()
	case value.Kind() == reflect.Slice || value.Kind() == reflect.Map:
		return value.Len() == 0
	default:
		return value.IsZero()
	}
}

// accepts reports whether the checks of a row pass.
func (r Row) accepts(value any) bool {
	for _, check := range r.Checks {
		if !check(value) {
			return false
		}
	}
	return true
}

// items returns the row about items.
func (r Row) items() Row {
	if r.Items == nil {
		return Row{}
	}
	return *r.Items
}

// keyOf returns what tells an item of a list apart, in the form that paths have.
func (r Row) keyOf(k *valueKind, item any) string {
	if len(r.Keys) == 0 {
		return fmt.Sprint(item)
	}
	keys := make([]string, len(r.Keys))
	for i, name := range r.Keys {
		value := asObject(item)[name]
		if key := k.field(name); value == nil && key != nil {
			value = reflect.Zero(key.of)
		}
		verb := "%s=%v"
		if key := k.field(name); key != nil && key.of.Kind() == reflect.String {
			verb = "%s=%q"
		}
		keys[i] = fmt.Sprintf(verb, name, value)
	}
	return strings.Join(keys, ",")
}

// pointed returns what a type points to, or the type if it is not a pointer.
func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// encodesItself reports whether encoding/json calls methods of a type.
func encodesItself(t reflect.Type) bool {
	pointer := reflect.PointerTo(t)
	return pointer.Implements(reflect.TypeOf((*json.Marshaler)(nil)).Elem()) || pointer.Implements(reflect.TypeOf((*encoding.TextMarshaler)(nil)).Elem())
}

// isZero reports whether a value in JSON says no more than Go's zero value does.
func (k *valueKind) isZero(value any) bool {
	items, _ := value.([]any)
	switch {
	case value == nil:
		return true
	case k.isPointer:
		return false
	case k.item != nil:
		return len(items) == 0 && len(asObject(value)) == 0
	case k.shape == shapeStruct:
		for _, f := range k.fields {
			if !f.isZero(asObject(value)[f.name]) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(value, k.zero)
	}
}

// isZero reports whether a value in JSON says no more than an unset field.
func (f *structField) isZero(value any) bool {
	if f.item != nil && !f.isPointer && !f.omitEmpty {
		return value == nil // an empty list or map was set
	}
	return f.valueKind.isZero(value)
}

// asObject returns the fields of a value in JSON, or nil.
func asObject(value any) map[string]any {
	fields, _ := value.(map[string]any)
	return fields
}
