package compile

import (
	"context"
	"errors"
	"go/parser"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/load"
)

// needsOfAuthor parses the author's files of a package with the bodies of functions, and adds the
// declarations of other packages that they name.
func (u *universe) needsOfAuthor(p *unit) {
	if p.code == nil {
		return
	}
	sources := p.code.Sources()
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		if slices.ContainsFunc(p.folder.files, func(g *generated) bool { return u.program.Scope.Abs(g.name) == name }) {
			continue // a copy
		}
		file, err := parser.ParseFile(u.program.Files.Fset, name, sources[name], parser.SkipObjectResolution)
		if err != nil {
			continue // which is reported where it is parsed
		}
		p.author = append(p.author, file)
		imports := load.NewFileImports(file, u.importName).ByName
		eachNameIn(sources[name], func(qualifier, name string) {
			if spec := imports[qualifier]; qualifier != "" && spec != nil {
				if imported := u.unit(gosyntax.ImportPath(spec)); imported != nil {
					u.need(imported, name)
				}
			}
		})
	}
}

// isSuspect reports whether a package may not compile, as far as the declarations tell that are known.
// They may be too few, so that the compiler has the last word.
func (u *universe) isSuspect(p *unit) bool {
	files := slices.Concat(p.author, p.code.Hidden())
	for _, g := range p.folder.files {
		files = append(files, g.syntax)
	}
	suspect := false
	collect := func(err error) {
		var problem types.Error
		if errors.As(err, &problem) && p.generatedAt(u.program.Files.Fset, problem.Pos) == nil && !strings.HasPrefix(problem.Msg, "could not import") {
			suspect = true
		}
	}
	_ = types.NewChecker(u.config(p, collect), u.program.Files.Fset, types.NewPackage(p.path, p.name()), nil).Files(files)
	for _, file := range p.author {
		u.program.Files.Fset.RemoveFile(u.program.Files.Fset.File(file.FileStart))
	}
	return suspect
}

// checkAuthor reports the errors in the author's files of packages with generated code.
func (u *universe) checkAuthor(ctx context.Context, all []*unit, files map[string][]byte) (diag.List, error) {
	var suspects []string
	for _, p := range all {
		if len(p.author) > 0 && u.isSuspect(p) {
			suspects = append(suspects, p.path)
		}
	}
	if len(suspects) == 0 {
		return nil, nil
	}
	return u.program.Build(ctx, u.dir, suspects, files)
}
