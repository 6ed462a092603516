// Package load turns Go packages into a [model.Model]. It is the one place that
// knows go/packages, syntax trees and type checking.
//
// What it reads never includes what mrgen writes: generated files are hidden
// from the go command, and type errors that only their absence explains are not
// errors.
package load

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	codeLoad   diag.Code = "load"
	codeSyntax diag.Code = "syntax"
)

// hiddenFile takes the place of a generated file in the eyes of the go command.
// The build constraint keeps it out of its package, whatever that is called.
const hiddenFile = "//go:build ignore\n\npackage ignored\n"

// Options says what to load.
type Options struct {
	// Root is the absolute path of the module's folder, see [FindRoot].
	Root string
	// Patterns select packages, relative to Root.
	Patterns []string
	// Outputs are the names of the Go files that the run writes. Files with these
	// names are no input.
	Outputs []string
	// Importers are those of the Outputs that import packages which the types of
	// their own don't need. They are no input in the packages that the patterns
	// leave out, either.
	Importers []string
	// OwnFile is the name of the Go file that is a package of its own, and Own is
	// that package, or nil if the run writes none.
	OwnFile string
	Own     *OwnPackage
	// Part tells that the patterns select a part of what a run is about, of which the
	// rest is known to be right, import cycles through references included: unless the
	// run writes a package of its own, what referenced packages refer to in turn does
	// not matter.
	Part bool
	// MisspeltMarkers tells that misspelt markers are warnings: whoever adopts mrgen had
	// them before, and no tool that minded.
	MisspeltMarkers bool
	// TypesFollow tells that a stage may declare types that are missing now, and
	// [Source.AddFiles] will add them.
	TypesFollow bool
	// Inputs logs what is read, and what the go command reads. It may be nil.
	Inputs *inputs.Log
}

// A Source is loaded Go source and the model made of it.
type Source struct {
	Model *model.Model
	// Generated are the files, relative to the module root, that the run replaces
	// or that an earlier run wrote.
	Generated []string
	// Packages are the loaded packages of the model, by import path.
	Packages map[string]*loader.Package
	// Collector has the markers that controller-tools knows.
	Collector *ctmarkers.Collector

	*listing
	opts Options
	// roots are the packages that are loaded, and known are others of the run, by
	// import path, with what markers may name of them.
	roots []*loader.Package
	known map[string]*model.Package
	// Corrections put the misspelt markers of the run right, as far as that is certain.
	Corrections []Correction
	// foreignMarkers has the texts of markers that mrgen does not own, by their target,
	// with what is wrong with them.
	foreignMarkers [markers.OnPackage + markers.OnType + markers.OnField + 1]sync.Map
	// typesMissing is set if the model has types that are declared nowhere.
	typesMissing bool
	// users are the import paths of the packages whose names markers of the run
	// use, each with the folder of a package that has such a marker.
	users map[string]string
	// acyclic is set if references are known to make no import cycles.
	acyclic bool
	// names are functions that return [Source.Names], by folder.
	names sync.Map
	// byPath are the packages that are loaded and what they import, once somebody asks.
	byPath map[string]*loader.Package
	// errorsAtLoad counts the errors of each package when loading was done.
	errorsAtLoad map[*loader.Package]int
	// errorsReported counts those that were reported already.
	errorsReported map[*loader.Package]int
}

// Exclusively calls a function while nobody else loads packages that sources share, or
// looks at their errors. controller-tools may add to these when it is asked for a type.
func (s *Source) Exclusively(do func()) {
	s.loading.Lock()
	defer s.loading.Unlock()
	do()
}

// eachPackage visits the packages of the run and what they import.
func (s *Source) eachPackage(visit func(*loader.Package)) { eachOf(s.roots, visit) }

// eachOf visits packages and what they import.
func eachOf(pkgs []*loader.Package, visit func(*loader.Package)) {
	seen := map[*loader.Package]bool{}
	var walk func(*loader.Package)
	walk = func(pkg *loader.Package) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		visit(pkg)
		for _, imported := range pkg.Imports() {
			walk(imported)
		}
	}
	for _, pkg := range pkgs {
		walk(pkg)
	}
}

// Covers reports whether the patterns cover the folder, slash-separated and
// relative to the module root.
func (s *Source) Covers(dir string) bool { return s.scope.covers(dir) }

// ModuleDir returns the folder of the Go module that a folder belongs to, both
// slash-separated and relative to the module root.
func (s *Source) ModuleDir(dir string) string { return s.scope.home(dir) }

// Load loads the packages that the options select. The source is nil if the
// diagnostics hold errors that leave nothing to work on.
func Load(ctx context.Context, opts Options) (*Source, diag.List) {
	listing, diags := List(ctx, opts)
	if diags.HasErrors() {
		return nil, diags
	}
	source, loadDiags := listing.Load(ctx)
	return source, append(diags, loadDiags...)
}

// load loads some of the packages. Of others in the run, what may be named in markers
// is known.
func (l *Listing) load(ctx context.Context, roots []*loader.Package, known []*model.Package) (*Source, diag.List) {
	s := &Source{
		Generated: l.scope.generated,
		listing:   l.listing,
		roots:     roots,
		known:     map[string]*model.Package{},
		acyclic:   l.opts.Part && l.opts.Own == nil,
		opts:      l.opts,
	}
	for _, p := range known {
		s.known[p.Path] = p
	}
	diags := s.parse()
	if diags.HasErrors() {
		return nil, diags
	}
	if l.opts.Part {
		// Of others, no more is wanted than that they parse, and they import packages that
		// belong to other parts.
		apis := s.apiPackages()
		s.drop(slices.DeleteFunc(slices.Clone(roots), func(pkg *loader.Package) bool { return slices.Contains(apis, pkg) }))
		s.roots = apis
	}
	s.errorsAtLoad, s.errorsReported = map[*loader.Package]int{}, map[*loader.Package]int{}
	s.Exclusively(func() {
		s.eachPackage(func(pkg *loader.Package) { s.errorsAtLoad[pkg] = len(pkg.Errors) })
	})
	diags = append(diags, s.analyze(l.opts.TypesFollow)...)
	if !diags.HasErrors() {
		s.Exclusively(func() { s.loadExternal(ctx) })
	}
	if s.Model != nil && len(s.Model.Packages) == 0 && !l.opts.Part {
		diags = append(diags, diag.Warningf(diag.Position{File: strings.Join(l.opts.Patterns, " ")}, codePattern,
			"no package that matches declares Kubernetes objects or asks for deep copies: there is nothing to generate"))
	}
	return s, diags
}

// Release drops what is known of the source's own packages, apart from the model. The
// source is of no use then.
func (s *Source) Release() {
	s.forget()
	s.drop(s.roots)
	s.Packages, s.Collector = nil, nil
}

// drop drops what is known of packages.
func (s *Source) drop(pkgs []*loader.Package) {
	for _, pkg := range pkgs {
		for _, file := range pkg.Syntax {
			s.fset.RemoveFile(s.fset.File(file.Pos()))
		}
		pkg.Syntax, pkg.Types, pkg.TypesInfo = nil, nil, nil
	}
}

// analyze type-checks the API packages and makes the model.
func (s *Source) analyze(tolerant bool) diag.List {
	s.Collector = &ctmarkers.Collector{Registry: &ctmarkers.Registry{}}
	if err := registerMarkers(s.Collector.Registry); err != nil {
		return diag.List{diag.Errorf(diag.Position{}, codeLoad, "%s", diag.Ours(err.Error()))}
	}
	apis := s.apiPackages()
	var diags diag.List
	s.Exclusively(func() { diags = s.importErrors(apis) })
	if diags.HasErrors() {
		// Types that need what can't be imported say nothing that matters.
		b := s.newBuilder()
		b.indexPackages(apis)
		return slices.Concat(diags, s.guardMarkers(apis), b.diags)
	}
	diags = append(diags, s.guardMarkers(apis)...)
	s.typeCheck(apis)
	return append(diags, s.build(apis, tolerant)...)
}

// AddFiles adds Go files to the loaded packages, in memory, in place of files of
// the same names, and makes the model anew. The keys are paths relative to the
// module root. Types that are still missing are errors.
func (s *Source) AddFiles(files map[string][]byte) diag.List {
	if len(files) == 0 && !s.typesMissing {
		return nil
	}
	byDir := map[string]*loader.Package{}
	s.eachPackage(func(pkg *loader.Package) {
		if dir := s.relative(s.packageDir(pkg)); inModule(dir) {
			byDir[dir] = pkg
			pkg.Types, pkg.TypesInfo, pkg.IllTyped = nil, nil, false
			pkg.Errors = pkg.Errors[:s.errorsAtLoad[pkg]]
			delete(s.errorsReported, pkg)
		}
	})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(s.root, filepath.FromSlash(name))
		syntax, err := parser.ParseFile(s.fset, file, files[name], parser.ParseComments)
		if err != nil {
			return diag.List{diag.Errorf(diag.Position{File: name}, codeSyntax, "%s", diag.Ours("the generated source does not parse: "+err.Error()))}
		}
		pkg := byDir[path.Dir(name)]
		s.parsePackage(pkg)
		s.Exclusively(func() { s.link(pkg, syntax) }) // others look for packages among imports
		isOld := func(f *ast.File) bool { return s.fset.File(f.Pos()).Name() == file }
		pkg.Syntax = append(slices.DeleteFunc(pkg.Syntax, isOld), syntax)
	}
	diags := s.analyze(false)
	if !diags.HasErrors() {
		s.Exclusively(func() {
			s.Model.Referenced, _ = s.referencedPackages()
			s.Model.Imports = s.imports()
		})
	}
	return diags
}

// link has a package import what a file imports that is added to it. Imports that
// are not loaded are left out: what types are made of is, and no function is
// checked.
func (s *Source) link(pkg *loader.Package, file *ast.File) {
	known := maps.Clone(pkg.Imports())
	s.eachPackage(func(loaded *loader.Package) {
		if known[loaded.PkgPath] == nil {
			known[loaded.PkgPath] = loaded
		}
	})
	isUnknown := func(spec *ast.ImportSpec) bool {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil || known[importPath] == nil {
			return true
		}
		pkg.Imports()[importPath] = known[importPath]
		return false
	}
	file.Imports = slices.DeleteFunc(file.Imports, isUnknown)
	file.Decls = slices.DeleteFunc(file.Decls, func(decl ast.Decl) bool {
		imports, ok := decl.(*ast.GenDecl)
		if !ok || imports.Tok != token.IMPORT {
			return false
		}
		imports.Specs = slices.DeleteFunc(imports.Specs, func(spec ast.Spec) bool { return isUnknown(spec.(*ast.ImportSpec)) })
		return len(imports.Specs) == 0
	})
}

// registerMarkers registers what controller-gen's crd and object generators read.
func registerMarkers(into *ctmarkers.Registry) error {
	if err := crdmarkers.Register(into); err != nil {
		return err
	}
	return deepcopy.Generator{}.RegisterMarkers(into)
}

// importErrors reports the imports of packages that lead nowhere, or to C: what cgo makes
// of a package is not listed.
func (s *Source) importErrors(pkgs []*loader.Package) diag.List {
	var diags diag.List
	for _, pkg := range pkgs {
		for _, file := range pkg.Syntax {
			for _, spec := range importSpecs(file) {
				importPath, err := strconv.Unquote(spec.Path.Value)
				if err != nil || importPath == "unsafe" {
					continue
				}
				imported := pkg.Imports()[importPath]
				switch {
				case importPath == "C":
					diags = append(diags, diag.Errorf(s.Position(spec.Path.Pos()), codeLoad,
						"cgo in a package of API types is not supported: move what uses it to another package"))
				case imported == nil:
					diags = append(diags, diag.Errorf(s.Position(spec.Path.Pos()), codeLoad,
						"cannot import %q: the go command does not know the package, or it imports this one in turn", importPath))
				case (len(imported.CompiledGoFiles) == 0 || imported.Name == "") && len(imported.Errors) > 0: // no file, or no package clause
					diags = append(diags, diag.Errorf(s.Position(spec.Path.Pos()), codeLoad,
						"cannot import %q: %s", importPath, s.relativeText(imported.Errors[0].Msg)).
						As("cannot import %q, as %%d files do: %s", importPath, s.relativeText(imported.Errors[0].Msg)))
				}
			}
		}
	}
	return diags
}

// importSpecs returns all imports of a file, of "C", too.
func importSpecs(file *ast.File) []*ast.ImportSpec {
	var specs []*ast.ImportSpec
	for _, decl := range file.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.IMPORT {
			for _, spec := range decl.Specs {
				specs = append(specs, spec.(*ast.ImportSpec))
			}
		}
	}
	return specs
}

// apiPackages returns the roots that declare Kubernetes objects, or ask for deep
// copies, or are referred to by such. Others, such as a provider's controllers,
// need no type check.
func (s *Source) apiPackages() []*loader.Package {
	return slices.DeleteFunc(slices.Clone(s.roots), func(pkg *loader.Package) bool {
		return !slices.ContainsFunc(pkg.Syntax, isAPIFile)
	})
}

// isAPIFile reports whether a file embeds TypeMeta in a struct or has a marker
// that makes its package an API package.
func isAPIFile(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, comment := range group.List {
			text, found := markerText(comment.Text)
			if found && (strings.HasPrefix(text, markers.ObjectPrefix) || strings.HasPrefix(text, markers.DeepCopyGen) ||
				strings.HasPrefix(text, markers.GroupName+"=")) {
				return true
			}
		}
	}
	for _, decl := range file.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok && embedsTypeMeta(spec.Type) {
				return true
			}
		}
	}
	return false
}

func embedsTypeMeta(expr ast.Expr) bool {
	structType, ok := expr.(*ast.StructType)
	return ok && slices.ContainsFunc(structType.Fields.List, func(f *ast.Field) bool {
		selector, ok := f.Type.(*ast.SelectorExpr)
		return ok && len(f.Names) == 0 && selector.Sel.Name == "TypeMeta"
	})
}
