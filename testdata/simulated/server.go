package simulated

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
)

// Served says how a server answers.
type Served struct {
	// Key is the field that tells objects apart. Requests have it if it is Named, and else the server chooses a
	// Number or a text. Single objects need none: there is one at each path.
	Key                   string
	Number, Named, Single bool
	// Envelope is the field of an answer that has the object, "" if the answer is the object. Envelopes are those
	// that Fit tries.
	Envelope  string
	Envelopes []string
	// Problem makes the bodies of errors. Created is the status of the answer to a creation, and Echoes is set if the
	// answer to a deletion has the object.
	Problem Problem
	Created int
	Echoes  bool
	// Object returns an object that has all fields, with values that a number tells apart, nil if nobody knows the
	// JSON of it. Requests have the fields that are asked for. The server sets the others anew at each write.
	Object   func(n int) any
	Requests []any
	// Defaults fills the fields that nobody asked for.
	Defaults bool
	// Keeps are fields of the server's own that stay the same, such as the ID of an object around this one.
	Keeps []string
	// Reorders are lists that the server shows in another order each time.
	Reorders []string
	// Objects are fields that answers have as objects with an ID, and Hides those that answers lack.
	Objects, Hides []string
	// Shows changes an object before it is shown.
	Shows func(Document)
	// Set is set in each object, such as a state.
	Set Document
	// Refuses is set if the server refuses all requests.
	Refuses bool
	// List is set if objects are found in lists alone.
	List *List
	// Calls are the methods of HTTP for the calls of AWS, nil for other APIs. All names of fields are those in Go then: the server
	// learns from requests whether they start with a lower letter. Answers have the object in all Envelopes, as a list in those
	// that end in [], since clients ignore other fields. Missing is the error for an absent object.
	Calls   map[string]string
	Missing string
}

// A List is how a server shows all objects. Items is the field with them, "" for an array. Pages are set if a request asks
// for each page: by what the field Next of the page before has, a Number or a text, or by counting if Next is "".
type List struct {
	Items, Next   string
	Pages, Number bool
}

// A Server is an API over HTTP that doesn't know the SDK which asks it: it stores the JSON that requests have, answers
// 404 for other paths, changes its own fields at each write, reorders lists, and drops empty values.
type Server struct {
	Served
	URL string

	mutex   sync.Mutex
	objects map[string]Document
	sent    Document
	writes  int
	shown   int
	// isPlaced is set once a request names an object: it stays at that path.
	isPlaced bool
	// asked are the fields that requests have.
	asked map[string]bool
	// isLower is set once a request to AWS has a field with a lower letter first.
	isLower bool
}

// NewServer starts a server, which stops when the test ends.
func NewServer(t *testing.T, served Served) *Server {
	t.Helper()
	s := &Server{Served: served, objects: map[string]Document{}}
	listening := httptest.NewServer(s)
	t.Cleanup(listening.Close)
	s.URL = listening.URL
	return s
}

// A Problem is the body of an answer with the status of an error.
type Problem func(status int, code string) any

// problems are those that Fit tries.
var problems = []Problem{
	func(_ int, code string) any { return Document{"message": code, "code": code, "type": code} },
	func(_ int, code string) any { return Document{"error": Document{"message": code, "code": code}} },
	func(status int, code string) any { return Document{"error": code, "status": status} },
	func(status int, code string) any {
		return Document{"errors": []any{Document{"reason": code, "message": code, "code": status}}}
	},
}

// A Stage is how far an SDK understands the answers of a server.
type Stage int

// The stages, in the order of an object's life.
const (
	Absent Stage = iota
	// Unsent is a request that the SDK refuses to send.
	Unsent
	Present
	Deleted
)

// A Misunderstanding is an answer that the SDK doesn't understand.
type Misunderstanding struct {
	Stage Stage
	Err   error
}

// Error says what went wrong.
func (m *Misunderstanding) Error() string { return m.Err.Error() }

// Unwrap returns the error of the SDK.
func (m *Misunderstanding) Unwrap() error { return m.Err }

// Fit returns how a server must answer to be understood: it tries the usual shapes of answers. The problem is that of
// the shape which came closest.
func Fit(served Served, understands func(Served) *Misunderstanding) (Served, *Misunderstanding) {
	var closest *Misunderstanding
	for _, served.Problem = range problems {
		for _, served.Created = range []int{http.StatusCreated, http.StatusAccepted, http.StatusOK} {
			for _, served.Envelope = range append([]string{""}, served.Envelopes...) {
				for _, served.Echoes = range []bool{false, true} {
					fitted, problem := served.adapted(understands)
					if problem == nil {
						return fitted, nil
					}
					if closest == nil || problem.Stage > closest.Stage {
						closest = problem
					}
					if problem.Stage < Deleted {
						break // which an answer to a deletion doesn't change
					}
				}
			}
			if closest.Stage < Present {
				break
			}
		}
	}
	return served, closest
}

// adapted shows fields in other forms until the SDK understands them all.
func (s Served) adapted(understands func(Served) *Misunderstanding) (Served, *Misunderstanding) {
	const most = 30 // fields, which answers have in another form than requests
	problem := understands(s)
	for range most {
		if problem == nil || !s.adapt(problem) {
			break
		}
		problem = understands(s)
	}
	return s, problem
}

// adapt shows a field in another form if the SDK can't read it: as an object, or not at all.
func (s *Served) adapt(problem *Misunderstanding) bool {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(problem, &mismatch) || mismatch.Field == "" {
		return false
	}
	field := strings.TrimPrefix(mismatch.Field, s.Envelope+".")
	field, _, _ = strings.Cut(field, ".")
	switch {
	case field == s.Envelope, field == s.Key, slices.Contains(s.Hides, field):
		return false
	case slices.Contains(s.Objects, field):
		s.Objects = slices.DeleteFunc(slices.Clone(s.Objects), func(name string) bool { return name == field })
		s.Hides = append(slices.Clone(s.Hides), field)
	default:
		s.Objects = append(slices.Clone(s.Objects), field)
	}
	return true
}

// LastKey returns the key of the object that was created last, as a text.
func (s *Server) LastKey() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, object := range s.objects {
		return Text(object[s.Key])
	}
	return ""
}

// Sent returns the fields that requests have set.
func (s *Server) Sent() Document {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return maps.Clone(s.sent)
}

// Change sets a field of all objects, as somebody else would.
func (s *Server) Change(field string, value any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, object := range s.objects {
		maps.Copy(object, s.spelled(Document{field: value}))
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at, absent := strings.TrimSuffix(r.URL.Path, "/"), http.StatusNotFound
	if s.Refuses {
		s.refuse(w, http.StatusForbidden, "forbidden")
		return
	}
	body, err := read(r)
	if err != nil {
		s.refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if inner, ok := body[s.Envelope].(Document); ok && len(body) == 1 {
		body = inner
	}
	if s.Calls != nil && !s.isLower {
		s.learnCase(body)
	}
	if _, call, isNamed := strings.Cut(r.Header.Get("X-Amz-Target"), "."); isNamed { // and all calls have one path
		r.Method, at, absent = s.Calls[call], s.pathIn(body), http.StatusBadRequest
	}
	found := s.pathOf(at)
	switch r.Method {
	case http.MethodGet:
		switch {
		case s.List != nil:
			s.answer(w, http.StatusOK, s.list(r.URL.Query()))
		case found == "":
			s.refuse(w, absent, "not_found")
		default:
			s.answer(w, http.StatusOK, s.wrapped(s.show(s.objects[found])))
		}
	case http.MethodDelete:
		if found == "" {
			s.refuse(w, absent, "not_found")
			return
		}
		s.remove(w, found)
	case http.MethodPost:
		if found == "" {
			found = s.create(at, body)
			s.write(found, body)
			w.Header().Set("Location", found)
			s.answer(w, s.Created, s.wrapped(s.show(s.objects[found])))
			return
		}
		fallthrough // an action on an object
	default:
		switch {
		case found == "" && (s.Named || s.Single):
			found = at
			s.objects[at] = Document{}
			if s.Named {
				s.objects[at][s.Key] = path.Base(at)
			}
		case found == "":
			s.refuse(w, absent, "not_found")
			return
		}
		s.write(found, body)
		s.answer(w, http.StatusOK, s.wrapped(s.show(s.objects[found])))
	}
}

// remove deletes the object at a path, and answers as deletions are answered.
func (s *Server) remove(w http.ResponseWriter, at string) {
	shown := s.show(s.objects[at])
	delete(s.objects, at)
	if !s.Echoes {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if shown["status"] == nil { // which tells some SDKs that the call succeeded
		shown["status"] = "ok"
	}
	s.answer(w, http.StatusOK, s.wrapped(shown))
}

// read returns the fields of a request: of JSON, or of a form, whose values are text.
func read(r *http.Request) (body Document, err error) {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		err, body = r.ParseForm(), Document{}
		for name := range r.PostForm {
			body[name] = r.PostForm.Get(name)
		}
		return body, err
	}
	if err = json.NewDecoder(r.Body).Decode(&body); r.ContentLength <= 0 {
		err = nil
	}
	return body, err
}

// pathOf returns the path of the object that a path is at, or below.
func (s *Server) pathOf(at string) string {
	for found, object := range s.objects {
		switch {
		case at == found || strings.HasPrefix(at, found+"/"):
			s.isPlaced = true
			return found
		case !s.isPlaced && path.Base(at) == Text(object[s.Key]): // created elsewhere, such as below an organization
			s.isPlaced = true
			delete(s.objects, found)
			s.objects[at] = object
			return at
		}
	}
	return ""
}

// learnCase notes whether the fields of a request start with a lower letter, and spells the known fields so.
func (s *Server) learnCase(body Document) {
	for field := range body {
		s.isLower = s.isLower || unicode.IsLower(rune(field[0]))
	}
	if !s.isLower {
		return
	}
	s.Key = s.cased(s.Key)
	for _, names := range []*[]string{&s.Keeps, &s.Reorders, &s.Hides, &s.Envelopes} {
		*names = slices.Clone(*names)
		for i, name := range *names {
			(*names)[i] = s.cased(name)
		}
	}
	s.Set = s.spelled(s.Set)
}

// spelled returns a document with the names of its fields as in requests.
func (s *Server) spelled(d Document) Document {
	spelled := Document{}
	for name, value := range d {
		if inner, ok := value.(Document); ok {
			value = s.spelled(inner)
		}
		spelled[s.cased(name)] = value
	}
	return spelled
}

// cased returns the name of a field with its first letter as in requests.
func (s *Server) cased(name string) string {
	if s.isLower && name != "" {
		return strings.ToLower(name[:1]) + name[1:]
	}
	return name
}

// pathIn returns the path of the object whose key a request has, or of the one that a request may create.
func (s *Server) pathIn(body Document) string {
	for at, object := range s.objects {
		for _, value := range body {
			if Text(value) == Text(object[s.Key]) {
				return at
			}
		}
	}
	return "/" + Text(body[s.Key])
}

func (s *Server) create(at string, body Document) string {
	object := Document{}
	switch {
	case s.Single:
	case s.Named:
		object[s.Key] = body[s.Key]
		at += "/" + Text(body[s.Key])
	case s.Number:
		object[s.Key] = 42
		at += "/42"
	default:
		const id = "00000000-0000-4000-8000-000000000042"
		object[s.Key] = id
		at += "/" + id
	}
	s.objects[at] = object
	return at
}

// write sets the fields of a request, and those that the API sets itself.
func (s *Server) write(at string, body Document) {
	object := s.objects[at]
	key := object[s.Key]
	s.writes++
	if s.asked == nil {
		s.asked = s.requested()
	}
	for field := range body {
		s.asked[field] = true
	}
	if s.Object != nil {
		s.fill(object)
	}
	for _, field := range s.Keeps {
		if s.Object == nil && object[field] == nil { // the argument of the first example
			object[field] = "1"
		}
	}
	maps.Copy(object, body)
	maps.DeleteFunc(object, func(_ string, value any) bool { return value == nil })
	maps.Copy(object, s.Set)
	if s.sent == nil {
		s.sent = Document{}
	}
	maps.Copy(s.sent, body)
	if key != nil {
		object[s.Key] = key
	}
}

// requested returns the fields that requests have.
func (s *Server) requested() map[string]bool {
	requested := map[string]bool{}
	for _, request := range s.Requests {
		Fill(request, 1)
		fields, err := s.encode(request)
		if err != nil {
			continue // values without JSON, which only a program has
		}
		for field := range fields {
			requested[field] = true
		}
	}
	return requested
}

// fill sets the fields that the API sets itself.
func (s *Server) fill(object Document) {
	all, err := s.encode(s.Object(s.writes))
	if err != nil {
		return
	}
	first, _ := s.encode(s.Object(1))
	for field, value := range all {
		switch {
		case slices.Contains(s.Keeps, field):
			object[field] = first[field]
		case !s.asked[field]:
			object[field] = value
		case s.Defaults && object[field] == nil:
			object[field] = first[field]
		}
	}
}

// list returns a page of the objects, which are on the second one of three, behind another one.
func (s *Server) list(asked url.Values) any {
	objects, page := 1, 1
	if s.List.Pages {
		objects = 2
	}
	for _, values := range asked {
		if n, err := strconv.Atoi(values[0]); err == nil && n <= 3 {
			page = n
		}
	}
	items := []any{}
	for _, object := range s.objects {
		if page == objects {
			items = append(items, s.show(object))
		}
	}
	if page < objects && s.Number {
		items = append(items, Document{s.Key: 0})
	} else if page < objects {
		items = append(items, Document{s.Key: "0"})
	}
	if s.List.Items == "" {
		return items
	}
	answer := Document{s.List.Items: items}
	switch {
	case s.List.Next == "" || page > objects:
	case s.List.Number:
		answer[s.List.Next] = page + 1
	default:
		answer[s.List.Next] = strconv.Itoa(page + 1)
	}
	return answer
}

// show returns an object as answers have it.
func (s *Server) show(object Document) Document {
	s.shown++
	shown := clone(object)
	for _, field := range s.Reorders {
		if items, ok := shown[field].([]any); ok && len(items) > 1 {
			first := s.shown % len(items)
			shown[field] = slices.Concat(items[first:], items[:first])
		}
	}
	maps.DeleteFunc(shown, func(field string, value any) bool {
		text, isText := value.(string)
		items, isList := value.([]any)
		fields, isObject := value.(Document)
		return slices.Contains(s.Hides, field) || isText && text == "" || isList && len(items) == 0 || isObject && len(fields) == 0
	})
	for _, field := range s.Objects {
		if shown[field] != nil {
			shown[field] = withID(shown[field])
		}
	}
	if s.Shows != nil {
		s.Shows(shown)
	}
	return shown
}

// withID returns an object with a value as its ID, or a list of such.
func withID(value any) any {
	switch value := value.(type) {
	case []any:
		var all []any
		for _, item := range value {
			all = append(all, withID(item))
		}
		return all
	case string:
		if id, err := strconv.Atoi(value); err == nil {
			return Document{"id": id, "name": value, "slug": value}
		}
		return Document{"name": value, "slug": value}
	}
	return Document{"id": value}
}

func (s *Server) wrapped(object Document) any {
	switch {
	case s.Calls != nil:
		answer := maps.Clone(object)
		for _, envelope := range s.Envelopes {
			name, isList := strings.CutSuffix(envelope, "[]")
			if answer[name] = any(object); isList {
				answer[name] = []any{object}
			}
		}
		return answer
	case s.Envelope == "":
		return object
	case slices.Contains([]string{"data", "result", "item"}, s.Envelope): // of any answer, beside what else it says
		return Document{s.Envelope: object, "success": true}
	}
	return Document{s.Envelope: object}
}

// encode returns the fields of a struct in JSON.
func (s *Server) encode(value any) (Document, error) {
	if s.Calls != nil {
		value = s.members(reflect.ValueOf(value))
	}
	return Encode(value)
}

// members returns a value as AWS has it: with the names of fields in Go, and with seconds for times.
func (s *Server) members(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return s.members(v.Elem())
	case reflect.Struct:
		if at, isTime := v.Interface().(time.Time); isTime {
			return at.Unix()
		}
		fields := Document{}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			if member := s.members(v.Field(i)); member != nil {
				fields[s.cased(field.Name)] = member
			}
		}
		return fields
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			break // JSON has it as a text
		}
		items := []any{}
		for i := range v.Len() {
			items = append(items, s.members(v.Index(i)))
		}
		return items
	case reflect.Map:
		entries := Document{}
		for key, value := range v.Seq2() {
			entries[key.String()] = s.members(value)
		}
		return entries
	}
	return v.Interface()
}

func (s *Server) refuse(w http.ResponseWriter, status int, code string) {
	if s.Missing != "" && code == "not_found" {
		w.Header().Set("X-Amzn-Errortype", s.Missing)
	}
	s.answer(w, status, s.Problem(status, code))
}

func (s *Server) answer(w http.ResponseWriter, status int, body any) {
	content, err := json.Marshal(body)
	if err != nil {
		status, content = http.StatusInternalServerError, fmt.Appendf(nil, "%q", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(content)
}
