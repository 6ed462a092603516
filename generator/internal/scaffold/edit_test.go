package scaffold

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEdit adds a package to files that authors have written in several ways, and
// expects all but the two new lines to stay as they are.
func TestEdit(t *testing.T) {
	for name, test := range map[string]struct{ before, after string }{
		"as init writes it": {
			before: `package apis

import (
	"k8s.io/apimachinery/pkg/runtime"

	configv1alpha1 "example.org/provider/apis/v1alpha1"
)

var AddToSchemes = runtime.SchemeBuilder{
	configv1alpha1.SchemeBuilder.AddToScheme,
}
`,
			after: `package apis

import (
	"k8s.io/apimachinery/pkg/runtime"

	storagev1 "example.org/provider/apis/storage/v1"
	configv1alpha1 "example.org/provider/apis/v1alpha1"
)

var AddToSchemes = runtime.SchemeBuilder{
	configv1alpha1.SchemeBuilder.AddToScheme,
	storagev1.SchemeBuilder.AddToScheme,
}
`,
		},
		"comments and odd layout": {
			before: `package apis

import (
	av1 "example.org/provider/apis/a/v1" // first
	"k8s.io/apimachinery/pkg/runtime"
)

var AddToSchemes = append(runtime.SchemeBuilder{},
	// The oldest.
		av1.AddToScheme, // it has its own function

	// The end.
)
`,
			after: `package apis

import (
	av1 "example.org/provider/apis/a/v1" // first
	storagev1 "example.org/provider/apis/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var AddToSchemes = append(runtime.SchemeBuilder{},
	// The oldest.
		av1.AddToScheme, // it has its own function
		storagev1.SchemeBuilder.AddToScheme,

	// The end.
)
`,
		},
		"one line, name taken": {
			before: `package apis

import (
	storagev1 "k8s.io/api/storage/v1"
)

var schemes = list(storagev1.AddToScheme)
`,
			after: `package apis

import (
	storagev1 "k8s.io/api/storage/v1"

	storagev12 "example.org/provider/apis/storage/v1"
)

var schemes = list(storagev1.AddToScheme, storagev12.SchemeBuilder.AddToScheme)
`,
		},
		"one line, comma": {
			before: `package apis

import (
	"example.org/provider/apis/v1"
)

var schemes = builder{v1.AddToScheme, /* last */}
`,
			after: `package apis

import (
	storagev1 "example.org/provider/apis/storage/v1"
	"example.org/provider/apis/v1"
)

var schemes = builder{v1.AddToScheme, storagev1.SchemeBuilder.AddToScheme, /* last */}
`,
		},
		"there already": {
			before: `package apis

import (
	storage "example.org/provider/apis/storage/v1"
)

var schemes = builder{storage.SchemeBuilder.AddToScheme}
`,
			after: `package apis

import (
	storage "example.org/provider/apis/storage/v1"
)

var schemes = builder{storage.SchemeBuilder.AddToScheme}
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, diags := newEdit("apis/apis.go", []byte(test.before))
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			alias, diags := e.importPackage("storagev1", "example.org/provider/apis/storage/v1", "example.org/provider")
			diags = append(diags, e.appendTo("AddToScheme functions", []string{"AddToScheme"}, alias+".SchemeBuilder.AddToScheme")...)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			if diff := cmp.Diff(test.after, string(e.source)); diff != "" {
				t.Errorf("the file differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMark marks types in single and grouped declarations.
func TestMark(t *testing.T) {
	for before, after := range map[string]string{
		"package v1\n\n// A Bucket holds objects.\n// +kubebuilder:object:root=true\ntype Bucket struct{} // all\n": "package v1\n\n// A Bucket holds objects.\n// +kubebuilder:object:root=true\n// +kubebuilder:storageversion\ntype Bucket struct{} // all\n",
		"package v1\n\ntype (\n\t// A Bucket holds objects.\n\tBucket struct{}\n)\n":                                "package v1\n\ntype (\n\t// A Bucket holds objects.\n\t// +kubebuilder:storageversion\n\tBucket struct{}\n)\n",
	} {
		e, diags := newEdit("types.go", []byte(before))
		if diags = append(diags, e.mark("Bucket", storageVersion)...); len(diags) > 0 {
			t.Fatal(diags)
		}
		if diff := cmp.Diff(after, string(e.source)); diff != "" {
			t.Errorf("the file differs (-want +got):\n%s", diff)
		}
	}
}
