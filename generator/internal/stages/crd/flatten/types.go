// Package flatten turns the schemas that controller-tools makes of Go types, which
// refer to each other, into schemas without references and embedded types. The result
// is that of controller-tools' Flattener and FlattenEmbedded, which can't work on
// several schemas at the same time, and copy each many times.
package flatten

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// Type is the schema of a Go type, as controller-tools made it, with all that it
// refers to. It needs no parser, and isn't changed any more: several can be flattened
// at the same time, even if they share types.
type Type struct {
	schema apiextensionsv1.JSONSchemaProps
	// references are the types that the schema refers to, by reference: what one means
	// depends on the package. Those that there is no schema of are missing.
	references map[string]*Type
}

// Types has a parser make the schemas of types, one after the other.
type Types struct {
	parser *crd.Parser
	types  map[crd.TypeIdent]*Type
}

// NewTypes returns the types of a parser.
func NewTypes(parser *crd.Parser) *Types {
	return &Types{parser: parser, types: map[crd.TypeIdent]*Type{}}
}

// Type returns a type. Errors are added to packages, as controller-tools does, which
// panics on some combinations of types and markers.
func (t *Types) Type(ident crd.TypeIdent) *Type {
	found, err := t.find(ident)
	if err != nil {
		ident.Package.AddError(err)
		return &Type{}
	}
	return found
}

// find returns a type that may be known already.
func (t *Types) find(ident crd.TypeIdent) (*Type, error) {
	if known := t.types[ident]; known != nil {
		return known, nil
	}
	// This makes the schemas of all types that it refers to, and so on. Only those that
	// the caller has dropped meanwhile are left to be made below.
	t.parser.NeedSchemaFor(ident)
	schema, ok := t.parser.Schemata[ident]
	if !ok {
		return nil, fmt.Errorf("unable to locate schema for type %s", ident)
	}
	found := &Type{schema: schema, references: map[string]*Type{}}
	t.types[ident] = found // before what it refers to, which may be itself
	t.refer(found, &found.schema, ident.Package)
	return found, nil
}

// refer finds the types that a part of a type's schema refers to.
func (t *Types) refer(from *Type, part *apiextensionsv1.JSONSchemaProps, pkg *loader.Package) {
	eachChild(part, func(_ schema.Step, child *apiextensionsv1.JSONSchemaProps) bool {
		t.refer(from, child, pkg)
		return false // others may be reading it
	})
	if part.Ref == nil || from.references[*part.Ref] != nil {
		return
	}
	ident, err := identOf(*part.Ref, pkg)
	if err != nil {
		pkg.AddError(err)
		return
	}
	to, err := t.find(ident)
	if err != nil {
		pkg.AddError(err)
		return
	}
	from.references[*part.Ref] = to
}

// identOf returns the type that a reference in the schema of a package means.
func identOf(reference string, pkg *loader.Package) (crd.TypeIdent, error) {
	name, path, err := crd.RefParts(reference)
	if err != nil || path == "" {
		return crd.TypeIdent{Package: pkg, Name: name}, err
	}
	return crd.TypeIdent{Package: pkg.Imports()[path], Name: name}, nil
}
