package e2e_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/notes"
	"example.org/notes/server"
)

// sdkProvider is the name of the provider with a kind that mrgen makes of an SDK, and of its log.
const sdkProvider = "provider-notes"

// TestKindFromSDK guards that a kind which one command makes of an SDK manages what a real server has: it is ready
// when the server says so, drift is mended once, what the user takes away is gone, and so is what is deleted.
func TestKindFromSDK(t *testing.T) {
	// Before others run beside it, since the compiler would take their time.
	folder, binary := scaffoldSDK(t)
	s := newScenario(t)
	if err := plane.InstallCRDs(glob(t, filepath.Join(folder, "package/crds/*.yaml"))...); err != nil {
		t.Fatal(err)
	}
	api := server.Start()
	t.Cleanup(api.Close)
	s.startBinary(sdkProvider, binary, "--debug", "--poll=1s", "--metrics-bind-address=0")

	s.create("{apiVersion: v1, kind: Secret, metadata: {name: notes}, stringData: {endpoint: '" + api.URL + "', password: abc}}")
	s.create("{apiVersion: notes.example.org/v1alpha1, kind: ProviderConfig, metadata: {name: default}, spec: {credentials: {source: Secret, secretRef: {namespace: " + s.namespace + ", name: notes, key: endpoint}}}}")
	note := s.create(`
apiVersion: desk.notes.example.org/v1alpha1
kind: Note
metadata: {name: example}
spec:
  providerConfigRef: {kind: ProviderConfig, name: default}
  forProvider:
    notebook: work
    title: A title
    readerIds: [a, b, c]
    tags: {one: "1", two: "2"}
    lock: {hint: none, passwordSecretRef: {name: notes, key: password}}
`)
	s.conditions(note, "Ready=True", "Synced=True")
	id := externalName(note)
	created, password, _ := api.Note(id)
	if err := errors.Join(
		is("the title", created.Title, "A title"), is("the password", password, "abc"), is("the hint", created.Lock.Hint, "none"),
		is("spec.forProvider.color", field(note, "spec.forProvider.color"), "yellow"),
		is("status.atProvider.state", field(note, "status.atProvider.state"), string(notes.StateReady)),
	); err != nil {
		t.Error(err)
	}
	rests := func(want ...string) {
		t.Helper()
		s.conditions(note, "Ready=True", "Synced=True")
		s.remains(note, func() error { return is("the requests", api.Changes(), slices.Concat([]string{"create " + id}, want)) })
	}
	rests()

	api.Change(id, func(n *notes.Note) { n.Title = "Another title" })
	s.eventually(note, "mended", func() error {
		kept, _, _ := api.Note(id)
		return is("the title", kept.Title, "A title")
	})
	rests("update " + id)

	s.change(note, `{"spec": {"forProvider": {"readerIds": ["c", "a"], "tags": {"two": null}}}}`)
	s.eventually(note, "taken away", func() error {
		kept, _, _ := api.Note(id)
		slices.Sort(kept.ReaderIDs)
		return errors.Join(is("the readers", kept.ReaderIDs, []string{"a", "c"}), is("the tags", kept.Tags, map[string]string{"one": "1"}))
	})
	rests("update "+id, "update "+id)

	s.delete(note)
	if _, _, found := api.Note(id); found {
		t.Error("the note is still there")
	}
	s.refuse(`{apiVersion: desk.notes.example.org/v1alpha1, kind: Note, metadata: {name: none}, spec: {forProvider: {notebook: work}}}`,
		`spec.forProvider.title: Required value: title is required when managementPolicies includes "*", "Create" or "Update"`)
}

// scaffoldSDK writes a provider with a kind of an SDK, builds it, and returns its folder and the program.
func scaffoldSDK(t *testing.T) (folder, binary string) {
	t.Helper()
	parent := t.TempDir()
	folder, binary = filepath.Join(parent, sdkProvider), filepath.Join(parent, "provider")
	sdk, err := filepath.Abs("notes")
	if err != nil {
		t.Fatal(err)
	}
	mrgen(t, parent, "init", sdkProvider, "--module=example.org/"+sdkProvider, "--group=notes.example.org")
	run := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
	run("mod", "edit", "-require=example.org/notes@v0.0.0", "-replace=example.org/notes="+sdk)
	mrgen(t, folder, "add", "kind", "Note", "--group=desk", "--version=v1alpha1",
		"--sdk=example.org/notes", "--observe=Note", "--create=NoteCreateRequest", "--update=NoteUpdateRequest")
	// What only the author knows, and the decisions that he alone can make: the API returns readers in another order.
	edit(t, filepath.Join(folder, "apis/desk/v1alpha1/note_types.go"), "\t// ReaderIDs of the note.\n\t// +optional\n", "\t// ReaderIDs of the note.\n\t// +optional\n\t// +mrgen:diff=unordered\n")
	mrgen(t, folder, "generate")
	decide := func(file, open, made string) {
		t.Helper()
		name := filepath.Join(folder, "internal", file)
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		decided := strings.Replace(strings.ReplaceAll(string(content), "decisions.Undecided(", "decisions.ByAuthor("), open, made, 1)
		if !strings.Contains(string(content), open) {
			t.Fatalf("%s leaves no decision open with %q", file, open)
		}
		if err := os.WriteFile(name, []byte(decided), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	decide("clients/notes/notes.go", "return nil, errors.New(\"the client of the external API isn't decided yet\")", "return notes.NewClient(string(credentials))")
	decide("clients/notes/notes.go", "return false", "return errors.Is(err, notes.ErrNotFound)")
	decide("controller/desk/note/client.go", "var ready, busy, deleting, gone []notes.State",
		"var ready, busy, deleting, gone = []notes.State{notes.StateReady}, []notes.State{notes.StateSaving}, []notes.State{}, []notes.State{notes.StateDeleted}")
	run("build", "-o", binary, "./cmd/provider")
	return folder, binary
}
