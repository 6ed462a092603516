package addscope

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/generator/run"
)

// register adds the packages of one scope to the lists with the other scope's, for schemes and for controllers,
// in packages that aren't copied. pair leads from the listed packages to the new ones, and folder names the new
// scope.
func (a *adder) register(pair run.ScopePair, folder string) {
	for _, dir := range sorted(a.folders) {
		if _, isCopied := pair.Counterpart(dir); isCopied {
			continue
		}
		for _, name := range a.folders[dir].files {
			content, err := os.ReadFile(filepath.Join(a.opts.Root, filepath.FromSlash(name)))
			if err != nil {
				continue // it was parsed a moment ago
			}
			f, err := goedit.Parse(a.opts.Root, name, content)
			if err != nil {
				continue
			}
			a.registerIn(f, pair, folder)
			if !f.IsEdited() {
				continue
			}
			edited, err := f.Edited()
			if err != nil {
				a.errorf(diag.Position{File: name},
					"mrgen can't add to this file: %v: run gofmt on it, and put each element of a list on a line of its own", err)
				continue
			}
			a.added.Files[name] = edited
		}
	}
}

// registers is 1 for functions that register kinds or controllers. Their parameters may be of any number.
func registers(_, function string) int {
	if strings.HasPrefix(function, "Setup") || strings.HasSuffix("."+function, ".AddToScheme") {
		return 1
	}
	return 0
}

// registerIn adds to the lists in a file.
func (a *adder) registerIn(f *goedit.File, pair run.ScopePair, folder string) {
	for _, list := range a.source.Lists(f.Syntax, registers) {
		for _, e := range list.Elements {
			to, isCopied := pair.Counterpart(e.Dir)
			if !isCopied {
				continue
			}
			function := e.Listed
			if function == nil {
				function = e.Called
			}
			name, selected, _ := strings.Cut(f.Text(function), ".")
			alias := f.Import(a.source.Path+"/"+to, a.source.Path, folder+name, folder+path.Base(path.Dir(to))+name)
			e.Append(f, e, alias+"."+selected)
		}
	}
}
