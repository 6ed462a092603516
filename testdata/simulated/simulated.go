// Package simulated is an external API with a mind of its own, in memory. Tests have it do what
// external APIs do: it answers in another order, adds what nobody asked for, fills in defaults, writes
// values in another form, is late, and fails.
package simulated

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	// ErrNotFound says that there is no such resource.
	ErrNotFound = errors.New("resource not found")
	// ErrExists says that there is such a resource already.
	ErrExists = errors.New("resource exists")
	// ErrUnavailable says that the API refuses a request this time.
	ErrUnavailable = errors.New("the API is not available")
)

// A Document is a resource as JSON has it.
type Document = map[string]any

// Encode returns a value as a document.
func Encode(value any) (Document, error) {
	var d Document
	return d, recode(value, &d)
}

// Decode reads a document into a value.
func Decode(d Document, value any) error { return recode(d, value) }

func recode(from, to any) error {
	content, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, to)
}

// An API keeps resources by their IDs. Its methods may be called concurrently, and copy what they get
// and return.
type API struct {
	mutex     sync.Mutex
	resources map[string]*resource
	log       []string

	// stored and shown are what is done to documents before they are stored and shown.
	stored, shown []func(Document)
	// replaced and shared are the maps that updates replace, all of them or the entries of the one
	// who asks.
	replaced, shared []string
	lags             bool
	// puts has updates replace what was asked for before.
	puts bool
	// refuses has every so manieth request fail.
	refuses, requests int
	// before and after are called for each request, nil if nobody watches.
	before func(call, id string) (later bool, err error)
	after  func(call, id string) error
}

// A resource is the state of one, and the state before the last write if that is what the next
// request gets.
type resource struct {
	state, before Document
	// asked is what was last asked for.
	asked Document
}

// A Habit is something that an API does beyond what it is asked for. Its paths name fields, with those
// of structs and of the items of lists after a dot: "network.subnets.id".
type Habit func(*API)

// New returns an API without resources.
func New(habits ...Habit) *API {
	a := &API{resources: map[string]*resource{}}
	for _, habit := range habits {
		habit(a)
	}
	return a
}

// Replaces has updates replace a map, such as tags. They merge all other objects.
func Replaces(path string) Habit {
	return func(a *API) { a.replaced = append(a.replaced, path) }
}

// Puts has updates replace all that was asked for before, as PUT does. The fields that the API sets stay.
func Puts() Habit {
	return func(a *API) { a.puts = true }
}

// Shares has updates replace their own entries of a map, and leave those of others.
func Shares(path string) Habit {
	return func(a *API) { a.shared = append(a.shared, path) }
}

// Reorders shows a list in another order each time.
func Reorders(path string) Habit {
	turn := 0
	return shows(path, func(value any) any {
		items, _ := value.([]any)
		if len(items) == 0 {
			return value
		}
		turn++
		first := turn % len(items)
		return slices.Concat(items[first:], items[:first])
	})
}

// AddsEntries adds entries to a map that nobody has asked for, such as tags of the API's own.
func AddsEntries(path string, entries Document) Habit {
	return stores(path, func(value any) any {
		all, _ := value.(Document)
		if all == nil {
			all = Document{}
		}
		maps.Copy(all, clone(entries))
		return all
	})
}

// AddsItem adds an item to a list that nobody has asked for.
func AddsItem(path string, item any) Habit {
	return stores(path, func(value any) any {
		items, _ := value.([]any)
		if slices.ContainsFunc(items, func(other any) bool { return Equal(item, other) }) {
			return items
		}
		return append(items, clone(item))
	})
}

// Defaults sets a field that nobody has set.
func Defaults(path string, value any) Habit {
	return stores(path, func(set any) any {
		if set == nil {
			return clone(value)
		}
		return set
	})
}

// Rewrites stores a value in another form, such as a text in lower case.
func Rewrites(path string, rewrite func(any) any) Habit {
	return stores(path, func(value any) any {
		if value == nil {
			return nil
		}
		return rewrite(value)
	})
}

// Shows shows a field that has no value with one, such as an empty struct.
func Shows(path string, value any) Habit {
	return shows(path, func(set any) any {
		if set == nil {
			return clone(value)
		}
		return set
	})
}

// OmitsEmpty leaves out what is empty: "", 0, false, and lists and objects with nothing in them.
func OmitsEmpty() Habit {
	return func(a *API) { a.shown = append(a.shown, omitEmpty) }
}

// Lags answers the first request after a write with the state before it.
func Lags() Habit {
	return func(a *API) { a.lags = true }
}

// Refuses has every so manieth request fail.
func Refuses(every int) Habit {
	return func(a *API) { a.refuses = every }
}

// Get returns a resource.
func (a *API) Get(id string) (d Document, err error) {
	err = a.watched("get", id, func() error {
		d, err = a.get(id)
		return err
	})
	return d, err
}

func (a *API) get(id string) (Document, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	r, err := a.request(id)
	if err != nil {
		return nil, err
	}
	state := r.state
	if r.before != nil {
		state, r.before = r.before, nil
	}
	return a.show(state), nil
}

// Create creates a resource, as JSON has it.
func (a *API) Create(id string, desired any) error {
	return a.watched("create", id, func() error { return a.create(id, desired) })
}

func (a *API) create(id string, desired any) error {
	d, err := Encode(desired)
	if err != nil {
		return err
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	switch _, err := a.request(id); {
	case err == nil:
		return ErrExists
	case !errors.Is(err, ErrNotFound):
		return err
	}
	a.log = append(a.log, "create "+id)
	r := &resource{asked: clone(d)}
	a.resources[id] = r
	a.write(r, d)
	r.before = nil
	return nil
}

// Update changes the fields of a resource that JSON has.
func (a *API) Update(id string, desired any) error {
	return a.watched("update", id, func() error { return a.update(id, desired) })
}

func (a *API) update(id string, desired any) error {
	d, err := Encode(desired)
	if err != nil {
		return err
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	r, err := a.request(id)
	if err != nil {
		return err
	}
	a.log = append(a.log, "update "+id)
	state := clone(r.state)
	if a.puts {
		maps.DeleteFunc(state, func(field string, _ any) bool { return r.asked[field] != nil })
	}
	for _, path := range a.replaced {
		at(state, path, func(parent Document, key string) {
			if lookup(d, path) != nil {
				delete(parent, key)
			}
		})
	}
	for _, path := range a.shared {
		at(state, path, func(parent Document, key string) {
			entries, _ := parent[key].(Document)
			own, _ := lookup(r.asked, path).(Document)
			if lookup(d, path) != nil {
				maps.DeleteFunc(entries, func(key string, _ any) bool { return own[key] != nil })
			}
		})
	}
	merge(state, clone(d))
	r.asked = d
	a.write(r, state)
	return nil
}

// Delete deletes a resource.
func (a *API) Delete(id string) error {
	return a.watched("delete", id, func() error { return a.delete(id) })
}

func (a *API) delete(id string) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if _, err := a.request(id); err != nil {
		return err
	}
	a.log = append(a.log, "delete "+id)
	delete(a.resources, id)
	return nil
}

// Hook sets what is called before and after each request. The error is the answer. If later is set, the request is accepted and
// not done.
func (a *API) Hook(before func(call, id string) (later bool, err error), after func(call, id string) error) {
	a.before, a.after = before, after
}

// watched does a request between the calls of the hook.
func (a *API) watched(call, id string, do func() error) error {
	if a.before == nil {
		return do()
	}
	later, err := a.before(call, id)
	if later || err != nil {
		return err
	}
	err = do()
	if lost := a.after(call, id); lost != nil {
		return lost
	}
	return err
}

// All returns all resources as the API shows them.
func (a *API) All() map[string]Document {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	all := map[string]Document{}
	for id, r := range a.resources {
		all[id] = a.show(r.state)
	}
	return all
}

// Remove removes a resource as somebody else.
func (a *API) Remove(id string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	delete(a.resources, id)
}

// Change changes a resource as somebody else, who sees it as it is stored.
func (a *API) Change(id string, change func(Document)) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	r := a.resources[id]
	if r == nil {
		return ErrNotFound
	}
	change(r.state)
	r.before = nil
	return nil
}

// State returns a resource as the API shows it, at once and in any case, nil if there is none.
func (a *API) State(id string) Document {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if r := a.resources[id]; r != nil {
		return a.show(r.state)
	}
	return nil
}

// Log returns what was written: "create a", "update a", "delete a".
func (a *API) Log() []string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return slices.Clone(a.log)
}

// request returns the resource of a request, unless it fails.
func (a *API) request(id string) (*resource, error) {
	a.requests++
	if a.refuses > 0 && a.requests%a.refuses == 0 {
		return nil, ErrUnavailable
	}
	if r := a.resources[id]; r != nil {
		return r, nil
	}
	return nil, ErrNotFound
}

// show returns a state as the API shows it.
func (a *API) show(state Document) Document {
	shown := clone(state)
	for _, show := range a.shown {
		show(shown)
	}
	return shown
}

// write stores a state.
func (a *API) write(r *resource, state Document) {
	for _, store := range a.stored {
		store(state)
	}
	if a.lags {
		r.before = r.state
	}
	r.state = state
}

func stores(path string, change func(any) any) Habit {
	return func(a *API) { a.stored = append(a.stored, changes(path, change)) }
}

func shows(path string, change func(any) any) Habit {
	return func(a *API) { a.shown = append(a.shown, changes(path, change)) }
}

// changes returns a function that changes the values at a path.
func changes(path string, change func(any) any) func(Document) {
	return func(d Document) {
		at(d, path, func(parent Document, key string) {
			if value := change(parent[key]); value != nil {
				parent[key] = value
			}
		})
	}
}

// at calls a function for each object that may have the last field of a path.
func at(value any, path string, do func(parent Document, key string)) {
	switch value := value.(type) {
	case Document:
		if key, rest, found := strings.Cut(path, "."); found {
			at(value[key], rest, do)
		} else {
			do(value, key)
		}
	case []any:
		for _, item := range value {
			at(item, path, do)
		}
	}
}

// lookup returns a value at a path, nil if there is none.
func lookup(d Document, path string) (found any) {
	at(d, path, func(parent Document, key string) { found = parent[key] })
	return found
}

// merge sets what a document has, objects field by field, and removes what it has as null.
func merge(state, d Document) {
	for key, value := range d {
		current, isObject := state[key].(Document)
		fields, areFields := value.(Document)
		switch {
		case value == nil:
			delete(state, key)
		case isObject && areFields:
			merge(current, fields)
		default:
			state[key] = value
		}
	}
}

func omitEmpty(d Document) {
	maps.DeleteFunc(d, func(_ string, value any) bool { return withoutEmpty(value) == nil })
}

// withoutEmpty returns a value without what is empty in it, nil if nothing is left.
func withoutEmpty(value any) any {
	switch value := value.(type) {
	case Document:
		omitEmpty(value)
		if len(value) == 0 {
			return nil
		}
	case []any:
		for _, item := range value {
			if item, ok := item.(Document); ok {
				omitEmpty(item)
			}
		}
		if len(value) == 0 {
			return nil
		}
	case string, float64, bool:
		if value == "" || value == 0.0 || value == false {
			return nil
		}
	}
	return value
}

// Equal reports whether two values are the same as JSON.
func Equal(a, b any) bool {
	first, err := json.Marshal(a)
	if err != nil {
		return false
	}
	second, err := json.Marshal(b)
	return err == nil && string(first) == string(second)
}

// clone returns a copy of a JSON value, with the numbers that JSON is decoded to.
func clone[T any](value T) T {
	var copied T
	if err := recode(value, &copied); err != nil {
		panic(err) // it is no JSON
	}
	return copied
}

var timeType = reflect.TypeFor[time.Time]()

// Text returns a value as a text: what it points to, or its first item.
func Text(value any) string {
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice {
		if v.IsNil() || v.Kind() == reflect.Slice && v.Len() == 0 {
			return ""
		}
		if v.Kind() == reflect.Slice {
			v = v.Index(0)
		} else {
			v = v.Elem()
		}
	}
	if !v.IsValid() {
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// Fill sets all that is not set in what a pointer points to, to values that come from a number: texts and
// numbers are that number, truth values whether it is odd.
func Fill(pointer any, n int) { fill(reflect.ValueOf(pointer).Elem(), "%d", n, 0) }

// Forms are those of texts that Fill writes, by the names of fields: "10.0.%d.0/24", or all values: "small|large".
var Forms = map[string]string{}

// textForms are tried for types that read a text.
var textForms = []string{"%d", "192.0.2.%d", "10.0.%d.0/24", "192.0.2.%d:80"}

func fill(v reflect.Value, form string, n, depth int) {
	const deepest = 8
	if !v.CanSet() || depth > deepest {
		return
	}
	if timeType.ConvertibleTo(v.Type()) {
		if v.IsZero() {
			v.Set(reflect.ValueOf(time.Unix(int64(n)*1000, 0).UTC()).Convert(v.Type()))
		}
		return
	}
	if own, ok := v.Addr().Interface().(json.Unmarshaler); ok && v.IsZero() && own.UnmarshalJSON([]byte(strconv.Itoa(n))) == nil {
		return // such as a quantity, or any JSON, which has a form of its own
	}
	if own, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok && v.IsZero() && slices.ContainsFunc(textForms, func(form string) bool {
		return own.UnmarshalText(fmt.Appendf(nil, form, n)) == nil
	}) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() && depth < deepest {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if !v.IsNil() {
			fill(v.Elem(), form, n, depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			of := "%d"
			if known, ok := Forms[v.Type().Field(i).Name]; ok {
				of = known
			}
			fill(v.Field(i), of, n, depth+1)
		}
	case reflect.Slice:
		if v.Len() == 0 && depth < deepest {
			items := 1
			if v.Type().Elem().Kind() == reflect.String {
				items = 2 // whose order may change
			}
			v.Set(reflect.MakeSlice(v.Type(), items, items))
		}
		for i := range v.Len() {
			const apart = 10
			fill(v.Index(i), form, n+apart*i, depth+1)
		}
	case reflect.Map:
		if v.Len() == 0 && depth < deepest {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(key, "%d", n, depth+1)
			fill(value, form, n, depth+1)
			v.Set(reflect.MakeMap(v.Type()))
			v.SetMapIndex(key, value)
		}
	default:
		if values := strings.Split(form, "|"); v.IsZero() && v.Kind() == reflect.String {
			v.SetString(strings.ReplaceAll(values[n%len(values)], "%d", strconv.Itoa(n)))
		} else if v.IsZero() {
			assign(v, reflect.ValueOf(n))
		}
	}
}

// counterpart returns the field of a struct that is called as another one, in Go or in JSON.
func counterpart(t reflect.Type, of reflect.StructField) (reflect.StructField, bool) {
	if found, ok := t.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, of.Name) }); ok {
		return found, true
	}
	called, _, _ := strings.Cut(of.Tag.Get("json"), ",")
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name == called && name != "" && name != "-" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// Assign takes over what is set in a request into what a pointer points to, as an API does: fields have the
// same names there, and may have other types.
func Assign(pointer, request any) { assign(reflect.ValueOf(pointer).Elem(), reflect.ValueOf(request)) }

func assign(object, request reflect.Value) {
	for request.Kind() == reflect.Pointer || request.Kind() == reflect.Interface {
		if request.IsNil() {
			return
		}
		request = request.Elem()
	}
	if request.Kind() == reflect.Struct && strings.HasSuffix(request.Type().Name(), "]") { // may wrap a value, as param.Field[T] does
		if held := request.FieldByName("Value"); held.IsValid() {
			if !request.IsZero() {
				assign(object, held)
			}
			return
		}
	}
	if object.Kind() == reflect.Pointer {
		if request.Kind() == reflect.Struct && !object.IsNil() {
			assign(object.Elem(), request)
			return
		}
		made := reflect.New(object.Type().Elem())
		assign(made.Elem(), request)
		object.Set(made)
		return
	}
	isNumber := func(v reflect.Value) bool { return v.CanInt() || v.CanUint() || v.CanFloat() }
	switch {
	case request.Kind() == reflect.Slice && object.Kind() == reflect.Slice:
		if !request.IsNil() {
			items := reflect.MakeSlice(object.Type(), request.Len(), request.Len())
			for i := range request.Len() {
				assign(items.Index(i), request.Index(i))
			}
			object.Set(items)
		}
	case request.Kind() == reflect.Map && object.Kind() == reflect.Map:
		if !request.IsNil() {
			object.Set(reflect.MakeMap(object.Type()))
			for _, key := range request.MapKeys() {
				value := reflect.New(object.Type().Elem()).Elem()
				assign(value, request.MapIndex(key))
				object.SetMapIndex(key.Convert(object.Type().Key()), value)
			}
		}
	case isNumber(request) && object.Kind() == reflect.Bool:
		object.SetBool(request.CanInt() && request.Int()%2 == 1)
	case request.CanConvert(object.Type()) && (request.Kind() == reflect.String) == (object.Kind() == reflect.String):
		object.Set(request.Convert(object.Type()))
	case request.Kind() == reflect.String && timeType.ConvertibleTo(object.Type()):
		if at, err := time.Parse(time.RFC3339, request.String()); err == nil {
			object.Set(reflect.ValueOf(at).Convert(object.Type()))
		}
	case request.CanConvert(timeType) && object.Kind() == reflect.String:
		object.SetString(request.Convert(timeType).Interface().(time.Time).Format(time.RFC3339))
	case request.Kind() == reflect.String && isNumber(object):
		_, _ = fmt.Sscan(request.String(), object.Addr().Interface())
	case isNumber(request) && object.Kind() == reflect.String:
		object.SetString(fmt.Sprint(request.Interface()))
	case request.Kind() == reflect.Struct && object.Kind() == reflect.Struct:
		for i := range request.NumField() {
			from := request.Type().Field(i)
			to, found := counterpart(object.Type(), from)
			if found && from.IsExported() && to.IsExported() {
				assign(object.FieldByIndex(to.Index), request.Field(i))
			}
		}
	}
}

// Show copies an object into an answer that a pointer points to: into the answer itself, into the fields and lists of its type, and
// into fields of the same names.
func Show(answer, object any) { show(reflect.ValueOf(answer).Elem(), reflect.ValueOf(object).Elem()) }

func show(answer, object reflect.Value) {
	switch {
	case answer.Type() == object.Type():
		answer.Set(object)
	case answer.Kind() == reflect.Pointer:
		answer.Set(reflect.New(answer.Type().Elem()))
		show(answer.Elem(), object)
	case answer.Kind() == reflect.Slice:
		answer.Set(reflect.MakeSlice(answer.Type(), 1, 1))
		show(answer.Index(0), object)
	case answer.Kind() == reflect.Struct:
		assign(answer, object)
		for i := range answer.NumField() {
			held := answer.Field(i).Type()
			if held.Kind() == reflect.Pointer || held.Kind() == reflect.Slice {
				held = held.Elem()
			}
			if held == object.Type() {
				show(answer.Field(i), object)
			}
		}
	}
}
