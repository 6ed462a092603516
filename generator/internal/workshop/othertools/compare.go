package othertools

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// The reasons why a generated file differs from an earlier tool's, from harmless ones to ones that the author should
// look at.
const (
	// Header means that only the line with the tool's name differs. With Annotation, controller-gen's version
	// is missing as well.
	Header     = "header"
	Annotation = "header, and the annotation controller-gen.kubebuilder.io/version"
	// Requests means that mrgen adds the methods for handled reconcile requests.
	Requests = "two methods more, which angryjet doesn't write"
	// Errors means that resolvers return better errors.
	Errors = "better errors of resolvers"
	// OlderForm means that only comments, build constraints or YAML formatting differ.
	OlderForm = "form of an older tool"
	// OlderTool means that the contents of the same fields or functions differ, or the accessors of a type.
	OlderTool = "constraints, descriptions or code of an older tool or dependency"
	// Stale means that the old file had other fields or functions than the types now ask for.
	Stale = "it was stale: the fields or functions are not those of the types any more"
)

// Differences lists all differences in this order.
var Differences = []string{Header, Annotation, Requests, Errors, OlderForm, OlderTool, Stale}

// Compare returns why a generated file differs from an earlier tool's.
func Compare(name string, before, after []byte) string {
	hasVersion := func(content []byte) bool { return bytes.Contains(content, []byte(artifact.VersionAnnotation)) }
	switch isSame := slices.Equal(withoutHeader(before), withoutHeader(after)); {
	case isSame && hasVersion(before) != hasVersion(after):
		return Annotation
	case isSame:
		return Header
	case path.Ext(name) == ".yaml":
		return compareYAML(before, after)
	default:
		return compareGo(before, after)
	}
}

func compareGo(before, after []byte) string {
	old, oldErr := functions(before)
	now, nowErr := functions(after)
	if oldErr != nil || nowErr != nil {
		return Stale
	}
	found := map[string]bool{}
	all := maps.Clone(old)
	maps.Copy(all, now)
	for name := range all {
		before, wasThere := old[name]
		after, isThere := now[name]
		receiver, method, isMethod := strings.Cut(name, ".")
		switch {
		case before == after:
		case wasThere && isThere:
			// Only the errors may differ: the references must be the same.
			isError := method == "ResolveReferences" && references(before) == references(after)
			found[Errors], found[OlderTool] = found[Errors] || isError, found[OlderTool] || !isError
		case !isMethod: // a helper function, which angryjet doesn't write
		case isThere && strings.HasSuffix(method, "LastHandledReconcileAt"):
			found[Requests] = true
		case isAccessor(method) && hasMethods(receiver, old) && hasMethods(receiver, now):
			found[OlderTool] = true // the tool and the runtime decide which accessors a type has
		default:
			return Stale
		}
	}
	for _, d := range []string{OlderTool, Errors, Requests} {
		if found[d] {
			return d
		}
	}
	return OlderForm
}

func isAccessor(method string) bool {
	return strings.HasPrefix(method, "Get") || strings.HasPrefix(method, "Set")
}

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

func compareYAML(before, after []byte) string {
	var old, now map[string]any
	if yaml.Unmarshal(before, &old) != nil || yaml.Unmarshal(after, &now) != nil {
		return Stale
	}
	// Old versions of controller-gen write these, and nothing reads them.
	for _, crd := range []map[string]any{old, now} {
		delete(crd, "status")
		if metadata, ok := crd["metadata"].(map[string]any); ok {
			delete(metadata, "creationTimestamp")
			if annotations, ok := metadata["annotations"].(map[string]any); ok {
				delete(annotations, "controller-gen.kubebuilder.io/version")
				if len(annotations) == 0 {
					delete(metadata, "annotations")
				}
			}
		}
	}
	switch {
	case reflect.DeepEqual(normalize(old), normalize(now)):
		return OlderForm
	case old["apiVersion"] == now["apiVersion"] && !slices.Equal(fields(old), fields(now)):
		return Stale
	default:
		return OlderTool
	}
}

// normalize replaces all white space in the strings of a YAML value by single spaces: versions of controller-gen break the
// lines of descriptions at different places.
func normalize(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			value[name] = normalize(value[name])
		}
	case []any:
		for i := range value {
			value[i] = normalize(value[i])
		}
	case string:
		return strings.Join(strings.Fields(value), " ")
	}
	return value
}

// fields returns the paths of the properties in a CRD, sorted.
func fields(crd any) []string {
	var found []string
	var visit func(value any, at string)
	visit = func(value any, at string) {
		switch value := value.(type) {
		case []any:
			for i, inner := range value {
				visit(inner, at+"/"+strconv.Itoa(i))
			}
		case map[string]any:
			for name, inner := range value {
				if strings.HasSuffix(at, "/properties") {
					found = append(found, at+"/"+name)
				}
				visit(inner, at+"/"+name)
			}
		}
	}
	visit(crd, "")
	slices.Sort(found)
	return found
}

// tools matches the lines of a generated file that name the tool.
var tools = regexp.MustCompile(`^(?://|#) Code generated by |^` + artifact.VersionAnnotation)

// withoutHeader returns the lines without blank ones, and without the tool's name and version, which may be the only annotation.
func withoutHeader(content []byte) []string {
	return slices.DeleteFunc(strings.Split(string(content), "\n"), func(line string) bool {
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
