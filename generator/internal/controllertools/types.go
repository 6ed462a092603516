// Package controllertools makes schemas and definitions as controller-tools does, and with its parser, its markers and
// its types. Other rooms know only its packages, its comments and the names of its markers.
//
// controller-tools' own Flattener and FlattenEmbedded aren't safe for concurrent use, and copy each schema many times.
// This package resolves references and merges embedded types with the same result, and applies markers in source order,
// where controller-tools ranges over maps.
//
// If an upgrade of controller-tools changes bytes, look here: the tests compare Flatten with its functions on random
// schemas and on Go source, and those of the stage crd compare definitions with controller-gen's.
package controllertools

import (
	"fmt"

	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// Type is the schema of a Go type from controller-tools, with the types that it refers to. It is immutable and
// independent of the parser, so that types can be flattened concurrently, even with shared parts.
type Type struct {
	schema schema.Props
	// references are the types that the schema refers to, by reference, whose meaning depends on the package.
	// Types without a schema are missing.
	references map[string]*Type
	form       Form
}

// typeCache makes and caches the schemas of types, with a parser. It is not safe for concurrent use.
type typeCache struct {
	parser *crd.Parser
	known  map[crd.TypeIdent]*Type
	formOf func(flavor.TypeName) Form
}

// newTypes returns a cache of the types of a parser, with their forms.
func newTypes(parser *crd.Parser, formOf func(flavor.TypeName) Form) *typeCache {
	return &typeCache{parser: parser, known: map[crd.TypeIdent]*Type{}, formOf: formOf}
}

// need returns a type. Like controller-tools, it adds errors to packages, and panics on some combinations of types and
// markers.
func (t *typeCache) need(ident crd.TypeIdent) *Type {
	found, err := t.find(ident)
	if err != nil {
		ident.Package.AddError(err)
		return &Type{}
	}
	return found
}

// find returns a type, from the cache if it is there.
func (t *typeCache) find(ident crd.TypeIdent) (*Type, error) {
	if known := t.known[ident]; known != nil {
		return known, nil
	}
	// NeedSchemaFor makes the schemas of all types that it refers to, too, directly or not. Only dropped ones
	// are left for refer.
	t.parser.NeedSchemaFor(ident)
	schema, ok := t.parser.Schemata[ident]
	if !ok {
		return nil, fmt.Errorf("unable to locate schema for type %s", ident)
	}
	found := &Type{schema: schema, references: map[string]*Type{}, form: t.formOf(flavor.TypeName{Package: loader.NonVendorPath(ident.Package.PkgPath), Name: ident.Name})}
	t.known[ident] = found // before its references, which may lead back
	t.refer(found, &found.schema, ident.Package)
	return found, nil
}

// refer adds the types that a part of a type's schema refers to.
func (t *typeCache) refer(from *Type, part *schema.Props, pkg *loader.Package) {
	schema.Each(part, func(_ schema.Step, child *schema.Props) bool {
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
