package controllertools

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/markers"
)

// constants is the value of +k8s:enum: the values of a type are its constants. It replaces controller-tools' own, which
// only accepts literals, and panics on repeated expressions.
type constants struct{}

// ApplyToSchema sets the values of the type that the context is about.
func (constants) ApplyToSchema(context *crdmarkers.SchemaContext, schema *apiextensionsv1.JSONSchemaProps) error {
	if context == nil { // on a field, there is no declaration to look at
		return fmt.Errorf("+%s needs a declared type", markers.K8sEnum)
	}
	name := context.Package.TypesInfo.Defs[context.TypeInfo.RawSpec.Name]
	if name == nil {
		return fmt.Errorf("unknown type %s", context.TypeInfo.Name)
	}
	t := types.Unalias(name.Type())
	if basic, ok := t.Underlying().(*types.Basic); !ok || basic.Info()&types.IsString == 0 {
		return fmt.Errorf("must apply %s to a type of strings", markers.K8sEnum)
	}
	values := constantsOf(context.Package, t)
	if len(values) == 0 {
		return fmt.Errorf("+%s needs constants of the type %s: declare some in its package", markers.K8sEnum, name.Name())
	}
	schema.Type, schema.Enum = "string", values
	return nil
}

// constantsOf returns the values of the constants of a type that its package declares, sorted
// as controller-tools sorts them, except those marked +k8s:enumExclude.
func constantsOf(pkg *loader.Package, t types.Type) []apiextensionsv1.JSON {
	var values []apiextensionsv1.JSON
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				if spec := spec.(*ast.ValueSpec); !isExcluded(group, spec) {
					values = append(values, constantsIn(pkg, spec, t)...)
				}
			}
		}
	}
	byText := func(a, b apiextensionsv1.JSON) int { return strings.Compare(string(a.Raw), string(b.Raw)) }
	slices.SortFunc(values, byText)
	return slices.CompactFunc(values, func(a, b apiextensionsv1.JSON) bool { return byText(a, b) == 0 })
}

// constantsIn returns the values of the constants of a type that a line declares.
func constantsIn(pkg *loader.Package, spec *ast.ValueSpec, t types.Type) []apiextensionsv1.JSON {
	var values []apiextensionsv1.JSON
	for _, name := range spec.Names {
		c, ok := pkg.TypesInfo.Defs[name].(*types.Const)
		if !ok || types.Unalias(c.Type()) != t || c.Val().Kind() != constant.String {
			continue
		}
		if raw, err := json.Marshal(constant.StringVal(c.Val())); err == nil { // strings always encode
			values = append(values, apiextensionsv1.JSON{Raw: raw})
		}
	}
	return values
}

// isExcluded reports whether constants are marked as not being values of their type.
func isExcluded(group *ast.GenDecl, spec *ast.ValueSpec) bool {
	doc := spec.Doc
	// The comment above a group in parentheses is not about each of its constants.
	if !group.Lparen.IsValid() {
		doc = group.Doc
	}
	for _, text := range gosyntax.Markers(doc) {
		if markers.IsExclusion(text) {
			return true
		}
	}
	return false
}
