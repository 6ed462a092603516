package admission_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mrgen-io/admission"
)

// TestWhatIsFilledIsValid has LateInitialize fill random valid objects of
// random kinds from random observed states: what was valid stays valid, and what was set
// stays as it was.
func TestWhatIsFilledIsValid(t *testing.T) {
	needsLargeBudget(t)
	seeds := []uint64{1}
	if *seed != 0 {
		seeds = []uint64{*seed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			filled := testFilled(t, seed)
			if filled < budget(8, 200) {
				t.Errorf("only %d objects were filled: the test proves little", filled)
			}
		})
	}
}

// FuzzWhatIsFilledIsValid is TestWhatIsFilledIsValid for as long as you like.
func FuzzWhatIsFilledIsValid(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed uint64) { testFilled(t, seed) })
}

// An observedCase is an object with what was observed, and then with what Go makes of it.
type observedCase struct {
	Kind             string
	Spec, AtProvider json.RawMessage

	// Before is spec.forProvider as Go writes it, and After is what LateInitialize makes of it, or
	// Problem what is wrong.
	Before, After json.RawMessage `json:",omitempty"`
	Problem       string          `json:",omitempty"`
	// Changed is what LateInitialize returns.
	Changed bool `json:",omitempty"`
}

// testFilled returns how many objects were filled.
func testFilled(t *testing.T, seed uint64) int {
	r := &random{rand.New(rand.NewPCG(seed, 1))}
	source := typesHeader + `
// Choice is an enum.
// +kubebuilder:validation:Enum=left;right
type Choice string

// Small is a small number.
// +kubebuilder:validation:Minimum=1
// +kubebuilder:validation:Maximum=4
type Small int64
`
	kinds := map[string]*constrained{}
	var names []string
	for i := range budget(4, 25) {
		k := r.constrained(fmt.Sprintf("Kind%d", i))
		kinds[k.name], names = k, append(names, k.name)
		source += k.source()
	}
	dir := provider(t, source, dangerous)
	result := generateIn(t, dir)
	if result.refused {
		t.Fatalf("mrgen refuses the kinds of seed %d:\n%s", seed, errorsIn(result.diagnostics, source))
	}
	servers := result.install(t)
	var cases []observedCase
	var specs []map[string]any
	for _, name := range names {
		for range budget(40, 400) {
			spec := map[string]any{"forProvider": decoded(t, encoded(t, r.boundObject(kinds[name].fields, true)))}
			if kinds[name].initProvider {
				spec["initProvider"] = decoded(t, encoded(t, r.boundObject(kinds[name].fields, true)))
			}
			choice := policies[r.oneIn(2)]
			if policies := pick(r, choice...); policies != nil {
				spec["managementPolicies"] = policies
			}
			if _, err := servers[name].Create(context.Background(), observedObject(name, spec)); err != nil {
				continue
			}
			specs = append(specs, spec)
			cases = append(cases, observedCase{
				Kind: name, Spec: encoded(t, spec), AtProvider: encoded(t, r.boundObject(kinds[name].fields, false)),
			})
		}
	}
	results := fillAll(t, dir, names, kinds, cases)
	filled := 0
	for i, c := range results {
		server, k := servers[c.Kind], kinds[c.Kind]
		object := func(forProvider json.RawMessage) map[string]any {
			spec := maps.Clone(specs[i])
			spec["forProvider"] = decoded(t, forProvider)
			return observedObject(c.Kind, spec)
		}
		ctx := context.Background()
		stored, err := server.Create(ctx, observedObject(c.Kind, specs[i]))
		if err != nil {
			t.Fatal(err) // it was valid before
		}
		if c.Problem != "" {
			t.Errorf("seed %d: %s:\n%s", seed, c.Problem, document(t, stored))
			continue
		}
		if _, err := server.Update(ctx, object(c.Before), stored); err != nil {
			continue // Go's encoding of it is no valid object
		}
		if _, err := server.Create(ctx, object(c.Before)); err != nil {
			continue
		}
		after := object(c.After)
		if reflect.DeepEqual(object(c.Before), after) {
			continue
		}
		filled++
		if path := overwritten(decoded(t, c.Before), decoded(t, c.After), "forProvider"); path != "" {
			t.Errorf("seed %d: %s was set, and is overwritten\n\n%s\nbefore:\n%s\nobserved:\n%s\nafter:\n%s", seed, path, k.source(), c.Before, c.AtProvider, c.After)
		}
		_, updateErr := server.Update(ctx, after, stored)
		_, createErr := server.Create(ctx, after)
		if updateErr == nil && createErr == nil {
			continue
		}
		t.Errorf("seed %d: what was filled is refused: %v %v\n\n%s\nthe object:\n%s\nobserved:\n%s\nfilled:\n%s",
			seed, admission.Refusals(updateErr), admission.Refusals(createErr), k.source(), document(t, stored["spec"]), c.AtProvider, document(t, after["spec"]))
		return filled // one object is enough to look at
	}
	return filled
}

// errorsIn returns the errors among diagnostics, each with the line that it is about.
func errorsIn(diagnostics, source string) string {
	lines, errors := strings.Split(source, "\n"), ""
	for diagnostic := range strings.Lines(diagnostics) {
		var line int
		if strings.Contains(diagnostic, ": warning: ") {
			continue
		}
		errors += diagnostic
		if _, err := fmt.Sscanf(diagnostic, typesFile+":%d:", &line); err == nil {
			errors += lines[line-1] + "\n"
		}
	}
	return errors
}

func encoded(t *testing.T, value any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// observedObject returns an object with that spec.
func observedObject(kind string, spec map[string]any) map[string]any {
	return runtime.DeepCopyJSON(map[string]any{
		"apiVersion": "rules.example.org/v1alpha1", "kind": kind, "metadata": map[string]any{"name": "test"}, "spec": spec,
	})
}

// decoded returns a value as the API server decodes it.
func decoded(t *testing.T, text json.RawMessage) any {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return numbers(value)
}

// numbers returns a value with the numbers that the API server decodes: integers where
// there is no point.
func numbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, entry := range value {
			value[key] = numbers(entry)
		}
	case []any:
		for i, item := range value {
			value[i] = numbers(item)
		}
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		n, _ := value.Float64()
		return n
	}
	return value
}

// filler is a program that fills objects with the generated methods.
const filler = `package main

import (
	"encoding/json"
	"fmt"
	"os"

	"MODULE/apis/v1alpha1"
)

type observedCase struct {
	Kind             string
	Spec, AtProvider json.RawMessage
	Before, After    json.RawMessage
	Problem          string
	Changed          bool
}

type parameters[P, O any] interface {
	*P
	Diff(O) []string
}

func fill[P, O any, M parameters[P, O]](c *observedCase, spec any, p M, lateInitialize func(O) bool) error {
	var o O
	if err := json.Unmarshal(c.Spec, spec); err != nil {
		return nil // no valid object
	}
	if err := json.Unmarshal(c.AtProvider, &o); err != nil {
		return fmt.Errorf("cannot decode the observed state: %w", err)
	}
	var err error
	if c.Before, err = json.Marshal(p); err != nil {
		return err
	}
	c.Changed = lateInitialize(o)
	initialized, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if changed := string(initialized) != string(c.Before); changed != c.Changed {
		return fmt.Errorf("LateInitialize returns %t, and changes %s to %s", c.Changed, c.Before, initialized)
	}
	if lateInitialize(o) {
		return fmt.Errorf("LateInitialize changes something again")
	}
	p.Diff(o)
	c.After, err = json.Marshal(p)
	return err
}

func main() {
	kinds := map[string]func(*observedCase) error{
KINDS	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var c observedCase
		if in.Decode(&c) != nil {
			return
		}
		if err := kinds[c.Kind](&c); err != nil {
			c.Problem = err.Error()
		}
		if err := out.Encode(c); err != nil {
			panic(err)
		}
	}
}
`

// fillAll compiles what was generated, and has it fill objects.
func fillAll(t *testing.T, dir string, names []string, kinds map[string]*constrained, cases []observedCase) []observedCase {
	t.Helper()
	goMod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	module := regexp.MustCompile(`(?m)^module (\S+)$`).FindStringSubmatch(string(goMod))[1]
	table := ""
	for _, kind := range names {
		filled := "s.ForProvider"
		if kinds[kind].initProvider {
			filled = "s"
		}
		table += fmt.Sprintf("\t\t%q: func(c *observedCase) error {\n\t\t\tvar s v1alpha1.%[1]sSpec\n\t\t\treturn fill(c, &s, &s.ForProvider, %s.LateInitialize)\n\t\t},\n", kind, filled)
	}
	write(t, filepath.Join(dir, "fill/main.go"), strings.NewReplacer("MODULE", module, "KINDS", table).Replace(filler))
	cmd := exec.Command("go", "run", "-trimpath", "-ldflags=-s -w", "./fill")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var in, out, said bytes.Buffer
	for _, c := range cases {
		if err := json.NewEncoder(&in).Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("cannot run what was generated: %v\n%s", err, said.String())
	}
	var results []observedCase
	for decoder := json.NewDecoder(&out); ; {
		var c observedCase
		if err := decoder.Decode(&c); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		results = append(results, c)
	}
	if len(results) != len(cases) {
		t.Fatalf("%d objects were filled, not %d:\n%s", len(results), len(cases), said.String())
	}
	return results
}

// overwritten returns the path of a value that was set before and is another one after, or
// "". Zero values may be unset, and lists are filled as a whole.
func overwritten(before, after any, path string) string {
	switch before := before.(type) {
	case nil, bool, string, float64, int64:
		if before == nil || reflect.ValueOf(before).IsZero() || before == after {
			return ""
		}
		return path
	case map[string]any:
		fields, _ := after.(map[string]any)
		for name, value := range before {
			if found := overwritten(value, fields[name], path+"."+name); found != "" {
				return found
			}
		}
		return ""
	case []any:
		if len(before) == 0 || reflect.DeepEqual(before, after) {
			return ""
		}
		return path
	default:
		return path
	}
}
