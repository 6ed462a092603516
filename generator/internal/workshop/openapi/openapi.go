// Package openapi reads what an OpenAPI document says of an API's object, and of the requests that create and
// update it, as types that an SDK of that API would have.
package openapi

import (
	"errors"
	"fmt"
	"go/types"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	"github.com/mrgen-io/mrgen/markers"
)

const codeOpenAPI diag.Code = "scaffold"

// Options name what to read.
type Options struct {
	// Object is the path of the document, with the schema of the API's object after it:
	// api.yaml#/components/schemas/Hook.
	Object string
	// Create and Update name what the requests take: a schema, or an operation such as "POST /hooks".
	// Without the first, creation takes the object's schema; without the second, updates take what creation
	// does.
	Create, Update string
}

// schemas is where the named schemas of a document are.
const schemas = "/components/schemas/"

// A reader reads a document.
type reader struct {
	file  string
	doc   *openapi3.T
	pkg   *types.Package
	named map[typeKey]*types.Named
	// combined are schemas that have what two others say.
	combined map[combination]*openapi3.Schema

	found fromsdk.Described
	diags diag.List
}

// Read reads a document, and others that it refers to on the same disk. Its mistakes are the user's.
func Read(o Options) (*fromsdk.Described, diag.List) {
	file, pointer, _ := strings.Cut(o.Object, "#")
	r := &reader{
		file: file, pkg: types.NewPackage("openapi", "openapi"),
		named: map[typeKey]*types.Named{}, combined: map[combination]*openapi3.Schema{},
		found: fromsdk.Described{Facts: map[*types.Var]*fromsdk.Facts{}},
	}
	r.load()
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	object := r.schema("from-openapi", pointer)
	create, update := object, object
	r.found.Same = o.Create == "" && o.Update == ""
	if o.Create != "" {
		create = r.request("create", o.Create, true)
		update = create
	}
	if o.Update != "" {
		update = r.request("update", o.Update, false)
	}
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	r.found.Observe = r.root("from-openapi", object, response)
	r.found.Create = r.root("create", create, request)
	r.found.Update = r.root("update", update, request)
	return &r.found, r.diags
}

func (r *reader) errorf(at *openapi3.Origin, format string, args ...any) {
	r.diags = append(r.diags, diag.Errorf(r.position(at), codeOpenAPI, format, args...))
}

// position returns where something is in the document, or in one that this refers to.
func (r *reader) position(at *openapi3.Origin) diag.Position {
	if at == nil || at.Key == nil {
		return diag.Position{File: r.file}
	}
	p := diag.Position{File: r.file, Line: at.Key.Line, Column: at.Key.Column}
	if at.Key.File != "" {
		p.File = filepath.FromSlash(at.Key.File)
	}
	return p
}

var saysLine = regexp.MustCompile(`\bline ([0-9]+)`)

// load loads the document.
func (r *reader) load() {
	content, err := os.ReadFile(r.file)
	if err != nil {
		r.errorf(nil, "--from-openapi: cannot read this: %v: name a file, with a schema after it, as in api.yaml#%sHook", diag.Cause(err), schemas)
		return
	}
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed, loader.IncludeOrigin = true, true
	loader.ReadFromURIFunc = func(_ *openapi3.Loader, location *url.URL) ([]byte, error) {
		if location.Scheme != "" || location.Host != "" {
			return nil, fmt.Errorf("%s is not a file on this machine: download it, and refer to that", location)
		}
		content, err := os.ReadFile(filepath.FromSlash(location.Path))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", location.Path, diag.Cause(err))
		}
		return content, nil
	}
	r.doc, err = loader.LoadFromDataWithPath(content, &url.URL{Path: filepath.ToSlash(r.file)})
	switch {
	case err != nil:
		text, _, _ := strings.Cut(err.Error(), "\n")
		var at openapi3.Location
		if match := saysLine.FindStringSubmatch(text); match != nil {
			at.Line, _ = strconv.Atoi(match[1])
		}
		r.errorf(&openapi3.Origin{Key: &at}, "this OpenAPI document can't be loaded: %s", text)
	case !strings.HasPrefix(r.doc.OpenAPI, "3."):
		r.errorf(nil, "this is not an OpenAPI document of version 3, whose field openapi says so: convert it first")
	}
}

// schema returns the schema that a flag names, by a JSON pointer or its name.
func (r *reader) schema(flag, name string) *openapi3.SchemaRef {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "#"), schemas)
	known := openapi3.Schemas{}
	if r.doc.Components != nil {
		known = r.doc.Components.Schemas
	}
	if found := known[name]; found != nil {
		return &openapi3.SchemaRef{Ref: "#" + schemas + name, Value: found.Value, Origin: found.Origin}
	}
	near := fromsdk.Nearest(name, slices.Sorted(maps.Keys(known)))
	r.errorf(nil, "--%s: there is no schema %q below #%s%s", flag, name, strings.TrimSuffix(schemas, "/"), near)
	return nil
}

// request returns what a request takes: a schema, or the body of an operation. Parameters in the path of the
// one that creates tell what is around the external resource.
func (r *reader) request(flag, name string, creates bool) *openapi3.SchemaRef {
	method, path, isOperation := strings.Cut(name, " ")
	if !isOperation {
		return r.schema(flag, name)
	}
	item := r.doc.Paths.Value(path)
	if item == nil {
		near := ""
		if other, ok := markers.Nearest(path, slices.Sorted(maps.Keys(r.doc.Paths.Map()))); ok {
			near = ", and the nearest is " + other
		}
		r.errorf(nil, "--%s: there is no path %s%s", flag, path, near)
		return nil
	}
	operations := item.Operations()
	operation := operations[strings.ToUpper(method)]
	if operation == nil {
		r.errorf(item.Origin, "--%s: %s has no operation %s: name one of %s", flag, path, method, diag.And(slices.Sorted(maps.Keys(operations))))
		return nil
	}
	if creates {
		for _, of := range append(slices.Clone(item.Parameters), operation.Parameters...) {
			if p := of.Value; p != nil && p.In == openapi3.ParameterInPath {
				r.addParent(p)
			}
		}
	}
	if operation.RequestBody == nil || operation.RequestBody.Value == nil {
		r.errorf(operation.Origin, "--%s: %s takes no body: name the operation that does, or a schema", flag, name)
		return nil
	}
	content := operation.RequestBody.Value.Content
	best := slices.SortedFunc(maps.Keys(content), func(a, b string) int {
		if isA, isB := strings.Contains(a, "json"), strings.Contains(b, "json"); isA != isB {
			return map[bool]int{true: -1, false: 1}[isA]
		}
		return strings.Compare(a, b)
	})
	if len(best) == 0 || content[best[0]].Schema == nil {
		r.errorf(operation.Origin, "--%s: the document doesn't say what the body of %s is: name a schema", flag, name)
		return nil
	}
	return content[best[0]].Schema
}

func (r *reader) addParent(p *openapi3.Parameter) {
	var typ types.Type = types.Typ[types.String]
	if s := r.shapeOf(p.Schema, nil); s.kind == openapi3.TypeInteger {
		typ = types.Typ[types.Int64]
	}
	r.found.Parents = append(r.found.Parents, fromsdk.Parent{Name: p.Name, Type: typ, Doc: p.Description})
}

// root returns the type of the object, or of a request.
func (r *reader) root(flag string, of *openapi3.SchemaRef, v view) *types.Named {
	t, s, err := r.typeOf(of, "", v, nil)
	if named, ok := t.(*types.Named); ok && err == nil && named.Obj().Pkg() == r.pkg {
		for _, text := range s.checks {
			if v == request && !slices.Contains(r.found.Checks, text) {
				r.found.Checks = append(r.found.Checks, text)
			}
		}
		return named
	}
	if err == nil {
		err = errors.New("it has no fields")
	}
	r.errorf(of.Origin, "--%s: a kind can't be made of this schema, since %v: name that of an object", flag, err)
	return nil
}
