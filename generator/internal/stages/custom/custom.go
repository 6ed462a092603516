// Package custom runs stages of other programs among those of mrgen.
package custom

import (
	"bytes"
	"cmp"
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
		External: &pipeline.External{Version: s.Version, Folder: s.Folder},
	}
	for _, name := range s.GoFiles {
		known.GoFiles = append(known.GoFiles, pipeline.GoFile{Name: name})
	}
	if s.Definitions {
		known.Requires = []reflect.Type{reflect.TypeFor[pipeline.Definitions]()}
	}
	if s.Run != nil || s.Finish != nil {
		var one sync.Mutex // whoever wrote it need not think of units that are worked on side by side
		known.Run = func(ctx context.Context, pass *pipeline.Pass) error {
			one.Lock()
			defer one.Unlock()
			return execute(ctx, s, pass)
		}
	}
	if s.Finish != nil {
		known.Kept = reflect.TypeFor[*stage.Model]()
		known.Finish = func(ctx context.Context, w *pipeline.Whole) error { return finish(ctx, s, w) }
	}
	return known
}

// execute runs the first half of a stage.
func execute(ctx context.Context, s stage.Stage, pass *pipeline.Pass) error {
	var definitions pipeline.Definitions
	if s.Definitions {
		definitions = pipeline.ResultOf[pipeline.Definitions](pass)
	}
	model := newModel(pass.Model, definitions)
	if s.Finish != nil {
		pipeline.Keep(pass, model)
	}
	if s.Run == nil {
		return nil
	}
	made, err := s.Run(ctx, model)
	sc := pass.Source.Program.Scope
	return emitAll(pass, made, err, func(file stage.File) error {
		if slices.Contains(s.GoFiles, path.Base(file.Path)) && slices.Contains(foldersOf(model), path.Dir(file.Path)) {
			return emitGo(pass, file)
		}
		if err := checkDocument(s, file); err != nil {
			return err
		}
		if groups := groupsOf(model, file.From); len(groups) != 1 {
			return fmt.Errorf("StageFile.From has packages of %d API groups: name those of the one that the document is about, or write it in Stage.Finish", len(groups))
		}
		return emitDocument(pass, sc.Root(), sc.Covers, file)
	})
}

// finish runs the second half of a stage, on the models of all units as one.
func finish(ctx context.Context, s stage.Stage, w *pipeline.Whole) error {
	all := &stage.Model{}
	for _, unit := range pipeline.Kept[*stage.Model](w) {
		all.Packages = append(all.Packages, unit.Packages...)
	}
	slices.SortFunc(all.Packages, func(a, b *stage.Package) int { return cmp.Compare(a.Path, b.Path) })
	made, err := s.Finish(ctx, all)
	return emitAll(w, made, err, func(file stage.File) error {
		if slices.Contains(s.GoFiles, path.Base(file.Path)) {
			return fmt.Errorf("Stage.Finish writes no Go files, which are checked to compile before: write this one in Stage.Run")
		}
		if err := checkDocument(s, file); err != nil {
			return err
		}
		if len(file.From) == 0 {
			file.From = foldersOf(all)
		}
		return emitDocument(w, w.Root, w.Covers, file)
	})
}

// A sink takes the output of one half of a stage.
type sink interface {
	Report(diags ...diag.Diagnostic)
	Emit(path string, content []byte) error
}

// emitAll adds what a half of a stage has made to the output, unless it broke.
func emitAll(to sink, made stage.Output, err error, emit func(stage.File) error) error {
	if err != nil {
		return err
	}
	to.Report(made.Diagnostics...)
	for _, file := range made.Files {
		if err := emit(file); err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
	}
	return nil
}

// emitGo adds a Go file to the output, with its first lines.
func emitGo(pass *pipeline.Pass, file stage.File) error {
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
}

// checkDocument reports a file that is not a document of the stage.
func checkDocument(s stage.Stage, file stage.File) error {
	if s.Folder != "" && path.Dir(file.Path) == path.Clean(filepath.ToSlash(s.Folder)) && artifact.IsDocument(file.Path) {
		return nil
	}
	return fmt.Errorf("the stage doesn't say that it writes this file, see Stage.GoFiles and Stage.Folder")
}

// foldersOf returns the folders of the packages of a model.
func foldersOf(m *stage.Model) []string {
	var folders []string
	for _, p := range m.Packages {
		folders = append(folders, p.Dir)
	}
	return folders
}

// groupsOf returns the API groups of the packages in some folders.
func groupsOf(m *stage.Model, folders []string) map[string]bool {
	groups := map[string]bool{}
	for _, p := range m.Packages {
		if p.Group != "" && slices.Contains(folders, p.Dir) {
			groups[p.Group] = true
		}
	}
	return groups
}

// emitDocument adds a document, unless one on disk is also about packages that the run leaves out.
func emitDocument(to sink, root string, covers func(dir string) bool, file stage.File) error {
	if onDisk, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file.Path))); err == nil {
		if others := artifact.OtherSources(root, onDisk, covers); len(others) > 0 {
			to.Report(diag.Warningf(diag.Position{File: file.Path}, pipeline.CodeStage,
				"the file stays as it is, since it is also about the package in %s, which the patterns leave out: generate all packages", others[0]))
			return nil
		}
	}
	header := artifact.YAMLHeader(file.From)
	if path.Ext(file.Path) == ".md" {
		header = artifact.MarkdownHeader(file.From)
	}
	return to.Emit(file.Path, bytes.Join([][]byte{[]byte(header), file.Content}, []byte("\n")))
}
