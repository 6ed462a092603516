package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGoAPI holds what importers lose, where that is declared now, and that a field of
// objects is not reported again.
func TestGoAPI(t *testing.T) {
	const old = `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	xpv1 "example.org/runtime/v1"
)

const Group = "example.org"

var Default = xpv1.Something

type Thing struct {
	metav1.TypeMeta
	Spec ThingSpec ` + "`json:\"spec\"`" + `
}

type ThingSpec struct {
	Name string ` + "`json:\"name\"`" + `
	Size int ` + "`json:\"size\"`" + `
	Ref  *xpv1.Reference ` + "`json:\"ref\"`" + `
}

func (t *Thing) GetName() string { return t.Spec.Name }

func helper() {}
`
	const new = `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	xpv1 "example.org/runtime/v1"
)

var Default = xpv1.Something

type Thing struct {
	metav1.TypeMeta
	Spec ThingSpec ` + "`json:\"spec\"`" + `
}

type ThingSpec struct {
	Size string ` + "`json:\"size\"`" + `
	Ref  *xpv1.Selector ` + "`json:\"ref\"`" + `
	Other xpv1.Unheard
}

func (t *Thing) helper() undefined { return nil }
`
	was := map[string]Source{
		"apis/v1":   {"apis/v1/types.go": []byte(old)},
		"apis/gone": {"apis/gone/types.go": []byte("package gone\n\ntype T int\n")},
		"apis/none": {},
	}
	is := map[string]Source{"apis/v1": {"apis/v1/types.go": []byte(new), "apis/v1/more.go": []byte("package v1\n\nthis is no Go")}}
	found := GoAPI(was, func(folder string) Source { return is[folder] }, []Finding{{Path: "spec.forProvider.name"}})
	var got []string
	for _, f := range found {
		got = append(got, f.Pos.String()+" "+f.Kind+" "+f.Path+" "+f.Counterexample.Says)
	}
	want := []string{
		"apis/gone apis/gone gone no package in apis/gone",
		"apis/v1/types.go:10:6 apis/v1 (*Thing).GetName v1.(*Thing).GetName: removed",
		"apis/v1/types.go:1:9 apis/v1 Group v1.Group: removed",
		"apis/v1/types.go:17:2 apis/v1 ThingSpec.Ref v1.ThingSpec.Ref: changed from *example.org/runtime/v1.Reference to *example.org/runtime/v1.Selector",
		"apis/v1/types.go:16:2 apis/v1 ThingSpec.Size v1.ThingSpec.Size: changed from int to string",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
