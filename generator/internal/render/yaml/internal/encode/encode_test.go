package encode

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// document has what the encoder is made for, and some more.
type document struct {
	Embedded `json:",inline"`
	Spec     apiextensionsv1.CustomResourceDefinitionSpec `json:"spec"`
	Text     map[string]string                            `json:"text,omitempty"`
	Maps     map[string]map[string][]string               `json:"maps"`
	Lists    [][]string                                   `json:"lists"`
	Any      any                                          `json:"any,omitempty"`
	Floats   []float64                                    `json:"floats"`
	Pointer  *document                                    `json:"pointer,omitempty"`
	Hidden   string                                       `json:"-"`
	Untagged int
}

// Embedded has fields that belong to the document.
type Embedded struct {
	Kind string `json:"kind,omitempty"`
}

// check compares what the encoder writes with what sigs.k8s.io/yaml writes, and
// returns whether the encoder could write it.
func check(t *testing.T, doc any) bool {
	t.Helper()
	asJSON := expect.Value(json.Marshal(doc))(t)
	got, ok := Append(nil, asJSON)
	if !ok {
		return false
	}
	want, err := yaml.Marshal(doc)
	expect.Must(t, err == nil, "the encoder writes what can't be written: %v", err)
	if !bytes.Equal(got, want) {
		t.Fatalf("unlike sigs.k8s.io/yaml (-want +got):\n%s", cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")))
	}
	return true
}

// TestDocuments compares random documents.
func TestDocuments(t *testing.T) {
	written := 0
	const documents = 1500
	for seed := range uint64(documents) {
		r := random{Rand: rand.New(rand.NewPCG(seed, 0)), strange: seed%4 == 0}
		doc := &document{}
		r.fill(reflect.ValueOf(doc).Elem(), 0)
		if check(t, doc) {
			written++
		} else if !r.strange {
			t.Fatalf("seed %d: the encoder can't write an ordinary document", seed)
		}
	}
	expect.True(t, written >= documents*8/10, "the encoder could write %d of %d documents", written, documents)
}

// TestCRDs compares the definitions of the test providers.
func TestCRDs(t *testing.T) {
	files, err := filepath.Glob("../../../../../../testdata/provider-*/package/*/*.yaml")
	expect.Must(t, err == nil && len(files) >= 20, "found %d files: %v", len(files), err)
	for _, file := range files {
		content := expect.Value(os.ReadFile(file))(t)
		crd := &struct {
			Kind string                                       `json:"kind"`
			Spec apiextensionsv1.CustomResourceDefinitionSpec `json:"spec"`
		}{}
		expect.NoError(t, yaml.Unmarshal(content, crd))
		expect.True(t, check(t, crd), "the encoder can't write %s", file)
	}
}

// TestNumbers compares numbers as JSON may write them.
func TestNumbers(t *testing.T) {
	for _, n := range []string{
		"-0", "0.0", "1.50", "1e3", "-1E+3", "1e-7", "123456789012e0", "1.23456789012e11", "1e21", "-9223372036854775809",
		"9223372036854775807", "9223372036854775808", "9223372036854775809", "18446744073709551615", "18446744073709551616", "36893488147419103232",
	} {
		document := []byte(`{"a":[` + n + `]}`)
		want := expect.Value(yaml.JSONToYAML(document))(t)
		got, ok := Append(nil, document)
		isUnsigned := strings.HasPrefix(n, "92233720368547758") && n != "9223372036854775807" || strings.HasPrefix(n, "184")
		expect.True(t, ok != isUnsigned, "%s: that the encoder writes it is %t", n, ok)
		expect.True(t, !ok || bytes.Equal(got, want), "%s: got %s, want %s", n, got, want)
	}
}

// FuzzText compares strings, as values, items and keys, at several places.
func FuzzText(f *testing.F) {
	for _, s := range append(words, fragments...) {
		f.Add(s, uint8(3))
		f.Add(strings.Repeat(s+" word", 20), uint8(0))
	}
	f.Fuzz(func(t *testing.T, s string, depth uint8) {
		nested := any(s)
		for range depth % 20 {
			nested = map[string]any{"key": nested, "list": []any{[]any{nested}}}
			if depth > 4 {
				nested = []any{map[string]any{s: nested}}
			}
		}
		if raw, err := json.Marshal(nested); err == nil && len(raw) < 100_000 {
			check(t, &struct{ JSON any }{nested})
		}
		check(t, &document{Text: map[string]string{"key": s, "": s, s: s}, Lists: [][]string{{s, "a"}, {s}}})
		check(t, &document{Maps: map[string]map[string][]string{s: {"a": {s}, s + "1": nil, s + "2": {}, s + "10": {s}}}})
		crd := &document{}
		crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: s}}
		check(t, crd)
	})
}

// TestUnwritable checks that documents that a YAML parser refuses, and rare forms, are left to sigs.k8s.io/yaml, which
// says why.
func TestUnwritable(t *testing.T) {
	for name, doc := range map[string]string{
		"list":         "[]",
		"no JSON":      "{",
		"large number": `{"a":1e400}`,
		"delete":       "{\"a\":\"b\x7f\"}",
		"delete, key":  "{\"b\x7f\":\"a\"}",
		"long key":     `{"` + strings.Repeat("a", 129) + `":""}`,
		"lines in key": `{"a\nb":""}`,
	} {
		_, ok := Append(nil, []byte(doc))
		expect.True(t, !ok, "%s: written", name)
	}
}

// random makes documents.
type random struct {
	*rand.Rand
	// strange documents have strings that the encoder may leave to others.
	strange bool
}

var (
	words = []string{
		"", "a", "type", "name", "y", "No", "true", "null", "~", "<<", "=", "1", "0x1f", "1e3", "-", "- a", "---", "...", "2024-01-02",
		"12:30:45", "+1", ".5", ".a[?(@.b=='c')].d", ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", ".infinity", ".e5", "._1", ".a: b", "..", "a: b", "a:", ":a", ": a", "? a", "?a", "a #b", "#a", "a#b", "[a]", "{}", "it's", "'", `"quoted"`, "`code`",
		"%d", "@at", "!tag", "&anchor", "*", "|", ">", "a\\b", "tab\there", "two  spaces", " lead", "trail ", "line\nbreak",
		"line\n\n  indented\n", "ends\n\n", "\nbegins", "space \nbreak", "a10", "a9", "a01", "a-b", "aB", "ab", "x-kubernetes-list-type",
		"self.spec.forProvider.region == oldSelf.spec.forProvider.region || !has(self.spec) : 'x'", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
		"VeryLongWordWithoutAnySpaceThatDoesNotFitIntoALineOfEightyColumnsAndThereforeStaysAsItIs", "Some words that make lines longer",
	}
	fragments = []string{"é", "“quoted”", "日本", "\u2028", "\u0085", "\ufeff", "\x01", "\x7f", "\xff", "\r\n", "\U0001f600", "\u00a0", "<&>"}
)

func (r random) text() string {
	var b strings.Builder
	for range 1 + r.IntN(12)*r.IntN(4) {
		if b.Len() > 0 && r.IntN(5) > 0 {
			b.WriteByte(' ')
		}
		if r.strange && r.IntN(40) == 0 {
			b.WriteString(fragments[r.IntN(len(fragments))])
			continue
		}
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

func (r random) key() string {
	s := r.text()
	if !r.strange {
		s = strings.ReplaceAll(s, "\n", "_")
	}
	return s[:min(len(s), 100)]
}

func (r random) json(depth int) any {
	switch n := r.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n == 2:
		return r.Int64() >> r.IntN(60)
	case n == 3:
		return r.float()
	case n == 4 && depth < 3:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, r.json(depth+1))
		}
		return list
	case n == 5 && depth < 3:
		object := map[string]any{}
		for range r.IntN(4) {
			object[r.key()] = r.json(depth + 1)
		}
		return object
	default:
		return r.text()
	}
}

func (r random) float() float64 {
	return (r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(50)-20)) * float64(r.IntN(3))
}

// fill fills a value, the less of it the deeper it is.
func (r random) fill(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[apiextensionsv1.JSON]() {
		raw, err := json.Marshal(r.json(0))
		if err == nil && (r.strange || !bytes.ContainsFunc(raw, func(c rune) bool { return c < ' ' || c > '~' })) {
			v.Field(0).SetBytes(raw)
		}
		return
	}
	if depth > 0 && r.IntN(2+depth) > 0 {
		return
	}
	size := r.IntN(4)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			r.fill(v.Field(i), depth+1)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem(), depth)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), size, size))
		for i := range size {
			r.fill(v.Index(i), depth)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range size {
			value := reflect.New(v.Type().Elem()).Elem()
			r.fill(value, depth)
			v.SetMapIndex(reflect.ValueOf(r.key()), value)
		}
	case reflect.Interface:
		if raw := r.json(0); raw != nil {
			v.Set(reflect.ValueOf(r.text()))
		}
	case reflect.String:
		v.SetString(r.text())
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(r.float())
	default:
		v.SetInt(r.Int64() >> (r.IntN(v.Type().Bits()) + 64 - v.Type().Bits()))
	}
}

// TestStyles makes sure that the emitter, which takes long, isn't asked for what most
// definitions have.
func TestStyles(t *testing.T) {
	for s, want := range map[string]style{
		"The name of the subnet.": plain, ".status.conditions[?(@.type=='A')]": plain, "a: b": singleQuoted, "a\nb": literal, ".inf": other, ".5": other,
	} {
		expect.Equal(t, want, styleOf(s), "%q", s)
	}
}
