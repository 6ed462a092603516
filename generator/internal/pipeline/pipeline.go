// Package pipeline runs stages over a loaded source, one after the other, and
// collects what they emit.
//
// The design follows golang.org/x/tools/go/analysis: a stage is data with a Run
// function, documented and validated, and knows nothing of other stages.
package pipeline

import (
	"context"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/source/build"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// A Stage makes one kind of output.
type Stage struct {
	// Name of the stage, in lower case.
	Name string
	// Doc says in one sentence what the stage emits.
	Doc string
	// GoFiles are the Go files that the stage writes. No other stage writes files of
	// these names, and no run reads them.
	GoFiles []GoFile
	// Requires are the types of the results that the stage reads, each by [ResultOf]. It
	// doesn't run if the stage that was to make one of them has failed.
	Requires []reflect.Type
	// Result is the type of what the stage makes for others, by [Provide]. It is nil if that
	// is nothing but files.
	Result reflect.Type
	// Declares returns the types, among those that a model lacks, that the stage declares in
	// its files. These are added to the source in memory when the stage is done: later
	// stages work on the types, and don't run if they can't be declared. It is nil if the
	// stage declares none.
	Declares func(*model.Model) []flavor.TypeName
	// Run emits the stage's output through the pass. Mistakes of the user are
	// reported there; an error is a mistake of ours.
	Run func(context.Context, *Pass) error
}

// A GoFile is a file that a stage writes into API packages.
type GoFile struct {
	// Name of the file, without a folder.
	Name string
	// AddsImports is set if the file imports packages that the types which it is made for
	// don't need. It is hidden in packages that the run leaves out, too, so that it never
	// decides on itself.
	AddsImports bool
	// Alone is set if the file is a package of its own, at the path that the options name,
	// and not part of an API package.
	Alone bool
}

// Options are the settings that stages read.
type Options struct {
	// Header is the text for the top of generated Go files, usually a licence in
	// a comment; may be empty.
	Header string
	// CRDDir and MRDDir are the output folders, slash-separated and relative to
	// the module root. No MRDs are written if MRDDir is empty.
	CRDDir, MRDDir string
	// ManagedCRDs tells whether managed kinds get a CRD. Others always do.
	ManagedCRDs bool
	// ConnectionDetailAnnotations tells whether CRDs have annotations that describe
	// the keys of connection secrets.
	ConnectionDetailAnnotations bool
	// MaxDescription cuts descriptions in schemas at so many characters, at the
	// end of a sentence if there is one; negative means no limit.
	MaxDescription int
	// AllowDangerousTypes allows floating-point fields.
	AllowDangerousTypes bool
	// RequiredRules relaxes required fields into rules, and ImmutableRules makes
	// rules for +immutable.
	RequiredRules, ImmutableRules bool
	// Versions says what becomes of differences between the served versions of a kind.
	Versions VersionsMode
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs, and
	// Validator tells whether it does.
	MinKubernetes *version.Version
	Validator     apiserver.Validator
	// KeepSchemas tells whether definitions keep their schemas and decisions when all
	// files are made of them. They take a lot of memory.
	KeepSchemas bool
	// OnStage is called with the name of each stage when it begins. It may be nil.
	OnStage func(name string)
	// Registry is the package that resolvers find kinds in whose packages they
	// can't import, or nil if there is none.
	Registry *scope.OwnPackage
}

// A VersionsMode says what becomes of values that only some of the served versions of a kind
// have, and that the API server drops between them.
type VersionsMode string

const (
	// CheckVersions makes them errors.
	CheckVersions VersionsMode = "check"
	// ReportVersions makes them warnings.
	ReportVersions VersionsMode = "report"
	// IgnoreVersions lets them pass.
	IgnoreVersions VersionsMode = "off"
)

// OutputFolders are those that YAML files are written to.
func (o Options) OutputFolders() []string {
	folders := []string{o.CRDDir}
	if o.MRDDir != "" {
		folders = append(folders, o.MRDDir)
	}
	return folders
}

// A Pass gives a stage its input and takes its output.
type Pass struct {
	Source  *build.Source
	Model   *model.Model
	Options Options

	// stage is the one that runs, and results are those of the stages before it.
	stage     Stage
	results   map[reflect.Type]any
	artifacts *artifact.Set
	// goPackages are functions that return what GoPackage does, by folder.
	goPackages sync.Map
	// diags are those of the stage that runs.
	diags diag.List
}

// Report adds diagnostics.
func (p *Pass) Report(diags ...diag.Diagnostic) { p.diags = append(p.diags, diags...) }

// ReportPackageErrors reports the errors that controller-tools left at the
// packages since they were loaded.
func (p *Pass) ReportPackageErrors() { p.Report(p.Source.PackageErrors()...) }

// GoPackage returns what is known of the names in a package that Go files are written into.
// It has those that earlier stages have given away.
func (p *Pass) GoPackage(importPath, name, dir string) *gosrc.Package {
	once, _ := p.goPackages.LoadOrStore(dir, sync.OnceValue(func() *gosrc.Package {
		pkg := gosrc.NewPackage(importPath, name)
		if p.Source.Program == nil {
			return pkg // the model was not read from source
		}
		known := p.Source.Program.Names(importPath, name, dir)
		pkg.Claim(maps.Keys(known.Declared))
		pkg.ClaimImports(maps.Keys(known.Imported))
		return pkg
	}))
	return once.(func() *gosrc.Package)()
}

// Failed reports whether the stage has reported an error.
func (p *Pass) Failed() bool { return p.diags.HasErrors() }

// Emit adds an artifact. The path is slash-separated and relative to the module
// root. Two artifacts with one path are a mistake of ours.
func (p *Pass) Emit(path string, content []byte) error { return p.artifacts.Add(path, content) }

// EmitEach calls a function for each package of the model, on all processors, and
// adds the files that it returns, by name, to the folder of the package.
func (p *Pass) EmitEach(render func(*model.Package) (map[string][]byte, error)) error {
	files := make([]map[string][]byte, len(p.Model.Packages))
	err := parallel.Each(context.Background(), len(files), func(_ context.Context, i int) (err error) {
		files[i], err = render(p.Model.Packages[i])
		return err
	})
	if err != nil {
		return err
	}
	for i, pkg := range p.Model.Packages {
		for name, content := range files[i] {
			if err := p.Emit(path.Join(pkg.Dir, name), content); err != nil {
				return err
			}
		}
	}
	return nil
}

// Provide hands over the result of the stage, which says in [Stage.Result] that it has one
// of this type.
func Provide[T any](p *Pass, result T) {
	if typ := reflect.TypeFor[T](); p.stage.Result != typ {
		panic(fmt.Sprintf("stage %s provides %v, and doesn't say so", p.stage.Name, typ))
	}
	p.results[p.stage.Result] = result
}

// ResultOf returns the result of an earlier stage that has this type, which the stage says
// in [Stage.Requires] that it needs.
func ResultOf[T any](p *Pass) T {
	typ := reflect.TypeFor[T]()
	if !slices.Contains(p.stage.Requires, typ) {
		panic(fmt.Sprintf("stage %s reads %v, and doesn't say so", p.stage.Name, typ))
	}
	return p.results[typ].(T)
}

// declaredBy returns the Go files with types that a stage has emitted, by path.
func (p *Pass) declaredBy(s Stage) map[string][]byte {
	files := map[string][]byte{}
	for name, content := range p.artifacts.Files() {
		if slices.Contains(GoFiles([]Stage{s}), path.Base(name)) {
			files[name] = content
		}
	}
	return files
}

// Declaring returns the stages that declare types.
func Declaring(stages []Stage) []Stage {
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return s.Declares == nil })
}

// DeclaredLater returns the function that says which types the stages declare, see
// [Stage.Declares], or nil if they declare none.
func DeclaredLater(stages []Stage) func(*model.Model) []flavor.TypeName {
	stages = Declaring(stages)
	if len(stages) == 0 {
		return nil
	}
	return func(m *model.Model) []flavor.TypeName {
		var names []flavor.TypeName
		for _, s := range stages {
			names = append(names, s.Declares(m)...)
		}
		return names
	}
}

// Providing returns the stage with results of a type.
func Providing[T any](stages []Stage) []Stage {
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return s.Result != reflect.TypeFor[T]() })
}

// GoFiles returns the names of the Go files that the stages write.
func GoFiles(stages []Stage) []string {
	return fileNames(stages, func(GoFile) bool { return true })
}

// Importers returns the names of the Go files that add imports.
func Importers(stages []Stage) []string {
	return fileNames(stages, func(f GoFile) bool { return f.AddsImports })
}

// OwnFile returns the name of the Go file that is a package of its own, or "" if
// no stage writes one.
func OwnFile(stages []Stage) string {
	return strings.Join(fileNames(stages, func(f GoFile) bool { return f.Alone }), "")
}

func fileNames(stages []Stage, which func(GoFile) bool) []string {
	var names []string
	for _, s := range stages {
		for _, f := range s.GoFiles {
			if which(f) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// Validate reports mistakes in a list of stages: an empty or doubled name, no
// documentation, no Run function, a Go file or a result that two stages make, a result
// that is required before any stage has made it, two files that are packages of their own.
func Validate(stages []Stage) error {
	names, files, results := map[string]bool{}, map[string]string{}, map[reflect.Type]string{}
	for _, s := range stages {
		switch {
		case s.Name == "" || s.Name != strings.ToLower(s.Name):
			return fmt.Errorf("stage %q: the name must be in lower case", s.Name)
		case names[s.Name]:
			return fmt.Errorf("stage %s is listed twice", s.Name)
		case !strings.HasSuffix(s.Doc, "."):
			return fmt.Errorf("stage %s: the documentation must be a sentence", s.Name)
		case s.Run == nil:
			return fmt.Errorf("stage %s has no Run function", s.Name)
		}
		names[s.Name] = true
		for _, file := range GoFiles([]Stage{s}) {
			if other, taken := files[file]; taken {
				return fmt.Errorf("stages %s and %s both write %s", other, s.Name, file)
			}
			files[file] = s.Name
		}
		for _, required := range s.Requires {
			if results[required] == "" {
				return fmt.Errorf("stage %s requires %v, which no stage before it makes", s.Name, required)
			}
		}
		if other := results[s.Result]; s.Result != nil && other != "" {
			return fmt.Errorf("stages %s and %s both make %v", other, s.Name, s.Result)
		}
		results[s.Result] = s.Name
	}
	if alone := fileNames(stages, func(f GoFile) bool { return f.Alone }); len(alone) > 1 {
		return fmt.Errorf("%s are both packages of their own, and the options name one", strings.Join(alone, " and "))
	}
	return nil
}

// Output is what the stages of a run have made.
type Output struct {
	// Artifacts are the files.
	Artifacts *artifact.Set
	// Definitions are those of the kinds, sorted by group and kind.
	Definitions Definitions
}

// Run runs the stages in order. A stage whose base is wrong doesn't run: one after a stage
// that was to declare types, or was to make a result that it requires, and reported an
// error. The others do, so that all that is wrong shows at once; the output is then
// incomplete.
func Run(ctx context.Context, source *build.Source, options Options, stages []Stage) (Output, diag.List, error) {
	pass := &Pass{Source: source, Model: source.Model, Options: options, results: map[reflect.Type]any{}, artifacts: &artifact.Set{}}
	var diags diag.List
	for _, s := range stages {
		if err := ctx.Err(); err != nil {
			return Output{}, nil, err
		}
		if slices.ContainsFunc(s.Requires, func(t reflect.Type) bool { return pass.results[t] == nil }) {
			continue
		}
		if options.OnStage != nil {
			options.OnStage(s.Name)
		}
		pass.stage, pass.diags = s, nil
		if err := s.Run(ctx, pass); err != nil {
			return Output{}, append(diags, pass.diags...), fmt.Errorf("stage %s: %w", s.Name, err)
		}
		if s.Declares != nil && !pass.Failed() {
			pass.Report(source.AddFiles(pass.declaredBy(s))...)
			pass.Model = source.Model
		}
		diags = append(diags, others(diags, pass.diags)...)
		if pass.Failed() {
			if s.Declares != nil {
				break
			}
			delete(pass.results, s.Result)
		} else if s.Result != nil && pass.results[s.Result] == nil {
			return Output{}, nil, fmt.Errorf("stage %s does not provide %v", s.Name, s.Result)
		}
	}
	definitions, _ := pass.results[reflect.TypeFor[Definitions]()].(Definitions)
	return Output{Artifacts: pass.artifacts, Definitions: definitions}, causes(diags, GoFiles(stages)), nil
}

// others returns the diagnostics of a stage less the errors in lines that have one of an
// earlier stage: a field that one stage can't work with is no better for the next.
func others(earlier, diags diag.List) diag.List {
	type line struct {
		file string
		line int
	}
	known := map[line]bool{}
	for _, d := range earlier {
		if d.Severity == diag.Error && d.Pos.Line > 0 {
			known[line{d.Pos.File, d.Pos.Line}] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(diags), func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && known[line{d.Pos.File, d.Pos.Line}]
	})
}

// causes returns the diagnostics less the errors in files that a stage has written, which
// nobody can edit, if any error is elsewhere: it is the cause of the others. Otherwise
// they are a mistake of ours.
func causes(diags diag.List, outputs []string) diag.List {
	isOurs := func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && slices.Contains(outputs, path.Base(d.Pos.File))
	}
	if !slices.ContainsFunc(diags, isOurs) {
		return diags
	}
	if slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && !isOurs(d) }) {
		return slices.DeleteFunc(slices.Clone(diags), isOurs)
	}
	all := slices.Clone(diags)
	for i, d := range all {
		if isOurs(d) {
			all[i].Message = diag.Ours("the generated source is wrong: " + d.Message)
		}
	}
	return all
}
