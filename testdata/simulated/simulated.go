// Package simulated is an external API with a mind of its own, in memory. Tests have it do what
// external APIs do: it answers in another order, adds what nobody asked for, fills in defaults, writes
// values in another form, is late, and fails.
package simulated

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
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

// Stores changes documents before they are stored, such as a field that depends on another one.
func Stores(change func(Document)) Habit {
	return func(a *API) { a.stored = append(a.stored, change) }
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

// Connect tells the hook that a client is made with credentials.
func (a *API) Connect(credentials []byte) error {
	return a.watched("connect", string(credentials), func() error { return nil })
}

// Get returns a resource.
func (a *API) Get(id string) (d Document, err error) {
	err = a.call("get", id, func(r *resource, err error) error {
		if err != nil {
			return err
		}
		state := r.state
		if r.before != nil {
			state, r.before = r.before, nil
		}
		d = a.show(state)
		return nil
	})
	return d, err
}

// Create creates a resource, as JSON has it.
func (a *API) Create(id string, desired any) error {
	d, err := Encode(desired)
	if err != nil {
		return err
	}
	return a.call("create", id, func(_ *resource, err error) error {
		switch {
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
	})
}

// Update changes the fields of a resource that JSON has.
func (a *API) Update(id string, desired any) error {
	d, err := Encode(desired)
	if err != nil {
		return err
	}
	return a.call("update", id, func(r *resource, err error) error {
		if err != nil {
			return err
		}
		a.log = append(a.log, "update "+id)
		state := clone(r.state)
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
	})
}

// Delete deletes a resource.
func (a *API) Delete(id string) error {
	return a.call("delete", id, func(_ *resource, err error) error {
		if err != nil {
			return err
		}
		a.log = append(a.log, "delete "+id)
		delete(a.resources, id)
		return nil
	})
}

// call does a request between the calls of the hook, with its resource or the error that there is none.
func (a *API) call(name, id string, do func(r *resource, err error) error) error {
	return a.watched(name, id, func() error {
		a.mutex.Lock()
		defer a.mutex.Unlock()
		return do(a.request(id))
	})
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
	return Stores(changes(path, change))
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
