package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// An api is a client of the external API. As JSON, it is what the credentials of a
// ProviderConfig are.
type api struct {
	Endpoint string `json:"endpoint"`
	Token    string `json:"token"`
}

// resourcePath returns the path of a resource, or of its collection, in the region
// that a document names.
func resourcePath(d cloud.Document, elements ...string) string {
	region, _ := d["region"].(string)
	path := "/regions/" + url.PathEscape(region)
	for _, element := range elements {
		path += "/" + url.PathEscape(element)
	}
	return path
}

// get returns a resource, or nil if it does not exist.
func (a api) get(ctx context.Context, path string) (cloud.Document, error) {
	status, d, err := a.do(ctx, http.MethodGet, path, nil)
	if status == http.StatusNotFound {
		return nil, nil
	}
	return d, err
}

// post creates a resource, and returns it.
func (a api) post(ctx context.Context, path string, d cloud.Document) (cloud.Document, error) {
	_, created, err := a.do(ctx, http.MethodPost, path, d)
	return created, err
}

// patch changes a resource.
func (a api) patch(ctx context.Context, path string, d cloud.Document) error {
	_, _, err := a.do(ctx, http.MethodPatch, path, d)
	return err
}

// delete deletes a resource, which may be gone already.
func (a api) delete(ctx context.Context, path string) error {
	status, _, err := a.do(ctx, http.MethodDelete, path, nil)
	if status == http.StatusNotFound {
		return nil
	}
	return err
}

// do sends a request, and returns the status and what the API answers. A status that
// tells of no success is an error.
func (a api) do(ctx context.Context, method, path string, body cloud.Document) (int, cloud.Document, error) {
	content, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, a.Endpoint+path, bytes.NewReader(content))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+a.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var answer cloud.Document
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return response.StatusCode, nil, fmt.Errorf("%s %s: %s: %w", method, path, response.Status, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return response.StatusCode, nil, fmt.Errorf("%s %s: %s: %v", method, path, response.Status, answer["message"])
	}
	return response.StatusCode, answer, nil
}
