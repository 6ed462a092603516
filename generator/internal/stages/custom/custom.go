// Package custom runs stages of other programs among those of mrgen.
package custom

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
	"sync"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/stage"
)

// Stages returns stages of other programs as those of mrgen.
func Stages(list []stage.Stage) []pipeline.Stage {
	var all []pipeline.Stage
	for _, s := range list {
		all = append(all, of(s))
	}
	return all
}

func of(s stage.Stage) pipeline.Stage {
	known := pipeline.Stage{
		Name: s.Name, Doc: s.Doc,
		External: &pipeline.External{Version: s.Version, Folder: s.Folder, ByGroup: s.ByGroup},
	}
	for _, name := range s.GoFiles {
		known.GoFiles = append(known.GoFiles, pipeline.GoFile{Name: name})
	}
	if s.Definitions {
		known.Requires = []reflect.Type{reflect.TypeFor[pipeline.Definitions]()}
	}
	if s.Run != nil {
		var one sync.Mutex // whoever wrote it need not think of units that are worked on side by side
		known.Run = func(ctx context.Context, pass *pipeline.Pass) error {
			one.Lock()
			defer one.Unlock()
			return execute(ctx, s, pass)
		}
	}
	return known
}

func execute(ctx context.Context, s stage.Stage, pass *pipeline.Pass) error {
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
		if err := emit(s, pass, file); err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
	}
	return nil
}

// emit adds a file to the output, with its first lines.
func emit(s stage.Stage, pass *pipeline.Pass, file stage.File) error {
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
			pass.Report(diag.Warningf(diag.Position{File: name}, pipeline.CodeStage,
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
