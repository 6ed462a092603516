package functions

import (
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// thing is an object with places of each sort.
type thing struct {
	v1.TypeMeta   `json:",inline"`
	v1.ObjectMeta `json:"metadata,omitempty"`

	Text  string            `json:"text,omitempty"`
	Count int64             `json:"count,omitempty"`
	Inner *inner            `json:"inner,omitempty"`
	Items []item            `json:"items,omitempty"`
	Each  map[string]item   `json:"each,omitempty"`
	Many  []item            `json:"many,omitempty"`
	Lone  *lone             `json:"lone,omitempty"`
	Other map[string]string `json:"other,omitempty"`
	Plain []string          `json:"plain,omitempty"`
	Keyed []item            `json:"keyed,omitempty"`
	Flag  *bool             `json:"flag,omitempty"`

	*Embedded `json:",inline"`
}

// Embedded has a field that null can't be decoded into, and that is not written if there is no
// such struct.
type Embedded struct {
	Wait v1.Duration `json:"wait"`
	Hint *string     `json:"hint"`
}

type inner struct {
	Only  *string `json:"only,omitempty"`
	Moved *int64  `json:"moved,omitempty"`
}

// lone has fields that have moved, in a struct that the other version has no place for.
type lone struct {
	Only  *string `json:"only,omitempty"`
	Count int64   `json:"count"`
	Inner inner   `json:"inner"`
	Moved *inner  `json:"moved,omitempty"`
}

type item struct {
	Key  string  `json:"key"`
	Only *string `json:"only,omitempty"`
}

var only = LossyField{Fields: map[string]LossyField{"only": {Whole: true}}}

var thingLosses = LossyField{Fields: map[string]LossyField{
	"text":  {Whole: true},
	"count": {Whole: true},
	"inner": {Whole: true, Fields: map[string]LossyField{"only": {Whole: true}}},
	"items": {Keys: []string{"key"}, Items: &only},
	"each":  {Values: &only},
	"many":  {Whole: true, Items: &only},
	"lone": {Whole: true, Fields: map[string]LossyField{
		"only":  {Missing: true},
		"count": {Missing: true},
		"inner": {Whole: true, Fields: map[string]LossyField{"only": {Missing: true}}},
		"moved": {Whole: true, Fields: map[string]LossyField{}},
	}},
	"wait":  {Whole: true},
	"plain": {Whole: true},
	"keyed": {Whole: true, Keys: []string{"key"}, Items: &only},
}}

func of(text string) *string { return &text }

func decoded(t testing.TB, text string) *thing {
	t.Helper()
	var object thing
	expect.NoError(t, json.Unmarshal([]byte(text), &object))
	return &object
}

func encoded(t testing.TB, object any) string {
	t.Helper()
	content := expect.Value(json.Marshal(object))(t)
	return string(content)
}

// TestKept has objects that lose something, which comes back unless it was changed in
// between.
func TestKept(t *testing.T) {
	for name, test := range map[string]struct {
		// src is what back is made of in the other version, and changed what that is made of
		// later.
		src, back, changed, want string
	}{
		"nothing is lost":                {`{"text":"a"}`, `{"text":"a"}`, `{"text":"b"}`, `{"text":"b"}`},
		"a field":                        {`{"text":"a"}`, `{}`, `{}`, `{"text":"a"}`},
		"a field that is not kept":       {`{"other":{"a":"b"}}`, `{}`, `{}`, `{}`},
		"a value that stays":             {`{"count":9007199254740993}`, `{"count":5}`, `{"count":5}`, `{"count":9007199254740993}`},
		"a value that changes":           {`{"count":9007199254740993}`, `{"count":5}`, `{"count":6}`, `{"count":6}`},
		"a value that goes":              {`{"count":9007199254740993}`, `{"count":5}`, `{}`, `{}`},
		"what was not there":             {`{}`, `{"count":5}`, `{"count":5}`, `{}`},
		"what was not there, and is":     {`{}`, `{"count":5}`, `{"count":6}`, `{"count":6}`},
		"what can't be null":             {`{}`, `{"wait":"0s"}`, `{"wait":"0s"}`, `{}`},
		"a struct":                       {`{"inner":{"only":"a","moved":1}}`, `{"inner":{"moved":1}}`, `{"inner":{"moved":2}}`, `{"inner":{"only":"a","moved":2}}`},
		"a struct that is made":          {`{"inner":{"only":"a"}}`, `{}`, `{"inner":{"moved":2}}`, `{"inner":{"only":"a","moved":2}}`},
		"a struct that was empty":        {`{"inner":{}}`, `{}`, `{}`, `{"inner":{}}`},
		"a struct that goes":             {`{"inner":{"only":"a","moved":1}}`, `{"inner":{"moved":1}}`, `{}`, `{}`},
		"a struct around what moved":     {`{"lone":{"only":"a","count":7,"inner":{"only":"b","moved":1}}}`, `{"lone":{"count":0,"inner":{"moved":1}}}`, `{"lone":{"count":0,"inner":{"moved":2}}}`, `{"lone":{"only":"a","count":7,"inner":{"only":"b","moved":2}}}`},
		"a struct around what is new":    {`{"lone":{"only":"a","count":7,"inner":{"only":"b"}}}`, `{}`, `{"lone":{"count":0,"inner":{"moved":2}}}`, `{"lone":{"only":"a","count":7,"inner":{"only":"b","moved":2}}}`},
		"a struct of what moved":         {`{"lone":{"moved":{}}}`, `{"lone":{}}`, `{"lone":{}}`, `{"lone":{"moved":{}}}`},
		"a struct of what is new":        {`{"lone":{"moved":{}}}`, `{"lone":{}}`, `{"lone":{"moved":{"moved":2}}}`, `{"lone":{"moved":{"moved":2}}}`},
		"items in another order":         {`{"items":[{"key":"a","only":"1"},{"key":"b","only":"2"}]}`, `{"items":[{"key":"a"},{"key":"b"}]}`, `{"items":[{"key":"b"},{"key":"c"},{"key":"a"}]}`, `{"items":[{"key":"b","only":"2"},{"key":"c"},{"key":"a","only":"1"}]}`},
		"items of the same key":          {`{"items":[{"key":"a","only":"1"},{"key":"a","only":"2"}]}`, `{"items":[{"key":"a"},{"key":"a"}]}`, `{"items":[{"key":"a"},{"key":"a"}]}`, `{"items":[{"key":"a","only":"1"},{"key":"a","only":"2"}]}`},
		"an item that goes":              {`{"items":[{"key":"a","only":"1"}]}`, `{"items":[{"key":"a"}]}`, `{"items":[{"key":"b"}]}`, `{"items":[{"key":"b"}]}`},
		"keys with signs of paths":       {`{"items":[{"key":"a/b~c","only":"1"}]}`, `{"items":[{"key":"a/b~c"}]}`, `{"items":[{"key":"a/b~c"}]}`, `{"items":[{"key":"a/b~c","only":"1"}]}`},
		"entries":                        {`{"each":{"a/b":{"key":"","only":"1"}}}`, `{"each":{"a/b":{"key":""}}}`, `{"each":{"a/b":{"key":"x"},"c":{"key":""}}}`, `{"each":{"a/b":{"key":"x","only":"1"},"c":{"key":""}}}`},
		"the only item":                  {`{"many":[{"key":"a","only":"1"}]}`, `{"many":[{"key":"a"}]}`, `{"many":[{"key":"b"}]}`, `{"many":[{"key":"b","only":"1"}]}`},
		"more items than one":            {`{"many":[{"key":"a","only":"1"},{"key":"b"}]}`, `{"many":[{"key":"a"}]}`, `{"many":[{"key":"a"}]}`, `{"many":[{"key":"a","only":"1"},{"key":"b"}]}`},
		"more items, of which one is a":  {`{"many":[{"key":"a","only":"1"},{"key":"b"}]}`, `{"many":[{"key":"a"}]}`, `{"many":[{"key":"c"}]}`, `{"many":[{"key":"c","only":"1"},{"key":"b"}]}`},
		"more items, of which one loses": {`{"many":[{"key":"a","only":"1"},{"key":"b"}]}`, `{"many":[{"key":"a","only":"0"}]}`, `{"many":[{"key":"a"}]}`, `{"many":[{"key":"a"},{"key":"b"}]}`},
		"the first of more items now":    {`{"many":[{"key":"a","only":"1"}]}`, `{"many":[{"key":"a"}]}`, `{"many":[{"key":"b"},{"key":"c"}]}`, `{"many":[{"key":"b","only":"1"},{"key":"c"}]}`},
		"more items, and others now":     {`{"many":[{"key":"a","only":"1"},{"key":"b"}]}`, `{"many":[{"key":"a"}]}`, `{"many":[{"key":"c"},{"key":"d"}]}`, `{"many":[{"key":"c","only":"1"},{"key":"d"}]}`},
		"a list":                         {`{"plain":["a","b"]}`, `{"plain":["a"]}`, `{"plain":["a"]}`, `{"plain":["a","b"]}`},
		"a list that changes":            {`{"plain":["a","b"]}`, `{"plain":["a"]}`, `{"plain":["c"]}`, `{"plain":["c"]}`},
		"a list by keys":                 {`{"keyed":[{"key":"a","only":"1"}]}`, `{}`, `{}`, `{"keyed":[{"key":"a","only":"1"}]}`},
		"an item by its key":             {`{"keyed":[{"key":"a"},{"key":"b","only":"2"}]}`, `{"keyed":[{"key":"a"}]}`, `{"keyed":[{"key":"b"},{"key":"a"}]}`, `{"keyed":[{"key":"b"},{"key":"a"}]}`},
		"a value and what it is in":      {`{"each":{"a":{"key":"","only":"1"},"b":{"key":""}}}`, `{"each":{"a":{"key":""}}}`, `{"each":{"a":{"key":""}}}`, `{"each":{"a":{"key":"","only":"1"}}}`},
		"what there was not in a struct": {`{"inner":{}}`, `{"inner":{"only":"a"}}`, `{"inner":{"only":"a"}}`, `{"inner":{}}`},
		"an embedded struct":             {`{"wait":"5s","hint":"a"}`, `{}`, `{}`, `{"wait":"5s","hint":null}`},
		"more items, which go":           {`{"many":[{"key":"a"},{"key":"b"}]}`, `{"many":[{"key":"a"}]}`, `{}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			stored := &thing{}
			expect.NoError(t, Keep(stored, "v1", "v0", decoded(t, test.src), decoded(t, test.back), thingLosses))
			changed := decoded(t, test.changed)
			changed.Annotations = stored.Annotations
			expect.NoError(t, Restore(changed, "v1", thingLosses))
			expect.True(t, len(changed.Annotations) == 0, "the annotation is still there: %v", changed.Annotations)
			changed.Annotations = nil
			got := encoded(t, changed)
			expect.True(t, got == encoded(t, decoded(t, test.want)), "got %s, want %s; kept was %v", got, test.want, stored.Annotations)
		})
	}
}

// TestAnnotation holds the form of the annotation, and that others stay.
func TestAnnotation(t *testing.T) {
	annotations := map[string]string{"a": "b", stashPrefix + "v1": "old", stashPrefix + "v2": "other"}
	dst := &thing{ObjectMeta: v1.ObjectMeta{Annotations: annotations}}
	src := decoded(t, `{"text":"a","count":7,"items":[{"key":"k","only":"1"}]}`)
	expect.NoError(t, Keep(dst, "v1", "v0", src, decoded(t, `{"count":5,"items":[{"key":"k"}]}`), thingLosses))
	want := map[string]string{
		"a":                "b",
		stashPrefix + "v1": `{"notIn":"v0","values":{"/count":{"value":7,"of":"ef2d127de37b942b"},"/items/[\"k\"]/only":{"value":"1"},"/text":{"value":"a"}}}`,
		stashPrefix + "v2": "other",
	}
	expect.Equal(t, want, dst.Annotations)
	expect.True(t, annotations[stashPrefix+"v1"] == "old", "the annotations that the other object has are changed")
	expect.NoError(t, Keep(dst, "v1", "v0", src, src, thingLosses))
	_, found := dst.Annotations[stashPrefix+"v1"]
	expect.True(t, !found, "there is an annotation, and nothing to keep")
}

// TestForged has annotations that nobody but a user writes.
func TestForged(t *testing.T) {
	const current = `{"text":"t","inner":{"moved":1},"items":[{"key":"a"}],"many":[{"key":"a"}]}`
	for _, forged := range []string{
		``, `{`, `null`, `[]`, `"text"`, `{"values":{"/text":null}}`, `{"values":{"/text":5}}`, `{"values":{"/text":{"value":5}}}`, `{"values":{"/text":{"value":5,"of":"e3d8f1e4c2a1b0d9"}}}`,
		`{"":{"value":{}}}`, `{"values":{"/":{"value":{}}}}`, `{"values":{"/other":{"value":{"a":"b"}}}}`, `{"values":{"/metadata/name":{"value":"n"}}}`, `{"values":{"/kind":{"value":"n"}}}`,
		`{"values":{"/inner/only":{"value":{"a":1}}}}`, `{"values":{"/inner/only/x":{"value":"a"}}}`, `{"values":{"/items":{"value":[]}}}`, `{"values":{"/items/0/only":{"value":"a"}}}`,
		`{"values":{"/items/[\"a\"]":{"value":null}}}`, `{"values":{"/items/[\"a\"]/only":{"value":7}}}`, `{"values":{"/items/[\"z\"]/only":{"value":"a"}}}`,
		`{"values":{"/many/0":{"value":"a"}}}`, `{"values":{"/many":{"value":"a"}}}`, `{"values":{"/count":{"value":1e99}}}`, `{"values":{"/count":{"value":"1"}}}`,
		`{"notIn":7,"values":{"/inner/only":{"value":"x"}}}`, `{"values":{"/inner/only":"x"}}`,
		strings.Repeat(`{"a":`, 20000) + `1` + strings.Repeat(`}`, 20000),
	} {
		object := decoded(t, current)
		object.Annotations = map[string]string{stashPrefix + "v1": forged, stashPrefix: forged, stashPrefix + "v2": forged}
		err := Restore(object, "v1", thingLosses)
		expect.True(t, err == nil, "%.60s: %v", forged, err)
		object.Annotations = nil
		expect.Equal(t, encoded(t, decoded(t, current)), encoded(t, object), "%.60s changes the object to", forged)
	}
}

// FuzzRestore has any annotation on any object: it may give the object what it could have
// had, and nothing else.
func FuzzRestore(f *testing.F) {
	f.Add(`{"notIn":"v2","values":{"/text":{"value":"a"}}}`, `{"items":[{"key":"a"}]}`)
	f.Add(`{"values":{"/items/[\"a\"]/only":{"value":"1"},"/many":{"value":[{"key":"b"}],"of":""}}}`, `{"items":[{"key":"a"}]}`)
	f.Add(`{"values":{"/inner":{"value":{"only":"x"}},"/each/a/only":{"value":null}}}`, `{"inner":{"moved":3},"each":{"a":{"key":"k"}}}`)
	f.Fuzz(func(t *testing.T, annotation, object string) {
		var current thing
		if json.Unmarshal([]byte(object), &current) != nil {
			t.Skip("no object")
		}
		current.ObjectMeta, current.TypeMeta = v1.ObjectMeta{Name: "n", Annotations: map[string]string{stashPrefix + "v1": annotation, stashPrefix + "v2": annotation}}, v1.TypeMeta{}
		other := encoded(t, current.Other)
		err := Restore(&current, "v1", thingLosses)
		expect.True(t, err == nil || len(annotation) >= maxAnnotations/10, "%q: %v", annotation, err)
		_, isLeft := current.Annotations[stashPrefix+"v1"]
		expect.True(t, !isLeft && current.Name == "n" && encoded(t, current.Other) == other, "%q changes what it can't: %+v", annotation, current)
	})
}

// TestKeptWithinBounds has as much to keep as annotations may have, and more, which is an error that
// names the longest values.
func TestKeptWithinBounds(t *testing.T) {
	src := &thing{Text: strings.Repeat("x", maxAnnotations), Count: 5, Inner: &inner{Only: of("short")}, Items: []item{{Key: "a", Only: of(strings.Repeat("y", maxAnnotations/2))}}}
	back := &thing{Items: []item{{Key: "a"}}}
	const rest = " of v1, and the annotations that keep the values would exceed the 262144 bytes that an object may have by 131232: shorten them"
	err := Keep(&thing{}, "v1", "v0", src, back, thingLosses)
	expect.True(t, err != nil && err.Error() == "v0 has no place for /text"+rest, "got %v, want /text%s", err, rest)
	src.Text = strings.Repeat("x", maxAnnotations/2-1000)
	dst := &thing{}
	expect.NoError(t, Keep(dst, "v1", "v0", src, back, thingLosses))
	left := maxAnnotations - len(stashPrefix+"v1") - len(dst.Annotations[stashPrefix+"v1"])
	for others, fits := range map[int]bool{left: true, left + 1: false, maxAnnotations: false, 2 * maxAnnotations: false} {
		dst := &thing{ObjectMeta: v1.ObjectMeta{Annotations: map[string]string{"a": strings.Repeat("z", others-1)}}}
		err := Keep(dst, "v1", "v0", src, back, thingLosses)
		expect.True(t, (err == nil) == fits, "with %d bytes of other annotations, and %d that are left: %v", others, left, err)
	}
}

// TestSecrets has secrets that a conversion changes, none of which an annotation has, nor a hash of
// them.
func TestSecrets(t *testing.T) {
	secret := LossyField{Whole: true, Secret: true}
	places := LossyField{Fields: map[string]LossyField{
		"text":  secret,
		"count": {Whole: true},
		"inner": {Whole: true, Fields: map[string]LossyField{"only": secret}},
		"items": {Keys: []string{"key"}, Items: &LossyField{Fields: map[string]LossyField{"only": secret}}},
		"each":  {Whole: true, Values: &LossyField{Fields: map[string]LossyField{"only": secret}}},
		"many":  {Whole: true, Items: &LossyField{Fields: map[string]LossyField{"only": secret}}},
		"other": secret,
		"plain": secret,
		"flag":  secret,
		"lone":  {Whole: true, Fields: map[string]LossyField{"count": secret}},
	}}
	for name, test := range map[string]struct {
		src, back string
		// want is what the error names, or else what is kept.
		want, kept string
	}{
		"a secret that stays":      {`{"text":"s","count":1}`, `{"text":"s"}`, ``, `{"/count":{"value":1}}`},
		"a secret":                 {`{"text":"s","count":1}`, `{}`, `/text`, ``},
		"one that changes":         {`{"text":"s"}`, `{"text":"t"}`, `/text`, ``},
		"one that is empty":        {`{"inner":{"only":""}}`, `{"inner":{}}`, ``, `{"/inner/only":{"value":""}}`},
		"one that is made empty":   {`{"inner":{}}`, `{"inner":{"only":""}}`, ``, `{"/inner/only":{"value":null,"of":"12ae32cb1ec02d01"}}`},
		"one in a struct":          {`{"inner":{"only":"s","moved":1}}`, `{"inner":{"moved":1}}`, `/inner/only`, ``},
		"the struct around one":    {`{"inner":{"only":"s"}}`, `{}`, `/inner`, ``},
		"a struct without one":     {`{"inner":{"moved":1}}`, `{}`, ``, `{"/inner":{"value":{"moved":1}}}`},
		"one in an item":           {`{"items":[{"key":"a","only":"s"}]}`, `{"items":[{"key":"a"}]}`, `/items/["a"]/only`, ``},
		"ones in values":           {`{"each":{"b":{"key":"","only":"s"},"a":{"key":"","only":"s"}}}`, `{"each":{"a":{"key":""},"b":{"key":""}}}`, `/each/a/only, /each/b/only`, ``},
		"a map around one":         {`{"each":{"b":{"key":"","only":"s"}}}`, `{}`, `/each`, ``},
		"a list around one":        {`{"many":[{"key":"a","only":"s"},{"key":"b","only":"s"}]}`, `{"many":[{"key":"a","only":"s"}]}`, `/many`, ``},
		"a map that is one":        {`{"other":{"a":"s"}}`, `{"other":{}}`, `/other`, ``},
		"a number around zero":     {`{"lone":{"count":0,"inner":{}}}`, `{}`, ``, `{"/lone":{"value":{"count":0,"inner":{}}}}`},
		"a number":                 {`{"lone":{"count":5,"inner":{}}}`, `{}`, `/lone`, ``},
		"one that is false":        {`{"flag":false}`, `{}`, ``, `{"/flag":{"value":false}}`},
		"one that is true":         {`{"flag":true}`, `{}`, `/flag`, ``},
		"a list of nothing":        {`{"plain":["",""]}`, `{}`, ``, `{"/plain":{"value":["",""]}}`},
		"a list with one":          {`{"plain":["","s"]}`, `{}`, `/plain`, ``},
		"many":                     {`{"text":"s","flag":true,"plain":["s"],"other":{"a":"s"},"inner":{"only":"s","moved":1}}`, `{"inner":{"moved":1}}`, `/flag, /inner/only, /other, /plain, /text`, ``},
		"an empty map that is one": {`{"other":{"a":""}}`, `{}`, ``, `{"/other":{"value":{"a":""}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			dst := &thing{}
			err := Keep(dst, "v1", "v0", decoded(t, test.src), decoded(t, test.back), places)
			if test.want != "" {
				want := "the conversion from v1 to v0 changes " + test.want + ", which may be secret, so that no annotation keeps it"
				expect.True(t, err != nil && err.Error() == want && len(dst.Annotations) == 0, "got %v, want %s; kept was %v", err, want, dst.Annotations)
				return
			}
			got, want := dst.Annotations[stashPrefix+"v1"], `{"notIn":"v0","values":`+test.kept+`}`
			expect.True(t, err == nil && got == want, "got %s, %v, want %s", got, err, want)
		})
	}
}

// TestNumbers has large numbers of any type, which stay as they are when something else comes back.
func TestNumbers(t *testing.T) {
	type free struct {
		v1.TypeMeta   `json:",inline"`
		v1.ObjectMeta `json:"metadata,omitempty"`

		Any  map[string]any `json:"any,omitempty"`
		Text string         `json:"text,omitempty"`
	}
	object := &free{Any: map[string]any{"a": int64(9007199254740993)}}
	object.Annotations = map[string]string{stashPrefix + "v1": `{"notIn":"v0","values":{"/text":{"value":"t"}}}`}
	expect.NoError(t, Restore(object, "v1", LossyField{Fields: map[string]LossyField{"text": {Missing: true}}}))
	expect.Equal(t, `{"metadata":{},"any":{"a":9007199254740993},"text":"t"}`, encoded(t, object))
	expect.Equal(t, `{"a":9007199254740993}`, encoded(t, AsEncoded(object.Any)))
}

// undecodable is text that JSON has as a number.
type undecodable string

func (undecodable) MarshalJSON() ([]byte, error) { return []byte("5"), nil }

// TestNearest has numbers of every type in every other one, around the bounds of all types.
func TestNearest(t *testing.T) {
	nearestOf[int](t)
	nearestOf[int8](t)
	nearestOf[int16](t)
	nearestOf[int32](t)
	nearestOf[int64](t)
	nearestOf[uint](t)
	nearestOf[uint8](t)
	nearestOf[uint16](t)
	nearestOf[uint32](t)
	nearestOf[uint64](t)
}

func nearestOf[S integer](t *testing.T) {
	t.Helper()
	for _, bits := range []uint{0, 1, 7, 8, 15, 16, 31, 32, 63, 64} {
		for offset := int64(-2); offset <= 2; offset++ {
			for _, sign := range []int64{1, -1} {
				exact := new(big.Int).Lsh(big.NewInt(1), bits)
				exact.Mul(exact, big.NewInt(sign)).Add(exact, big.NewInt(offset))
				if number, has := within[S](exact); has {
					isNearest(t, exact, number, Nearest[int](number))
					isNearest(t, exact, number, Nearest[int8](number))
					isNearest(t, exact, number, Nearest[int16](number))
					isNearest(t, exact, number, Nearest[int32](number))
					isNearest(t, exact, number, Nearest[int64](number))
					isNearest(t, exact, number, Nearest[uint](number))
					isNearest(t, exact, number, Nearest[uint8](number))
					isNearest(t, exact, number, Nearest[uint16](number))
					isNearest(t, exact, number, Nearest[uint32](number))
					isNearest(t, exact, number, Nearest[uint64](number))
				}
			}
		}
	}
}

// within returns the number of a type that is nearest to an exact one, and whether it is the same.
func within[T integer](exact *big.Int) (T, bool) {
	of := reflect.TypeFor[T]()
	smallest, largest := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(of.Bits()))
	if of.Kind() <= reflect.Int64 {
		largest.Rsh(largest, 1)
		smallest.Neg(largest)
	}
	largest.Sub(largest, big.NewInt(1))
	value := exact
	if value.Cmp(smallest) < 0 {
		value = smallest
	}
	if value.Cmp(largest) > 0 {
		value = largest
	}
	if of.Kind() <= reflect.Int64 {
		return T(value.Int64()), value == exact
	}
	return T(value.Uint64()), value == exact
}

func isNearest[S, T integer](t *testing.T, exact *big.Int, number S, got T) {
	t.Helper()
	want, _ := within[T](exact)
	expect.True(t, got == want, "%T(%v) is %T(%v), want %v", number, number, got, got, want)
}

// TestValues holds what becomes of values that are nil, zero or empty.
func TestValues(t *testing.T) {
	length := func(s string) int { return len(s) }
	all := map[string]any{"channel": make(chan int)} // JSON has none
	for _, test := range []struct{ got, want any }{
		{ConvertPointer(of("ab"), length), PointerTo(2)},
		{ConvertPointer((*string)(nil), length), (*int)(nil)},
		{ConvertList([]string{"a", ""}, length), []int{1, 0}},
		{ConvertList([]string{}, length), []int{}},
		{ConvertList([]string(nil), length), []int(nil)},
		{ConvertEntries[string](map[string]string{"k": "ab"}, length), map[string]int{"k": 2}},
		{ConvertEntries[string](map[string]string{}, length), map[string]int{}},
		{ConvertEntries[string](map[string]string(nil), length), map[string]int(nil)},
		{ValueOf(of("a")), "a"},
		{ValueOf((*string)(nil)), ""},
		{PointerUnlessZero(0), (*int)(nil)},
		{PointerUnlessZero(1), PointerTo(1)},
		{PointerUnlessZero([]string{}), &[]string{}},
		{ListOf(of("a")), []string{"a"}},
		{ListOf((*string)(nil)), []string(nil)},
		{FirstOf([]string{"a", "b"}), of("a")},
		{FirstOf([]string{}), (*string)(nil)},
		{NeverNilList([]string(nil)), []string{}},
		{NeverNilMap(map[string]string(nil)), map[string]string{}},
		{NeverNilList([]string{"a"}), []string{"a"}},
		{NeverNilMap(map[string]string{"a": "b"}), map[string]string{"a": "b"}},
		{NilIfEmptyList([]string{"a"}), []string{"a"}},
		{NilIfEmptyMap(map[string]string{"a": "b"}), map[string]string{"a": "b"}},
		{AsEncoded(v1.Unix(5, 7)), v1.Unix(5, 0)},
		{AsEncoded(undecodable("a")), undecodable("a")},
		{AsEncoded(any(all)), any(all)},
		{NilIfEmptyList([]string{}), []string(nil)},
		{NilIfEmptyMap(map[string]string{}), map[string]string(nil)},
		{AsEncoded(v1.Condition{Reason: "a"}), v1.Condition{Reason: "a"}},
		{ByConvertTo(func(src, dst *item) { dst.Key = src.Key + "!" })(item{Key: "a"}), item{Key: "a!"}},
		{ByConvertFrom(func(dst, src *item) { dst.Key = src.Key + "!" })(item{Key: "a"}), item{Key: "a!"}},
	} {
		expect.Equal(t, test.want, test.got)
	}
}

// TestNothingIsKept leaves objects without annotations without any, and those that others have as
// they are.
func TestNothingIsKept(t *testing.T) {
	dst := &thing{}
	err := Keep(dst, "v1", "v0", dst, dst, thingLosses)
	expect.True(t, err == nil && dst.Annotations == nil, "got %v, %v, want no annotations", dst.Annotations, err)
	annotations := map[string]string{"a": "b", stashPrefix + "v1": `{"notIn":"v0","values":{"/text":{"value":"t"}}}`}
	dst.Annotations = annotations
	if err := Restore(dst, "v1", thingLosses); err != nil || dst.Text != "t" || len(dst.Annotations) != 1 || len(annotations) != 2 {
		t.Errorf("got %+v, %v, and the annotations of the other object are %v", dst, err, annotations)
	}
}

// TestLongest names as few values as have the bytes.
func TestLongest(t *testing.T) {
	k := stash{Values: map[string]stashedValue{"/a": {Value: "12345"}, "/b": {Value: "1234"}, "/c": {Value: "1234"}}}
	size := func(path string) int { return len(encoded(t, k.Values[path])) }
	for _, test := range []struct {
		size int
		want string
	}{
		{0, ""},
		{1, "/a"},
		{size("/a"), "/a"},
		{size("/a") + 1, "/a, /b"},
		{size("/a") + size("/b"), "/a, /b"},
		{size("/a") + size("/b") + 1, "/a, /b, /c"},
		{1000, "/a, /b, /c"},
	} {
		expect.Equal(t, test.want, k.longest(test.size), "%d bytes", test.size)
	}
}

// TestPaths has names with the signs of paths, in every order.
func TestPaths(t *testing.T) {
	names := []string{""}
	for range 4 {
		for _, name := range names {
			for _, sign := range []string{"~", "/", "0", "1"} {
				if !slices.Contains(names, name+sign) {
					names = append(names, name+sign)
				}
			}
		}
	}
	src, back := &thing{Each: map[string]item{}}, &thing{Each: map[string]item{}}
	for _, name := range names {
		src.Items, back.Items = append(src.Items, item{Key: name, Only: &name}), append(back.Items, item{Key: name})
		src.Each[name], back.Each[name] = item{Only: &name}, item{}
	}
	expect.NoError(t, Keep(back, "v1", "v0", src, back, thingLosses))
	expect.NoError(t, Restore(back, "v1", thingLosses))
	back.Annotations = nil
	expect.Equal(t, encoded(t, src), encoded(t, back), "%d names", len(names))
}

// TestTried has one value that doesn't fit beside one that does, in every place: the other one comes
// back.
func TestTried(t *testing.T) {
	const current = `{"text":"t","inner":{"moved":1},"items":[{"key":"a"}],"many":[{"key":"a"}],"each":{"a":{"key":"k"}},"lone":{"count":3,"inner":{}}}`
	fit := []struct{ path, good, bad, want string }{
		{"/count", `5`, `"5"`, `{"count":5}`},
		{"/inner/only", `"o"`, `7`, `{"inner":{"moved":1,"only":"o"}}`},
		{`/items/[\"a\"]/only`, `"o"`, `{}`, `{"items":[{"key":"a","only":"o"}]}`},
		{"/many/0/only", `"o"`, `[]`, `{"many":[{"key":"a","only":"o"}]}`},
		{"/each/a/only", `"o"`, `true`, `{"each":{"a":{"key":"k","only":"o"}}}`},
		{"/lone/only", `"o"`, `1`, `{"lone":{"only":"o","count":3,"inner":{}}}`},
		{"/lone/inner/only", `"o"`, `1`, `{"lone":{"count":3,"inner":{"only":"o"}}}`},
		{"/wait", `"5s"`, `"x"`, `{"wait":"5s","hint":null}`},
	}
	for i, good := range fit {
		for j, bad := range fit {
			object := decoded(t, current)
			values := `"` + good.path + `":{"value":` + good.good + `}`
			if i != j {
				values += `,"` + bad.path + `":{"value":` + bad.bad + `}`
			}
			object.Annotations = map[string]string{stashPrefix + "v1": `{"notIn":"v0","values":{` + values + `}}`}
			expect.NoError(t, Restore(object, "v1", thingLosses))
			object.Annotations = nil
			want := decoded(t, current)
			expect.NoError(t, json.Unmarshal([]byte(good.want), want))
			expect.Equal(t, encoded(t, want), encoded(t, object), "%s", values)
		}
	}
}

// TestOthers has what other versions keep beside what this one does.
func TestOthers(t *testing.T) {
	places := LossyField{Fields: map[string]LossyField{
		"text": {Whole: true}, "count": {Missing: true}, "inner": {Missing: true}, "plain": {Whole: true},
		"lone": {Whole: true, Fields: map[string]LossyField{"only": {Missing: true}, "moved": {Whole: true}}},
	}}
	hash := func(text string) string {
		var tree any
		expect.NoError(t, decodeTree([]byte(text), &tree))
		return hashOf(tree)
	}
	for name, test := range map[string]struct {
		// own is what the version keeps, and other what another one does, with the rest of the name of
		// its annotation, and the version that has no place for it.
		current, own, other, version, notIn string
		want, left                          string
	}{
		"what both have":                {`{}`, `{}`, `"/count":{"value":5}`, "v2", "v0", `{"count":5}`, ``},
		"what this one has a place for": {`{}`, `{}`, `"/count":{"value":5}`, "v2", "v1", `{}`, `"/count":{"value":5}`},
		"what is no annotation of ours": {`{}`, `{}`, `"/count":{"value":5}`, "", "v0", `{}`, `"/count":{"value":5}`},
		"a value that is current":       {`{"text":"a"}`, `{}`, `"/text":{"value":"b","of":"` + hash(`"a"`) + `"}`, "v2", "v0", `{"text":"b"}`, ``},
		"a value that is not":           {`{"text":"c"}`, `{}`, `"/text":{"value":"b","of":"` + hash(`"a"`) + `"}`, "v2", "v0", `{"text":"c"}`, `"/text":{"value":"b","of":"` + hash(`"a"`) + `"}`},
		"a value of another type":       {`{"text":"a"}`, `{}`, `"/text":{"value":7,"of":"` + hash(`"a"`) + `"}`, "v2", "v0", `{"text":"a"}`, `"/text":{"value":7,"of":"` + hash(`"a"`) + `"}`},
		"a value that is there":         {`{"text":"a"}`, `{}`, `"/text":{"value":"a","of":"` + hash(`"a"`) + `"}`, "v2", "v0", `{"text":"a"}`, `"/text":{"value":"a","of":"` + hash(`"a"`) + `"}`},
		"a part of what came back":      {`{"lone":{"count":0,"inner":{}}}`, `{"/lone":{"value":{"only":"a","count":1,"inner":{}},"of":"` + hash(`{"count":0,"inner":{}}`) + `"}}`, `"/lone/only":{"value":"b"}`, "v2", "v0", `{"lone":{"only":"a","count":1,"inner":{}}}`, `"/lone/only":{"value":"b"}`},
		"a part that is not there":      {`{"lone":{"count":0,"inner":{}}}`, `{"/lone":{"value":{"count":1,"inner":{}},"of":"` + hash(`{"count":0,"inner":{}}`) + `"}}`, `"/lone/only":{"value":"b"}`, "v2", "v0", `{"lone":{"only":"b","count":1,"inner":{}}}`, ``},
		"a part that both may have":     {`{"lone":{"count":0,"inner":{}}}`, `{"/lone":{"value":{"moved":{"moved":1},"count":1,"inner":{}},"of":"` + hash(`{"count":0,"inner":{}}`) + `"}}`, `"/lone/moved":{"value":{"moved":2},"of":"` + hash(`{"moved":1}`) + `"}`, "v2", "v0", `{"lone":{"count":1,"inner":{},"moved":{"moved":2}}}`, ``},
		"a struct over another one":     {`{}`, `{"/inner":{"value":{"moved":1}}}`, `"/inner":{"value":{"only":"b"}}`, "v2", "v0", `{"inner":{"only":"b","moved":1}}`, ``},
		"a struct over a part of it":    {`{}`, `{"/inner":{"value":{"only":"a","moved":1}}}`, `"/inner":{"value":{"only":"b"}}`, "v2", "v0", `{"inner":{"only":"b","moved":1}}`, ``},
		"a list":                        {`{"plain":["a"]}`, `{}`, `"/plain":{"value":["a","b"],"of":"` + hash(`["a"]`) + `"}`, "v2", "v0", `{"plain":["a","b"]}`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			object := decoded(t, test.current)
			annotation := stashPrefix + test.version
			if test.version == "" {
				annotation = "others.example.org/v2"
			}
			object.Annotations = map[string]string{
				stashPrefix + "v1": `{"notIn":"v0","values":` + test.own + `}`,
				annotation:         `{"notIn":"` + test.notIn + `","values":{` + test.other + `}}`,
			}
			expect.NoError(t, Restore(object, "v1", places))
			left := object.Annotations[annotation]
			if test.left != "" {
				test.left = `{"notIn":"` + test.notIn + `","values":{` + test.left + `}}`
			}
			object.Annotations = nil
			got, want := encoded(t, object), encoded(t, decoded(t, test.want))
			expect.True(t, got == want && left == test.left, "got %s, want %s; left is %s, want %s", got, want, left, test.left)
		})
	}
}
