package compile

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// needsOfAuthor parses the author's files of a package with the bodies of functions, and adds the declarations of other
// packages that they name.
func (u *Universe) needsOfAuthor(p *Package) {
	if p.Loaded == nil {
		return
	}
	for _, name := range p.Loaded.Files() {
		if slices.ContainsFunc(p.folder.files, func(g *generated) bool { return g.name == name }) {
			continue // a copy
		}
		file, err := u.program.ParseFile(name, true)
		if err != nil {
			continue // the error is reported where the file is parsed
		}
		p.author = append(p.author, file)
		u.NeedsOf(p, file, false)
	}
}

// isSuspect reports whether a package may not compile, according to the known declarations.
func (u *Universe) isSuspect(p *Package) bool {
	files := slices.Concat(p.author, p.Loaded.Hidden())
	for _, g := range p.folder.files {
		files = append(files, g.syntax)
	}
	suspect := false
	u.TypeCheck(p, p.Path, files, nil, func(problem types.Error) {
		// The known declarations may be too few. The compiler has the last word about the author's files.
		suspect = suspect || p.generatedAt(u.program.Files.Fset, problem.Pos) == nil && !strings.HasPrefix(problem.Msg, "could not import")
	})
	u.program.Files.Forget(p.author...)
	return suspect
}

// checkAuthor reports the errors in the author's files of packages with generated code.
func (u *Universe) checkAuthor(ctx context.Context, all []*Package, files map[string][]byte) (diag.List, error) {
	var suspects []string
	for _, p := range all {
		if len(p.author) > 0 && u.isSuspect(p) {
			suspects = append(suspects, p.Path)
		}
	}
	if len(suspects) == 0 {
		return nil, nil
	}
	if begin := u.checker.Begin; begin != nil {
		defer begin("go build " + suspects[0] + " and what it imports")()
	}
	return u.program.Build(ctx, u.dir, suspects, files)
}
