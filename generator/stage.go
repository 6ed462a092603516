package generator

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

// A Stage makes output of its own in a run, from the model that mrgen's stages work on. Like an
// Analyzer of golang.org/x/tools/go/analysis, it is data with a function.
//
// Stages don't see each other's output. What they write is compared with the disk, pruned and
// applied as all else, and Go code is checked to compile with its package.
type Stage struct {
	// Name in lower case, which no other stage has.
	Name string
	// Doc says in one sentence what the stage writes.
	Doc string
	// Version identifies what Run makes of a model. It must change with all else that the output
	// depends on: the code, settings, other files. A run is only remembered in [Options.CacheDir] if
	// all of its stages have a version.
	Version string
	// GoFiles are the names of the Go files that the stage writes into API packages, each of which
	// begins with zz_generated. No run reads them.
	GoFiles []string
	// Folder is the one for the documents of the stage, relative to the module root. It may be empty
	// if there are none.
	Folder string
	// Definitions is set if the stage needs [Kind.Definition]. It then doesn't run if a definition is
	// wrong.
	Definitions bool
	// ByGroup is set if what the stage makes of an API group depends on no other one. Then Run is called
	// for some groups at a time, and not for those that are as the last run left them, which takes less
	// memory and time. All packages of a group are in one model, and so are packages that they import.
	// A document has packages of one group in [StageFile.From].
	ByGroup bool
	// Run returns what the stage writes. The model has all packages that the options select, or some
	// with ByGroup, and must not be changed. Mistakes of the user are diagnostics; an error is a bug in
	// the stage, or a cancelled context.
	Run func(ctx context.Context, model *Model) (StageOutput, error)
}

// A StageOutput is what a [Stage] has made.
type StageOutput struct {
	// Files are written if no diagnostic of the run is an error.
	Files []StageFile
	// Diagnostics may be in any order.
	Diagnostics diag.List
}

// A StageFile is a file without the first lines, which say that it is generated.
type StageFile struct {
	// Path is slash-separated and relative to the module root: that of one of [Stage.GoFiles] in the
	// folder of a package of the model, or that of a .yaml or .md file directly in [Stage.Folder].
	Path string
	// Content of a Go file begins with the package clause, and need not be formatted.
	Content []byte
	// From are the packages that a document is made from, by folder, and all if it is empty, which it
	// must not be with [Stage.ByGroup]. It is stale once they are gone.
	From []string
}

// stages returns the stages of the options for the engine.
func (o Options) stages() []pipeline.Stage { return each(o.Stages, Stage.internal) }

func (s Stage) internal() pipeline.Stage {
	stage := pipeline.Stage{
		Name: s.Name, Doc: s.Doc,
		GoFiles:  each(s.GoFiles, func(name string) pipeline.GoFile { return pipeline.GoFile{Name: name} }),
		External: &pipeline.External{Version: s.Version, Folder: s.Folder, ByGroup: s.ByGroup},
	}
	if s.Definitions {
		stage.Requires = []reflect.Type{reflect.TypeFor[pipeline.Definitions]()}
	}
	if s.Run != nil {
		stage.Run = s.run
	}
	return stage
}

func (s Stage) run(ctx context.Context, pass *pipeline.Pass) error {
	var definitions pipeline.Definitions
	if s.Definitions {
		definitions = pipeline.ResultOf[pipeline.Definitions](pass)
	}
	made, err := s.Run(ctx, newModel(pass.Model, definitions))
	if err != nil {
		return err
	}
	pass.Report(made.Diagnostics...)
	for _, file := range made.Files {
		if err := s.emit(pass, file); err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
	}
	return nil
}

// emit adds a file to the output, with its first lines.
func (s Stage) emit(pass *pipeline.Pass, file StageFile) error {
	var folders []string
	for _, p := range pass.Model.Packages {
		folders = append(folders, p.Dir)
	}
	folder, name := path.Dir(file.Path), path.Base(file.Path)
	switch {
	case slices.Contains(s.GoFiles, name) && slices.Contains(folders, folder):
		header := artifact.GoHeader + "\n\n"
		if text := strings.TrimSpace(pass.Options.Header); text != "" {
			header = text + "\n\n" + header
		}
		source := append([]byte(header), file.Content...)
		if _, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution); err != nil {
			return err // format takes parts of files, too
		}
		content, err := format.Source(source)
		if err != nil {
			return err
		}
		return pass.Emit(file.Path, content)
	case s.Folder != "" && folder == path.Clean(filepath.ToSlash(s.Folder)) && artifact.IsDocument(name):
		if groups := groupsOf(pass.Model, file.From); s.ByGroup && len(groups) != 1 {
			return fmt.Errorf("StageFile.From has packages of %d API groups: name those of the one that the document is about, or set Stage.ByGroup to false", len(groups))
		}
		if len(file.From) > 0 {
			folders = file.From
		}
		return emitDocument(pass, file.Path, folders, file.Content)
	default:
		return fmt.Errorf("the stage doesn't say that it writes this file, see Stage.GoFiles and Stage.Folder")
	}
}

// groupsOf returns the API groups of the packages in some folders.
func groupsOf(m *model.Model, folders []string) map[string]bool {
	groups := map[string]bool{}
	for _, p := range m.Packages {
		if p.Group != "" && slices.Contains(folders, p.Dir) {
			groups[p.Group] = true
		}
	}
	return groups
}

// emitDocument adds a document, unless one on disk is also about packages that the run leaves out.
func emitDocument(pass *pipeline.Pass, name string, folders []string, content []byte) error {
	sc := pass.Source.Program.Scope
	if onDisk, err := os.ReadFile(sc.Abs(name)); err == nil {
		if others := artifact.OtherSources(sc.Root(), onDisk, sc.Covers); len(others) > 0 {
			pass.Report(diag.Warningf(diag.Position{File: name}, engine.CodeStage,
				"the file stays as it is, since it is also about the package in %s, which the patterns leave out: generate all packages", others[0]))
			return nil
		}
	}
	header := artifact.YAMLHeader(folders)
	if path.Ext(name) == ".md" {
		header = artifact.MarkdownHeader(folders)
	}
	return pass.Emit(name, bytes.Join([][]byte{[]byte(header), content}, []byte("\n")))
}
