package load

import (
	"testing"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestFork loads packages of a listing and of its fork at the same time: each has packages and types of its own,
// of one loader, and both have the same syntax of other modules.
func TestFork(t *testing.T) {
	listing := listProvider(t, reached)
	fork := listing.Fork()
	programs := make([]*Program, 2)
	parallel.Do(2, func(i int) { programs[i] = typeCheck(t, []*Listing{listing, fork}[i], nil) })
	const other = "example.org/other/first"
	first := [2]*loader.Package{programs[0].Package(other), programs[1].Package(other)}
	if first[0] == first[1] || first[0].Types == first[1].Types || first[0].Types == nil || first[1].Types == nil {
		t.Errorf("the packages of the other module are not apart: %v", first)
	}
	expect.True(t, first[0].Syntax[0] == first[1].Syntax[0], "a file of the other module was parsed twice")
	for i, program := range programs {
		for _, api := range program.APIs {
			expect.True(t, api.Imports()[other] == first[i], "%s of program %d imports a package of the other one", api.PkgPath, i)
		}
	}
	for i, api := range programs[1].APIs {
		same := programs[0].APIs[i]
		if api == same || api.PkgPath != same.PkgPath || api.Syntax[0] == same.Syntax[0] || len(api.Errors) != len(same.Errors) {
			t.Errorf("%s is not a copy of %s", api.PkgPath, same.PkgPath)
		}
		api.AddError(loader.ErrFromNode(errNothing{}, api.Syntax[0])) // which asks the loader where that is
		expect.True(t, len(api.Errors) == len(same.Errors)+1, "an error of %s is in the fork alone: %v, %v", api.PkgPath, api.Errors, same.Errors)
	}
}

type errNothing struct{}

func (errNothing) Error() string { return "nothing" }
