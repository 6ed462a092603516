package simulated_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/simulated"
)

// A thing is what an SDK reads from answers that have it in a field.
type thing struct {
	ID    int64    `json:"id"`
	Name  string   `json:"name"`
	Kind  *kind    `json:"kind"`
	Size  int      `json:"size"`
	Tags  []string `json:"tags"`
	Seen  int      `json:"seen"`
	Group string   `json:"group"`
}

type kind struct {
	ID int64 `json:"id"`
}

type request struct {
	Name string   `json:"name"`
	Kind string   `json:"kind,omitempty"`
	Size []string `json:"size,omitempty"`
	Tags []string `json:"tags,omitempty"`
}

// ask sends a request, and reads the thing in the field of an answer, with the status that each method must have.
func ask(s *simulated.Server, method, path, field string, body any, want int) (thing, error) {
	content, err := json.Marshal(body)
	if err != nil {
		return thing{}, err
	}
	r, err := http.NewRequest(method, s.URL+path, bytes.NewReader(content))
	if err != nil {
		return thing{}, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return thing{}, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != want {
		return thing{}, fmt.Errorf("status %d", answer.StatusCode)
	}
	if answer.StatusCode == http.StatusNoContent {
		return thing{}, nil
	}
	read := map[string]json.RawMessage{}
	if err := json.NewDecoder(answer.Body).Decode(&read); err != nil {
		return thing{}, err
	}
	var got thing
	switch {
	case read[field] == nil:
		return got, nil
	case len(read) > 1: // which a client that reads a map of things doesn't understand
		return got, fmt.Errorf("got %d fields beside the thing", len(read)-1)
	}
	return got, json.Unmarshal(read[field], &got)
}

func served() simulated.Served {
	return simulated.Served{
		Key: "id", Number: true, Envelopes: []string{"item", "thing"}, Keeps: []string{"group"}, Reorders: []string{"tags"},
		Object: func(n int) any {
			object := &thing{}
			simulated.Fill(object, n)
			return object
		},
		Requests: []any{&request{}},
	}
}

// TestFit checks that a server learns what an SDK reads: the envelope, the status of a creation, an object where a
// request has a text, and fields that it can't show at all.
func TestFit(t *testing.T) {
	for _, created := range []int{http.StatusCreated, http.StatusAccepted, http.StatusOK} {
		for _, deleted := range []int{http.StatusNoContent, http.StatusOK} {
			how, problem := simulated.Fit(served(), func(how simulated.Served) *simulated.Misunderstanding {
				s := simulated.NewServer(t, how)
				if _, err := ask(s, http.MethodGet, "/things/1", "thing", nil, http.StatusNotFound); err != nil {
					return &simulated.Misunderstanding{Stage: simulated.Absent, Err: err}
				}
				got, err := ask(s, http.MethodPost, "/things", "thing", request{Name: "a", Kind: "7", Size: []string{"x"}}, created)
				if err == nil && fmt.Sprint(got.ID) != s.LastKey() {
					err = errors.New("another key")
				}
				if err != nil {
					return &simulated.Misunderstanding{Stage: simulated.Present, Err: err}
				}
				if got.Kind == nil || got.Kind.ID != 7 || got.Size != 0 || got.Name != "a" || got.Group != "1" {
					t.Errorf("got %+v", got)
				}
				if _, err := ask(s, http.MethodDelete, "/things/42", "thing", nil, deleted); err != nil {
					return &simulated.Misunderstanding{Stage: simulated.Deleted, Err: err}
				}
				return nil
			})
			if problem != nil || how.Envelope != "thing" || how.Created != created || how.Echoes != (deleted == http.StatusOK) {
				t.Errorf("got %+v, %v", how, problem)
			}
		}
	}
	_, problem := simulated.Fit(served(), func(simulated.Served) *simulated.Misunderstanding {
		return &simulated.Misunderstanding{Stage: simulated.Present, Err: errors.New("none fits")}
	})
	if problem == nil || problem.Error() != "none fits" {
		t.Errorf("got %v", problem)
	}
}

// TestList checks that the server shows the objects on the second page of three, or on the first of those that nobody asks for.
func TestList(t *testing.T) {
	for _, list := range []simulated.List{{}, {Items: "things"}, {Items: "things", Next: "next", Pages: true}, {Pages: true}} {
		how := served()
		how.Created, how.List = http.StatusCreated, &list
		s := simulated.NewServer(t, how)
		if _, err := ask(s, http.MethodPost, "/things", "", request{Name: "a"}, http.StatusCreated); err != nil {
			t.Fatal(err)
		}
		var got []string
		for page := 1; page <= 3; page++ {
			response, err := http.Get(fmt.Sprint(s.URL, "/things?page=", page))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			shown := "nothing"
			if strings.Contains(string(text), `"name":"a"`) {
				shown = "a"
			} else if strings.Contains(string(text), `"id":0`) {
				shown = "another"
			}
			if strings.Contains(string(text), fmt.Sprintf(`"next":"%d"`, page+1)) {
				shown += ", next"
			}
			got = append(got, shown)
		}
		want := "[a nothing nothing]"
		if list.Pages && list.Next != "" {
			want = "[another, next a, next nothing]"
		} else if list.Pages {
			want = "[another a nothing]"
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%+v: got %v, want %s", list, got, want)
		}
	}
}

// TestServer plays the life of a thing.
func TestServer(t *testing.T) {
	how := served()
	how.Created = http.StatusCreated
	how.Problem = func(_ int, code string) any { return simulated.Document{"message": code} }
	how.Envelope = "thing"
	s := simulated.NewServer(t, how)
	get := func(want int) thing {
		t.Helper()
		got, err := ask(s, http.MethodGet, "/things/42", "thing", nil, want)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	put := func(method, path string, body any, want int) {
		t.Helper()
		if _, err := ask(s, method, path, "thing", body, want); err != nil {
			t.Fatal(err)
		}
	}
	get(http.StatusNotFound)
	put(http.MethodPut, "/things/42", request{}, http.StatusNotFound)
	put(http.MethodPost, "/things", request{Name: "a", Tags: []string{"x", "y"}}, http.StatusCreated)
	first, second := get(http.StatusOK), get(http.StatusOK)
	if reflect.DeepEqual(first.Tags, second.Tags) || len(first.Tags) != 2 || first.ID != 42 || first.Seen != 1 {
		t.Errorf("got %+v and %+v", first, second)
	}
	put(http.MethodPatch, "/things/42", map[string]any{"thing": map[string]any{"name": "b"}}, http.StatusOK)
	put(http.MethodPost, "/things/42/actions", map[string]any{"size": 3, "tags": []string{}}, http.StatusOK)
	if got := get(http.StatusOK); got.Name != "b" || got.Size != 3 || got.Tags != nil || got.Seen != 3 || got.Group != "1" {
		t.Errorf("got %+v", got)
	}
	s.Change("name", "c")
	if got := get(http.StatusOK); got.Name != "c" || s.Sent()["name"] != "b" {
		t.Errorf("got %+v, %v", got, s.Sent())
	}
	put(http.MethodDelete, "/things/42", nil, http.StatusNoContent)
	put(http.MethodDelete, "/things/42", nil, http.StatusNotFound)
	get(http.StatusNotFound)
	s.Refuses = true
	get(http.StatusForbidden)
}

// TestCalls plays the life of a thing by calls that all have one path, with names in Go and with a lower letter first.
func TestCalls(t *testing.T) {
	type item struct{ Size *int }
	type object struct {
		Name, Arn *string
		Made      *time.Time
		Blob      []byte
		Items     []item
		Tags      map[string]string
		_         int
	}
	for _, spell := range []func(string) string{
		func(name string) string { return name },
		func(name string) string { return strings.ToLower(name[:1]) + name[1:] },
	} {
		s := simulated.NewServer(t, simulated.Served{
			Key: "Name", Named: true, Created: http.StatusOK, Envelopes: []string{"Thing", "Things[]"}, Missing: "NoSuchThing",
			Problem:  func(_ int, code string) any { return simulated.Document{"code": code} },
			Calls:    map[string]string{"MakeThing": "POST", "ShowThings": "GET", "EditThing": "PUT", "DropThing": "DELETE"},
			Reorders: []string{"Tags"}, Set: simulated.Document{"State": simulated.Document{"Code": "ready"}},
			Object: func(n int) any {
				object := &object{}
				simulated.Fill(object, n)
				return object
			},
			Requests: []any{&struct{ Name, Note *string }{}},
		})
		call := func(name, field string, value any, want int) simulated.Document {
			t.Helper()
			body, err := json.Marshal(simulated.Document{spell(field): value})
			if err != nil {
				t.Fatal(err)
			}
			r, err := http.NewRequest(http.MethodPost, s.URL, bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("X-Amz-Target", "Things."+name)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = answer.Body.Close() }()
			if code := answer.Header.Get("X-Amzn-Errortype"); answer.StatusCode != want || (want == http.StatusBadRequest) != (code == "NoSuchThing") {
				t.Fatalf("%s: got the status %d and the error %q", name, answer.StatusCode, code)
			}
			read := simulated.Document{}
			if want == http.StatusOK {
				if err := json.NewDecoder(answer.Body).Decode(&read); err != nil {
					t.Fatal(err)
				}
			}
			return read
		}
		call("ShowThings", "Names", []string{"a"}, http.StatusBadRequest)
		call("MakeThing", "Name", "a", http.StatusOK)
		call("ShowThings", "Names", []string{"b"}, http.StatusBadRequest)
		answer := call("ShowThings", "Names", []string{"a"}, http.StatusOK)
		want := simulated.Document{
			spell("Name"): "a", spell("Arn"): "1", spell("Made"): 1000.0, spell("Blob"): "AQ==", spell("State"): simulated.Document{spell("Code"): "ready"},
			spell("Items"): []any{simulated.Document{spell("Size"): 1.0}}, spell("Tags"): simulated.Document{"1": "1"},
		}
		thing := answer[spell("Thing")]
		if things := answer[spell("Things")]; !reflect.DeepEqual(thing, any(want)) || !reflect.DeepEqual(things, any([]any{thing})) {
			t.Errorf("got %v, want %v", answer, want)
		}
		call("EditThing", "Id", "a", http.StatusOK)
		if got := call("ShowThings", "Names", []string{"a"}, http.StatusOK)[spell("Arn")]; got != "2" {
			t.Errorf("after an update, the API's own field is %v", got)
		}
		s.Change("Arn", simulated.Document{"Part": "3"})
		if got := call("ShowThings", "Id", "a", http.StatusOK)[spell("Arn")]; !reflect.DeepEqual(got, any(simulated.Document{spell("Part"): "3"})) {
			t.Errorf("got %v", got)
		}
		call("DropThing", "Name", "a", http.StatusNoContent)
		call("DropThing", "Name", "a", http.StatusBadRequest)
	}
}

// TestForms creates a thing with a form, and reads it where the answer says that it is.
func TestForms(t *testing.T) {
	t.Parallel()
	s := simulated.NewServer(t, simulated.Served{Key: "name", Named: true, Created: http.StatusCreated, Keeps: []string{"group"}, Echoes: true})
	answer, err := http.PostForm(s.URL+"/things", url.Values{"name": {"one"}, "size": {"2"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	at := answer.Header.Get("Location")
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		r, err := http.NewRequest(method, s.URL+at, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		for _, want := range []string{`"name":"one"`, `"size":"2"`, `"group":"1"`} {
			if at != "/things/one" || err != nil || !strings.Contains(string(got), want) {
				t.Errorf("%s %q: want %s, got %s, %v", method, at, want, got, err)
			}
		}
		if says := strings.Contains(string(got), `"status":"ok"`); says != (method == http.MethodDelete) {
			t.Errorf("%s: got %s", method, got)
		}
	}
}
