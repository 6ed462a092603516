package scaffolding

import (
	"cmp"
	"go/ast"
	"go/parser"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// imports returns the declaration of imports of a file: lines, and those that it may need besides, which
// are left out where it doesn't. Each group is sorted.
func (d kindData) imports() []string {
	lines := []string{
		`"context"`, `"fmt"`, `"net/http"`, `"net/http/httptest"`, `"net/url"`, `"reflect"`, `"strconv"`, `"strings"`, `"testing"`,
		`"google.golang.org/grpc/codes"`, `"google.golang.org/grpc/status"`,
		`corev1 "k8s.io/api/core/v1"`, `metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"`, `"k8s.io/utils/ptr"`,
		`ctrl "sigs.k8s.io/controller-runtime"`, `"sigs.k8s.io/controller-runtime/pkg/client"`,
		`"sigs.k8s.io/controller-runtime/pkg/reconcile"`,
		strconv.Quote(runtimeModule + "/pkg/controller"), strconv.Quote(runtimeModule + "/pkg/errors"),
		strconv.Quote(runtimeModule + "/pkg/meta"),
		strconv.Quote(runtimeModule + "/pkg/reconciler/managed"), strconv.Quote(runtimeModule + "/pkg/resource"),
		d.Types().Alias + " " + strconv.Quote(d.Types().Path),
		d.APIImport(), strconv.Quote(d.SimulatedImport()), strconv.Quote(d.Module + "/" + secretsDir),
	}
	if helpers := d.helpers(); helpers != "" {
		lines = append(lines, strconv.Quote(d.Module+"/"+helpers))
	}
	if d.ConfigDir != "" {
		return append(lines, strconv.Quote(d.Module+"/"+d.ConfigDir), strconv.Quote(d.Module+"/"+d.SetupDir))
	}
	if usage := d.UsageImport(); usage != "" {
		lines = append(lines, "configs "+strconv.Quote(usage))
	}
	return lines
}

// MoreImports are what only tests, and helpers of a controller, may need.
func (kindData) MoreImports() []string {
	return []string{
		`"cmp"`, `"encoding/json"`, `"slices"`, `"sync"`, `"sync/atomic"`,
		`kerrors "k8s.io/apimachinery/pkg/api/errors"`,
		`"k8s.io/apimachinery/pkg/runtime"`, strconv.Quote(runtimeModule + "/pkg/test"),
	}
}

// TestImports are what tests of the controller may need.
func (d kindData) TestImports() []string { return append(d.MoreImports(), d.SDK().Imports...) }

// Imports returns a declaration of imports with these lines, and the imports of the templates.
func (d kindData) Imports(lines []string) string {
	groups := make([][]string, 4)
	for _, line := range append(d.imports(), lines...) {
		importPath, _ := strconv.Unquote(line[strings.Index(line, `"`):])
		domain, _, _ := strings.Cut(importPath, "/")
		group := 1
		switch {
		case strings.HasPrefix(importPath, d.Module+"/"):
			group = 3
		case !strings.Contains(domain, "."):
			group = 0
		case strings.HasPrefix(importPath, "github.com/crossplane/"):
			group = 2
		}
		if !slices.Contains(groups[group], line) {
			groups[group] = append(groups[group], line)
		}
	}
	var texts []string
	for _, group := range groups {
		slices.SortFunc(group, func(a, b string) int { return strings.Compare(a[strings.Index(a, `"`):], b[strings.Index(b, `"`):]) })
		texts = append(texts, strings.Join(group, "\n\t"))
	}
	return "import (\n\t" + strings.Join(texts, "\n\n\t") + "\n)"
}

// secretsDir has the package of a new provider that reads secrets.
const secretsDir = "internal/secrets"

// HasSecrets reports whether the provider has a package that reads secrets.
func (d kindData) HasSecrets() bool { return d.source.Packages[secretsDir] != nil }

// helpers returns the folder of the package with what the scopes do differently, "" if there is none.
func (d kindData) helpers() string {
	i := slices.IndexFunc(d.copies, func(p scopepair.Pair) bool { return p.Helpers.Text != "" })
	if i < 0 {
		return ""
	}
	return d.copies[i].Helpers.Text
}

// ScopeHelpers returns the name of that package.
func (d kindData) ScopeHelpers() string {
	if d.helpers() == "" {
		return ""
	}
	return path.Base(d.helpers())
}

// Selector returns the type that selects the key of a secret.
func (d kindData) Selector() string {
	if d.Tree.Namespaced {
		return d.Types().Alias + ".LocalSecretKeySelector"
	}
	return d.Types().Alias + ".SecretKeySelector"
}

// SDK returns what the kind is made of.
func (d kindData) SDK() *fromsdk.Kind {
	if d.sdk == nil {
		return d.exampleKind()
	}
	return d.sdk
}

// UnknownStates reports whether the object has a state, and nobody has said yet when it is ready.
func (d kindData) UnknownStates() bool { return d.SDK().States != nil && d.SDK().States.Check != "" }

// NameOption returns the option of the reconciler that says who chooses the names of external resources, "" if nobody does.
func (d kindData) NameOption() string {
	switch {
	case d.APINames():
		return "managed.WithInitializers()"
	case d.SDK().Own.Named:
		return "managed.WithDeterministicExternalName(true)"
	}
	return ""
}

// NameRemark returns what a comment says of the option.
func (d kindData) NameRemark() string {
	switch {
	case d.APINames():
		return " The external API chooses the names of resources, which\n// have none until Create sets it."
	case d.SDK().Own.Named:
		return " Users choose the names of external\n// resources, so a stopped creation can be repeated."
	}
	return ""
}

// APINames reports whether the external API chooses the names of resources.
func (d kindData) APINames() bool { return !d.SDK().Own.None && !d.SDK().Own.Named }

// HasDetails reports whether there is a connection secret.
func (d kindData) HasDetails() bool { return d.HasPassword() || len(d.SDK().Details) > 0 }

// Signature returns that of a conversion.
func (d kindData) Signature(c fromsdk.Conversion) string {
	return strings.ReplaceAll(c.Signature, "VERSION.", d.kind.Version+".")
}

// ConversionArguments returns what a conversion takes beside parameters.
func (d kindData) ConversionArguments(c fromsdk.Conversion) string {
	if c.TakesOwn {
		return ", " + d.SDK().Own.Variable()
	}
	return ""
}

// NeedsOwn reports whether a call needs what tells the external resource apart.
func (d kindData) NeedsOwn(arguments string, takes bool) bool {
	return takes || !d.SDK().Own.None && mentions(arguments, d.SDK().Own.Variable())
}

// TakesObject reports whether a call takes the object, as it was observed.
func (kindData) TakesObject(arguments string) bool { return mentions(arguments, fromsdk.Observed) }

// UsesInputs reports whether a call, or the value of a secret in its request, needs the parameters that are
// no part of requests.
func (kindData) UsesInputs(arguments string, secrets ...[]fromsdk.Secret) bool {
	return mentions(arguments, fromsdk.Inputs) || len(slices.Concat(secrets...)) > 0
}

// NamesAtCreation reports whether the request that creates the external resource has its name.
func (d kindData) NamesAtCreation() bool {
	k := d.SDK()
	return k.Own.Named && d.NeedsOwn(k.Create.Uses, k.Conversions.Create.TakesOwn)
}

// mentions reports whether Go code has a name that stands alone.
func mentions(code, name string) bool {
	expr, err := parser.ParseExpr("f(" + code + ")")
	found := false
	if err == nil {
		gosyntax.EachUse(expr, func(from, used *ast.Ident) { found = found || cmp.Or(from, used).Name == name })
	}
	return found
}

// sdkReserved are names in the files of a controller, which packages of an SDK must not take.
var sdkReserved = []string{
	"context", "fmt", "http", "httptest", "reflect", "strconv", "strings", "testing", "url", "config", "controller", "corev1", "ctrl", "errors", "managed", "meta", "metav1", "ptr", "resource", "setup", "simulated", "secrets",
	"client", "connector", "conversions", "inputs", "in", "desired", "cmp", "runtime", "test", "external", "fake", "identifier", "name", "id",
	"request", "object", "output", "observed", "immutable", "err", "cr", "condition", "conditions", "codes", "status", "e", "mgr", "o", "c",
	"t", "f", "details", "rotated", "sent", "version", "versions", "encoded",
	"api", "at", "broken", "defaulting", "example", "existing", "fill", "fit", "secret", "served", "server", "service", "smallest", "understands",
}

// sdkOptions completes the options for a kind that is made of an SDK.
func (d kindData) sdkOptions() fromsdk.Options {
	o := *d.kind.SDK
	o.Kind, o.Selector, o.Omit = d.kind.Name, d.Selector(), "omitempty"
	if d.KeepsEmpty() {
		o.Omit = "omitzero"
	}
	o.References = fromsdk.References{
		Kind:      d.kindNamed,
		Reference: d.Types().Alias + "." + d.generation.References.Reference,
		Selector:  d.Types().Alias + "." + d.generation.References.Selector,
	}
	o.Reserved = append(slices.Clone(sdkReserved), d.Types().Alias, d.kind.Version, d.ScopeHelpers())
	return o
}

// kindNamed returns the type of another kind of the tree as markers name it, by its name without case: the one of
// the same group, or else the only one. It returns "" if there is none, or several.
func (d kindData) kindNamed(name string) string {
	var found []string
	for _, p := range d.Tree.Packages {
		for _, kind := range p.Kinds() {
			switch {
			case !strings.EqualFold(kind, name) || kind == d.kind.Name:
			case p.Dir == d.dir:
				return kind
			default:
				found = append(found, d.Module+"/"+p.Dir+"."+kind)
			}
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}
