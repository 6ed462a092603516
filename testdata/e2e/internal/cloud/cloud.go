// Package cloud is the external API that the example provider manages: a server that
// keeps VPCs, subnets and database instances in memory, and behaves like those of real
// clouds. It chooses IDs and defaults, takes a moment to make a resource available,
// refuses what contradicts itself, and fails on request.
//
// A resource is a JSON document in a collection of a region:
//
//	POST                 /regions/{region}/{collection}       create
//	GET, PATCH, DELETE   /regions/{region}/{collection}/{id}  read, change, delete
package cloud

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"reflect"
	"slices"
	"sync"
)

// A Document is a resource as JSON.
type Document = map[string]any

// Token is what clients have to say, as a bearer, to be let in.
const Token = "e2e"

// A Cloud is a running server, and the test's way around it: what its methods do has
// not gone through the API.
type Cloud struct {
	handler http.Handler
	server  *httptest.Server

	mutex     sync.Mutex
	counter   int
	resources map[key]Document
	failures  map[key]int         // HTTP status by region and collection, with the method as ID
	changes   map[string][]string // requests that were not just to read, by region

	// before and after are called for each request, see [Cloud.Hook].
	before func(call, id string) (later bool, err error)
	after  func(call, id string) error
}

// A key is where a resource is found.
type key struct{ region, collection, id string }

// New returns a cloud that doesn't listen, as an HTTP transport.
func New() *Cloud {
	c := &Cloud{resources: make(map[key]Document), failures: make(map[key]int), changes: make(map[string][]string)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /regions/{region}/{collection}", c.handle(c.create))
	mux.HandleFunc("GET /regions/{region}/{collection}/{id}", c.handle(c.read))
	mux.HandleFunc("PATCH /regions/{region}/{collection}/{id}", c.handle(c.update))
	mux.HandleFunc("DELETE /regions/{region}/{collection}/{id}", c.handle(c.delete))
	c.handler = mux
	return c
}

// Start starts a cloud, which listens on loopback.
func Start() *Cloud {
	c := New()
	c.server = httptest.NewServer(c.handler)
	return c
}

// URL is where the API is.
func (c *Cloud) URL() string { return c.server.URL }

// Close stops the server.
func (c *Cloud) Close() { c.server.Close() }

// Add adds a resource that somebody else has created, and returns its ID.
func (c *Cloud) Add(region, collection string, d Document) string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	id, err := c.insert(region, collection, d)
	if err != nil {
		panic(err) // the test is wrong
	}
	collections[collection].settle(c.resources[key{region, collection, id}])
	return id
}

// Set changes fields of a resource behind everybody's back.
func (c *Cloud) Set(region, collection, id string, fields Document) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	maps.Copy(c.resources[key{region, collection, id}], fields)
}

// Get returns a resource, or nil if there is none.
func (c *Cloud) Get(region, collection, id string) Document {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return maps.Clone(c.resources[key{region, collection, id}])
}

// Fail makes the requests of a method to a collection of a region fail with an HTTP
// status, until the returned function is called.
func (c *Cloud) Fail(region, collection, method string, status int) (repair func()) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	failure := key{region, collection, method}
	c.failures[failure] = status
	return func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		delete(c.failures, failure)
	}
}

// Changes returns the requests to create, change and delete resources of a region, in
// their order, whether or not they succeeded: "POST vpcs", "PATCH vpcs/vpc-0001".
func (c *Cloud) Changes(region string) []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return slices.Clone(c.changes[region])
}

// A refusal is an error that the API answers with.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return r.message }

func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// handle returns a handler that answers with what an operation returns.
func (c *Cloud) handle(operate func(k key, body Document) (int, Document, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status, d, err := c.serve(r, operate)
		if refused := (*refusal)(nil); errors.As(err, &refused) {
			status, d = refused.status, Document{"message": refused.message}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(d) // a client that has gone needs no answer
	}
}

// serve carries out a request that may, and is not meant to fail.
func (c *Cloud) serve(r *http.Request, operate func(k key, body Document) (int, Document, error)) (int, Document, error) {
	k := key{r.PathValue("region"), r.PathValue("collection"), r.PathValue("id")}
	if r.Header.Get("Authorization") != "Bearer "+Token {
		return 0, nil, refuse(http.StatusUnauthorized, "who are you?")
	}
	if _, ok := collections[k.collection]; !ok {
		return 0, nil, refuse(http.StatusNotFound, "there are no %s", k.collection)
	}
	body := Document{}
	if r.Method == http.MethodPost || r.Method == http.MethodPatch {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			return 0, nil, refuse(http.StatusBadRequest, "no JSON: %s", err)
		}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if r.Method != http.MethodGet {
		change := r.Method + " " + path.Join(k.collection, k.id)
		c.changes[k.region] = append(c.changes[k.region], change)
	}
	if status, ok := c.failures[key{k.region, k.collection, r.Method}]; ok {
		return 0, nil, refuse(status, "%s", http.StatusText(status))
	}
	return operate(k, body)
}

func (c *Cloud) create(k key, body Document) (int, Document, error) {
	id, err := c.insert(k.region, k.collection, body)
	if err != nil {
		return 0, nil, err
	}
	created := maps.Clone(c.resources[key{k.region, k.collection, id}])
	for field, value := range collections[k.collection].secrets {
		created[field] = value // told once
		if chosen, ok := body[field]; ok {
			created[field] = chosen
		}
	}
	return http.StatusCreated, created, nil
}

// insert adds a resource, and returns its ID.
func (c *Cloud) insert(region, collection string, body Document) (string, error) {
	rules := collections[collection]
	for _, field := range rules.required {
		if body[field] == nil {
			return "", refuse(http.StatusBadRequest, "%s is missing", field)
		}
	}
	if vpc, ok := body["vpcId"].(string); ok && collection != VPCs && c.resources[key{region, VPCs, vpc}] == nil {
		return "", refuse(http.StatusBadRequest, "%s does not exist", vpc)
	}
	c.counter++
	id, _ := body[rules.id].(string)
	if rules.prefix != "" && id == "" {
		id = fmt.Sprintf("%s-%04d", rules.prefix, c.counter)
	}
	k := key{region, collection, id}
	if c.resources[k] != nil {
		return "", refuse(http.StatusConflict, "%s exists already", id)
	}
	d := Document{}
	rules.fill(region, id, c.counter, d)
	maps.Copy(d, body)
	for field := range rules.secrets {
		delete(d, field)
	}
	d[rules.id], d["region"], d[rules.state] = id, region, "pending"
	c.resources[k] = d
	return id, nil
}

func (c *Cloud) read(k key, _ Document) (int, Document, error) {
	d := c.resources[k]
	if d == nil {
		return 0, nil, refuse(http.StatusNotFound, "%s does not exist", k.id)
	}
	seen := maps.Clone(d)
	collections[k.collection].settle(d)
	return http.StatusOK, seen, nil
}

func (c *Cloud) update(k key, body Document) (int, Document, error) {
	d, rules := c.resources[k], collections[k.collection]
	if d == nil {
		return 0, nil, refuse(http.StatusNotFound, "%s does not exist", k.id)
	}
	for _, field := range rules.fixed {
		if value, ok := body[field]; ok && !reflect.DeepEqual(value, d[field]) {
			return 0, nil, refuse(http.StatusBadRequest, "%s can't be changed", field)
		}
	}
	maps.Copy(d, body)
	for field := range rules.secrets {
		delete(d, field)
	}
	return http.StatusOK, maps.Clone(d), nil
}

func (c *Cloud) delete(k key, _ Document) (int, Document, error) {
	d := c.resources[k]
	switch {
	case d == nil:
		return 0, nil, refuse(http.StatusNotFound, "%s does not exist", k.id)
	case d["deletionProtection"] == true:
		return 0, nil, refuse(http.StatusConflict, "%s is protected", k.id)
	case k.collection == VPCs && c.inUse(k):
		return 0, nil, refuse(http.StatusConflict, "%s has subnets", k.id)
	}
	delete(c.resources, k)
	return http.StatusOK, Document{}, nil
}

// inUse says whether a VPC has subnets.
func (c *Cloud) inUse(vpc key) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(c.resources)), func(k key) bool {
		return k.region == vpc.region && k.collection == Subnets && c.resources[k]["vpcId"] == vpc.id
	})
}
