// Command judge runs generated methods on random values, and compares what they do with what their
// comments, and the guide, say that they do. It takes what markers mean from the tags of fields.
//
// It takes for granted that types have the shapes of package v1; their values are any that Go can hold,
// and need not be valid.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
)

// A kind is what mrgen has written methods for.
type kind struct {
	name              string
	desired, observed reflect.Type
	// spec and initial are set if there is a spec.initProvider.
	spec, initial reflect.Type
}

var (
	runs = flag.Int("runs", 200, "how many random pairs to try for each kind")
	seed = flag.Uint64("seed", 1, "the seed of random values")
)

func main() {
	flag.Parse()
	failed := false
	for i, k := range kinds {
		j := &judge{kind: k, r: rand.New(rand.NewPCG(*seed, uint64(i)))}
		for range *runs {
			if j.run(); j.failure != "" {
				fmt.Printf("%s: %s\n", k.name, j.failure)
				failed = true
				break
			}
		}
		if isFilled := slices.ContainsFunc(fieldsOf(k.desired), func(f field) bool { return !f.is("ruled") }); isFilled && j.filled < *runs/10 && j.failure == "" || j.differences < *runs/10 {
			fmt.Printf("%s: %d fields filled, %d differences: this proves little\n", k.name, j.filled, j.differences)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// A judge judges the methods of a kind.
type judge struct {
	kind
	r       *rand.Rand
	failure string
	// filled and differences count what happened.
	filled, differences int
}

func (j *judge) failf(format string, arguments ...any) {
	if j.failure == "" {
		j.failure = fmt.Sprintf(format, arguments...)
	}
}

func call(receiver reflect.Value, method string, arguments ...reflect.Value) []reflect.Value {
	m := receiver.Addr().MethodByName(method)
	if !m.IsValid() {
		panic(receiver.Type().String() + " has no method " + method)
	}
	return m.Call(arguments)
}

func text(v reflect.Value) string { return show(v) }

func (j *judge) run() {
	p, observed := decoded(j.value(j.desired, 0, "")), decoded(j.value(j.observed, 0, ""))
	if j.r.IntN(3) == 0 {
		p = reflect.New(j.desired).Elem() // much to fill
	}
	if j.spec == nil {
		j.method("LateInitialize", p, observed, func(p reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.ValueOf(filler{isTop: true}.late(p, observed))}
		})
	} else {
		j.specMethods(p, observed)
	}
	if j.r.IntN(2) == 0 {
		// What is filled agrees with what it is filled with, mostly.
		filler{isTop: true}.late(p, observed)
	}
	want := comparer{how: "exact"}.structs("", p, observed)
	j.differences += len(want)
	var paths, fixed []string
	for _, d := range want {
		paths = append(paths, d.path)
		if d.isFixed {
			fixed = append(fixed, d.path)
		}
	}
	got := call(deepCopy(p), "Diff", observed)[0].Interface().([]string)
	if !slices.Equal(got, paths) {
		j.failf("Diff\n desired: %s\nobserved: %s\n     got: %q\n    want: %q", text(p), text(observed), got, paths)
	}
	if got := call(deepCopy(p), "ImmutableFields", reflect.ValueOf(paths))[0].Interface().([]string); !slices.Equal(got, fixed) {
		j.failf("ImmutableFields of %q\n got: %q\nwant: %q", paths, got, fixed)
	}
}

// method runs a method that changes the desired state, and does the same by the judge.
func (j *judge) method(name string, desired, observed reflect.Value, does func(p reflect.Value) []reflect.Value) {
	got, want, before := deepCopy(desired), deepCopy(desired), text(observed)
	expected := does(want)
	results := call(got, name, observed)
	j.compare(name, desired, observed, got, want)
	if len(expected) > 0 && results[0].Bool() != expected[0].Bool() {
		j.failf("%s\n desired: %s\nobserved: %s\nreturns %t", name, text(desired), text(observed), results[0].Bool())
	}
	j.apart(name, got, observed, before)
	if text(got) != text(desired) {
		j.filled++
	}
}

func (j *judge) compare(name string, desired, observed, got, want reflect.Value) {
	if text(got) != text(want) {
		j.failf("%s\n desired: %s\nobserved: %s\n     got: %s\n    want: %s", name, text(desired), text(observed), text(got), text(want))
	}
}

// apart checks that two values share no memory: whatever becomes of one, the other stays.
func (j *judge) apart(name string, changed, other reflect.Value, before string) {
	if after := text(other); after != before {
		j.failf("%s changes what it reads\nbefore: %s\n after: %s", name, before, after)
	}
	scramble(changed)
	if after := text(other); after != before {
		j.failf("%s shares memory\nbefore: %s\n after: %s", name, before, after)
	}
}

func (j *judge) specMethods(p, observed reflect.Value) {
	spec := reflect.New(j.spec).Elem()
	initial := decoded(j.value(j.initial, 0, ""))
	isPointed := spec.FieldByName("ForProvider").Kind() == reflect.Pointer
	place := func(name string, value reflect.Value) {
		f := spec.FieldByName(name)
		if f.Kind() == reflect.Pointer {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		f.Set(deepCopy(value))
	}
	isNone := isPointed && j.r.IntN(10) == 0
	if !isNone {
		place("ForProvider", p)
	}
	if spec.FieldByName("InitProvider").Kind() != reflect.Pointer || j.r.IntN(4) > 0 {
		place("InitProvider", initial)
	} else {
		initial = reflect.New(j.initial).Elem()
	}
	// What an external resource is created with.
	want := deepCopy(p)
	if isNone {
		want = reflect.New(j.desired).Elem()
	}
	merge(want, initial, isNone)
	before := text(spec)
	got := call(spec, "CreateParameters")[0]
	addressable := reflect.New(got.Type()).Elem()
	addressable.Set(got)
	if got, want := show(reflect.ValueOf(document(addressable.Interface()))), show(reflect.ValueOf(document(want.Interface()))); got != want {
		j.failf("CreateParameters\n desired: %s\n     got: %s\n    want: %s", text(spec), got, want)
	}
	j.apart("CreateParameters", addressable, spec, before)
	// What is left out of differences: entries that only spec.initProvider gives.
	var paths []string
	if !isNone {
		given := givenEntries("", p, initial)
		for _, d := range (comparer{how: "exact"}).structs("", p, observed) {
			if !slices.Contains(given, d.path) {
				paths = append(paths, d.path)
			}
		}
	}
	if got := call(spec, "Diff", observed)[0].Interface().([]string); !slices.Equal(got, paths) {
		j.failf("Diff of the spec\n desired: %s\n initial: %s\nobserved: %s\n     got: %q\n    want: %q", text(p), text(initial), text(observed), got, paths)
	}
	// What is filled.
	beforeObserved := text(observed)
	filled := deepCopy(p)
	expected := !isNone && filler{isTop: true}.late(filled, without(j.desired, observed, initial))
	changed := call(spec, "LateInitialize", observed)[0].Bool()
	result := spec.FieldByName("ForProvider")
	if isNone {
		if !result.IsNil() {
			j.failf("LateInitialize makes a spec.forProvider")
		}
	} else if result = valueOf(result); text(result) != text(filled) {
		j.failf("LateInitialize of the spec\n desired: %s\n initial: %s\nobserved: %s\n     got: %s\n    want: %s", text(p), text(initial), text(observed), text(result), text(filled))
	}
	if changed != expected {
		j.failf("LateInitialize of the spec\n desired: %s\n initial: %s\nobserved: %s\nreturns %t", text(p), text(initial), text(observed), changed)
	}
	if text(valueOf(spec.FieldByName("InitProvider"))) != text(initial) {
		j.failf("LateInitialize changes spec.initProvider")
	}
	if changed {
		j.filled++
	}
	j.apart("LateInitialize of the spec", spec, observed, beforeObserved)
}

// decoded returns a value as a controller reads it from the API server.
func decoded(v reflect.Value) reflect.Value {
	text, err := json.Marshal(v.Interface())
	if err != nil {
		panic(err)
	}
	read := reflect.New(v.Type())
	if err := json.Unmarshal(text, read.Interface()); err != nil {
		panic(err)
	}
	return read.Elem()
}

// value returns a random value of a type.
func (j *judge) value(t reflect.Type, depth int, pool string) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(j.value(t.Elem(), depth, pool))
	case reflect.Struct:
		if t.Name() == "Quantity" {
			v.FieldByName("Value").SetInt(int64(j.r.IntN(3)))
			v.FieldByName("Form").SetString([]string{"a", "b"}[j.r.IntN(2)])
			return v
		}
		for i := range t.NumField() {
			f := t.Field(i)
			if v.Field(i).CanSet() && (j.r.IntN(5-min(depth, 2)) > 0 || depth == 0 && j.r.IntN(2) == 0) {
				v.Field(i).Set(j.value(f.Type, depth+1, f.Tag.Get("pool")))
				if in := (field{step: step{f}}); (in.is("set") || in.is("keyed")) && !isUnique(in, v.Field(i)) {
					v.Field(i).SetLen(1) // as the API server demands
				}
			}
		}
	case reflect.Slice:
		n := j.r.IntN(4)
		v.Set(reflect.MakeSlice(t, n, n))
		for i := range n {
			if t.Elem().Kind() != reflect.Pointer || j.r.IntN(6) > 0 {
				v.Index(i).Set(j.value(t.Elem(), depth+1, ""))
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for _, key := range []string{"a", "b", `c"]`}[:j.r.IntN(4)] {
			element := reflect.Zero(t.Elem())
			if t.Elem().Kind() != reflect.Pointer || j.r.IntN(6) > 0 {
				element = j.value(t.Elem(), depth+1, "")
			}
			v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), element)
		}
	case reflect.String:
		choices := []string{"a", "b", "bb", "", "bbbb"}
		if pool != "" {
			choices = strings.Split(pool, "|")
		}
		v.SetString(choices[j.r.IntN(len(choices))])
	case reflect.Bool:
		v.SetBool(j.r.IntN(2) == 0)
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, 1.5, 2}[j.r.IntN(4)])
	case reflect.Uint8:
		v.SetUint(uint64(j.r.IntN(3)))
	default:
		v.SetInt(int64(j.r.IntN(6)))
	}
	return v
}
