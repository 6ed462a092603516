// Package pipeline runs stages over a loaded source, one after the other, and
// collects what they emit.
//
// The design follows golang.org/x/tools/go/analysis: a stage is data with a Run
// function, documented and validated, and knows nothing of other stages.
package pipeline

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/load"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// A Stage makes one kind of output.
type Stage struct {
	// Name of the stage, in lower case.
	Name string
	// Doc says in one sentence what the stage emits.
	Doc string
	// GoFiles are the names of the Go files that the stage writes into API
	// packages. No other stage writes them, and no run reads them.
	GoFiles []string
	// AddsImports is set if the Go files import packages that the types which they
	// are made for don't need. They are hidden in packages that the run leaves out,
	// too, so that they never decide on themselves.
	AddsImports bool
	// OwnFile is the name of a Go file that is a package of its own, at the path
	// that the options name. It may be empty.
	OwnFile string
	// DeclaresTypes is set if the Go files declare types that later stages work
	// on: they are added to the source in memory when the stage is done.
	DeclaresTypes bool
	// Defines is set for the stage that makes the definitions of the kinds, and
	// NeedsDefinitions for those that read them.
	Defines, NeedsDefinitions bool
	// Run emits the stage's output through the pass. Mistakes of the user are
	// reported there; an error is a mistake of ours.
	Run func(context.Context, *Pass) error
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
	// MinKubernetes is the oldest Kubernetes version that must accept the CRDs, and
	// Judge tells whether it does.
	MinKubernetes *version.Version
	Judge         *apiserver.Judge
	// KeepSchemas tells whether definitions keep their schemas and decisions when all
	// files are made of them. They take a lot of memory.
	KeepSchemas bool
	// OnStage is called with the name of each stage when it begins. It may be nil.
	OnStage func(name string)
	// Registry is the package that resolvers find kinds in whose packages they
	// can't import, or nil if there is none.
	Registry *load.OwnPackage
}

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
	Source  *load.Source
	Model   *model.Model
	Options Options
	// Definitions of the kinds, sorted by group and kind. The stage that makes
	// the schemas sets them for those that follow.
	Definitions []Definition

	artifacts *artifact.Set
	// diags are those of the stage that runs.
	diags diag.List
}

// Report adds diagnostics.
func (p *Pass) Report(diags ...diag.Diagnostic) { p.diags = append(p.diags, diags...) }

// ReportPackageErrors reports the errors that controller-tools left at the
// packages since they were loaded.
func (p *Pass) ReportPackageErrors() { p.Report(p.Source.PackageErrors()...) }

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

// emittedBy returns the Go files that a stage has emitted, by path.
func (p *Pass) emittedBy(s Stage) map[string][]byte {
	files := map[string][]byte{}
	for name, content := range p.artifacts.Files() {
		if slices.Contains(s.GoFiles, path.Base(name)) {
			files[name] = content
		}
	}
	return files
}

// DeclareTypes reports whether any of the stages declares types.
func DeclareTypes(stages []Stage) bool {
	return slices.ContainsFunc(stages, func(s Stage) bool { return s.DeclaresTypes })
}

// Declaring returns the stages that declare types.
func Declaring(stages []Stage) []Stage {
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return !s.DeclaresTypes })
}

// Defining returns the stage that makes the definitions of the kinds.
func Defining(stages []Stage) []Stage {
	return slices.DeleteFunc(slices.Clone(stages), func(s Stage) bool { return !s.Defines })
}

// GoFiles returns the names of the Go files that the stages write.
func GoFiles(stages []Stage) []string {
	var names []string
	for _, s := range stages {
		names = append(names, s.GoFiles...)
		if s.OwnFile != "" {
			names = append(names, s.OwnFile)
		}
	}
	return names
}

// Importers returns the names of the Go files of the stages that add imports.
func Importers(stages []Stage) []string {
	var names []string
	for _, s := range stages {
		if s.AddsImports {
			names = append(names, s.GoFiles...)
		}
	}
	return names
}

// OwnFile returns the name of the Go file that is a package of its own, or "" if
// no stage writes one.
func OwnFile(stages []Stage) string {
	for _, s := range stages {
		if s.OwnFile != "" {
			return s.OwnFile
		}
	}
	return ""
}

// Validate reports mistakes in a list of stages: an empty or doubled name, no
// documentation, no Run function, a Go file that two stages write.
func Validate(stages []Stage) error {
	names, files := map[string]bool{}, map[string]string{}
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
	}
	return nil
}

// Output is what the stages of a run have made.
type Output struct {
	// Artifacts are the files.
	Artifacts *artifact.Set
	// Definitions are those of the kinds, sorted by group and kind.
	Definitions []Definition
}

// Run runs the stages in order. A stage whose base is wrong doesn't run: one after a stage
// that was to declare types, or was to make the definitions that it needs, and reported an
// error. The others do, so that all that is wrong shows at once; the output is then
// incomplete.
func Run(ctx context.Context, source *load.Source, options Options, stages []Stage) (Output, diag.List, error) {
	pass := &Pass{Source: source, Model: source.Model, Options: options, artifacts: &artifact.Set{}}
	var diags diag.List
	undefined := false
	for _, s := range stages {
		if err := ctx.Err(); err != nil {
			return Output{}, nil, err
		}
		if undefined && s.NeedsDefinitions {
			continue
		}
		if options.OnStage != nil {
			options.OnStage(s.Name)
		}
		pass.diags = nil
		if err := s.Run(ctx, pass); err != nil {
			return Output{}, append(diags, pass.diags...), fmt.Errorf("stage %s: %w", s.Name, err)
		}
		if s.DeclaresTypes && !pass.Failed() {
			pass.Report(source.AddFiles(pass.emittedBy(s))...)
			pass.Model = source.Model
		}
		failed := pass.Failed()
		undefined = undefined || failed && s.Defines
		diags = append(diags, others(diags, pass.diags)...)
		if failed && s.DeclaresTypes {
			break
		}
	}
	return Output{Artifacts: pass.artifacts, Definitions: pass.Definitions}, causes(diags, GoFiles(stages)), nil
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
