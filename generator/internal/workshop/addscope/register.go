package addscope

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/goedit"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// register adds the packages of one scope to the lists with the other scope's, for schemes and for controllers,
// in packages that aren't copied. pair leads from the listed packages to the new ones, and folder names the new
// scope.
func (a *adder) register(pair scopepair.Pair, folder string) {
	isCopied := func(dir string) bool {
		_, ok := pair.Counterpart(dir)
		return ok
	}
	for _, dir := range sorted(a.folders) {
		if isCopied(dir) || !slices.ContainsFunc(sorted(a.folders[dir].Imports), isCopied) { // it lists nothing that is copied
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
	if strings.HasPrefix(function, "Setup") || layout.AddsToScheme(function) {
		return 1
	}
	return 0
}

// registerIn adds to the lists in a file, and leaves other registrations to the author.
func (a *adder) registerIn(f *goedit.File, pair scopepair.Pair, folder string) {
	done := map[ast.Expr]bool{}
	for _, list := range a.source.Lists(f.Syntax, registers) {
		for _, e := range list.Elements {
			to, isCopied := pair.Counterpart(e.Dir)
			// A statement with a text can be copied, but elements may need different texts.
			if _, isElement := e.Node.(ast.Expr); !isCopied || isElement && !e.IsModel {
				continue
			}
			done[e.Called] = true
			name, selected, _ := strings.Cut(f.Text(e.Called), ".")
			alias := f.Import(a.source.Path+"/"+to, a.source.Path, folder+name, folder+path.Base(path.Dir(to))+name)
			e.Append(f, e, alias+"."+selected)
		}
	}
	for _, e := range a.source.Functions(f.Syntax, registers) {
		if to, isCopied := pair.Counterpart(e.Dir); isCopied && !done[e.Called] {
			function := folder + f.Text(e.Called)
			alias, _, _ := strings.Cut(function, ".")
			a.added.ByHand = append(a.added.ByHand, layout.Step{
				Pos: f.Position(e.Called), Text: "mrgen can't copy this registration for the other scope: add one with",
				Lines: []string{alias + ` "` + a.source.Path + "/" + to + `"`, function},
			})
		}
	}
}
