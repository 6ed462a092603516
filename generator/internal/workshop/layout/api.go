package layout

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/scopecopies"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
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

// GroupOf returns the API group in the first marker that names one in a file, or "".
func GroupOf(file *ast.File) string {
	for _, text := range gosyntax.Markers(file.Comments...) {
		if group, found := strings.CutPrefix(text, markers.GroupName+"="); found {
			return group
		}
	}
	return ""
}

// readAPI describes the kinds of a package. It returns nil without any.
func readAPI(p *Package) *API {
	a := &API{Version: path.Base(p.Dir)}
	if !IsVersion(a.Version) {
		// Some providers put the API version into the package's name only.
		a.Version = p.Name
	}
	own := 0 // files with managed resources that the author writes
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		file := p.Files[name]
		a.Group = cmp.Or(a.Group, GroupOf(file))
		p.findBuilder(file)
		embedded := scopecopies.FindEmbedded(file)
		if embedded.Managed != nil {
			a.Managed = append(a.Managed, embedded.Managed)
			if len(embedded.Scopes) > 1 {
				a.Managed = append(a.Managed, flavor.ManagedLike(embedded.Managed, !embedded.Managed.Namespaced))
			}
			// Copies from the other scope are generated, too, but by mrgen.
			if !ast.IsGenerated(file) || isCopy(path.Base(name)) {
				own++
			}
		}
		if embedded.Configs != nil {
			a.Configs = embedded.Configs
		}
		for _, spec := range gosyntax.Types(file) {
			if embedded.Usage != nil && a.Usage == "" && gosyntax.Embeds(spec.Type, embedded.Usage.Embed.Name) {
				a.Usage = spec.Name.Name
			}
		}
	}
	a.ClusterConfig = p.Declares("ClusterProviderConfig")
	a.Foreign = len(a.Managed) > 0 && own == 0
	if a.Group == "" || !IsVersion(a.Version) || len(a.Managed) == 0 && a.Configs == nil {
		return nil
	}
	return a
}

// findBuilder finds the variable that adds kinds to schemes, a Builder of controller-runtime, and the variable
// with its group and version.
func (p *Package) findBuilder(file *ast.File) {
	imports := gosyntax.NewImports(file, path.Base)
	for node := range ast.Preorder(file) {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || p.Builder != "" || len(spec.Values) != 1 {
			continue
		}
		value := spec.Values[0]
		if of, isAddress := value.(*ast.UnaryExpr); isAddress {
			value = of.X
		}
		literal, _ := value.(*ast.CompositeLit)
		if literal == nil || named(imports, literal.Type) != "sigs.k8s.io/controller-runtime/pkg/scheme.Builder" {
			continue
		}
		for _, element := range literal.Elts {
			pair, _ := element.(*ast.KeyValueExpr)
			if pair == nil || fmt.Sprint(pair.Key) != "GroupVersion" {
				continue
			}
			if value, isVariable := pair.Value.(*ast.Ident); isVariable {
				p.Builder, p.GroupVersion = spec.Names[0].Name, value.Name
			}
		}
	}
}
