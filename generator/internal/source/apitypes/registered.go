package apitypes

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// codeKind is for diagnostics about kinds as wholes.
const codeKind diag.Code = "kind"

// reportUnregistered warns about kinds that their package doesn't register with its scheme although it registers others,
// and about kinds without a list. Clients and controllers don't know such kinds.
func (b *builder) reportUnregistered() {
	for _, p := range b.source.Model.Packages {
		if !slices.ContainsFunc(p.Objects, func(o *model.Object) bool { return hasSchema(p, o) }) {
			continue
		}
		pkg := b.source.Packages[p.Path]
		registered := b.source.Program.Registered(pkg)
		if !hasEmptyBuilder(pkg) && !slices.ContainsFunc(p.Objects, func(o *model.Object) bool { return registered[o.Name] }) {
			continue // another package does, or a way that the text doesn't show
		}
		for _, o := range p.Objects {
			if !registered[o.Name] && (o.List || hasSchema(p, o)) {
				b.diags = append(b.diags, diag.Warningf(o.Pos, codeKind,
					"%s is not registered, so that no client or controller knows it: add &%[1]s{} to the types that the package registers with its scheme",
					o.Name))
			}
			of, isList := strings.CutSuffix(o.Name, "List")
			switch isList = isList && !o.List && o.Items != nil && p.Object(of) != nil; {
			case isList:
				b.diags = append(b.diags, diag.Errorf(o.Pos, codeKind, "%s has the metadata of an object, and is the list of %s: embed metav1.ListMeta", o.Name, of))
			case hasSchema(p, o) && o.Type.Field("metadata") != nil && !hasList(p, o) && p.Object(o.Name+"List") == nil:
				b.diags = append(b.diags, diag.Warningf(o.Pos, codeKind,
					"%s has no list, so that no client or controller can watch it: declare %[1]sList with Items []%[1]s, and register it", o.Name))
			}
		}
	}
}

// hasEmptyBuilder reports whether a package has a builder of a scheme to which its own code must add types.
func hasEmptyBuilder(pkg *loader.Package) bool {
	variable, ok := pkg.Types.Scope().Lookup("SchemeBuilder").(*types.Var)
	if !ok {
		return false
	}
	value := valueOf(pkg, variable)
	if address, isAddress := value.(*ast.UnaryExpr); isAddress {
		value = address.X
	}
	literal, ok := value.(*ast.CompositeLit)
	return ok && types.ExprString(literal.Type) == "scheme.Builder"
}

// reportRenamed reports files that mrgen wrote and somebody has renamed.
func (b *builder) reportRenamed() {
	for _, pkg := range b.source.Program.APIs {
		for _, name := range b.source.Program.Renamed(pkg) {
			b.diags = append(b.diags, artifact.Renamed(name))
		}
	}
}

// hasList reports whether a package has a list of a kind.
func hasList(p *model.Package, kind *model.Object) bool {
	return slices.ContainsFunc(p.Objects, func(o *model.Object) bool {
		return o.List && (o.Name == kind.Name+"List" || o.Items != nil && o.Items.Type.Leaf() == kind.Type)
	})
}
