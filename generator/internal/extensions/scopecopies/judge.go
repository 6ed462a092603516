package scopecopies

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// A Checked is a package with copies that were type-checked.
type Checked struct {
	// Dir is the folder, relative to the root.
	Dir   string
	Files []*ast.File
	Info  *types.Info
	// Position returns where something is in the source of the copies.
	Position func(token.Pos) diag.Position
}

// A Judge tells what copies do with namespaces from their types: a copy of either scope must ask for
// nothing but the namespace of its resource, which in cluster scope there is none of.
type Judge struct {
	// Scope is the scope of the copies.
	Scope Scope
	// Module is the module path.
	Module string
	// APIs are the import paths of the packages with the kinds of that scope, and Helpers is that of
	// the package with what the scopes do differently, or "".
	APIs    map[string]bool
	Helpers string
	// Replaced are the functions that the settings name.
	Replaced map[string]bool
	// Local reports whether a package is judged, too.
	Local func(importPath string) bool
}

// NewJudge returns what judges the copies of a pair whose source has a scope, in a module. apis are the
// import paths of packages with copied kinds.
func NewJudge(p scopepair.Pair, module, source string, apis map[string]bool) *Judge {
	j := &Judge{Scope: Cluster, Module: module, APIs: apis, Replaced: map[string]bool{}}
	if source == j.Scope.String() {
		j.Scope = Namespaced
	}
	if p.Helpers.Text != "" {
		j.Helpers = path.Join(module, p.Helpers.Text)
	}
	for _, r := range p.Replace {
		j.Replaced[r.New.Text] = true
	}
	back := p.Reversed()
	j.Local = func(importPath string) bool {
		_, found := back.Counterpart(strings.TrimPrefix(importPath, module+"/"))
		return found
	}
	return j
}
