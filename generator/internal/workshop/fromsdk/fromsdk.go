// Package fromsdk makes the types of a kind, and the calls of its controller, from an SDK: from the object
// that the API returns, and from the requests that create and update it.
package fromsdk

import (
	"context"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

const codeSDK diag.Code = "scaffold"

// Options name what a kind is made of.
type Options struct {
	// Package is the import path of the SDK.
	Package string
	// Observe, Create and Update name types: of the object, and of the requests. Those of a package
	// that the SDK imports have its name before them: types.Cluster. Update is empty if nothing can be
	// updated.
	Observe, Create, Update string
	// Methods names methods of the SDK, where several fit.
	Methods []string
	// ExternalName is user or api, who chooses the external name, maybe with the key that all calls take: user=username. It is empty if
	// types tell.
	ExternalName string
	// Kind is the name of the kind, and Reserved are names that the files of its controller give to imports.
	Kind     string
	Reserved []string
	// Taken reports whether the kind's package declares a type of a name already.
	Taken func(name string) bool
	// Selector is the type that selects the key of a secret.
	Selector string
	// Omit is the option in tags of lists and maps, which keeps empty ones if it can.
	Omit string
}

// A Kind is what an SDK says of one.
type Kind struct {
	// Name of the kind.
	Name string
	// Parameters and Observation are the fields of these types, and Structs the types of fields.
	Parameters, Observation []*Field
	Structs                 []*Struct
	// OneOfs are markers for the parameters of which one alone may be set.
	OneOfs []string
	// Members are the structs around such fields, as the SDK has them.
	Members []string
	// Left are the fields of the requests that no field of the kind stands for, with the reasons.
	Left []string
	// Secrets are the parameters whose values are in secrets, and Details the fields of the object that
	// are published in the connection secret.
	Secrets []Secret
	Details []Detail
	// Decisions are those about the kind, with their grounds.
	Decisions []Decision
	// Own tells external resources apart.
	Own Key
	// Helpers are functions that convert values.
	Helpers []string
	// Get, Create, Update and Delete are the methods that the controller calls. Update is nil if nothing
	// can be updated.
	Get, Create, Update, Delete *Call
	// Fakes are the methods of a client that asks an API in memory.
	Fakes []string
	// Mask is the mask of updates, nil for updates of all fields.
	Mask *Mask
	// ETag is what updates and deletions send as an answer has it, nil for none.
	ETag *ETag
	// Locks are the fields that updates send as the object has them, and Later the parameters that updates alone send, by their JSON names.
	Locks, Later []string
	// Conversions are the methods of the interface that declares conversions.
	Conversions Conversions
	// States say whether the object is ready, nil if it doesn't.
	States *States
	// NotFound tells that there is no such resource.
	NotFound NotFound
	// Service has the calls that aren't plain methods, nil for an SDK with methods alone.
	Service *Service
	// Client is what all kinds of the SDK share.
	Client Client
	// Object is the type of the API's object.
	Object string
	// Imports are the SDK's packages that the controller's files may import.
	Imports []string
}

// A Struct is the type of fields.
type Struct struct {
	Name    string
	Comment []string
	Fields  []*Field

	at part
}

// A reader reads the SDK.
type reader struct {
	options Options
	pkg     *packages.Package
	// observe, create and update are the types that the options name.
	observe, create, update *types.Named
	comments                map[*types.Package]map[int]string
	kind                    *Kind
	structs                 map[structKey]*Struct
	shownAs                 map[shownKey]*Struct
	fields                  map[types.Type][]*source
	diags                   diag.List
	// names are the packages by their names in files of the controller.
	names map[string]*types.Package
	// all are the methods of the SDK, candidates those for each role, and objects the types that they get.
	all        []*method
	candidates []candidates
	objects    map[*types.TypeName]bool
	// calling is the call that is being written, and later are the fields that updates alone take, kept
	// those of them that the API may keep for itself.
	calling *Call
	later   []string
	kept    []string
	// lacked are the fields of requests that the kind lacks.
	lacked []string
	// mask is the field of the updating request, or the argument, with the names of the fields to change, nil for an update of all its
	// fields.
	mask   *source
	budget budget
}

func (r *reader) errorf(format string, args ...any) {
	r.diags = append(r.diags, diag.Errorf(diag.Position{}, codeSDK, format, args...))
}

// addsModule matches the command that the go command advises for a missing module.
var addsModule = regexp.MustCompile(`to add(?: it)?:\s+(go (?:get|mod download) \S+)`)

// Read makes a kind for the module in a folder. Its mistakes are the user's.
func Read(ctx context.Context, dir string, o Options) (*Kind, diag.List) {
	pkg, err := typesOf(ctx, dir, o.Package)
	if err == nil {
		return read(pkg, o)
	}
	if near := withType(ctx, dir, o.Package, o.Observe[strings.LastIndex(o.Observe, ".")+1:]); len(near) > 0 && !slices.Contains(near, o.Package) {
		return nil, diag.List{diag.Errorf(diag.Position{File: "go.mod"}, codeSDK,
			"%s has no type %s itself: name the package of the methods, such as %s", o.Package, o.Observe, some(near, "or"))}
	}
	return nil, unloadable(o.Package, err)
}

// unloadable says why a package can't be loaded, and what to do.
func unloadable(importPath string, err error) diag.List {
	at := diag.Position{File: "go.mod"}
	if add := addsModule.FindStringSubmatch(err.Error()); add != nil {
		return diag.List{diag.Errorf(at, codeSDK,
			"%s, or a package that it imports, is of a module that go.mod or go.sum lacks: run %s, or name another", importPath, add[1])}
	}
	return diag.List{diag.Errorf(at, codeSDK,
		"the package %s can't be loaded: %v: name one that the module requires, or have go get add it", importPath, diag.Cause(err))}
}

// read makes a kind of an SDK that is loaded.
func read(pkg *packages.Package, o Options) (*Kind, diag.List) {
	r := newReader(pkg, o)
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	c := r.findCalls()
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	r.makeFields(c)
	if len(r.kind.Parameters) == 0 && !c.own.named {
		why := "name another type with --create"
		if len(r.kind.Left) > 0 { // such as a type that wraps each value
			why = "it lacks " + r.kind.Left[0] + "; " + why
		}
		r.errorf("%s has no field that a kind could have: %s", o.Create, why)
		return nil, r.diags
	}
	r.write(c)
	return r.kind, r.diags
}

// newReader returns a reader of an SDK that is loaded, with the types that the options name.
func newReader(pkg *packages.Package, o Options) *reader {
	r := &reader{
		options: o, pkg: pkg, comments: map[*types.Package]map[int]string{}, kind: &Kind{Name: o.Kind},
		structs: map[structKey]*Struct{}, shownAs: map[shownKey]*Struct{}, fields: map[types.Type][]*source{},
		budget: budget{fields: map[*source]bool{}, structs: map[structKey]bool{}},
	}
	r.observe, r.create = r.typeOf("observe", o.Observe), r.typeOf("create", o.Create)
	if o.Update != "" {
		r.update = r.typeOf("update", o.Update)
	}
	for _, request := range r.requests() {
		for v := range gotypes.StructOf(request).Fields() {
			s := gotypes.StructOf(v.Type())
			if v.Embedded() && gotypes.IsPointer(v.Type()) && s != nil && !slices.ContainsFunc(slices.Collect(s.Fields()), (*types.Var).Exported) {
				r.errorf("%s points to a %s, which only functions of the SDK make: write the controller by hand", request.Obj().Name(), v.Name())
			}
		}
	}
	return r
}

// typeOf returns the struct of a name, which a flag has.
func (r *reader) typeOf(flag, name string) *types.Named {
	of := r.pkg
	qualifier, base, isQualified := strings.Cut(name, ".")
	if !isQualified {
		base = name
	} else if of = r.imported(qualifier); of == nil {
		r.errorf("--%s: %s imports no package %s: name the type as Go code in that package would", flag, r.options.Package, qualifier)
		return nil
	}
	object, _ := of.Types.Scope().Lookup(base).(*types.TypeName)
	if object != nil && object.Exported() {
		if named, ok := types.Unalias(object.Type()).(*types.Named); ok && gotypes.StructOf(named) != nil && named.TypeParams().Len() == 0 {
			return named
		}
		r.errorf("--%s: %s is not a struct: name the one of the API's object, or of a request", flag, name)
		return nil
	}
	r.errorf("--%s: %s declares no type %s%s", flag, of.PkgPath, base, nearest(base, of.Types.Scope().Names()))
	return nil
}

// imported returns a package by its name, or the end of its path, that the SDK imports.
func (r *reader) imported(name string) *packages.Package {
	return first(r.imports(), func(p *packages.Package) bool { return p.Name == name || path.Base(p.PkgPath) == name })
}

// imports returns the packages that the SDK imports, by path.
func (r *reader) imports() []*packages.Package {
	return each(slices.Sorted(maps.Keys(r.pkg.Imports)), func(importPath string) *packages.Package { return r.pkg.Imports[importPath] })
}
