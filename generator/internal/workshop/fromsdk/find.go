package fromsdk

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/gobuffalo/flect"
	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// Find returns the ways to make a kind of an SDK, which may be a module or any package of one. Names lead to them, so that the author
// chooses, even if there is one.
func Find(ctx context.Context, dir, importPath, kind string) ([]Options, diag.List) {
	below, err := packagesBelow(ctx, dir, importPath)
	if err != nil {
		return nil, unloadable(importPath, err)
	}
	if len(below) == 0 {
		return nil, diag.List{diag.Errorf(diag.Position{File: "go.mod"}, codeSDK, "no module that go.mod requires has a package %s: have go get add it, or name another", importPath)}
	}
	var ways []Options
	var problems diag.List // with packages beside the ways, such as mocks that need another module
	isLoaded := false
	// superseded are packages whose types another one with a way has: the client of gRPC below Google's own, and a mock above an SDK.
	superseded, made := map[string]bool{}, map[string]*packages.Package{}
	for _, p := range maybeMade(below, kind) {
		pkg, err := typesOf(ctx, dir, p.PkgPath)
		if err != nil {
			problems = append(problems, unloadable(p.PkgPath, err)...)
			continue
		}
		isLoaded = true
		if found := waysOf(pkg, kind); len(found) > 0 {
			ways, made[pkg.PkgPath] = append(ways, found...), pkg
		}
	}
	for above, pkg := range made {
		for importPath := range pkg.Imports {
			if inner := made[importPath]; inner != nil {
				isClient := slices.ContainsFunc((&reader{pkg: inner}).methods(), (*method).isRemote)
				superseded[importPath], superseded[above] = superseded[importPath] || isClient, superseded[above] || !isClient
			}
		}
	}
	ways = filter(ways, func(way Options) bool { return !superseded[way.Package] })
	ways = narrowed(ways, Options.isCalled) // DatacentersPost beside DatacentersServersPost
	if len(ways) > 0 {
		return ways, nil
	}
	if !isLoaded && len(problems) > 0 {
		return nil, problems
	}
	return nil, append(problems, diag.Errorf(diag.Position{File: "go.mod"}, codeSDK,
		"nothing below %s creates, reads and deletes anything called %s: name types with --observe and --create", importPath, kind))
}

// isCalled reports whether a way makes exactly what the kind is called: by the type of the object, or by the method that creates it.
func (o Options) isCalled() bool {
	created, _ := stem(strings.TrimPrefix(o.Methods[0], string(creates)+"="), creates)
	return created == strings.ToLower(o.Kind) || o.Observe[strings.LastIndex(o.Observe, ".")+1:] == o.Kind
}

// maybeMade returns the packages that have a function which is called as one that creates a kind, or one that creates beside a type that
// is called as the kind, or as its client, there or in a package that they import.
func maybeMade(below []*packages.Package, kind string) []*packages.Package {
	all := map[string]*declared{}
	for _, p := range below {
		all[p.PkgPath] = declarations(p)
	}
	isCalled := func(name string) bool { return isCalledFor(name, kind) }
	declares := func(importPath string) bool {
		return all[importPath] != nil && slices.ContainsFunc(all[importPath].types, isCalled)
	}
	return filter(below, func(p *packages.Package) bool {
		d := all[p.PkgPath]
		isCreated := func(of string) bool {
			return slices.ContainsFunc(d.functions, func(name string) bool {
				rest, is := stem(name, creates)
				return is && strings.Contains(rest, of)
			})
		}
		isDeclared := declares(p.PkgPath) || slices.ContainsFunc(d.imports, declares)
		return isCreated(strings.ToLower(kind)) || isDeclared && isCreated("")
	})
}

// isCalledFor reports whether a type is called as a kind, or as the client of one or of several: UserAssignedIdentitiesClient.
func isCalledFor(name, kind string) bool {
	name = strings.TrimSuffix(name, "Client")
	return strings.EqualFold(name, kind) || strings.EqualFold(flect.Singularize(name), kind)
}

// declared are the names of the functions, methods and types of a package, and its imports.
type declared struct{ functions, types, imports []string }

// declarations returns what a package declares.
func declarations(p *packages.Package) *declared {
	found := &declared{}
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // which the go command reports when it is loaded
		}
		for _, imported := range file.Imports {
			path, _ := strconv.Unquote(imported.Path.Value) // which the parser has checked
			found.imports = append(found.imports, path)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				found.functions = append(found.functions, decl.Name.Name)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						found.types = append(found.types, t.Name.Name)
					}
				}
			}
		}
	}
	return found
}

// waysOf returns the ways of a package.
func waysOf(pkg *packages.Package, kind string) (ways []Options) {
	finder := &reader{pkg: pkg, comments: map[*types.Package]map[int]string{}, fields: map[types.Type][]*source{}}
	for _, all := range [][]*method{finder.methods(), finder.functions()} {
		for _, m := range all {
			if _, isCreate := stem(m.name, creates); isCreate && m.request(kind) != nil {
				if o, found := wayOf(pkg, kind, m, all); found {
					ways = append(ways, o)
				}
			}
		}
		if len(ways) > 0 {
			break
		}
	}
	return ways
}

// request returns the struct that a method takes, or nil unless there is exactly one, or one with the name of the kind. One beside others,
// such as the object that an update changes, may be given.
func (m *method) request(kind string, beside ...*types.Named) *types.Named {
	var found []*types.Named
	for _, v := range m.params() {
		if named := gotypes.NamedOf(gotypes.Deref(v.Type())); named != nil && gotypes.StructOf(named) != nil && named.Obj().Exported() && !m.isOption(v) {
			found = append(found, named)
		}
	}
	found = narrowed(found, func(t *types.Named) bool { // beside the options of Azure's clients, such as ZonesClientCreateOptions
		return !slices.ContainsFunc(m.receivers, func(of *types.TypeName) bool { return strings.HasPrefix(t.Obj().Name(), of.Name()+m.name) })
	})
	found = narrowed(found, func(t *types.Named) bool { return !slices.Contains(beside, t) })
	found = narrowed(found, func(t *types.Named) bool { return strings.Contains(t.Obj().Name(), kind) })
	found = narrowed(found, func(t *types.Named) bool { return t.Obj().Name() == kind })
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// wayOf returns the options for a method that creates, with the methods of its name that read, update and delete.
func wayOf(pkg *packages.Package, kind string, create *method, all []*method) (Options, bool) {
	wanted, _ := stem(create.name, creates)
	named := func(of role) []*method {
		found := filter(all, func(m *method) bool { return m.isBeside(create, of) && (of != updates || m.request(kind) != nil) })
		return narrowed(found, func(m *method) bool { return strings.HasSuffix(strings.ToLower(m.name), wanted) }) // not DescribeParameters
	}
	request := create.request(kind)
	o := Options{Package: pkg.PkgPath, Kind: kind, Create: nameIn(pkg, request), Methods: []string{string(creates) + "=" + create.name}}
	gets, deletions := named(reads), named(deletes)
	if len(gets) == 0 || len(deletions) == 0 {
		return Options{}, false
	}
	takesAsMuch := func(m *method) bool { return len(m.params()) == len(deletions[0].params()) }
	get := narrowed(gets, takesAsMuch)[0] // DatacentersFindById beside DatacentersGet, which lists them
	object := objectOf(get, kind, request)
	isCalled := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(kind)) }
	isOf := func(t *types.TypeName) bool { return isCalledFor(t.Name(), kind) }
	requested, _ := stem(request.Obj().Name(), creates)
	isRequested := requested == strings.ToLower(kind)
	switch {
	case object == nil:
		return Options{}, false
	case isCalled(wanted), wanted == "" && (isRequested || slices.ContainsFunc(create.receivers, isOf)):
	case isCalled(o.Create) && strings.EqualFold(object.Obj().Name(), kind): // as PolicyCreate takes an ACLPolicy
	case !slices.ContainsFunc(get.results(), func(v *types.Var) bool { return strings.EqualFold(gotypes.NameOf(itemOf(v.Type())).Name, kind) }):
		return Options{}, false // such as a plan that has a product
	}
	o.Observe = nameIn(pkg, object)
	o.Methods = append(o.Methods, string(reads)+"="+get.name)
	if all := named(updates); len(all) > 0 {
		updated := all[0].request(kind)
		if request != object {
			updated = all[0].request(kind, object)
		}
		o.Update = nameIn(pkg, updated)
		o.Methods = append(o.Methods, string(updates)+"="+all[0].name)
	}
	o.Methods = append(o.Methods, string(deletes)+"="+deletions[0].name)
	_, diags := read(pkg, o)
	return o, !diags.HasErrors()
}

// objectOf returns the type of what a method returns: the answer, or what that has as a field or as the items of a list. It is the one
// with the most fields of the request, as types.AccessPointDescription; of several, the one with the name of the kind.
func objectOf(get *method, kind string, request *types.Named) (object *types.Named) {
	if within := payload(request); within != nil && gotypes.NamedOf(within) != nil {
		request = gotypes.NamedOf(within)
	}
	fields, most := plainNames(request), -1
	for _, v := range get.results() {
		answer := structNamed(v.Type())
		if answer == nil || isAnswer(v.Type()) {
			continue
		}
		candidates := []*types.Named{answer}
		isAround := !slices.ContainsFunc(plainNames(answer), func(name string) bool { return slices.Contains(fields, name) })
		for field := range gotypes.StructOf(answer).Fields() {
			inner := structNamed(field.Type())
			isCalled := inner != nil && (strings.EqualFold(inner.Obj().Name(), kind) || strings.EqualFold(field.Name(), kind))
			if field.Embedded() && (isCalled || inner == request) {
				return inner
			}
			if isCalled || inner != nil && (isAround && field.Exported() || isList(field.Type())) {
				candidates = append(candidates, inner)
			}
		}
		for _, candidate := range candidates {
			isSent := func(v *types.Var) bool { return types.Identical(gotypes.Deref(v.Type()), candidate) }
			if candidate == request || slices.ContainsFunc(slices.Collect(gotypes.StructOf(request).Fields()), isSent) {
				return candidate
			}
			shared := len(filter(plainNames(candidate), func(name string) bool { return slices.Contains(fields, name) }))
			if shared > most || shared == most && strings.EqualFold(candidate.Obj().Name(), kind) {
				object, most = candidate, shared
			}
		}
	}
	return object
}

// structNamed returns the exported struct that a value is, points to, or has a list of; or nil.
func structNamed(t types.Type) *types.Named {
	named := gotypes.NamedOf(gotypes.Deref(itemOf(gotypes.Deref(t))))
	if named == nil || gotypes.StructOf(named) == nil || !named.Obj().Exported() {
		return nil
	}
	return named
}

// plainNames returns the names of a struct's exported fields, and of those that it embeds, in one spelling.
func plainNames(t *types.Named) (all []string) {
	for v := range gotypes.StructOf(t).Fields() {
		if v.Exported() {
			all = append(all, gotypes.PlainName(v.Name()))
		}
		if embedded := structNamed(v.Type()); v.Embedded() && embedded != nil && embedded != t {
			for inner := range gotypes.StructOf(embedded).Fields() {
				all = append(all, gotypes.PlainName(inner.Name()))
			}
		}
	}
	return all
}

// nameIn returns the name of a type as a flag has it.
func nameIn(pkg *packages.Package, t *types.Named) string {
	if t.Obj().Pkg() == pkg.Types {
		return t.Obj().Name()
	}
	return t.Obj().Pkg().Name() + "." + t.Obj().Name()
}

// withType returns the import paths of packages below one that declare a type, which a flag may qualify.
func withType(ctx context.Context, dir, importPath, name string) (found []string) {
	below, err := packagesBelow(ctx, dir, importPath)
	if err != nil {
		return nil
	}
	for _, p := range below {
		if slices.Contains(declarations(p).types, name) {
			found = append(found, p.PkgPath)
		}
	}
	return found
}
