package scaffolding

import (
	"go/ast"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

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

// Imports returns a declaration of imports with these lines, and the imports of the templates.
func (d kindData) Imports(lines []string) string { return d.grouped(append(d.imports(), lines...)) }

// ClientsImports returns the declaration for a package with clients of an SDK.
func (d kindData) ClientsImports() string {
	return d.grouped(append([]string{
		`"net/http"`, `"google.golang.org/grpc/codes"`, `"google.golang.org/grpc/status"`, strconv.Quote(runtimeModule + "/pkg/errors"),
		strconv.Quote(d.DecisionsImport()),
	}, d.SDK().Imports...))
}

// grouped returns a declaration of imports, in groups that are sorted.
func (d kindData) grouped(lines []string) string {
	groups := make([][]string, 4)
	for _, line := range lines {
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

// helpers returns the folder of the package with what the scopes do differently, or "".
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

// SDK returns what the kind is made of, nil for one with example fields.
func (d kindData) SDK() *fromsdk.Kind { return d.sdk }

// NameOption returns the option of the reconciler that says who chooses the names of external resources, "" if nobody does.
func (d kindData) NameOption() string {
	switch {
	case d.APINames():
		return "managed.WithInitializers()"
	case d.namedByUsers():
		return "managed.WithDeterministicExternalName(true)"
	}
	return ""
}

// NameRemark returns what a comment says of the option.
func (d kindData) NameRemark() string {
	switch {
	case d.APINames():
		return " The external API chooses the names of resources, which\n// have none until Create sets it."
	case d.namedByUsers():
		return " Users choose the names of external\n// resources, so a stopped creation can be repeated."
	}
	return ""
}

// namedByUsers reports whether users choose the names of external resources.
func (d kindData) namedByUsers() bool {
	return d.IsExample() && !d.APINames() || !d.IsExample() && d.SDK().Own.Named
}

// APINames reports whether the external API chooses the names of resources.
func (d kindData) APINames() bool {
	if d.IsExample() {
		return d.kind.Example.APINames
	}
	return !d.SDK().Own.None && !d.SDK().Own.Named
}

// HasSecretValues reports whether requests have values of secrets, and RotatesSecrets whether updates have them.
func (d kindData) HasSecretValues() bool { return !d.IsExample() && len(d.SDK().Secrets) > 0 }

// RotatesSecrets reports whether updates send values of secrets.
func (d kindData) RotatesSecrets() bool {
	return d.HasSecretValues() && len(d.SDK().Conversions.Update.Secrets) > 0
}

// KeepsObject reports whether a call takes the object as it was observed.
func (d kindData) KeepsObject() bool {
	k := d.SDK()
	return k.Delete.NeedsObject || k.Update != nil && k.Update.NeedsObject
}

// PublishesCreated reports whether the answer to a creation has connection details, and UsesCreated whether anything in it is needed.
func (d kindData) PublishesCreated() bool {
	return len(d.SDK().Details) > 0 && d.SDK().Create.Object != ""
}

// UsesCreated reports whether the controller reads the answer to a creation.
func (d kindData) UsesCreated() bool { return d.SDK().Own.Created != "" || d.PublishesCreated() }

// CreateResults returns the variables for what a creation returns, with what assigns them: the error is declared already.
func (d kindData) CreateResults() string {
	results := d.SDK().Create.Results
	if strings.HasPrefix(results, "object") || strings.Contains(results, "output") || strings.Contains(results, ", object") {
		return results + " := "
	}
	return results + " = "
}

// BeforeGet returns the statements before the call that reads the external resource.
func (d kindData) BeforeGet() string {
	switch k := d.SDK(); {
	case k.Own.None:
		return d.Before(k.Get, "nil")
	case k.Own.Number:
		return "\nif meta.GetExternalName(cr) == \"\" {\nreturn nil, nil\n}" + d.Before(k.Get, "nil")
	default:
		return d.Before(k.Get, "nil") + "\nif name == \"\" {\nreturn nil, nil\n}"
	}
}

// Before returns the statements before a call, which return a zero value with an error.
func (d kindData) Before(call *fromsdk.Call, zero string) string {
	var lines []string
	if call.NeedsParameters {
		lines = append(lines, "p := cr.Spec.ForProvider")
	}
	if call.NeedsOwn {
		lines = append(lines, d.SDK().Own.Read(zero))
	}
	return joined(lines)
}

// BeforeCreate returns the statements before the request that creates the external resource is made.
func (d kindData) BeforeCreate() string {
	k := d.SDK()
	var lines []string
	if k.Own.Named && (k.Create.NeedsOwn || k.Conversions.Create.TakesOwn) {
		lines = append(lines, "name := meta.GetExternalName(cr)")
	}
	lines = append(lines, d.readSecrets(k.Conversions.Create.Secrets, "managed.ExternalCreation{}")...)
	if d.RotatesSecrets() {
		lines = append(lines, "if err := annotateVersions(cr, sent); err != nil {\nreturn managed.ExternalCreation{}, err\n}")
	}
	return joined(lines)
}

// BeforeUpdate returns the statements before the request that updates the external resource is made.
func (d kindData) BeforeUpdate() string {
	k := d.SDK()
	var lines []string
	if k.Update.NeedsOwn || k.Conversions.Update.TakesOwn {
		lines = append(lines, k.Own.Read("managed.ExternalUpdate{}"))
	}
	return joined(append(lines, d.readSecrets(k.Conversions.Update.Secrets, "managed.ExternalUpdate{}")...))
}

// readSecrets returns the statements that read values of secrets, and note their versions if updates send them.
func (d kindData) readSecrets(all []fromsdk.Secret, zero string) (lines []string) {
	if d.RotatesSecrets() {
		lines = append(lines, "sent := map[string]string{}")
	}
	for _, secret := range all {
		version := "_"
		if d.RotatesSecrets() {
			version = "version"
		}
		lines = append(lines, secret.Variable()+", "+version+", err := e.secret(ctx, cr, "+d.Reference(secret)+")",
			"if err != nil {\nreturn "+zero+", err\n}")
		if d.RotatesSecrets() {
			lines = append(lines, "if version != \"\" {\nsent["+strconv.Quote(secret.Path())+"] = version\n}")
		}
	}
	return lines
}

// Reference returns the expression that reads the reference to a secret from parameters.
func (d kindData) Reference(s fromsdk.Secret) string {
	return strings.ReplaceAll(s.Reference("p"), "VERSION.", d.kind.Version+".")
}

// joined returns statements as a template has them after another one.
func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "\n" + strings.Join(lines, "\n")
}

// Conversion returns the method that declares a conversion, below its markers.
func (d kindData) Conversion(does string, c fromsdk.Conversion) string {
	var text strings.Builder
	for _, marker := range c.Markers {
		text.WriteString("// " + marker + "\n\t")
	}
	return text.String() + does + d.Kind() + strings.ReplaceAll(c.Signature, "VERSION.", d.kind.Version+".")
}

// clientsDir has the packages with clients of SDKs, and decisionsDir the one that holds back kinds.
const (
	clientsDir   = "internal/clients"
	decisionsDir = "internal/decisions"
)

// ClientsImport and DecisionsImport return the paths of packages that the controller imports.
func (d kindData) ClientsImport() string { return d.Module + "/" + d.clientsDir() }

// clientsDir returns the folder of the package with clients of the SDK. Another SDK may have one of its name.
func (d kindData) clientsDir() string { return path.Join(clientsDir, d.ClientsName()) }

// ClientsName returns the name of that package: the SDK's, with a number if another SDK has it.
func (d kindData) ClientsName() string {
	name := d.SDK().Client.Name
	for n := 2; ; n++ {
		existing := d.source.Packages[path.Join(clientsDir, name)]
		isOf := func(f *ast.File) bool { return strings.Contains(f.Doc.Text(), " "+d.SDKPath()+",") }
		if existing == nil || slices.ContainsFunc(slices.Collect(maps.Values(existing.Files)), isOf) {
			return name
		}
		name = d.SDK().Client.Name + strconv.Itoa(n)
	}
}

// DecisionsImport returns the path of the package that holds back kinds.
func (d kindData) DecisionsImport() string { return d.Module + "/" + decisionsDir }

// SDKPath returns the import path of the SDK.
func (d kindData) SDKPath() string { return d.kind.SDK.Package }

// ControllerImports are what the files of a controller may need beside those of all.
func (d kindData) ControllerImports() []string {
	return append([]string{`"slices"`}, append(d.SDK().Imports, "clients "+strconv.Quote(d.ClientsImport()), strconv.Quote(d.DecisionsImport()))...)
}

// SDKTestImports are what the life of a kind of an SDK may need.
func (d kindData) SDKTestImports() []string { return append(d.ControllerImports(), d.LifeImports()...) }

// Open returns a comment for code whose decision is still to be made, "" if all of these are made.
func (d kindData) Open(names ...string) string {
	var open []string
	for _, decision := range slices.Concat(d.SDK().Decisions, d.SDK().Shared()) {
		if decision.Ground == fromsdk.Undecided && slices.Contains(names, decision.Name) {
			open = append(open, decision.Name)
		}
	}
	if len(open) == 0 {
		return ""
	}
	return "\n// Undecided: " + strings.Join(open, ", ") + "."
}

// WithoutSteps returns the steps and edits that the life leaves out, with the reasons.
func (d kindData) WithoutSteps() (all []string) {
	if d.SDK().Own.Named {
		all = append(all, `"two owners": "nothing says whose an external resource is"`)
	}
	for _, p := range d.SDK().Identifiers() {
		all = append(all, strconv.Quote(p)+`: "another value is another resource"`)
	}
	for _, secret := range d.SDK().Secrets {
		isSame := func(sent fromsdk.Secret) bool { return sent.Path() == secret.Path() }
		isWithin := strings.Contains(secret.Path(), ".") // whose rotation the life doesn't try
		if !isWithin && !slices.ContainsFunc(d.SDK().Conversions.Update.Secrets, isSame) {
			all = append(all, strconv.Quote("rotation of "+secret.Path())+`: "updates don't take it"`)
		}
	}
	return all
}

// sdkReserved are names in the files of a controller, which packages of an SDK must not take.
var sdkReserved = []string{
	"context", "fmt", "http", "slices", "strconv", "strings", "testing", "url", "config", "controller", "corev1", "ctrl", "errors", "managed",
	"meta", "metav1", "ptr", "resource", "setup", "secrets", "clients", "decisions", "client", "connector", "clientAt", "credentials", "address", "conversions", "external", "name",
	"id", "p", "request", "object", "output", "observed", "immutable", "err", "cr", "condition", "exists", "state", "codes", "status", "e", "mgr",
	"o", "c", "t", "spec", "details", "rotated", "sent", "version", "versions", "encoded", "answer", "done", "ready", "busy", "gone", "deleting", "service", "fullName", "arguments", "conditions", "inputs", "fake", "life", "simulated", "reconcile", "api", "apis", "condition",
}

// sdkOptions completes the options for a kind that is made of an SDK.
func (d kindData) sdkOptions() fromsdk.Options {
	o := *d.kind.SDK
	o.Kind, o.Selector, o.Omit = d.kind.Name, d.Selector(), "omitempty"
	if d.KeepsEmpty() {
		o.Omit = "omitzero"
	}
	o.Reserved = append(slices.Clone(sdkReserved), d.Types().Alias, d.kind.Version, d.ScopeHelpers())
	return o
}
