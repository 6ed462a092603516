package simulated_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/simulated"
)

// queue is an object of an SDK, whose requests have other types.
type (
	queue struct {
		Identity
		Name    string   `json:"name"`
		Region  string   `json:"region"`
		Tags    []string `json:"tags"`
		Size    int64    `json:"size"`
		Version int64    `json:"version"`
		Status  *status  `json:"status,omitempty"`
	}
	// Identity is embedded, as SDKs do for what all objects have.
	Identity    struct{ ID string }
	status      struct{ Phase phase }
	phase       string
	createQueue struct {
		Name     *string  `json:"name"`
		Tags     []string `json:"tags"`
		Size     *int32   `json:"size,omitempty"`
		Password string   `json:"password"`
	}
	updateQueue struct {
		Size    *int32 `json:"size,omitempty"`
		Version int64  `json:"version"`
	}
	queueAnswer struct{ Queues []*queue }
)

var errGone, errOther = errors.New("gone"), errors.New("other")

func queues() *simulated.Objects {
	api := simulated.NewObjects(&queue{})
	api.Absent, api.IsAbsent = []error{errOther, errGone}, func(err error) bool { return errors.Is(err, errGone) }
	return api
}

func pointer[T any](value T) *T { return &value }

// create creates a queue, and reads it by a function.
func create(t *testing.T, api *simulated.Objects, name string) *queue {
	t.Helper()
	var made *queue
	request := &createQueue{Name: &name, Tags: []string{"a", "b"}, Size: pointer[int32](2), Password: "secret"}
	if err := api.Create(simulated.Arguments{"region": "north", "request": request}, &made); err != nil {
		t.Fatal(err)
	}
	return made
}

// TestObjects creates, reads, updates and deletes an object by the values that calls have.
func TestObjects(t *testing.T) {
	api := queues()
	api.Own = []string{"version"}
	made := create(t, api, "first")
	if made.Region != "north" || made.Name != "first" || made.Size != 2 || made.ID == "" {
		t.Errorf("made %+v", made)
	}
	if want := []string{"b", "a"}; !reflect.DeepEqual(made.Tags, want) {
		t.Errorf("the list is shown as %v, want %v", made.Tags, want)
	}
	other := create(t, api, "second")
	var answer *queueAnswer
	if err := api.Get(simulated.Arguments{"ids": []string{made.ID}}, &answer); err != nil || len(answer.Queues) != 1 || answer.Queues[0].Name != "first" {
		t.Fatalf("got %+v, %v", answer, err)
	}
	if err := api.Update(simulated.Arguments{"id": made.ID, "request": updateQueue{Size: pointer[int32](3)}}); err != nil {
		t.Fatal(err)
	}
	for id, d := range api.All() {
		if d["password"] != "secret" {
			t.Errorf("%s has no password: %v", id, d)
		}
		if want := 2.0; d["id"] == made.ID && d["size"] != want+1 || d["id"] == other.ID && d["size"] != want {
			t.Errorf("%s has the size %v", id, d["size"])
		}
	}
	var changed *queue
	if err := api.Update(simulated.Arguments{"id": made.ID, "whole": queue{Size: 4}}, &changed); err != nil || changed.Size != 4 || changed.Version != made.Version {
		t.Errorf("an update without the version, which the API alone sets, made %+v of %+v: %v", changed, made, err)
	}
	if err := api.Delete(simulated.Arguments{"id": made.ID}); err != nil || len(api.All()) != 1 {
		t.Errorf("%v, and there are %d", err, len(api.All()))
	}
	for range 2 {
		if err := api.Get(simulated.Arguments{"id": made.ID}); !errors.Is(err, errGone) {
			t.Errorf("what is gone is answered by %v", err)
		}
	}
	for _, absent := range [][]error{{errOther}, {}} { // not the kind's, or not known from the SDK's types
		api.Absent = absent
		if err := api.Get(simulated.Arguments{"id": made.ID}); err == nil || !strings.Contains(err.Error(), "the decision absent") {
			t.Errorf("got %v", err)
		}
	}
	api.Absent = []error{nil}
	if err := api.Get(simulated.Arguments{"id": made.ID}); err != nil {
		t.Errorf("got %v", err)
	}
}

// TestObjectsThatUsersName checks that a name which was looked for can be created once.
func TestObjectsThatUsersName(t *testing.T) {
	api := queues()
	if err := api.Get(simulated.Arguments{"name": "first"}); !errors.Is(err, errGone) {
		t.Fatal(err)
	}
	create(t, api, "first")
	name := "first"
	if err := api.Create(simulated.Arguments{"region": "north", "request": &createQueue{Name: &name}}); !errors.Is(err, simulated.ErrExists) {
		t.Errorf("the second creation returns %v", err)
	}
	if err := api.Put(simulated.Arguments{"name": name, "request": &createQueue{Size: pointer[int32](9)}}); err != nil || len(api.All()) != 1 {
		t.Errorf("%v, and there are %d", err, len(api.All()))
	}
	if err := api.Put(simulated.Arguments{"name": "second", "request": &createQueue{Size: pointer[int32](9)}}); err != nil || len(api.All()) != 2 {
		t.Errorf("%v, and there are %d", err, len(api.All()))
	}
}

// TestObjectsThatAreLocked checks that updates must send what was shown.
func TestObjectsThatAreLocked(t *testing.T) {
	api := queues()
	api.Locks = []string{"Version"}
	made := create(t, api, "first")
	if err := api.Get(simulated.Arguments{"id": made.ID}); err != nil {
		t.Fatal(err)
	}
	update := func(version int64) error {
		return api.Update(simulated.Arguments{"id": made.ID, "request": updateQueue{Version: version}}, &made)
	}
	first := made.Version
	if err := update(first); err != nil || made.Version == first {
		t.Errorf("%v, and the version is %d", err, made.Version)
	}
	if err := update(first); err == nil || !strings.Contains(err.Error(), "decision updates") {
		t.Errorf("an update of an older version returns %v", err)
	}
}

type (
	speed  string
	lookup uint32
	engine struct {
		ID    *string
		Speed speed
		Size  *int32
	}
	newEngine struct {
		Speed speed
		Size  *int32
	}
	findEngine struct {
		By lookup
		ID string
	}
	payload struct {
		EngineID int64
		Message  string
	}
	answered struct{ Payload *payload }
)

// TestObjectsAnswers creates objects that are answered by a key alone, which SDKs have in several places, and finds them by it.
func TestObjectsAnswers(t *testing.T) {
	api := simulated.NewObjects(&engine{})
	var id string
	var answer *answered
	var got engine
	if err := api.Create(simulated.Arguments{"request": newEngine{Speed: "fast"}}, &id); err != nil || id == "" {
		t.Errorf("got the ID %q, %v", id, err)
	}
	if err := api.Get(simulated.Arguments{"find": findEngine{By: 1, ID: id}}, &got); err != nil || *got.ID != id {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := api.Update(simulated.Arguments{"id": id, "request": newEngine{Size: pointer[int32](9)}}, &got); err != nil || got.Speed != "fast" || *got.Size != 9 {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := api.Create(simulated.Arguments{"request": newEngine{}}, &answer); err != nil || answer.Payload == nil {
		t.Fatalf("got %+v, %v", answer, err)
	}
	if err := api.Get(simulated.Arguments{"id": answer.Payload.EngineID}, &got); err != nil || *got.ID == id {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestObjectsWithKeysOfOtherNames checks that an object doesn't have the key of a request under the name that it has there.
func TestObjectsWithKeysOfOtherNames(t *testing.T) {
	type change struct{ EngineID, Speed string }
	api := simulated.NewObjects(&engine{})
	var id string
	if err := api.Create(simulated.Arguments{"request": newEngine{}}, &id); err != nil {
		t.Fatal(err)
	}
	if err := api.Get(simulated.Arguments{"engineID": id}); err != nil {
		t.Fatal(err)
	}
	if err := api.Update(simulated.Arguments{"request": change{id, "fast"}}); err != nil {
		t.Fatal(err)
	}
	if d := api.API.State("1"); d["EngineID"] != nil || d["Speed"] != "fast" && d["speed"] != "fast" {
		t.Errorf("got %v", d)
	}
}

// TestObjectsThatRename checks that an object has what creations and updates send under another name.
func TestObjectsThatRename(t *testing.T) {
	type subnet struct{ Identifier string }
	type place struct{ Zone *string }
	type group struct {
		Name    string
		Subnets []subnet
		Place   *place
	}
	type request struct {
		Name      string
		SubnetIDs []string
		Facility  string
	}
	api := simulated.NewObjects(&group{})
	api.Renamed = map[string]string{"SubnetIDs": "Subnets.Identifier", "Facility": "Place.Zone"}
	for _, call := range []func(simulated.Arguments, ...any) error{api.Create, api.Update} {
		var got group
		want := group{"g", []subnet{{"b"}, {"a"}}, &place{pointer("z")}}
		sent := request{"g", []string{"b", "a"}, "z"}
		if err := call(simulated.Arguments{"request": &sent}, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v", got, err)
		}
		if err := api.Get(simulated.Arguments{"name": "g"}, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

// TestObjectsWithETags checks that updates and deletions must send the ETag of the last answer.
func TestObjectsWithETags(t *testing.T) {
	type answer struct {
		Engine *engine
		ETag   *string
	}
	type change struct {
		Size    *int32
		IfMatch *string
	}
	api := simulated.NewObjects(&engine{})
	api.ETag, api.IfMatch = "ETag", "IfMatch"
	var made, updated *answer
	if err := api.Create(simulated.Arguments{"request": newEngine{}}, &made); err != nil {
		t.Fatal(err)
	}
	update := func(etag *string) error {
		return api.Update(simulated.Arguments{"id": *made.Engine.ID, "request": change{pointer[int32](9), etag}}, &updated)
	}
	if err := api.Get(simulated.Arguments{"id": *made.Engine.ID}); err != nil {
		t.Fatal(err)
	}
	if err := update(made.ETag); err != nil || *updated.ETag == *made.ETag {
		t.Errorf("got %+v, %v", updated, err)
	}
	if err := update(made.ETag); err == nil || !strings.Contains(err.Error(), "decision updates") {
		t.Errorf("an update with an old ETag returns %v", err)
	}
	remove := func(etag *string) error {
		return api.Delete(simulated.Arguments{"id": *made.Engine.ID, "request": change{IfMatch: etag}})
	}
	if err := remove(nil); err == nil {
		t.Error("a deletion without ETag passes")
	}
	if err := remove(updated.ETag); err != nil {
		t.Error(err)
	}
}

// TestObjectsWithStates checks that a new object is ready, and that a deleted one is shown for a while.
func TestObjectsWithStates(t *testing.T) {
	api := queues()
	api.State, api.Ready, api.Gone = "Status.Phase", phase("READY"), phase("GONE")
	made := create(t, api, "first")
	if made.Status == nil || made.Status.Phase != "READY" {
		t.Errorf("made %+v", made)
	}
	var got *queue
	read := func() error { return api.Get(simulated.Arguments{"id": made.ID}, &got) }
	if err := errors.Join(read(), api.Delete(simulated.Arguments{"id": made.ID}), read()); err != nil || got.Status.Phase != "GONE" {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := errors.Join(read()); err != nil || len(api.All()) != 0 {
		t.Errorf("%v, and there are %d", err, len(api.All()))
	}
	if err := read(); !errors.Is(err, errGone) {
		t.Errorf("the tombstone stays: %v", err)
	}
	d := simulated.Showing(&queue{}, "Status.Phase", []phase{"READY", "BUSY"})
	if want := "map[status:map[Phase:READY]]"; fmt.Sprint(d) != want {
		t.Errorf("the state is %v, want %v", d, want)
	}
	if d := simulated.Showing(&queue{}, "Status.Phase", []phase(nil)); d != nil {
		t.Errorf("no state is %v", d)
	}
}

type (
	// disk has oneofs as protobuf's generator writes them.
	disk struct {
		ID     string
		Source source
		Parts  []*part `json:"parts"`
		Kept   *span   `json:"kept,omitempty"`
		Until  *until  `json:"until,omitempty"`
	}
	// span and until are as protobuf has them.
	span struct {
		Seconds int64 `json:"seconds"`
		Nanos   int32 `json:"nanos"`
	}
	until struct {
		Seconds int64 `json:"seconds"`
	}
	part   struct{ Source source }
	source interface{ isSource() }
	image  struct{ Image string }
	copied struct{ Copied *part }
)

func (s *span) AsDuration() time.Duration {
	return time.Duration(s.Seconds)*time.Second + time.Duration(s.Nanos)
}
func (u *until) AsTime() time.Time { return time.Unix(u.Seconds, 0).UTC() }

func (*image) isSource()  {}
func (*copied) isSource() {}

// TestObjectsWithMembers keeps durations, times and the members of oneofs, which others change, at any depth.
func TestObjectsWithMembers(t *testing.T) {
	t.Parallel()
	api := simulated.NewObjects(&disk{})
	api.Members = []any{&copied{}, &image{}}
	sent := &disk{Source: &image{"old"}, Parts: []*part{{&copied{&part{&image{"inner"}}}}}, Kept: &span{1, 500_000_000}, Until: &until{1_900_000_000}}
	var made, seen *disk
	if err := api.Create(simulated.Arguments{"disk": sent}, &made); err != nil {
		t.Fatal(err)
	}
	if sent.ID = made.ID; !reflect.DeepEqual(made, sent) {
		t.Errorf("created %v, want %v", made, sent)
	}
	for id, d := range api.All() {
		if d["kept"] != "1.5s" || d["until"] != "2030-03-17T17:46:40Z" {
			t.Errorf("the API shows %v", d)
		}
		if err := api.Change(id, func(d simulated.Document) { d["Image"] = "new" }); err != nil {
			t.Fatal(err)
		}
	}
	if err := api.Get(simulated.Arguments{"id": made.ID}, &seen); err != nil || seen.Source.(*image).Image != "new" {
		t.Errorf("got %v, %v", seen, err)
	}
	sent.Source = &copied{&part{}}
	if err := api.Update(simulated.Arguments{"disk": sent}, &seen); err != nil || !reflect.DeepEqual(seen, sent) {
		t.Errorf("updated %v, %v, want %v", seen, err, sent)
	}
	type change struct {
		Disk *disk
		Mask *mask
	}
	in := &disk{ID: made.ID, Source: &image{"third"}, Kept: &span{2, 0}}
	for _, masked := range []string{"kept", "image"} { // as the description of the message has it
		if sent.Kept = in.Kept; masked == "image" {
			sent.Source = in.Source
		}
		if err := api.Update(simulated.Arguments{"in": change{in, &mask{[]string{masked}}}}, &seen); err != nil || !reflect.DeepEqual(seen, sent) {
			t.Errorf("a mask of %s made %v, %v, want %v", masked, seen, err, sent)
		}
	}
}

// Hinge is embedded in a door, with a field that JSON leaves out if it is empty.
type (
	Hinge struct {
		Open bool `json:"open,omitempty"`
	}
	door struct {
		Hinge
		ID string `json:"id"`
	}
)

// TestObjectsThatAreEmptied changes a field to what JSON leaves out, in an embedded struct, if the request names it.
func TestObjectsThatAreEmptied(t *testing.T) {
	type change struct {
		Open            bool     `json:"open,omitempty"`
		ForceSendFields []string `json:"-"`
	}
	api := simulated.NewObjects(&door{})
	var made, seen *door
	if err := api.Create(simulated.Arguments{"door": change{Open: true}}, &made); err != nil || !made.Open {
		t.Fatalf("created %+v, %v", made, err)
	}
	if err := api.Get(simulated.Arguments{"id": made.ID}); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{nil, {"Open"}} {
		err := api.Update(simulated.Arguments{"id": made.ID, "door": change{ForceSendFields: names}}, &seen)
		if err != nil || seen.Open != (names == nil) {
			t.Errorf("an update that names %v made %+v, %v", names, seen, err)
		}
	}
}

// mask is one of protobuf's.
type mask struct{ paths []string }

func (m *mask) GetPaths() []string {
	if m == nil {
		return nil
	}
	return m.paths
}

// TestObjectsWithMasks changes only the fields that a mask names, and all without one.
func TestObjectsWithMasks(t *testing.T) {
	type change struct {
		Size *int32 `json:"size,omitempty"`
		Name string `json:"name"`
		Mask *mask  `json:"mask,omitempty"`
	}
	api := queues()
	made := create(t, api, "first")
	if err := api.Get(simulated.Arguments{"id": made.ID}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		mask *mask
		size int32
		name string
		want string
	}{
		{&mask{[]string{"size"}}, 3, "second", "3 first"},
		{&mask{[]string{"name"}}, 4, "third", "3 third"},
		{&mask{[]string{"size"}}, 0, "third", "0 third"},
		{nil, 5, "fourth", "5 fourth"},
	} {
		var answer *queue
		if err := api.Update(simulated.Arguments{"id": made.ID, "in": change{&step.size, step.name, step.mask}}, &answer); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(answer.Size, " ", answer.Name); got != step.want {
			t.Errorf("got %s, want %s", got, step.want)
		}
	}
}

type (
	shelf struct {
		ID   string
		Tags []string
		Size int32
	}
	createShelf struct {
		Tags []string
		Size *int32
	}
	changeShelf struct {
		Tags *changeTags
		Size *int32
	}
	changeTags struct{ Add, Remove []string }
)

// TestObjectsThatAreReplaced has an API of two unset what updates leave out, but a list that they only add to and remove from.
func TestObjectsThatAreReplaced(t *testing.T) {
	sizes := 0
	for range 2 {
		api := simulated.NewObjects(&shelf{})
		api.Absent, api.IsAbsent = []error{errGone}, func(err error) bool { return errors.Is(err, errGone) }
		var made, changed *shelf
		if err := api.Create(simulated.Arguments{"in": createShelf{Tags: []string{"a"}, Size: pointer[int32](2)}}, &made); err != nil {
			t.Fatal(err)
		}
		if err := api.Get(simulated.Arguments{"id": made.ID}); err != nil {
			t.Fatal(err)
		}
		if err := api.Update(simulated.Arguments{"id": made.ID, "in": changeShelf{}}, &changed); err != nil {
			t.Fatal(err)
		}
		if want := []string{"a"}; !reflect.DeepEqual(changed.Tags, want) {
			t.Errorf("the tags are %v, want %v", changed.Tags, want)
		}
		sizes += int(changed.Size)
	}
	if sizes != 2 {
		t.Errorf("the sizes are %d in all, want 2 in the API that doesn't replace", sizes)
	}
}

// TestZeroTimes shows no time that nobody has set, whatever JSON calls its field.
func TestZeroTimes(t *testing.T) {
	type note struct {
		ID      string    `json:"id"`
		Created time.Time `json:"created_at"`
	}
	api := simulated.NewObjects(&note{})
	if err := api.Create(simulated.Arguments{"text": "a"}); err != nil {
		t.Fatal(err)
	}
	for _, d := range api.All() {
		if d["created_at"] != nil {
			t.Errorf("the API has %v", d)
		}
	}
}

// TestObjectsWithAnEnvelope checks that a flat update changes what creation has in a struct, that the ID of a new object is chosen where
// its creation may have it, and that what has another name in the object is there once.
func TestObjectsWithAnEnvelope(t *testing.T) {
	type config struct {
		Port   int64    `json:"port"`
		Path   string   `json:"path,omitempty"`
		Topics []string `json:"topics,omitempty"`
	}
	type check struct {
		ID     *string `json:"id,omitempty"`
		Config *config `json:"config,omitempty"`
	}
	type create struct {
		ID     *string `json:"id,omitempty"`
		Config *config `json:"config,omitempty"`
	}
	type update struct {
		Port      int64    `json:"port"`
		Path      string   `json:"path,omitempty"`
		TopicList []string `json:"topicList,omitempty"`
	}
	api := simulated.NewObjects(&check{})
	api.Renamed = map[string]string{"TopicList": "Config.Topics"}
	var made *check
	expect.NoError(t, api.Create(simulated.Arguments{"in": &create{Config: &config{Port: 1}}}, &made))
	expect.True(t, made.ID != nil && *made.ID != "", "the ID of %+v", made)
	id := *made.ID
	expect.NoError(t, api.Get(simulated.Arguments{"id": id}, &made))
	expect.NoError(t, api.Update(simulated.Arguments{"id": id, "in": &update{Port: 2, Path: "/", TopicList: []string{"a"}}}))
	for _, d := range api.All() {
		want := simulated.Document{"id": id, "config": simulated.Document{"port": 2.0, "path": "/", "topics": []any{"a"}}}
		expect.Equal(t, want, d, "the object")
	}
}
