// Package notes is an SDK, of an API that keeps notes in notebooks: what mrgen add kind makes a kind of.
package notes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// ErrNotFound says that there is no such note.
var ErrNotFound = errors.New("no such note")

// State is the state of a note.
type State string

// The states that a note goes through.
const (
	StateSaving  State = "SAVING_PENDING"
	StateReady   State = "READY"
	StateDeleted State = "DELETING"
)

// A Note is what the API keeps.
type Note struct {
	ID        string            `json:"id"`
	Notebook  string            `json:"notebook"`
	Title     string            `json:"title"`
	ReaderIDs []string          `json:"reader_ids,omitempty"`
	Tags      map[string]string `json:"tags,omitempty"`
	Color     string            `json:"color"`
	Lock      *Lock             `json:"lock,omitempty"`
	State     State             `json:"state"`
	EditedAt  *time.Time        `json:"edited_at,omitempty"`
}

// A Lock keeps others from reading a note. The API never returns the password.
type Lock struct {
	Hint     *string `json:"hint,omitempty"`
	Password *string `json:"password,omitempty"`
}

// NoteCreateRequest creates a note.
type NoteCreateRequest struct {
	Title     string            `json:"title"`
	ReaderIDs []string          `json:"reader_ids,omitempty"`
	Tags      map[string]string `json:"tags,omitempty"`
	Color     *string           `json:"color,omitempty"`
	Lock      *Lock             `json:"lock,omitempty"`
}

// NoteUpdateRequest replaces what it has of a note.
type NoteUpdateRequest struct {
	Title     *string           `json:"title,omitempty"`
	ReaderIDs []string          `json:"reader_ids"`
	Tags      map[string]string `json:"tags"`
	Color     *string           `json:"color,omitempty"`
	Lock      *Lock             `json:"lock,omitempty"`
}

// A Client asks the API.
type Client struct{ endpoint string }

// NewClient returns a client of the API at an address.
func NewClient(endpoint string) (*Client, error) {
	if _, err := url.ParseRequestURI(endpoint); err != nil {
		return nil, err
	}
	return &Client{endpoint}, nil
}

// GetNote returns a note.
func (c *Client) GetNote(ctx context.Context, notebook, id string) (*Note, error) {
	note := &Note{}
	return note, c.do(ctx, http.MethodGet, nil, note, notebook, id)
}

// CreateNote creates a note, and returns its ID.
func (c *Client) CreateNote(ctx context.Context, notebook string, request *NoteCreateRequest) (string, error) {
	var created struct {
		ID string `json:"id"`
	}
	err := c.do(ctx, http.MethodPost, request, &created, notebook)
	return created.ID, err
}

// UpdateNote changes a note.
func (c *Client) UpdateNote(ctx context.Context, notebook, id string, request *NoteUpdateRequest) error {
	return c.do(ctx, http.MethodPatch, request, &struct{}{}, notebook, id)
}

// DeleteNote deletes a note.
func (c *Client) DeleteNote(ctx context.Context, notebook, id string) error {
	return c.do(ctx, http.MethodDelete, nil, &struct{}{}, notebook, id)
}

// do sends a request, and reads the answer.
func (c *Client) do(ctx context.Context, method string, body, answer any, path ...string) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	address, err := url.JoinPath(c.endpoint, append([]string{"notebooks"}, path...)...)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(content))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	switch {
	case response.StatusCode == http.StatusNotFound:
		return ErrNotFound
	case response.StatusCode >= http.StatusBadRequest:
		return fmt.Errorf("%s %s: %s", method, address, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
