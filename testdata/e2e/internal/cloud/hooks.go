package cloud

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
)

// RoundTrip implements http.RoundTripper. Hooks are called before and after the request.
func (c *Cloud) RoundTrip(r *http.Request) (*http.Response, error) {
	call := map[string]string{
		http.MethodGet: "get", http.MethodPost: "create", http.MethodPatch: "update", http.MethodDelete: "delete",
	}[r.Method]
	_, place, _ := strings.Cut(r.URL.Path, "/regions/")
	id := path.Join(path.Dir(path.Dir(place)), path.Base(place))
	if c.before != nil {
		later, err := c.before(call, id)
		if err != nil {
			return nil, err
		}
		if later {
			answer := httptest.NewRecorder()
			answer.WriteHeader(http.StatusAccepted)
			fmt.Fprint(answer, "{}")
			return answer.Result(), nil
		}
	}
	answer := httptest.NewRecorder()
	c.handler.ServeHTTP(answer, r)
	response := answer.Result()
	if c.after != nil && response.StatusCode < http.StatusBadRequest {
		if err := c.after(call, id); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// path returns the ID of a resource with its region.
func (k key) path() string { return path.Join(k.region, k.id) }

// All returns all resources by their regions and IDs.
func (c *Cloud) All() map[string]Document {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	all := map[string]Document{}
	for k, d := range c.resources {
		all[k.path()] = maps.Clone(d)
	}
	return all
}

// Change changes a resource behind everybody's back.
func (c *Cloud) Change(id string, change func(Document)) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for k, d := range c.resources {
		if k.path() == id {
			change(d)
			return nil
		}
	}
	return refuse(http.StatusNotFound, "%s does not exist", id)
}

// Remove removes a resource behind everybody's back.
func (c *Cloud) Remove(id string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	maps.DeleteFunc(c.resources, func(k key, _ Document) bool { return k.path() == id })
}

// Hook sets what is called before and after each request of a client whose transport is the cloud. An error is the answer.
// If later is true, the request is accepted and not carried out.
func (c *Cloud) Hook(before func(call, id string) (later bool, err error), after func(call, id string) error) {
	c.before, c.after = before, after
}
