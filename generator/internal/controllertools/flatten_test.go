package controllertools

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestRandom compares schemas with controller-tools' for types with all that a schema
// can have, by reflection, so that fields that come later are known to be missing here.
func TestRandom(t *testing.T) {
	conflicts := 0
	for seed := range uint64(40) {
		conflicts += compare(t, func() (*crd.Parser, []crd.TypeIdent) {
			return (&random{Rand: rand.New(rand.NewPCG(seed, 0))}).types(6)
		})
		expect.Must(t, !t.Failed(), "seed %d", seed)
	}
	expect.True(t, conflicts != 0, "no conflict between types was met")
}

// TestRecursive has types that are part of each other.
func TestRecursive(t *testing.T) {
	object := func(properties map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: properties}
	}
	list := func(of string) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: refer(of)}}
	}
	compare(t, func() (*crd.Parser, []crd.TypeIdent) {
		parser, pkg := newParser(map[string]apiextensionsv1.JSONSchemaProps{
			"Kind":      object(map[string]apiextensionsv1.JSONSchemaProps{"spec": *refer("Statement"), "other": *refer("Statement")}),
			"Statement": object(map[string]apiextensionsv1.JSONSchemaProps{"and": *refer("And"), "or": *refer("Or"), "name": {Type: "string"}}),
			"And":       object(map[string]apiextensionsv1.JSONSchemaProps{"all": list("Statement")}),
			"Or":        object(map[string]apiextensionsv1.JSONSchemaProps{"first": *refer("Statement"), "and": *refer("And")}),
			"Root":      object(map[string]apiextensionsv1.JSONSchemaProps{"child": *refer("Root")}),
		})
		return parser, []crd.TypeIdent{{Package: pkg, Name: "Kind"}, {Package: pkg, Name: "Root"}}
	})
}

// TestMissing has references to what isn't there.
func TestMissing(t *testing.T) {
	for _, reference := range []string{"#/definitions/Gone", "Gone"} {
		parser, pkg := newParser(map[string]apiextensionsv1.JSONSchemaProps{
			"Kind": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"gone": {Ref: &reference}}},
		})
		ident := crd.TypeIdent{Package: pkg, Name: "Kind"}
		(&crd.Flattener{Parser: parser}).FlattenType(ident)
		want := takeErrors([]crd.TypeIdent{ident})
		schema, conflicts := newTypes(parser, unchanged).need(ident).Flatten()
		diff := cmp.Diff(want, takeErrors([]crd.TypeIdent{ident}))
		expect.True(t, diff == "" && len(want) != 0 && len(conflicts) == 0, "%s: %v (-want +got):\n%s", reference, conflicts, diff)
		gone := schema.Properties["gone"]
		expect.True(t, reflect.DeepEqual(gone, apiextensionsv1.JSONSchemaProps{}), "%s: %v is left", reference, gone)
	}
}

// unchanged is the form of all types.
func unchanged(flavor.TypeName) Form { return Inherited }

// compare compares the schemas of types with those of controller-tools, made of the
// same types, and returns how many errors there are.
func compare(t *testing.T, make func() (*crd.Parser, []crd.TypeIdent)) int {
	t.Helper()
	parser, idents := make()
	types := newTypes(parser, unchanged)
	for _, ident := range idents {
		schema, _ := types.need(ident).Flatten()
		spoil(reflect.ValueOf(schema)) // which nothing else may notice
	}
	takeErrors(idents)
	var got, want []*apiextensionsv1.JSONSchemaProps
	for _, ident := range idents {
		schema, conflicts := types.need(ident).Flatten()
		got = append(got, schema)
		for _, conflict := range conflicts {
			ident.Package.AddError(conflict)
		}
	}
	gotErrors := takeErrors(idents)

	parser, idents = make()
	for _, ident := range idents {
		flattener := &crd.Flattener{Parser: parser}
		want = append(want, crd.FlattenEmbedded(flattener.FlattenType(ident), ident.Package))
	}
	wantErrors := takeErrors(idents)
	for i, ident := range idents {
		if !reflect.DeepEqual(want[i], got[i]) {
			t.Errorf("%s (-want +got):\n%s", ident, cmp.Diff(want[i], got[i]))
		}
	}
	expect.Equal(t, wantErrors, gotErrors, "errors")
	return len(wantErrors)
}

// takeErrors takes the errors away from the packages of types, and returns their texts
// in order.
func takeErrors(idents []crd.TypeIdent) []string {
	var texts []string
	for _, ident := range idents {
		for _, err := range ident.Package.Errors {
			texts = append(texts, err.Msg)
		}
		ident.Package.Errors = nil
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// spoil changes all memory that a value leads to.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			spoil(v.Elem())
			v.Elem().SetZero()
		}
	case reflect.Struct:
		for i := range v.NumField() {
			spoil(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			spoil(v.MapIndex(key))
		}
		v.Clear()
	}
}

// newParser returns a parser with the schemas of types of a package.
func newParser(schemas map[string]apiextensionsv1.JSONSchemaProps) (*crd.Parser, *loader.Package) {
	pkg := &loader.Package{Package: &packages.Package{ID: "p", PkgPath: "p"}}
	parser := &crd.Parser{
		Schemata: map[crd.TypeIdent]apiextensionsv1.JSONSchemaProps{}, PackageOverrides: map[string]crd.PackageOverride{"p": func(*crd.Parser, *loader.Package) {}},
	}
	for name, schema := range schemas {
		parser.Schemata[crd.TypeIdent{Package: pkg, Name: name}] = schema
	}
	return parser, pkg
}

func refer(name string) *apiextensionsv1.JSONSchemaProps {
	reference := crd.TypeRefLink("", name)
	return &apiextensionsv1.JSONSchemaProps{Ref: &reference}
}

// random makes schemas.
type random struct {
	*rand.Rand
	// references are the types that may be referred to; none at all within a schema that
	// is a reference, which no Go type leads to.
	references []string
	// top is set for the schema of a type itself.
	top bool
}

// types makes types that refer to later ones and to themselves.
func (r *random) types(n int) (*crd.Parser, []crd.TypeIdent) {
	schemas := map[string]apiextensionsv1.JSONSchemaProps{}
	for i := range n {
		r.references = nil
		for j := i; j < n; j++ {
			r.references = append(r.references, "T"+strconv.Itoa(j))
		}
		r.top = true
		s := r.schema(3)
		if s.Properties != nil {
			s.AllOf = nil // fields that are hidden differ: see TestHidden
		}
		schemas["T"+strconv.Itoa(i)] = s
	}
	parser, pkg := newParser(schemas)
	var idents []crd.TypeIdent
	for i := range n {
		idents = append(idents, crd.TypeIdent{Package: pkg, Name: "T" + strconv.Itoa(i)})
	}
	return parser, idents
}

var schemaType = reflect.TypeFor[apiextensionsv1.JSONSchemaProps]()

func (r *random) schema(depth int) apiextensionsv1.JSONSchemaProps {
	var s apiextensionsv1.JSONSchemaProps
	references := r.references
	defer func() { r.references = references }()
	candidates := references
	if r.top && len(candidates) > 0 {
		candidates = candidates[1:] // it isn't another name of itself
	}
	r.top = false
	if len(candidates) > 0 && r.IntN(3) == 0 {
		s.Ref = refer(candidates[r.IntN(len(candidates))]).Ref
		r.references = nil
	}
	v := reflect.ValueOf(&s).Elem()
	for i := range v.NumField() {
		odds := 8
		switch name := schemaType.Field(i).Name; name {
		case "Ref":
			continue
		case "Properties", "AllOf":
			odds = 2
		}
		if r.IntN(odds) == 0 {
			r.fill(v.Field(i), depth)
		}
	}
	return s
}

// fill fills a value, from few: two are often equal.
func (r *random) fill(v reflect.Value, depth int) {
	if v.Type() == schemaType {
		if depth > 0 {
			v.Set(reflect.ValueOf(r.schema(depth - 1)))
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(r.name())
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int64:
		v.SetInt(int64(r.IntN(2)))
	case reflect.Float64:
		v.SetFloat(float64(r.IntN(2)))
	case reflect.Uint8:
		v.SetUint(uint64('0' + r.IntN(10)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem(), depth)
	case reflect.Struct:
		for i := range v.NumField() {
			r.fill(v.Field(i), depth)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 4))
		for i := range v.Len() {
			r.fill(v.Index(i), depth)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(3) {
			value := reflect.New(v.Type().Elem()).Elem()
			r.fill(value, depth)
			v.SetMapIndex(reflect.ValueOf(r.name()), value)
		}
	default:
		panic(fmt.Sprintf("schemas have a field of a kind that is new: %s", v.Kind()))
	}
}

func (r *random) name() string { return string(rune('a' + r.IntN(3))) }

// TestConflict finds where a conflict is, also below embedded types.
func TestConflict(t *testing.T) {
	embedding := func(branches ...apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", AllOf: branches}
	}
	with := func(name, of string) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{name: {Type: of}}}
	}
	named := *refer("Name")
	named.Type = "boolean"
	parser, pkg := newParser(map[string]apiextensionsv1.JSONSchemaProps{
		"Name":   {Type: "string"},
		"First":  with("size", "string"),
		"Second": with("size", "integer"),
		"Both":   embedding(*refer("First"), *refer("Second")),
		"Kind": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"list": {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: refer("Both")}},
			"map":  {Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Schema: &named}},
		}},
	})
	_, conflicts := newTypes(parser, unchanged).need(crd.TypeIdent{Package: pkg, Name: "Kind"}).Flatten()
	var got []string
	for _, c := range conflicts {
		got = append(got, fmt.Sprintf("%s: %v", c.Path, c.Types))
	}
	want := []string{".list[].size: [string integer]", ".map{}: [string boolean]"}
	expect.Equal(t, want, got)
}
