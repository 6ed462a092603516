package controllertools

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/controller-tools/pkg/crd"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// A nested struct embeds others, which may have fields of the same names.
type nested struct {
	name   string
	goType reflect.Type
}

// TestHidden asks encoding/json which of several fields of one name it fills. The constraints and the comment of that
// field alone are in the schema, each of which is another number.
func TestHidden(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/m\n\ngo 1.24\n")
	r := rand.New(rand.NewPCG(1, 0))
	var source strings.Builder
	source.WriteString("package a\n")
	var structs []nested
	markers := map[int]string{}
	for i := range 60 {
		structs = append(structs, nest(r, &source, markers, fmt.Sprintf("T%d", i), structs))
	}
	write(t, dir, "a/types.go", source.String())
	parser, idents := parse(t, dir, "example.org/m/a")
	hidden := 0
	for _, s := range structs {
		i := slices.IndexFunc(idents, func(ident crd.TypeIdent) bool { return ident.Name == s.name })
		schema, conflicts := newTypes(parser, unchanged).need(idents[i]).Flatten()
		expect.True(t, len(conflicts) == 0, "%s: %v", s.name, conflicts)
		for _, name := range []string{"a", "b", "c"} {
			value := reflect.New(s.goType)
			expect.NoError(t, json.Unmarshal(fmt.Appendf(nil, "{%q: \"x\"}", name), value.Interface()))
			tag, count := filled(value.Elem())
			property, found := schema.Properties[name]
			hidden += max(0, count-1)
			switch {
			case tag == "": // none, or several that clash, which mrgen refuses
			case !found || property.MaxLength == nil:
				t.Errorf("%s has no %s", s.name, name)
			case property.Description != "Field "+tag+".":
				t.Errorf("%s of %s is described as %q, and encoding/json fills %s", name, s.name, property.Description, tag)
			case fmt.Sprint(*property.MaxLength) != tag:
				t.Errorf("%s of %s has the constraint %d, and encoding/json fills %s", name, s.name, *property.MaxLength, tag)
			case slices.Contains(schema.Required, name) != strings.Contains(markers[int(*property.MaxLength)], "Required"):
				t.Errorf("%s of %s is required by another field", name, s.name)
			case (property.Default != nil) != strings.Contains(markers[int(*property.MaxLength)], "default"),
				(len(property.XValidations) > 0) != strings.Contains(markers[int(*property.MaxLength)], "immutable"):
				t.Errorf("%s of %s has more than %s", name, s.name, markers[int(*property.MaxLength)])
			}
			isKept := strings.Contains(markers[number(tag)], "immutable") && !strings.Contains(markers[number(tag)], "Required")
			rules := fmt.Sprint(schema.XValidations)
			expect.True(t, tag == "" || strings.Contains(rules, "has(oldSelf."+name+")") == isKept, "%s of %s: %s", name, s.name, rules)
		}
	}
	expect.True(t, hidden >= 20, "only %d fields are hidden: the test proves little", hidden)
}

func number(text string) (n int) {
	_, _ = fmt.Sscan(text, &n)
	return n
}

// nest declares a struct.
func nest(r *rand.Rand, source *strings.Builder, markers map[int]string, name string, others []nested) nested {
	var fields []reflect.StructField
	fmt.Fprintf(source, "\n// %s is a struct.\ntype %s struct {\n", name, name)
	for _, i := range r.Perm(len(others))[:min(len(others), r.IntN(3))] {
		inner := others[i]
		text, goType := inner.name, inner.goType
		if r.IntN(2) == 0 {
			text, goType = "*"+text, reflect.PointerTo(goType)
		}
		fmt.Fprintf(source, "\t%s `json:\",inline\"`\n", text)
		fields = append(fields, reflect.StructField{Name: inner.name, Type: goType, Anonymous: true, Tag: `json:",inline"`})
	}
	for _, i := range r.Perm(3)[:r.IntN(3)] {
		n := len(markers) + 1
		goName := string(rune('A' + i))
		markers[n] = []string{"optional", "kubebuilder:validation:Required", "kubebuilder:default=x", "optional\n\t// +k8s:immutable"}[r.IntN(4)]
		tag := fmt.Sprintf(`json:"%s,omitempty"`, strings.ToLower(goName))
		fmt.Fprintf(source, "\t// Field %d.\n\t// +kubebuilder:validation:MaxLength=%d\n\t// +%s\n\t%s string `%s`\n", n, n, markers[n], goName, tag)
		fields = append(fields, reflect.StructField{Name: goName, Type: reflect.TypeFor[string](), Tag: reflect.StructTag(fmt.Sprintf(`%s n:"%d"`, tag, n))})
	}
	source.WriteString("}\n")
	return nested{name, reflect.StructOf(fields)}
}

// filled returns the number of the field that is set in a value, and how many have the name of that one.
func filled(value reflect.Value) (tag string, count int) {
	var names []string
	var visit func(reflect.Value)
	visit = func(v reflect.Value) {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v = reflect.New(v.Type().Elem())
			}
			v = v.Elem()
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Anonymous {
				visit(v.Field(i))
				continue
			}
			if names = append(names, f.Name); v.Field(i).String() != "" {
				tag = f.Tag.Get("n")
				names = append([]string{f.Name}, names...)
			}
		}
	}
	visit(value)
	for _, name := range names {
		if tag != "" && name == names[0] {
			count++
		}
	}
	return tag, count - 1
}
