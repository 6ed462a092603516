package simulated

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Objects is an API whose resources are objects of an SDK. It shares no decision with the kind: it finds a resource by the values
// that a call has, whatever they are called, chooses all texts and numbers that no request has, and shows lists of texts sorted.
// Its calls come one after another.
type Objects struct {
	*API
	// Absent are the errors by which the API may say that there is no such resource, or nil for an answer of nothing. It
	// answers with nil, and with those that IsAbsent accepts, in turn.
	Absent   []error
	IsAbsent func(error) bool
	// State is the path of the object's state, in Go. It is Ready after a creation. Where Gone is set, the API shows what
	// was deleted in this state for a while.
	State       string
	Ready, Gone any
	// Locks are the fields that updates must send as they were shown, and that each update counts.
	Locks []string
	// ETag is the field that answers have beside the object, if updates and deletions must send it back as IfMatch.
	ETag, IfMatch string
	// Own are the fields that the API alone sets, as JSON has them: it ignores those of requests of the object's own type.
	Own []string
	// Ordered are the lists of texts whose order the API keeps.
	Ordered []string
	// Members are the structs that fields with an interface may hold, one of them at a time.
	Members []any
	// Renamed are the fields of requests that the object has under another name, by their names in Go: the path of each in the object,
	// also through lists, as Subnets.SubnetIdentifier.
	Renamed map[string]string
	// Complete, unless it is nil, sets what the API makes of a request in a new object, such as a path from the name and the parent.
	Complete func(request Arguments, object any)

	of      reflect.Type
	made    int
	answers int
	known   map[string]*known
	// missed are the values of calls that found nothing, by which users may have chosen to name what they create then.
	missed [][]string
	// tombstones are the resources that were deleted, and how often they are still shown.
	tombstones map[string]int
	// replaces is set if updates replace all that creation and they can have: what they leave out is unset then. No type tells.
	replaces bool
}

// apis counts the APIs, of which every second one replaces.
var apis atomic.Int64

// known is what the API knows of a resource besides its state: the arguments of its creation, and the values that it was read by.
type known struct {
	arguments, keys []string
	last            Document
	updates         int
	// made are the structs of the request that created it.
	made []reflect.Type
}

// Arguments are those of a call, by their names.
type Arguments map[string]any

// NewObjects returns an API of the objects that a pointer points to.
func NewObjects(object any) *Objects {
	o := &Objects{of: reflect.TypeOf(object).Elem(), known: map[string]*known{}, tombstones: map[string]int{}, replaces: apis.Add(1)%2 == 0}
	o.API = New(func(a *API) {
		a.shown = append(a.shown, func(d Document) {
			o.sort(d, "")
		})
	})
	return o
}

// NotFoundResponse returns the answer of HTTP that clients get for what isn't there, with all that errors say of it.
func NotFoundResponse() *http.Response {
	return &http.Response{
		Status: "404 Not Found", StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody,
		Request: &http.Request{Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: "api.example.org", Path: "/"}, Header: http.Header{}},
	}
}

// Showing returns the fields of an object that show a state, nil for no state.
func Showing[T any](object any, path string, states []T) Document {
	if len(states) == 0 {
		return nil
	}
	v := reflect.New(reflect.TypeOf(object).Elem())
	before := encode(v)
	setPath(v.Elem(), path, states[0])
	after := encode(v)
	maps.DeleteFunc(after, func(key string, value any) bool { return Equal(before[key], value) })
	return after
}

// Get reads a resource into the results of a call.
func (o *Objects) Get(arguments Arguments, results ...any) error {
	keys := scalars(arguments, false)
	id := o.find(keys, true)
	d, err := o.API.Get(id)
	if errors.Is(err, ErrNotFound) {
		if o.missed = append(o.missed, keys); o.tombstones[id] == 0 {
			return o.absent(err)
		}
		o.tombstones[id]--
		d, err = o.known[id].last, nil
	}
	if err != nil {
		return err
	}
	o.known[id].keys = keys
	return o.answer(id, d, results)
}

// Create creates a resource of what a call has, and shows it in the results.
func (o *Objects) Create(arguments Arguments, results ...any) error {
	values := scalars(arguments, true)
	o.made++
	id, k := strconv.Itoa(o.made), &known{arguments: scalars(arguments, false)}
	for _, keys := range o.missed { // which users chose, if creation has them
		if hasAll(values, keys) {
			k.keys = keys
		}
	}
	if k.keys != nil {
		id = strings.Join(k.keys, "/")
	}
	object := reflect.New(o.of)
	take(object.Elem(), arguments)
	for _, own := range o.Own {
		if f := fieldNamed(object.Elem(), own); f.IsValid() {
			f.SetZero()
		}
	}
	o.rename(object.Elem(), arguments)
	if o.Complete != nil {
		o.Complete(arguments, object.Interface())
	}
	o.choose(object.Elem(), arguments)
	if o.State != "" {
		setPath(object.Elem(), o.State, o.Ready)
	}
	for _, argument := range arguments {
		v := reflect.Indirect(reflect.ValueOf(argument))
		if hasFields(v) {
			k.made = append(k.made, v.Type())
		}
		if within := envelopeOf(object.Elem(), v); within.IsValid() && !within.IsNil() {
			o.choose(within.Elem(), arguments)
		}
	}
	if o.API.State(id) == nil {
		o.known[id] = k
		delete(o.tombstones, id)
	}
	if err := o.API.Create(id, o.written(object, arguments)); err != nil {
		return err
	}
	return o.created(id, arguments, results)
}

// created shows a new resource, and what only the answer to its creation has, such as a number that tells it apart.
func (o *Objects) created(id string, arguments Arguments, results []any) error {
	if err := o.answer(id, o.API.State(id), results); err != nil {
		return err
	}
	object := reflect.New(o.of)
	if err := o.decode(o.API.State(id), object.Interface()); err != nil {
		return err
	}
	for _, result := range results {
		v := reflect.Indirect(reflect.ValueOf(result).Elem())
		if !hasFields(v) || v.Type() == o.of {
			continue
		}
		o.choose(v, arguments)
		o.chooseWithin(v, object.Elem(), arguments)
		o.known[id].arguments = append(o.known[id].arguments, scalars(Arguments{"": v.Interface()}, false)...)
	}
	return nil
}

// chooseWithin has an answer without the object show it in structs of its own, such as a summary, and chooses the rest.
func (o *Objects) chooseWithin(answer, object reflect.Value, arguments Arguments) {
	fields := reflect.VisibleFields(answer.Type())
	if slices.ContainsFunc(fields, func(f reflect.StructField) bool { return holds(f.Type, o.of) }) {
		return
	}
	for _, f := range fields {
		within, err := answer.FieldByIndexErr(f.Index)
		if err != nil || !f.IsExported() || f.Type.Kind() != reflect.Pointer || !within.IsNil() {
			continue
		}
		if made := reflect.New(f.Type.Elem()); hasFields(made) {
			within.Set(made)
			assign(made.Elem(), object)
			o.choose(made.Elem(), arguments)
		}
	}
}

// Put creates a resource, or updates one that exists.
func (o *Objects) Put(arguments Arguments, results ...any) error {
	if o.API.State(o.find(scalars(arguments, true), false)) != nil {
		return o.Update(arguments, results...)
	}
	return o.Create(arguments, results...)
}

// Update changes what a call has, and shows the resource in the results.
func (o *Objects) Update(arguments Arguments, results ...any) error {
	id := o.find(scalars(arguments, true), false)
	object, was := reflect.New(o.of), o.API.State(id)
	if err := o.decode(was, object.Interface()); err != nil {
		return err
	}
	if err := o.checkETag(id, arguments); err != nil {
		return err
	}
	for _, lock := range o.Locks {
		sent := reflect.New(o.of).Elem()
		take(sent, arguments)
		is, was := fieldNamed(sent, lock), fieldNamed(object.Elem(), lock)
		if !reflect.DeepEqual(is.Interface(), was.Interface()) {
			return fmt.Errorf("the update has the %s %v of a resource that has %v: send what was observed (decision updates)", lock, is, was)
		}
	}
	changes := maps.Clone(arguments)
	maps.DeleteFunc(changes, func(name string, _ any) bool { // what tells the resource apart
		keys := scalars(Arguments{name: arguments[name]}, false)
		return o.known[id] != nil && len(keys) == 1 && hasAll(o.known[id].keys, keys) && !hasFields(reflect.ValueOf(arguments[name]))
	})
	mask := maskOf(arguments)
	if o.replaces && len(mask) == 0 && o.known[id] != nil {
		o.unset(object.Elem(), o.known[id], arguments)
	}
	take(object.Elem(), changes)
	o.rename(object.Elem(), arguments)
	for _, lock := range o.Locks {
		o.made++
		assign(fieldNamed(object.Elem(), lock), reflect.ValueOf(o.made))
	}
	err := o.watched("update", id, func() error {
		return o.Change(id, func(d Document) {
			changed := o.written(object, arguments)
			maps.DeleteFunc(changed, func(key string, _ any) bool {
				return o.isOwn(key) || same(key, o.IfMatch) || o.isName(id, key, changed[key]) || len(mask) > 0 && !o.isMasked(mask, key)
			})
			clear(d)
			maps.Copy(d, was)                                 // with what only requests have
			maps.DeleteFunc(d, func(key string, _ any) bool { // what JSON omits now, or another member of a oneof replaces
				isObject := o.isMember(key) || fieldNamed(object.Elem(), key).IsValid()
				return isObject && !o.isOwn(key) && (len(mask) == 0 || o.isMasked(mask, key))
			})
			maps.Copy(d, changed)
		})
	})
	if err != nil {
		return o.absent(err)
	}
	o.known[id].updates++
	return o.answer(id, o.API.State(id), results)
}

// isOwn reports whether the API alone sets a field.
func (o *Objects) isOwn(key string) bool {
	return slices.ContainsFunc(o.Own, func(own string) bool { return same(own, key) })
}

// unset unsets the plain fields of an object that its creation and an update can have, but what tells it apart.
func (o *Objects) unset(object reflect.Value, of *known, arguments Arguments) {
	for _, argument := range arguments {
		request := reflect.Indirect(reflect.ValueOf(argument))
		if !hasFields(request) || request.Type() == o.of {
			continue
		}
		var fields []reflect.StructField
		for _, sent := range o.sentIn(request.Type()) {
			fields = append(fields, reflect.VisibleFields(sent)...)
		}
		for _, f := range fields {
			to, found := counterpart(o.of, f)
			isCreated := slices.ContainsFunc(of.made, func(made reflect.Type) bool {
				return slices.ContainsFunc(o.sentIn(made), func(sent reflect.Type) bool {
					_, isThere := counterpart(sent, f)
					return isThere
				})
			})
			if !found || !isCreated || saysChanges(f.Type, to.Type) || slices.Contains(o.Locks, f.Name) {
				continue
			}
			field, err := object.FieldByIndexErr(to.Index)
			if err == nil && !hasFields(field) && !hasAll(of.keys, appendScalars(nil, field, 0, false)) {
				field.SetZero()
			}
		}
	}
}

// saysChanges reports whether a request has a struct in place of a list or a map, with what to add to it and to remove.
func saysChanges(request, object reflect.Type) bool {
	if request.Kind() == reflect.Pointer {
		request = request.Elem()
	}
	isStruct := request.Kind() == reflect.Struct && !strings.HasSuffix(request.Name(), "]") // which wraps a value
	return isStruct && (object.Kind() == reflect.Slice || object.Kind() == reflect.Map)
}

// isName reports whether what a request has is the key of a resource, under another name than in the object.
func (o *Objects) isName(id, key string, value any) bool {
	name, isText := value.(string)
	isField := fieldNamed(reflect.New(o.of).Elem(), key).IsValid()
	return isText && !isField && o.known[id] != nil && slices.Contains(o.known[id].keys, name)
}

// isMember reports whether a field is a member of a oneof.
func (o *Objects) isMember(key string) bool {
	return slices.ContainsFunc(o.Members, func(member any) bool {
		name, _ := jsonName(reflect.TypeOf(member).Elem().Field(0))
		return same(name, key)
	})
}

// isMasked reports whether an update with a mask changes a field. A member replaces others.
func (o *Objects) isMasked(mask []string, key string) bool {
	return slices.ContainsFunc(mask, func(path string) bool {
		field, _, _ := strings.Cut(path, ".")
		return same(field, key) || o.isMember(field) && o.isMember(key)
	})
}

// maskOf returns the paths of the fields that an update changes, by an argument or by a mask of protobuf in its request, or none.
func maskOf(arguments Arguments) []string {
	if mask, isText := arguments["updateMask"].(string); isText {
		return strings.Split(mask, ",")
	}
	for _, argument := range arguments {
		v := reflect.Indirect(reflect.ValueOf(argument))
		for i := 0; v.Kind() == reflect.Struct && i < v.NumField(); i++ {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			if mask, ok := v.Field(i).Interface().(interface{ GetPaths() []string }); ok {
				return mask.GetPaths()
			}
		}
	}
	return nil
}

// Delete deletes a resource.
func (o *Objects) Delete(arguments Arguments, results ...any) error {
	id := o.find(scalars(arguments, true), false)
	d := o.API.State(id)
	if err := o.checkETag(id, arguments); err != nil {
		return err
	}
	if err := o.API.Delete(id); err != nil {
		return o.absent(err)
	}
	if o.Gone != nil && d != nil && o.API.State(id) == nil {
		object := reflect.New(o.of)
		if err := o.decode(d, object.Interface()); err != nil {
			return err
		}
		setPath(object.Elem(), o.State, o.Gone)
		o.known[id].last, o.tombstones[id] = encode(object), 2
	}
	return o.answer(id, d, results)
}

// written returns the document of an object, and what calls have that no field of it stands for, such as passwords.
func (o *Objects) written(object reflect.Value, arguments Arguments) Document {
	d := encode(object)
	for _, argument := range arguments {
		sent, err := Encode(argument)
		if err != nil {
			continue // such as a text, which isn't a request
		}
		within := reflect.Indirect(envelopeOf(object.Elem(), reflect.Indirect(reflect.ValueOf(argument))))
		for key, value := range sent {
			_, isStruct := value.(Document) // such as an envelope
			isField := fieldNamed(object.Elem(), key).IsValid() || within.IsValid() && fieldNamed(within, key).IsValid()
			if !isField && !o.isRenamed(key) && value != nil && !isStruct {
				d[key] = value
			}
		}
	}
	maps.DeleteFunc(d, func(key string, _ any) bool { // which Go writes, and an API doesn't have
		f := fieldNamed(object.Elem(), key)
		return f.Kind() == reflect.Struct && f.IsZero()
	})
	dropNull(d)
	return d
}

// isRenamed reports whether the object has a field of requests under another name.
func (o *Objects) isRenamed(key string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(o.Renamed)), func(name string) bool { return same(name, key) })
}

// dropNull removes what Go writes as null from a value, at any depth.
func dropNull(value any) {
	switch value := value.(type) {
	case Document:
		maps.DeleteFunc(value, func(_ string, inner any) bool {
			dropNull(inner)
			return inner == nil
		})
	case []any:
		for _, item := range value {
			dropNull(item)
		}
	}
}

// absent returns the error for a resource that isn't there, and other errors as they are.
func (o *Objects) absent(err error) error {
	if !errors.Is(err, ErrNotFound) {
		return err
	}
	all := slices.DeleteFunc(slices.Clone(o.Absent), func(candidate error) bool { return candidate != nil && !o.IsAbsent(candidate) })
	if len(all) == 0 {
		return errors.New("no error that the API may answer with is absence for the kind: see the decision absent, and Absent in the test")
	}
	o.answers++
	return all[o.answers%len(all)]
}

// find returns the ID of the resource that the values of a call name, "" if there is none. One that reads has nothing else, and
// finds each of them somewhere in the resource. Others have what it was read by, maybe without what is around it.
func (o *Objects) find(values []string, isRead bool) string {
	for _, id := range slices.Sorted(maps.Keys(o.known)) {
		state, k := o.API.State(id), o.known[id]
		keys := k.keys
		if own := without(keys, k.arguments); !isRead && len(own) > 0 {
			keys = own
		}
		has := append(scalars(Arguments(state), true), k.arguments...)
		isNamed := len(keys) > 0 && hasAll(values, keys) || isRead && len(keys) == 0 && len(values) > 0 && hasAll(has, values)
		if isNamed && (state != nil || o.tombstones[id] > 0) {
			return id
		}
	}
	return ""
}

// chosen is below the numbers that the API chooses, and above those that users do.
const chosen = 470_000_000

// choose sets the texts and numbers that no request has, and IDs that one leaves out, also of embedded structs.
func (o *Objects) choose(object reflect.Value, arguments Arguments) {
	for i, f := range reflect.VisibleFields(object.Type()) {
		isAsked := slices.ContainsFunc(slices.Collect(maps.Values(arguments)), func(argument any) bool {
			return slices.ContainsFunc(o.sentIn(reflect.TypeOf(argument)), func(t reflect.Type) bool {
				_, found := counterpart(t, f)
				return found && t != o.of
			})
		})
		field, err := object.FieldByIndexErr(f.Index)
		if err != nil || !f.IsExported() || f.Anonymous || isAsked && !o.isOwn(f.Name) && !same(f.Name, "ID") || f.Name == o.State || !field.IsZero() {
			continue
		}
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		value, number := reflect.New(of).Elem(), chosen+1000*o.made+i
		text, _ := value.Addr().Interface().(encoding.TextUnmarshaler)
		switch {
		case of == reflect.TypeFor[string](), of.Kind() == reflect.String && same(f.Name, "ID"):
			value.SetString(strconv.Itoa(number))
		case (value.CanInt() || value.CanUint()) && of.PkgPath() == "":
			assign(value, reflect.ValueOf(number))
		case text == nil || of.Kind() != reflect.Array || text.UnmarshalText(fmt.Appendf(nil, "00000000-0000-4000-8000-%012d", number)) != nil:
			continue // not what tells resources apart
		}
		assign(field, value)
	}
}

// sentIn returns the struct that a type is, or points to, and those in it that hold what the object has, as DatabaseInput.
func (o *Objects) sentIn(t reflect.Type) []reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	all := []reflect.Type{t}
	for _, f := range reflect.VisibleFields(t) {
		if _, found := counterpart(o.of, f); !found && isInput(f.Type, o.of) {
			all = append(all, f.Type.Elem())
		}
	}
	return all
}

// isInput reports whether a pointer leads to a struct of whose fields an object has most.
func isInput(t, object reflect.Type) bool {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || t.Elem() == object || object.Kind() != reflect.Struct {
		return false
	}
	all, shared := 0, 0
	for _, f := range reflect.VisibleFields(t.Elem()) {
		if f.IsExported() {
			all++
			if _, found := counterpart(object, f); found {
				shared++
			}
		}
	}
	return 2*shared > all
}

// answer copies a document into the results that have a place for it.
func (o *Objects) answer(id string, d Document, results []any) error {
	object := reflect.New(o.of)
	if err := o.decode(d, object.Interface()); err != nil {
		return err
	}
	for _, result := range results {
		v := reflect.ValueOf(result).Elem()
		show(v, object.Elem())
		if v = reflect.Indirect(v); o.ETag != "" && v.Kind() == reflect.Struct && v.Type() != o.of {
			if f := fieldNamed(v, o.ETag); f.IsValid() {
				assign(f, reflect.ValueOf(o.etagOf(id)))
			}
		}
	}
	return nil
}

// etagOf returns the ETag of a resource, which each update changes.
func (o *Objects) etagOf(id string) string { return fmt.Sprint("W/", id, "-", o.known[id].updates) }

// checkETag returns an error if a request for a resource that exists doesn't have its ETag.
func (o *Objects) checkETag(id string, arguments Arguments) error {
	if o.ETag == "" || o.API.State(id) == nil {
		return nil
	}
	var sent string
	for _, argument := range arguments {
		if v := reflect.Indirect(reflect.ValueOf(argument)); v.Kind() == reflect.Struct {
			if f := fieldNamed(v, o.IfMatch); f.IsValid() {
				assign(reflect.ValueOf(&sent).Elem(), f)
			}
		}
	}
	if want := o.etagOf(id); sent != want {
		return fmt.Errorf("the request has the %s %q of a resource whose %s is %q: send what was observed (decision updates)", o.IfMatch, sent, o.ETag, want)
	}
	return nil
}

// encode returns the document of an object, with oneofs, durations and times in the form that protobuf gives them.
func encode(object reflect.Value) Document {
	d := mustEncode(object.Interface())
	inForm(object, d)
	return d
}

// The types of protobuf for durations and times.
type (
	duration interface{ AsDuration() time.Duration }
	moment   interface{ AsTime() time.Time }
)

// inForm returns what encoding/json has made of a value in the form of protobuf.
func inForm(v reflect.Value, d any) any {
	switch v.Kind() {
	case reflect.Int32:
		if isEnum(v.Type()) {
			return fmt.Sprint(v.Interface())
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return d
		}
		if isWrapper(v.Type()) {
			fields, _ := d.(Document)
			return cmp.Or(fields["value"], zeroOf(v)) // which JSON leaves out
		}
		switch of := v.Interface().(type) {
		case duration:
			return strconv.FormatFloat(of.AsDuration().Seconds(), 'f', -1, 64) + "s"
		case moment:
			return of.AsTime().Format(time.RFC3339Nano)
		}
		return inForm(v.Elem(), d)
	case reflect.Slice:
		items, _ := d.([]any)
		for i, item := range items {
			items[i] = inForm(v.Index(i), item)
		}
	case reflect.Struct:
		fields, _ := d.(Document)
		for i := range v.NumField() {
			name, isExported := jsonName(v.Type().Field(i))
			if value := fields[name]; isExported && value != nil {
				fields[name] = inForm(v.Field(i), value)
			}
			if member, isObject := fields[name].(Document); isOneof(v.Field(i)) && isObject {
				delete(fields, name)
				maps.Copy(fields, member)
			}
		}
	}
	return d
}

// isWrapper reports whether a type is one of protobuf's for a value that may be unset, such as *BoolValue.
func isWrapper(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && strings.HasSuffix(t.Elem().PkgPath(), "/protobuf/types/known/wrapperspb")
}

// zeroOf returns the zero of the value in a wrapper, as JSON has it.
func zeroOf(v reflect.Value) any {
	d, _ := Encode(struct{ Value any }{reflect.Zero(v.Elem().FieldByName("Value").Type()).Interface()}) // which has a form
	return d["Value"]
}

// isOneof reports whether a field holds one of several structs.
func isOneof(v reflect.Value) bool { return v.Kind() == reflect.Interface && v.NumMethod() > 0 }

// jsonName returns the name of a field in JSON, and whether JSON has it.
func jsonName(f reflect.StructField) (name string, isExported bool) {
	name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
	return cmp.Or(name, f.Name), f.IsExported()
}

// decode reads a document into what a pointer points to.
func (o *Objects) decode(d Document, object any) error {
	d = clone(d)
	o.hold(reflect.ValueOf(object), d)
	return Decode(d, object)
}

// isEnum reports whether a type is an enumeration of protobuf, whose values have names in JSON.
func isEnum(t reflect.Type) bool {
	_, isDescribed := t.MethodByName("Descriptor")
	return isDescribed && t.Kind() == reflect.Int32 && t.Implements(reflect.TypeFor[fmt.Stringer]())
}

// numberOf returns the number of a value of an enumeration, and a name that it lacks as it is.
func numberOf(t reflect.Type, name string) any {
	const most = 10_000
	v := reflect.New(t).Elem()
	for n := range int64(most) {
		if v.SetInt(n); fmt.Sprint(v.Interface()) == name {
			return n
		}
	}
	return name
}

// hold sets the oneofs in a value to the members that a document has, and returns the form that encoding/json reads.
func (o *Objects) hold(v reflect.Value, d any) any {
	fields, isObject := d.(Document)
	items, isList := d.([]any)
	switch {
	case v.Kind() == reflect.Pointer && d != nil:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		text, isText := d.(string)
		switch _, isDuration := v.Interface().(duration); {
		case isWrapper(v.Type()):
			return Document{"value": d}
		case isDuration && isText:
			parsed, _ := time.ParseDuration(text) // or none
			return Document{"seconds": parsed / time.Second, "nanos": parsed % time.Second}
		case v.Type().Implements(reflect.TypeFor[moment]()) && isText:
			at, _ := time.Parse(time.RFC3339, text) // or none
			return Document{"seconds": at.Unix(), "nanos": at.Nanosecond()}
		}
		return o.hold(v.Elem(), d)
	case isEnum(v.Type()):
		if name, isName := d.(string); isName {
			return numberOf(v.Type(), name)
		}
	case v.Kind() == reflect.Slice && isList:
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
		for i, item := range items {
			items[i] = o.hold(v.Index(i), item)
		}
	case v.Kind() == reflect.Struct && isObject:
		for i := range v.NumField() {
			name, isExported := jsonName(v.Type().Field(i))
			switch {
			case !isExported:
			case isOneof(v.Field(i)):
				fields[name] = o.member(v.Field(i), fields)
			case fields[name] != nil:
				fields[name] = o.hold(v.Field(i), fields[name])
			}
		}
	}
	return d
}

// member sets a oneof to the member that the fields around it have, and returns the form that encoding/json reads.
func (o *Objects) member(v reflect.Value, fields Document) any {
	for _, one := range o.Members {
		t := reflect.TypeOf(one)
		name, _ := jsonName(t.Elem().Field(0))
		if value := fields[name]; value != nil && t.Implements(v.Type()) {
			v.Set(reflect.New(t.Elem()))
			return o.hold(v.Elem(), Document{name: value})
		}
	}
	return nil
}

// show copies an object into an answer: into the answer itself, into the fields and lists of its type, and into fields of the same
// names. An answer that is only a text or a number is the object's first.
func show(answer, object reflect.Value) {
	switch {
	case answer.Type() == object.Type():
		answer.Set(object)
	case answer.Kind() == reflect.Pointer:
		answer.Set(reflect.New(answer.Type().Elem()))
		show(answer.Elem(), object)
	case answer.Kind() == reflect.Slice && holds(answer.Type().Elem(), object.Type()):
		answer.Set(reflect.MakeSlice(answer.Type(), 1, 1))
		show(answer.Index(0), object)
	case answer.Kind() == reflect.Struct:
		assign(answer, object)
		for i := range answer.NumField() {
			held := answer.Field(i).Type()
			if held.Kind() == reflect.Slice {
				held = held.Elem()
			}
			if answer.Type().Field(i).IsExported() && (holds(held, object.Type()) || isAround(held, object.Type())) {
				show(answer.Field(i), object)
			}
		}
	case answer.Kind() == reflect.String || answer.CanInt():
		for i := range object.NumField() {
			if f := reflect.Indirect(object.Field(i)); answer.IsZero() && (f.Kind() == reflect.String || f.CanInt()) && object.Type().Field(i).IsExported() {
				assign(answer, f)
			}
		}
	}
}

// holds reports whether a type is another one, or a pointer to it.
func holds(t, of reflect.Type) bool { return t == of || t.Kind() == reflect.Pointer && t.Elem() == of }

// isAround reports whether a type is a pointer to a struct with another one, as an answer around an answer is.
func isAround(t, of reflect.Type) bool {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || t.Elem() == of {
		return false
	}
	return slices.ContainsFunc(reflect.VisibleFields(t.Elem()), func(f reflect.StructField) bool {
		return f.IsExported() && (holds(f.Type, of) || f.Type.Kind() == reflect.Slice && holds(f.Type.Elem(), of))
	})
}

// take takes over what a call has into an object, as an API does: what is called as a field, and what structs have. An object that was
// observed stands before what changes it.
func take(object reflect.Value, arguments Arguments) {
	isObserved := func(name string) bool {
		v := reflect.Indirect(reflect.ValueOf(arguments[name])) // invalid for options that are left out
		return v.IsValid() && v.Type() == object.Type()
	}
	names := slices.Sorted(maps.Keys(arguments))
	changes := slices.DeleteFunc(slices.Clone(names), isObserved)
	for _, name := range append(slices.DeleteFunc(names, func(name string) bool { return !isObserved(name) }), changes...) {
		v := reflect.Indirect(reflect.ValueOf(arguments[name]))
		if v.Kind() == reflect.Struct {
			assign(object, v)
		} else if f := fieldNamed(object, name); f.IsValid() && v.IsValid() {
			assign(f, v)
		}
	}
}

// fieldNamed returns the exported field of a struct with a name, in Go or else in JSON, in any case.
func fieldNamed(v reflect.Value, name string) reflect.Value {
	if found := v.FieldByNameFunc(func(other string) bool { return token.IsExported(other) && same(other, name) }); found.IsValid() {
		return found
	}
	for i := range v.NumField() {
		if called, isExported := jsonName(v.Type().Field(i)); isExported && same(called, name) {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// envelopeOf returns the struct in an object that has most of what a flat request has and the object itself lacks, such as a summary.
func envelopeOf(object, request reflect.Value) (found reflect.Value) {
	if !hasFields(object) || !hasFields(request) {
		return found
	}
	most := 0
	for i := range object.NumField() {
		held := object.Field(i)
		if held.Kind() != reflect.Pointer || !held.CanSet() || held.Type().Elem().Kind() != reflect.Struct {
			continue
		}
		within := 0
		for _, f := range reflect.VisibleFields(request.Type()) {
			_, isOfObject := counterpart(object.Type(), f)
			if _, isWithin := counterpart(held.Type().Elem(), f); isWithin && !isOfObject {
				within++
			}
		}
		if within > most {
			found, most = held, within
		}
	}
	return found
}

// same reports whether two names are one in the spellings of Go and of APIs.
func same(a, b string) bool {
	plain := strings.NewReplacer("_", "", "-", "")
	return strings.EqualFold(plain.Replace(a), plain.Replace(b))
}

// rename takes over what requests have under another name than an object.
func (o *Objects) rename(object reflect.Value, arguments Arguments) {
	for name, path := range o.Renamed {
		for _, argument := range arguments {
			sent := reflect.Indirect(reflect.ValueOf(argument))
			if !hasFields(sent) {
				continue
			}
			if f := fieldNamed(sent, name); f.IsValid() && !f.IsZero() {
				setPath(object, path, f.Interface())
			}
		}
	}
}

// setPath sets a field of a struct, and makes what is around it. The items of a list get those of the value.
func setPath(v reflect.Value, path string, value any) {
	name, rest, _ := strings.Cut(path, ".")
	switch {
	case path == "" && value != nil:
		assign(v, reflect.ValueOf(value))
	case path == "":
	case v.Kind() == reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		setPath(v.Elem(), path, value)
	case v.Kind() == reflect.Slice:
		values := reflect.Indirect(reflect.ValueOf(value))
		v.Set(reflect.MakeSlice(v.Type(), values.Len(), values.Len()))
		for i := range values.Len() {
			setPath(v.Index(i), path, values.Index(i).Interface())
		}
	default:
		field := v.FieldByName(name)
		if !field.IsValid() {
			panic(fmt.Sprintf("%s has no field %s: change the path in the test", v.Type(), name))
		}
		setPath(field, rest, value)
	}
}

func mustEncode(object any) Document {
	d, err := Encode(object)
	if err != nil {
		panic(err) // the SDK's type has no form in JSON
	}
	return d
}

// scalars returns the texts and numbers of arguments that may tell resources apart. Values of a type of its own are options, such as
// what is returned. Deep includes those at any depth, and else those of structs and lists are.
func scalars(arguments Arguments, deep bool) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		all = appendScalars(all, reflect.ValueOf(arguments[name]), 0, deep)
	}
	return all
}

func appendScalars(all []string, v reflect.Value, depth int, deep bool) []string {
	const deepest = 6
	switch {
	case !v.IsValid() || v.IsZero() || depth > deepest || depth > 2 && !deep:
		return all
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		return appendScalars(all, v.Elem(), depth, deep)
	case v.Kind() == reflect.String && (deep || v.Type().PkgPath() == ""):
		return append(all, v.String())
	case v.CanFloat():
		return append(all, strconv.FormatFloat(v.Float(), 'f', -1, 64))
	case (v.CanInt() || v.CanUint()) && (deep || v.Type().PkgPath() == ""):
		return append(all, fmt.Sprint(v.Interface()))
	}
	if text, ok := v.Interface().(encoding.TextMarshaler); ok {
		if content, err := text.MarshalText(); err == nil {
			return append(all, string(content))
		}
	}
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			all = appendScalars(all, v.Index(i), depth+1, deep)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			all = appendScalars(all, v.MapIndex(key), depth+1, deep)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				all = appendScalars(all, v.Field(i), depth+1, deep)
			}
		}
	}
	return all
}

func hasAll(all, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(one string) bool { return !slices.Contains(all, one) })
}

func without(all, others []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(one string) bool { return slices.Contains(others, one) })
}

// sort brings all lists of texts in a value into an order of the API's own, but those whose order it keeps.
func (o *Objects) sort(value any, of string) {
	switch value := value.(type) {
	case Document:
		for key, inner := range value {
			o.sort(inner, key)
		}
	case []any:
		isOrdered := slices.ContainsFunc(o.Ordered, func(name string) bool { return same(name, of) })
		for _, item := range value {
			o.sort(item, "")
			_, isText := item.(string)
			isOrdered = isOrdered || !isText
		}
		if !isOrdered {
			slices.SortFunc(value, func(a, b any) int { return strings.Compare(b.(string), a.(string)) })
		}
	}
}

var timeType = reflect.TypeFor[time.Time]()

// counterpart returns the field of a struct that is called as another one, in Go or in JSON.
func counterpart(t reflect.Type, of reflect.StructField) (reflect.StructField, bool) {
	isCalled := func(name string) bool { return token.IsExported(name) && strings.EqualFold(name, of.Name) } // unlike protobuf's own state
	if found, ok := t.FieldByNameFunc(isCalled); ok {
		return found, true
	}
	called, _ := jsonName(of)
	for _, f := range reflect.VisibleFields(t) {
		if name, isExported := jsonName(f); isExported && name == called && name != "-" {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// assign takes over what is set in a request into an object. Fields have the same names there, and may have other types.
func assign(object, request reflect.Value) {
	if object.Kind() == reflect.Interface && request.Type().AssignableTo(object.Type()) { // such as a member of a oneof
		if !request.IsZero() {
			object.Set(request)
		}
		return
	}
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
	get := request.MethodByName("Get")
	if get.IsValid() && get.Type().NumIn() == 0 && !hasFields(request) && object.Type() != request.Type() { // such as NullableString
		assign(object, get.Call(nil)[0])
		return
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
	switch {
	case object.Kind() == reflect.Struct && (request.Kind() == reflect.String || request.CanInt()) && fieldNamed(object, "id").IsValid():
		assign(fieldNamed(object, "id"), request) // which names an object
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
	case hasFields(request) && hasFields(object):
		assignFields(object, request)
	default:
		assignScalar(object, request)
	}
}

// hasFields reports whether a value is a struct with fields, unlike a time.
func hasFields(v reflect.Value) bool {
	isExported := func(f reflect.StructField) bool { return f.IsExported() }
	v = reflect.Indirect(v)
	return v.Kind() == reflect.Struct && slices.ContainsFunc(reflect.VisibleFields(v.Type()), isExported)
}

// forceSend is the field of requests of Google's SDK with the fields to send even if they are empty.
const forceSend = "ForceSendFields"

// assignFields takes over the fields of a struct. A struct without a counterpart may hold what the object has, as an envelope.
func assignFields(object, request reflect.Value) {
	var forced []string
	if list := request.FieldByName(forceSend); list.IsValid() {
		forced, _ = list.Interface().([]string)
	}
	around := envelopeOf(object, request)
	isTagged := slices.ContainsFunc(reflect.VisibleFields(request.Type()), func(f reflect.StructField) bool { return f.Tag != "" })
	for i := range request.NumField() {
		from, value := request.Type().Field(i), request.Field(i)
		isEnum := value.Kind() == reflect.String && value.Type().PkgPath() != "" && !isTagged // which SDKs with serializers of their own leave out
		isOmitted := strings.Contains(from.Tag.Get("json")+from.Tag.Get("url"), ",omit") && from.Tag.Get("protobuf") == "" && !slices.Contains(forced, from.Name)
		isLeftOut := value.IsZero() && (isOmitted || isEnum)
		if !from.IsExported() || isLeftOut || from.Name == forceSend {
			continue
		}
		to, found := counterpart(object.Type(), from)
		within := reflect.Indirect(value)
		switch {
		case found && to.IsExported():
			if field, err := object.FieldByIndexErr(to.Index); err == nil { // not within an embedded struct that isn't there
				assign(field, value)
			}
		case within.Kind() == reflect.Struct && (from.Anonymous || within.Type() == object.Type() || isInput(from.Type, object.Type())):
			assign(object, within)
		case around.IsValid():
			if around.IsNil() {
				around.Set(reflect.New(around.Type().Elem()))
			}
			if field := fieldNamed(around.Elem(), from.Name); field.IsValid() {
				assign(field, value)
			}
		}
	}
}

// assignScalar takes over a value that Go converts, or that has a form as text.
func assignScalar(object, request reflect.Value) {
	isNumber := func(v reflect.Value) bool { return v.CanInt() || v.CanUint() || v.CanFloat() }
	switch {
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
	}
}
