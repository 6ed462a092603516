package apitypes

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// The types below write and read themselves in all ways that this file knows. encoding/json tells whether they read what they wrote.
type (
	whole  struct{ N int }
	alone  struct{ whole }
	beside struct {
		whole
		Other int
	}
	behind    struct{ *whole }
	corrected struct {
		whole
		Other int
	}
	half      uint8
	mute      uint8
	word      string
	stranger  uint8
	reference uint8
)

func (w whole) MarshalJSON() ([]byte, error)     { return json.Marshal(w.N) }
func (w *whole) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &w.N) }

func (c corrected) MarshalJSON() ([]byte, error) { return json.Marshal([]int{c.N, c.Other}) }
func (c *corrected) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]*int{&c.N, &c.Other})
}

func (half) MarshalText() ([]byte, error)     { return []byte("half"), nil }
func (*mute) UnmarshalText([]byte) error      { return nil }
func (w word) MarshalText() ([]byte, error)   { return []byte(w), nil }
func (stranger) MarshalText() ([]byte, error) { return []byte("1"), nil }
func (s *stranger) UnmarshalText([]byte) error {
	*s = 1
	return nil
}
func (*reference) MarshalText() ([]byte, error) { return []byte("1"), nil }
func (r *reference) UnmarshalText([]byte) error {
	*r = 1
	return nil
}

// TestEncodings holds that what is said of types is true, and nothing of others.
func TestEncodings(t *testing.T) {
	declared := declarations(t)
	for _, test := range []struct {
		value any
		want  string
	}{
		{whole{1}, ""},
		{alone{whole{1}}, ""},
		{beside{whole{1}, 2}, "beside has MarshalJSON from whole, which leaves out the other fields: name the field, as in whole apitypes.whole, in place of embedding it"},
		{behind{}, "behind has MarshalJSON from *whole, with which Go panics where that is nil: embed whole without the asterisk, or name the field"},
		{corrected{whole{1}, 2}, ""},
		{half(1), "half writes a text, which it can't read without UnmarshalText: declare that, too"},
		{mute(1), "mute reads a text, which it doesn't write without MarshalText: declare that, too"},
		{word("a"), ""},
		{stranger(1), ""},
		{reference(1), ""},
	} {
		of := reflect.TypeOf(test.value)
		named := declared.Lookup(of.Name()).Type().(*types.Named)
		writes, _ := codecOf(named, "MarshalJSON", "MarshalText")
		reads, _ := codecOf(named, "UnmarshalJSON", "UnmarshalText")
		expect.Equal(t, test.want, encoding(named, writes, reads), "%s", of)
		field := reflect.New(of)
		field.Elem().Set(reflect.ValueOf(test.value))
		problem := returns(field.Interface())
		expect.True(t, (problem == nil) == (test.want == ""), "%s: encoding/json says %v", of, problem)
	}
}

// TestUncalled holds that encoding/json writes keys and values of maps as fields but where a method isn't called for them.
func TestUncalled(t *testing.T) {
	declared := declarations(t)
	for name, of := range map[string]any{"stranger": map[stranger]stranger{1: 1}, "reference": map[string]reference{"1": 1}} {
		text, err := json.Marshal(of)
		isCalled := err == nil && (string(text) == `{"1":"1"}`)
		expect.True(t, uncalled(declared.Lookup(name).Type(), "MarshalText") == "" == isCalled, "%s: encoding/json writes %s", name, text)
	}
	e := &expresser{}
	for _, test := range []struct{ key, value, want string }{
		{"reference", "word", "has map keys of type apitypes.reference, for which encoding/json doesn't call MarshalText, since it is declared on *apitypes.reference: declare it on apitypes.reference"},
		{"word", "reference", "has map values of type apitypes.reference, for which encoding/json doesn't call MarshalText, since it is declared on *apitypes.reference: use that, or declare it on apitypes.reference"},
		{"stranger", "stranger", ""},
	} {
		got := e.problem(types.NewMap(declared.Lookup(test.key).Type(), declared.Lookup(test.value).Type()))
		expect.True(t, got == test.want, "%s\ngot  %s\nwant %s", test.key, got, test.want)
	}
}

// declarations returns what this file declares.
func declarations(t *testing.T) *types.Scope {
	t.Helper()
	fset := token.NewFileSet()
	file := expect.Value(parser.ParseFile(fset, "encodings_test.go", nil, 0))(t)
	config := types.Config{Importer: importer.Default(), Error: func(error) {}} // the bodies of functions are of no concern
	checked, _ := config.Check("example.org/apitypes", fset, []*ast.File{file}, nil)
	return checked.Scope()
}

// returns reports whether a value is read again as it was written.
func returns(value any) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	read := reflect.New(reflect.TypeOf(value).Elem())
	if err := json.Unmarshal(text, read.Interface()); err != nil {
		return err
	}
	if !reflect.DeepEqual(read.Interface(), value) {
		return fmt.Errorf("it is read as %v", read.Elem())
	}
	return nil
}
