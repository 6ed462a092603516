package apitypes

import (
	"go/ast"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/markers"
)

// reportMachine reports files that only some machines compile and that declare something of the API: the output would
// differ from machine to machine.
func (b *builder) reportMachine() {
	declared := map[string]map[string]bool{} // names of types, by import path
	for _, t := range b.types {
		if t.Local && t.Name != "" {
			if declared[t.Package] == nil {
				declared[t.Package] = map[string]bool{}
			}
			declared[t.Package][t.Name] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(b.packages)) {
		pkg := b.packages[path]
		isAPI := slices.Contains(b.source.Program.APIs, pkg)
		names := declared[loader.NonVendorPath(path)]
		if len(names) == 0 && !isAPI {
			continue
		}
		for _, file := range b.source.Program.MachineFiles(pkg) {
			message, of := "only some machines compile this file, which has %s: move it to a file without GOOS, GOARCH or the like in its name or constraint", names
			if file.Ignored { // an old copy of a type does no harm
				message, of = "no build has this file, which has %s: remove its build constraint, or delete the file", nil
			}
			if what := partOfAPI(file.Syntax, of, isAPI); what != "" && (!file.Ignored || !names[what]) {
				b.diags = append(b.diags, diag.Errorf(b.source.Program.Files.Position(file.Pos), codeLoad, message, what))
			}
		}
	}
}

// reportTests reports tests with the markers of a kind or a package, which the go command leaves out of the package.
func (b *builder) reportTests() {
	for _, pkg := range b.source.Program.APIs {
		for _, file := range b.source.Program.Tests(pkg) {
			isMarked := false
			for _, text := range gosyntax.Markers(file.Comments...) {
				isMarked = isMarked || strings.HasPrefix(text, markers.ObjectRoot) || strings.HasPrefix(text, markers.GroupName)
			}
			if what := partOfAPI(file, nil, true); isMarked && what != "" {
				b.diags = append(b.diags, diag.Errorf(b.source.Program.Files.Position(file.FileStart), codeLoad,
					"this is a test by its name, and has %s: rename it, since the API has nothing of tests", what))
			}
		}
	}
}

// partOfAPI describes what a file has of the API: one of the named types, a kind, a method or a constant of these, or the
// markers of the package. It returns "" if there is nothing.
func partOfAPI(file *ast.File, names map[string]bool, isAPI bool) string {
	if isAPI && file.Doc != nil && strings.Contains(file.Doc.Text(), "+"+markers.GroupName) {
		return "the markers of the package"
	}
	for _, declared := range gosyntax.Types(file) {
		if names[declared.Name.Name] || isAPI && gosyntax.Embeds(declared.Type, "TypeMeta") {
			return declared.Name.Name
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv != nil && names[gosyntax.Receiver(decl)] {
				return "a method of " + gosyntax.Receiver(decl)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if value, ok := spec.(*ast.ValueSpec); ok {
					if of, ok := value.Type.(*ast.Ident); ok && names[of.Name] {
						return "a value of " + of.Name
					}
				}
			}
		}
	}
	return ""
}
