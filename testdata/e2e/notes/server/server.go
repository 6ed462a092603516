// Package server is the API of notes, over HTTP and in memory. As others, it chooses IDs and a default color, shows
// readers in an order of its own, takes a moment to save a note, and never returns passwords.
package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"example.org/notes"
)

// A Server keeps notes.
type Server struct {
	*httptest.Server

	mutex     sync.Mutex
	count     int
	notes     map[string]*notes.Note
	passwords map[string]string
	changes   []string
}

// Start starts a server, which listens on loopback.
func Start() *Server {
	s := &Server{notes: map[string]*notes.Note{}, passwords: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notebooks/{notebook}", s.create)
	mux.HandleFunc("GET /notebooks/{notebook}/{id}", s.with(s.read))
	mux.HandleFunc("PATCH /notebooks/{notebook}/{id}", s.with(s.update))
	mux.HandleFunc("DELETE /notebooks/{notebook}/{id}", s.with(s.delete))
	s.Server = httptest.NewServer(mux)
	return s
}

// Changes returns the requests so far that were not just to read, as "update note-1".
func (s *Server) Changes() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.changes)
}

// Note returns a note and its password, as they are kept.
func (s *Server) Note(id string) (note notes.Note, password string, found bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.notes[id] == nil {
		return note, "", false
	}
	return *s.notes[id], s.passwords[id], true
}

// Change changes a note behind the back of its users.
func (s *Server) Change(id string, change func(*notes.Note)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	change(s.notes[id])
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	var request notes.NoteCreateRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || request.Title == "" {
		http.Error(w, "a note needs a title", http.StatusBadRequest)
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.count++
	note := &notes.Note{
		ID: fmt.Sprint("note-", s.count), Notebook: r.PathValue("notebook"), Title: request.Title,
		ReaderIDs: request.ReaderIDs, Tags: request.Tags, Color: "yellow", State: notes.StateSaving,
	}
	if request.Color != nil {
		note.Color = *request.Color
	}
	s.notes[note.ID] = note
	s.lock(note, request.Lock)
	s.changes = append(s.changes, "create "+note.ID)
	answer(w, map[string]string{"id": note.ID})
}

// with returns a handler of requests for a note that exists.
func (s *Server) with(handle func(http.ResponseWriter, *http.Request, *notes.Note)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		note := s.notes[r.PathValue("id")]
		if note == nil || note.Notebook != r.PathValue("notebook") {
			http.NotFound(w, r)
			return
		}
		handle(w, r, note)
	}
}

// read shows a note. It is ready the next time.
func (s *Server) read(w http.ResponseWriter, _ *http.Request, note *notes.Note) {
	shown := *note
	shown.ReaderIDs = slices.Clone(note.ReaderIDs)
	slices.SortFunc(shown.ReaderIDs, func(a, b string) int { return strings.Compare(b, a) })
	answer(w, shown)
	note.State = notes.StateReady
}

func (s *Server) update(w http.ResponseWriter, r *http.Request, note *notes.Note) {
	var request notes.NoteUpdateRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if request.Title != nil {
		note.Title = *request.Title
	}
	if request.Color != nil {
		note.Color = *request.Color
	}
	note.ReaderIDs, note.Tags = request.ReaderIDs, maps.Clone(request.Tags)
	s.lock(note, request.Lock)
	s.changes = append(s.changes, "update "+note.ID)
	answer(w, struct{}{})
}

func (s *Server) delete(w http.ResponseWriter, _ *http.Request, note *notes.Note) {
	delete(s.notes, note.ID)
	s.changes = append(s.changes, "delete "+note.ID)
	answer(w, struct{}{})
}

// lock keeps the password of a lock apart from the note.
func (s *Server) lock(note *notes.Note, lock *notes.Lock) {
	if lock == nil {
		return
	}
	note.Lock = &notes.Lock{Hint: lock.Hint}
	if lock.Password != nil {
		s.passwords[note.ID] = *lock.Password
	}
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // a client that is gone is no matter
}
