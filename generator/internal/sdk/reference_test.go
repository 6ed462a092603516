package sdk

import (
	"go/token"
	"go/types"
	"testing"
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
		named := types.NewNamed(types.NewTypeName(token.NoPos, types.NewPackage(test.path, "v1"), test.name, nil), types.NewStruct(nil, nil), nil)
		for _, typ := range []types.Type{named, types.NewPointer(named), types.NewSlice(named)} {
			if got := isReference(typ); got != test.want {
				t.Errorf("isReference(%s) = %t", typ, got)
			}
		}
	}
}
