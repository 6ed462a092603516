package admission_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/admission"
	"github.com/mrgen-io/admission/matrix"
)

// TestMatrix has the API server's code admit and refuse what the cases say.
func TestMatrix(t *testing.T) {
	cases, err := matrix.Load(os.DirFS(".."), "admission/cases")
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	servers := map[*apiextensionsv1.CustomResourceDefinition]*admission.Server{}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if servers[c.CRD] == nil {
				server, err := admission.New(c.CRD, c.Version)
				if err != nil {
					t.Fatal(err)
				}
				servers[c.CRD] = server
			}
			stored := c.Stored
			if stored != nil {
				stored = store(t, servers[c.CRD], c)
			}
			if c.Older != nil && older(*release, c.Older.Before) {
				c.Refused = c.Older.Refused
			}
			admitted, err := request(servers[c.CRD], c.Operation, c.Object, stored)
			if diff := cmp.Diff(inOneForm(c.Refused), inOneForm(admission.Refusals(err))); diff != "" {
				t.Errorf("refused for other reasons (-want +got):\n%s", diff)
			}
			if err == nil {
				if diff := cmp.Diff(map[string]any(c.Admitted), matrix.Common(c.Admitted, admitted)); diff != "" {
					t.Errorf("admitted in another form (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// store returns the stored object of a case, and makes sure that it can be stored
// just if the case says so.
func store(t *testing.T, server *admission.Server, c matrix.Case) map[string]any {
	t.Helper()
	stored, err := server.Create(context.Background(), c.Stored)
	if c.Violates {
		if err == nil {
			t.Fatal("the stored object does not violate anything")
		}
		return c.Stored
	}
	if err == nil && c.Stored["status"] != nil {
		stored, err = server.UpdateStatus(context.Background(), c.Stored, stored)
	}
	if err != nil {
		t.Fatalf("the stored object is refused: %v", admission.Refusals(err))
	}
	return stored
}

// older reports whether a release of Kubernetes is older than another.
func older(release, than string) bool {
	return version.MustParseGeneric(release).LessThan(version.MustParseGeneric(than))
}

// typed is how releases before Kubernetes 1.34 name what is wrong: by the type of an object or a
// list, and null between quotes, where newer ones show the value or nothing.
var typed = regexp.MustCompile(`(Invalid|Duplicate) value: (?:"(?:object|array|string|integer|number|boolean)": |map\[string\]interface \{\}|"?null"?: )`)

// inOneForm returns refusals without what differs by release in their words alone.
func inOneForm(refusals []string) []string {
	var all []string
	for _, r := range refusals {
		r = strings.ReplaceAll(r, `", "`, `","`) // JSON, by release
		all = append(all, typed.ReplaceAllString(r, "$1 value: "))
	}
	return all
}

func request(server *admission.Server, operation matrix.Operation, object, stored map[string]any) (map[string]any, error) {
	switch operation {
	case matrix.Create:
		return server.Create(context.Background(), object)
	case matrix.Update:
		return server.Update(context.Background(), object, stored)
	default:
		return server.UpdateStatus(context.Background(), object, stored)
	}
}

// TestMatrixIsComplete makes sure that each operation is admitted and refused.
func TestMatrixIsComplete(t *testing.T) {
	cases, err := matrix.Load(os.DirFS(".."), "admission/cases")
	if err != nil {
		t.Fatal(err)
	}
	for _, operation := range []matrix.Operation{matrix.Create, matrix.Update, matrix.UpdateStatus} {
		for _, refused := range []bool{false, true} {
			if !slices.ContainsFunc(cases, func(c matrix.Case) bool { return c.Operation == operation && (len(c.Refused) > 0) == refused }) {
				t.Errorf("no case of %s with refused=%t", operation, refused)
			}
		}
	}
}
