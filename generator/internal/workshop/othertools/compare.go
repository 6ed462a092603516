package othertools

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/semver"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// The reasons why a generated file differs from an earlier tool's, from harmless ones to ones that the author should
// look at.
const (
	// Header means that only the header differs: the tool's name, the year, or the annotation with controller-gen's version.
	Header = "header, or the annotation controller-gen.kubebuilder.io/version"
	// Requests means that mrgen adds the methods for handled reconcile requests.
	Requests = "two methods more, which angryjet doesn't write"
	// Errors means that resolvers return better errors.
	Errors = "better errors of resolvers"
	// OlderForm means that only comments, build constraints or YAML formatting differ.
	OlderForm = "form of another tool, or of an older one"
	// OlderTool means that the contents of the same fields differ in a CRD of an older controller-gen.
	OlderTool = "constraints or descriptions of an older controller-gen, or of types or dependencies that have changed since"
	// OtherCode means that functions or the accessors of a type differ.
	OtherCode = "code of another version of the tool, or of a dependency"
	// Changed means that the contents of the same fields differ in a CRD of the controller-gen that mrgen follows.
	Changed = "the same controller-gen wrote other constraints or descriptions: the types or a dependency have changed, or somebody edited it"
	// Lost means that the CRD had something that its types don't ask for.
	Lost = "it had something that its types don't ask for"
	// Stale means that the old file had other functions than the types now ask for, or lacked fields.
	Stale = "it was stale: the fields or functions are not those of the types any more"
)

// Differences lists all differences in this order.
var Differences = []string{Header, Requests, Errors, OlderForm, OlderTool, OtherCode, Changed, Lost, Stale}

// Compare returns why a generated file differs from an earlier tool's, in the order of [Differences].
func Compare(name string, before, after []byte) []string {
	if slices.Equal(withoutHeader(before), withoutHeader(after)) {
		return []string{Header}
	}
	parts := functions
	isCRD := path.Ext(name) == ".yaml"
	if isCRD {
		parts = values
	}
	old, oldErr := parts(before)
	now, nowErr := parts(after)
	if oldErr != nil || nowErr != nil {
		return []string{Stale}
	}
	found := map[string]bool{Lost: isCRD && len(losses(before, after)) > 0}
	all := maps.Clone(old)
	maps.Copy(all, now)
	for part := range all {
		found[difference(part, old, now)] = true
	}
	if version := versionOf.FindSubmatch(before); found[OlderTool] && version != nil && semver.Compare(string(version[1]), followed) >= 0 {
		found[OlderTool], found[Changed] = false, true
	}
	reasons := slices.DeleteFunc(slices.Clone(Differences), func(d string) bool { return !found[d] })
	if len(reasons) == 0 {
		return []string{OlderForm}
	}
	return reasons
}

// followed is the controller-gen whose output mrgen writes.
const followed = "v0.23.0"

// versionOf matches the version of controller-gen in a CRD.
var versionOf = regexp.MustCompile(artifact.VersionAnnotation + ` (\S+)`)

// difference returns why a function of a Go file or a value of a CRD differs, or "".
func difference(part string, old, now map[string]string) string {
	before, wasThere := old[part]
	after, isThere := now[part]
	receiver, method, isMethod := strings.Cut(part, ".")
	switch {
	case before == after && wasThere == isThere:
		return ""
	// Only the errors may differ: the references must be the same.
	case wasThere && isThere && method == "ResolveReferences" && references(before) == references(after):
		return Errors
	case strings.HasPrefix(part, "/") || old["/apiVersion"] != now["/apiVersion"]:
		return OlderTool
	case wasThere && isThere:
		return OtherCode
	case wasThere && strings.HasPrefix(part, "field."):
		return "" // a loss
	case !isMethod: // a helper function, which angryjet doesn't write
		return ""
	case isThere && strings.HasSuffix(method, "LastHandledReconcileAt"):
		return Requests
	case accessor.MatchString(method) && hasMethods(receiver, old) && hasMethods(receiver, now):
		return OtherCode // the tool and the runtime decide which accessors a type has
	}
	return Stale
}

// accessor matches the methods that angryjet writes.
var accessor = regexp.MustCompile(`^(?:Get|Set)`)

// hasMethods reports whether a type has methods among functions.
func hasMethods(receiver string, functions map[string]string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(functions)), func(name string) bool { return strings.HasPrefix(name, receiver+".") })
}

// currentValue matches the field of a resolution request for the current value.
var currentValue = regexp.MustCompile(`(?:To|Multi)?\w*(?:CurrentValues?):`)

// references counts the references in the body of a resolver.
func references(body string) int { return len(currentValue.FindAllString(body, -1)) }

// functions returns the functions of a Go file without comments, by name. A method's name has its type and a
// dot before it.
func functions(source []byte) (map[string]string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	bodies := map[string]string{}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := f.Name.Name
		if receiver := gosyntax.Receiver(f); receiver != "" {
			name = receiver + "." + name
		}
		var b bytes.Buffer
		if err := printer.Fprint(&b, fset, f); err != nil {
			return nil, err
		}
		bodies[name] = b.String()
	}
	return bodies, nil
}

// ignoredPaths matches the paths of values that old versions of controller-gen write, and nothing reads.
var ignoredPaths = regexp.MustCompile(`^/(?:status|metadata/creationTimestamp|metadata/annotations/controller-gen\.kubebuilder\.io/version)(?:/|$)`)

// values returns the values in a CRD by path, and its fields. White space in texts doesn't count: versions of
// controller-gen break the lines of descriptions at different places.
func values(source []byte) (map[string]string, error) {
	var crd map[string]any
	err := yaml.Unmarshal(source, &crd)
	found := map[string]string{}
	var visit func(at string, value any)
	visit = func(at string, value any) {
		fields, _ := value.(map[string]any)
		for name, inner := range fields {
			if path.Base(at) == "properties" {
				found["field."+at+"/"+name] = ""
			}
			visit(at+"/"+name, inner)
		}
		elements, _ := value.([]any)
		for i, inner := range elements {
			visit(at+"/"+strconv.Itoa(i), inner)
		}
		if len(fields)+len(elements) == 0 && !ignoredPaths.MatchString(at) {
			found[at] = strings.Join(strings.Fields(fmt.Sprintf("%T %v", value, value)), " ")
		}
	}
	visit("", crd)
	return found, err
}

// tools matches the lines of a generated file that name the tool.
var tools = regexp.MustCompile(`^(?://|#) Code generated by |^` + artifact.VersionAnnotation)

// copyright matches a licence's line up to its year.
var copyright = regexp.MustCompile(`(?m)^([ /*]*Copyright .*?)\b(?:19|20)\d\d\b`)

// withoutHeader returns the lines without blank ones, the licence's year, and without the tool's name and version, which may be the only annotation.
func withoutHeader(content []byte) []string {
	return slices.DeleteFunc(strings.Split(copyright.ReplaceAllString(string(content), "$1"), "\n"), func(line string) bool {
		line = strings.TrimSpace(line)
		return slices.Contains([]string{"", "---", "annotations:"}, line) || tools.MatchString(line)
	})
}

// IsStale reports whether an earlier tool wrote a file that can be deleted unless mrgen generates it: a CRD, or
// a Go file without declarations.
func IsStale(name string, content []byte) bool {
	if path.Ext(name) == ".yaml" || !artifact.IsReplaced(name, content) {
		return artifact.IsReplaced(name, content)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
	return err == nil && !slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		decl, ok := d.(*ast.GenDecl)
		return !ok || decl.Tok != token.IMPORT
	})
}

// byTools matches the comments of tools above a package clause.
var byTools = regexp.MustCompile(`(?m)^//(?: Code generated |go:build | \+build ).*$`)

// LosesHeader reports whether a Go file of an earlier tool had a licence header, and has none any more.
func LosesHeader(name string, before, after []byte) bool {
	hasHeader := func(content []byte) bool {
		top, _, _ := strings.Cut("\n"+string(content), "\npackage ")
		return strings.Contains(byTools.ReplaceAllString(top, ""), "/") // of any comment
	}
	return path.Ext(name) == ".go" && artifact.IsReplaced(name, before) && hasHeader(before) && !hasHeader(after)
}
