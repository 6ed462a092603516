package layout

import (
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/source/scopecopies"
	"github.com/mrgen-io/mrgen/markers"
)

// An API describes the kinds of a package.
type API struct {
	// Group and Version of its kinds.
	Group, Version string
	// Managed are the generations of its managed resources, in the order of files, and Configs is the
	// generation of its ProviderConfigs, or nil.
	Managed []*flavor.Generation
	Configs *flavor.Generation
	// ClusterConfig is set if it has a ClusterProviderConfig.
	ClusterConfig bool
	// Usage is the type that records the use of ProviderConfigs, or "".
	Usage string
	// Foreign is set if another generator writes the kinds.
	Foreign bool
}

// versionPattern matches Kubernetes' names of API versions, see
// https://kubernetes.io/docs/reference/using-api/#api-versioning.
var versionPattern = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

// IsVersion reports whether a name is an API version's.
func IsVersion(name string) bool { return versionPattern.MatchString(name) }

// readAPI describes the kinds of a package. It returns nil without any.
func readAPI(p *Package) *API {
	a := &API{Version: path.Base(p.Dir)}
	if !IsVersion(a.Version) {
		// Some providers put the API version into the package's name only.
		a.Version = p.Name
	}
	files, foreign := 0, 0 // files with managed resources
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		file := p.Files[name]
		if a.Group == "" {
			a.Group = gosyntax.MarkerValue(file, markers.GroupName+"=")
		}
		p.findBuilder(file)
		embedded := scopecopies.FindEmbedded(file)
		if embedded.Managed != nil {
			files++
			a.Managed = append(a.Managed, embedded.Managed)
			if len(embedded.Scopes) > 1 {
				a.Managed = append(a.Managed, flavor.ManagedLike(embedded.Managed, !embedded.Managed.Namespaced))
			}
			// Copies from the other scope are generated, too, but by mrgen.
			if ast.IsGenerated(file) && !isCopy(path.Base(name)) {
				foreign++
			}
		}
		if embedded.Configs != nil {
			a.Configs = embedded.Configs
		}
		if embedded.Usage != nil && a.Usage == "" {
			a.Usage = embedding(file, embedded.Usage.Embed.Name)
		}
	}
	a.ClusterConfig = p.Declares("ClusterProviderConfig")
	a.Foreign = foreign > 0 && foreign == files
	if a.Group == "" || !IsVersion(a.Version) || len(a.Managed) == 0 && a.Configs == nil {
		return nil
	}
	return a
}

// findBuilder finds the variable that adds kinds to schemes, a Builder of controller-runtime, and the variable
// with its group and version.
func (p *Package) findBuilder(file *ast.File) {
	for _, decl := range file.Decls {
		ast.Inspect(decl, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok {
				_, isGroup := node.(*ast.GenDecl)
				return isGroup
			}
			for i, value := range spec.Values {
				if version := builderVersion(file, value); version != "" && i < len(spec.Names) && p.Builder == "" {
					p.Builder, p.GroupVersion = spec.Names[i].Name, version
				}
			}
			return false
		})
	}
}

// builderVersion returns the variable with the group and version of a Builder, or "" for other expressions.
func builderVersion(file *ast.File, x ast.Expr) string {
	reference, ok := x.(*ast.UnaryExpr)
	if !ok {
		return ""
	}
	literal, ok := reference.X.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	if named(gosyntax.NewImports(file, path.Base), literal.Type) != "sigs.k8s.io/controller-runtime/pkg/scheme.Builder" {
		return ""
	}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			key, isName := pair.Key.(*ast.Ident)
			value, isVariable := pair.Value.(*ast.Ident)
			if isName && isVariable && key.Name == "GroupVersion" {
				return value.Name
			}
		}
	}
	return ""
}

// embedding returns the first type of a file that embeds another package's type of a name.
func embedding(file *ast.File, embedded string) string {
	for _, spec := range gosyntax.Types(file) {
		if gosyntax.Embeds(spec.Type, embedded) {
			return spec.Name.Name
		}
	}
	return ""
}
