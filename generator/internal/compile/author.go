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
func (u *universe) needsOfAuthor(p *packageCheck) {
	if p.loaded == nil {
		return
	}
	for _, name := range p.loaded.Files() {
		if slices.ContainsFunc(p.folder.files, func(g *generated) bool { return g.name == name }) {
			continue // a copy
		}
		file, err := u.program.ParseFile(name, true)
		if err != nil {
			continue // the error is reported where the file is parsed
		}
		p.author = append(p.author, file)
		u.needsOf(p, file, false)
	}
}

// isSuspect reports whether a package may not compile, according to the known declarations.
func (u *universe) isSuspect(p *packageCheck) bool {
	files := slices.Concat(p.author, p.loaded.Hidden())
	for _, g := range p.folder.files {
		files = append(files, g.syntax)
	}
	suspect := false
	u.typeCheck(p, p.path, files, nil, func(problem types.Error) {
		// The known declarations may be too few. The compiler has the last word about the author's files.
		suspect = suspect || p.generatedAt(u.program.Files.Fset, problem.Pos) == nil && !strings.HasPrefix(problem.Msg, "could not import")
	})
	u.program.Files.Forget(p.author...)
	return suspect
}

// checkAuthor reports the errors in the author's files of packages with generated code.
func (u *universe) checkAuthor(ctx context.Context, all []*packageCheck, files map[string][]byte) (diag.List, error) {
	var suspects []string
	for _, p := range all {
		if len(p.author) > 0 && u.isSuspect(p) {
			suspects = append(suspects, p.path)
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
