package combinations_test

import (
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// linked are types with methods of their own, which the tests are linked with.
var linked = map[string]reflect.Type{
	imports["metav1"] + ".Time": reflect.TypeFor[metav1.Time](), imports["metav1"] + ".MicroTime": reflect.TypeFor[metav1.MicroTime](),
	imports["metav1"] + ".Duration": reflect.TypeFor[metav1.Duration](), imports["metav1"] + ".FieldsV1": reflect.TypeFor[metav1.FieldsV1](),
	imports["resource"] + ".Quantity": reflect.TypeFor[resource.Quantity](), imports["intstr"] + ".IntOrString": reflect.TypeFor[intstr.IntOrString](),
	imports["runtime"] + ".RawExtension": reflect.TypeFor[runtime.RawExtension](), imports["apiextensionsv1"] + ".JSON": reflect.TypeFor[apiextensionsv1.JSON](),
	imports["unstructured"] + ".Unstructured": reflect.TypeFor[unstructured.Unstructured](), "time.Time": reflect.TypeFor[time.Time](),
}

// mostDepth ends recursive types: deeper values are any.
const mostDepth = 6

// reflected returns a type that encoding/json reads and writes like the given one. methods stands for the type M of a
// cell, which encodes itself.
func reflected(t types.Type, methods reflect.Type, depth int) (reflect.Type, error) {
	if depth > mostDepth {
		return reflect.TypeFor[any](), nil
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return reflectedNamed(t, methods, depth)
	case *types.Basic:
		return reflectedBasic(t)
	case *types.Struct:
		return reflectedStruct(t, methods, depth)
	case *types.Pointer:
		return composed(t.Elem(), methods, depth, reflect.PointerTo)
	case *types.Slice:
		return composed(t.Elem(), methods, depth, reflect.SliceOf)
	case *types.Array:
		return composed(t.Elem(), methods, depth, func(elem reflect.Type) reflect.Type { return reflect.ArrayOf(int(t.Len()), elem) })
	case *types.Map:
		key, err := reflected(t.Key(), methods, depth)
		if err != nil {
			return nil, err
		}
		return composed(t.Elem(), methods, depth, func(elem reflect.Type) reflect.Type { return reflect.MapOf(key, elem) })
	case *types.Interface:
		if t.Empty() {
			return reflect.TypeFor[any](), nil
		}
	}
	return nil, fmt.Errorf("no type for %s", t)
}

func composed(elem types.Type, methods reflect.Type, depth int, compose func(reflect.Type) reflect.Type) (reflect.Type, error) {
	of, err := reflected(elem, methods, depth)
	if err != nil {
		return nil, err
	}
	return compose(of), nil
}

// encoders are the methods by which a type encodes itself.
var encoders = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"}

func reflectedNamed(t *types.Named, methods reflect.Type, depth int) (reflect.Type, error) {
	for _, name := range encoders {
		found, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, nil, name)
		method, isMethod := found.(*types.Func)
		if !isMethod {
			continue
		}
		// The receiver is the type itself, or an embedded one.
		receiver := method.Signature().Recv().Type()
		if pointer, isPointer := receiver.(*types.Pointer); isPointer {
			receiver = pointer.Elem()
		}
		name := receiver.(*types.Named).Obj()
		if known := linked[name.Pkg().Path()+"."+name.Name()]; known != nil {
			return known, nil
		}
		if strings.HasSuffix(name.Name(), "M") && methods != nil {
			return methods, nil
		}
		return nil, fmt.Errorf("%s encodes itself", name)
	}
	return reflected(t.Underlying(), methods, depth)
}

func reflectedBasic(t *types.Basic) (reflect.Type, error) {
	for _, known := range []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[string](),
		reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
		reflect.TypeFor[uintptr](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
	} {
		if known.Name() == types.Typ[t.Kind()].Name() {
			return known, nil
		}
	}
	return nil, fmt.Errorf("no type for %s", t)
}

func reflectedStruct(t *types.Struct, methods reflect.Type, depth int) (reflect.Type, error) {
	fields, err := fieldsOf(t, methods, depth)
	if err != nil {
		return nil, err
	}
	return reflect.StructOf(fields), nil
}

// fieldsOf returns the fields that encoding/json sees, with those of embedded structs. [reflect.StructOf] takes no
// embedded types with methods.
func fieldsOf(t *types.Struct, methods reflect.Type, depth int) ([]reflect.StructField, error) {
	var fields []reflect.StructField
	for i := range t.NumFields() {
		field := t.Field(i)
		tag := reflect.StructTag(t.Tag(i)).Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || !field.Exported() && !field.Embedded() {
			continue
		}
		if inner := structOf(field.Type()); field.Embedded() && name == "" && inner != nil {
			promoted, err := fieldsOf(inner, methods, depth+1)
			if err != nil {
				return nil, err
			}
			fields = append(fields, promoted...)
			continue
		}
		of, err := reflected(field.Type(), methods, depth+1)
		if err != nil {
			return nil, err
		}
		if name == "" {
			name = field.Name()
		}
		fields = append(fields, reflect.StructField{Type: of, Tag: reflect.StructTag(`json:` + strconv.Quote(name+","+options))})
	}
	for i := range fields {
		fields[i].Name = fmt.Sprintf("F%d", i)
	}
	return fields, nil
}

// structOf returns the struct of an embedded field, or nil.
func structOf(t types.Type) *types.Struct {
	if pointer, isPointer := types.Unalias(t).(*types.Pointer); isPointer {
		t = pointer.Elem()
	}
	of, _ := t.Underlying().(*types.Struct)
	return of
}

// holderType returns a struct with the field of a cell, and nothing else. kind is the name of the cell's kind.
func (c *cell) holderType(kind string, packages ...*types.Package) (reflect.Type, error) {
	jsonName, _ := c.names()
	name := kind + strings.TrimPrefix(c.place.owner, "K")
	if c.place.owner == "KX" {
		name = c.prefix() + "X"
	}
	for _, pkg := range packages {
		owner := pkg.Scope().Lookup(name)
		if owner == nil {
			continue
		}
		of, isStruct := owner.Type().Underlying().(*types.Struct)
		if !isStruct {
			return nil, fmt.Errorf("%s isn't a struct", owner)
		}
		for i := range of.NumFields() {
			if of.Field(i).Name() == goName(jsonName) {
				return reflectedStruct(types.NewStruct([]*types.Var{of.Field(i)}, []string{of.Tag(i)}), c.goType.methods, 0)
			}
		}
	}
	return nil, fmt.Errorf("%s has no field %s", name, jsonName)
}

// decode returns the Go value of a JSON object.
func decode(t reflect.Type, holder map[string]any) (reflect.Value, error) {
	content, err := json.Marshal(holder)
	if err != nil {
		return reflect.Value{}, err
	}
	value := reflect.New(t)
	return value, json.Unmarshal(content, value.Interface())
}
