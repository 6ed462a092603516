package sdkconversion

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestIsReference knows the references of every release of crossplane-runtime and of Crossplane's core.
func TestIsReference(t *testing.T) {
	for _, test := range []struct {
		path, name string
		want       bool
	}{
		{"github.com/crossplane/crossplane-runtime/apis/common/v1", "Reference", true},
		{"github.com/crossplane/crossplane-runtime/v2/apis/common", "NamespacedReference", true},
		{"github.com/crossplane/crossplane-runtime/v2/apis/common/v1", "LocalSecretKeySelector", true},
		{"github.com/crossplane/crossplane/apis/v2/core/v2", "NamespacedSelector", true},
		{"github.com/crossplane/crossplane/apis/v2/core/v2", "ResourceStatus", false},
		{"example.org/apis/v1", "Reference", false},
	} {
		p := types.NewPackage(test.path, "v1")
		named := types.NewNamed(types.NewTypeName(token.NoPos, p, test.name, nil), types.NewStruct(nil, nil), nil)
		field := func(of types.Type) *types.Var { return types.NewField(token.NoPos, p, of.String(), of, false) }
		alone := types.NewStruct([]*types.Var{field(named), field(types.NewPointer(named))}, nil)
		for _, typ := range []types.Type{named, types.NewPointer(named), types.NewSlice(named), alone} {
			expect.Equal(t, test.want, isReference(typ), "isReference(%s) =", typ)
		}
		mixed := types.NewStruct([]*types.Var{field(named), field(types.Typ[types.String])}, nil)
		expect.True(t, !isReference(mixed), "%s counts as a reference", mixed)
	}
}
