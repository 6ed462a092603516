package sdkconversion_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// loops is a module whose kinds differ in how they are filled, updated and observed.
var loops = map[string]string{
	"go.mod": "module example.org/provider\n\ngo 1.25\n",
	"apis/types.go": `package apis

// A Box fills its parameters.
type BoxParameters struct {
	Name  *string
	Since *string
	// +mrgen:convert:ignore=reason="nobody asks for it"
	Size *string
}
type BoxObservation struct{ Name, Since *string }
func (*BoxParameters) LateInitialize(o BoxObservation) bool { return false }
func (*BoxParameters) Diff(o BoxObservation) []string { return nil }

// A Case fills its spec, and other functions are called alike.
type CaseParameters struct{ Name *string }
type CaseObservation struct{ Name *string }
type CaseSpec struct{ ForProvider CaseParameters }
type BoxSpec struct{ ForProvider BoxParameters }
type Other struct{ ForProvider CaseParameters }
func (*Other) Late(o CaseObservation) bool { return false }
func (*BoxSpec) LateInitialize(o BoxObservation) bool { return false }
func LateInitialize(o, p CaseObservation) bool { return false }
func (s *CaseSpec) LateInitialize(o CaseObservation) bool { return false }
func (*CaseParameters) Diff(o CaseObservation) []string { return nil }

// Nothing fills a Lid, nothing compares a Rim, an observation of a Tag needs more, and nobody sends a Seal.
type LidParameters struct{ Name *string }
type LidObservation struct{ Name *string }
func (*LidParameters) Diff(o LidObservation) []string { return nil }
type RimParameters struct{ Name *string }
type RimObservation struct{ Name *string }
func (*RimParameters) LateInitialize(o RimObservation) bool { return false }
type TagParameters struct{ Name *string }
type TagObservation struct{ Name, Extra *string }
func (*TagParameters) LateInitialize(o TagObservation) bool { return false }
func (*TagParameters) Diff(o TagObservation) []string { return nil }
type SealObservation struct{ Name *string }
`,
	"api/api.go": `package api

import "time"

type Box struct{ Name string; Since time.Time }
type NewBox struct{ Name string; Since time.Time }
type BoxChange struct{ Name string }
type Case struct{ Name string }
type Rest struct{ Name string }
`,
	"clients/client.go": `package clients

import (
	"example.org/provider/api"
	"example.org/provider/apis"
)

// +mrgen:convert
type boxes interface {
	// +mrgen:convert:update
	// +mrgen:convert:ignore=Since,reason="it stays"
	UpdateBox(*apis.BoxParameters) *api.BoxChange
	MakeBox(apis.BoxParameters) (api.NewBox, error)
	ObserveBox(*api.Box) apis.BoxObservation
	ObserveCase(api.Case) (*apis.CaseObservation, error)
	MakeCase(apis.CaseParameters) api.Case
	MakeTag(apis.TagParameters) api.Rest
	ObserveTag(rest api.Rest, extra string) apis.TagObservation
	ObserveSeal(api.Rest) apis.SealObservation
}

// +mrgen:convert
type cases interface {
	MakeCaseAgain(apis.CaseParameters) api.Rest
}

// +mrgen:convert
type lids interface {
	MakeLid(apis.LidParameters) api.Rest
	ObserveLid(api.Rest) apis.LidObservation
}

// +mrgen:convert
type rims interface {
	MakeRim(apis.RimParameters) api.Rest
	ObserveRim(api.Rest) apis.RimObservation
}
`,
}

// TestLoopsOfKinds checks which kinds get a test of their conversions, and what it calls.
func TestLoopsOfKinds(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range loops {
		testmodule.WriteTree(t, root, map[string][]byte{name: []byte(text)})
	}
	result, diags := convert(t, root)
	var got []string
	for _, d := range diags.Sorted() {
		got = append(got, d.String())
	}
	_, rest, _ := strings.Cut(string(result.Files["clients/"+sdkconversion.TestFileName]), "package clients")
	for found := true; found; {
		var test string
		if _, rest, found = strings.Cut(rest, "\tconversionLoop["); found {
			test, _, _ = strings.Cut(rest, ".run(t)")
			got = append(got, strings.Join(strings.Fields(test), " "))
		}
	}
	want := []string{
		"clients/client.go:30:2: warning: lids gets no test, since apis.LidParameters has no methods LateInitialize and Diff for apis.LidObservation",
		"clients/client.go:36:2: warning: rims gets no test, since apis.RimParameters has no methods LateInitialize and Diff for apis.RimObservation",
		"apis.BoxParameters]{ create: MakeBox, observe: ObserveBox, update: UpdateBox, " +
			`texts: map[string]string{"BoxParameters.Since": "time"}, unsent: []string{"Size"}, fixed: []string{"Since"}, }`,
		"apis.CaseSpec]{ create: MakeCase, observe: ObserveCase, }",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
