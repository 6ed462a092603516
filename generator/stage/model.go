package stage

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// A Model is the API of a Go module, as far as the options select it. Types that mrgen declares are
// part of it.
type Model struct {
	// Packages have kinds, or ask for deep copies. They are sorted by import path.
	Packages []*Package
}

// A Package is a Go package with API types.
type Package struct {
	// Path is the import path, Name the name in the package clause, and Dir the slash-separated folder
	// relative to the module root.
	Path, Name, Dir string
	// Group and Version are those of the kinds.
	Group, Version string
	// Markers are those before the package clauses.
	Markers []Marker
	// Kinds are sorted by name. Lists are none.
	Kinds []*Kind
}

// A Role is what a kind is to Crossplane.
type Role string

// The roles. Kinds without a role are other Kubernetes objects.
const (
	RoleManaged             Role = "managed resource"
	RoleProviderConfig      Role = "ProviderConfig"
	RoleProviderConfigUsage Role = "ProviderConfigUsage"
)

// A Kind is a kind in one version of its API group.
type Kind struct {
	Name    string
	Package *Package
	// Role is "" for a kind without one.
	Role       Role
	Namespaced bool
	// Type is the struct, with fields such as metadata and spec, and with the position, comment and
	// markers of the kind.
	Type *Type
	// Definition is the CRD of the kind, with all of its versions, which share it. It is nil unless
	// [Stage.Definitions] is set.
	Definition *apiextensionsv1.CustomResourceDefinition
}

// A TypeForm says what a type consists of.
type TypeForm string

// The forms of types. Interfaces, functions and channels are opaque, and so is what doesn't
// type-check.
const (
	BasicType   TypeForm = "basic"
	StructType  TypeForm = "struct"
	PointerType TypeForm = "pointer"
	SliceType   TypeForm = "slice"
	MapType     TypeForm = "map"
	OpaqueType  TypeForm = "opaque"
)

// A Type is a Go type in an API. Types may be recursive: a type that is met twice is the same
// pointer.
type Type struct {
	Form TypeForm
	// Name is that of a declared or predeclared type, and Package the import path of what declares it.
	Name, Package string
	// Basic is the predeclared type that underlies a basic one, such as "string".
	Basic string
	// Elem is what a pointer, slice or map has, and Key the key of a map.
	Elem, Key *Type
	// Fields are those of a struct, in source order.
	Fields []*Field
	// Pos, Doc and Markers are those of the declaration. Types of other modules have no comments.
	Pos     diag.Position
	Doc     string
	Markers []Marker
}

// Field returns the field of a struct, or of what a pointer leads to, with a name in JSON, or nil. It
// looks into inlined structs.
func (t *Type) Field(jsonName string) *Field {
	for t.Form == PointerType {
		t = t.Elem
	}
	for _, f := range t.Fields {
		if !f.Inline && f.JSONName == jsonName {
			return f
		}
	}
	for _, f := range t.Fields {
		if f.Inline {
			if found := f.Type.Field(jsonName); found != nil {
				return found
			}
		}
	}
	return nil
}

// A Field is a field of a struct.
type Field struct {
	// Name is the Go name, and JSONName the one in JSON, which is empty if the field isn't encoded or
	// is inlined.
	Name, JSONName string
	// Inline is set if the fields of this struct are fields of the outer one in JSON.
	Inline bool
	// Required is set if the schema of the struct requires the field.
	Required bool
	Type     *Type
	// Pos, Doc and Markers are those of the declaration.
	Pos     diag.Position
	Doc     string
	Markers []Marker
}

// A Marker is a comment line that begins with a plus sign.
type Marker struct {
	// Text is the line without the plus sign.
	Text string
	Pos  diag.Position
}
