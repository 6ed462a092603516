// Package lifepackage keeps the package that lives the lives of kinds in step with mrgen, in providers that have it.
package lifepackage

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/stagerunner"
	"github.com/mrgen-io/mrgen/testdata"
)

const (
	// Dir is the folder of the package, relative to the module.
	Dir = "internal/life"
	// Runtime is the path of crossplane-runtime since version 2, and OldRuntime the path before.
	Runtime    = OldRuntime + "/v2"
	OldRuntime = "github.com/crossplane/crossplane-runtime"

	prefix = "zz_generated."
)

// Extension returns the extension that writes the package again where an earlier run wrote it, or begins it.
func Extension(begins bool) stagerunner.Extension {
	return stagerunner.Extension{Settings: begins, Finish: func(_ context.Context, f *stagerunner.Finishing) (diag.List, error) {
		written, diags := writtenFiles(f)
		if len(written) == 0 && !begins {
			return diags, nil
		}
		f.Replace(written)
		return diags, write(f, runtimeOf(f))
	}}
}

// write adds the files of the package to a run, for the path of the module crossplane-runtime.
func write(f *stagerunner.Finishing, runtimePath string) error {
	header := strings.TrimLeft(strings.TrimSpace(f.Settings.Header)+"\n\n", "\n") + artifact.GoHeader + "\n\n"
	return fs.WalkDir(testdata.Life, "life", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := testdata.Life.ReadFile(name)
		if err != nil {
			return err
		}
		content = bytes.ReplaceAll(content, []byte(Runtime+"/"), []byte(runtimePath+"/"))
		return f.Output.Artifacts.Add(path.Join(Dir, prefix+path.Base(name)), append([]byte(header), content...))
	})
}

// writtenFiles returns the files of the package that mrgen wrote, and reports files that were renamed.
func writtenFiles(f *stagerunner.Finishing) (written []string, diags diag.List) {
	dir := filepath.Join(f.Root, filepath.FromSlash(Dir))
	entries, err := f.Log.ReadFolder(dir)
	if err != nil {
		return nil, nil // most providers have no such folder
	}
	for _, entry := range entries {
		name := entry.Name()
		switch content, _, err := f.Log.ReadFile(filepath.Join(dir, name)); {
		case err != nil || path.Ext(name) != ".go" || !artifact.Owned(content):
		case strings.HasPrefix(name, prefix):
			written = append(written, path.Join(Dir, name))
		default:
			diags = append(diags, artifact.Renamed(path.Join(Dir, name)))
		}
	}
	return written, diags
}

// runtimeOf returns the path of crossplane-runtime that the module requires.
func runtimeOf(f *stagerunner.Finishing) string {
	name := filepath.Join(f.Root, "go.mod")
	content, _, err := f.Log.ReadFile(name)
	if err != nil {
		return Runtime
	}
	file, err := modfile.ParseLax(name, content, nil)
	isOld := func(r *modfile.Require) bool { return r.Mod.Path == OldRuntime }
	isNew := func(r *modfile.Require) bool { return r.Mod.Path == Runtime }
	if err == nil && slices.ContainsFunc(file.Require, isOld) && !slices.ContainsFunc(file.Require, isNew) {
		return OldRuntime
	}
	return Runtime // the go command reports mistakes in go.mod
}
