package adopt

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
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Difference says why a generated file differs from that of the earlier tools.
type Difference string

// The differences, from those that mean nothing to those to look at.
const (
	// Header is the line that says who wrote the file, and with Annotation that of
	// controller-gen with its version.
	Header     Difference = "header"
	Annotation Difference = "header, and the annotation controller-gen.kubebuilder.io/version"
	// Requests are the methods by which crossplane-runtime says what it has handled.
	Requests Difference = "two methods more, which angryjet doesn't write"
	// Errors are those of resolvers.
	Errors Difference = "better errors of resolvers"
	// OlderForm is that of comments, build constraints and YAML by older tools.
	OlderForm Difference = "form of an older tool"
	// OlderTool is one that wrote something else, of the same fields or functions.
	OlderTool Difference = "constraints, descriptions or code of an older tool or dependency"
	// Stale are files whose fields or functions are not those of the types.
	Stale Difference = "it was stale: the fields or functions are not those of the types any more"
)

// Differences are all of them, in that order.
var Differences = []Difference{Header, Annotation, Requests, Errors, OlderForm, OlderTool, Stale}

// Compare returns why a generated file differs from an older one.
func Compare(name string, before, after []byte) Difference {
	a, b := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	if slices.Equal(withoutHeader(a), withoutHeader(b)) {
		return Header
	}
	if path.Ext(name) == ".yaml" {
		if slices.Equal(withoutAnnotation(withoutHeader(a)), withoutAnnotation(withoutHeader(b))) {
			return Annotation
		}
		return compareYAML(before, after)
	}
	return compareGo(before, after)
}

// compareGo compares declared functions.
func compareGo(before, after []byte) Difference {
	old, oldErr := functions(before)
	now, nowErr := functions(after)
	if oldErr != nil || nowErr != nil {
		return Stale
	}
	added, removed, changed := 0, 0, false
	requests, resolvers := true, true
	for name, body := range now {
		_, isOld := old[name]
		switch {
		case !isOld && !strings.Contains(name, "."):
			// a helper of mrgen's
		case !isOld:
			added++
			requests = requests && strings.HasSuffix(name, "LastHandledReconcileAt")
		case body != old[name]:
			changed = true
			resolvers = resolvers && strings.HasSuffix(name, ".ResolveReferences") && references(body) == references(old[name])
		}
	}
	for name := range old {
		if _, isNow := now[name]; !isNow && strings.Contains(name, ".") {
			removed++
		}
	}
	switch {
	case removed > 0, added > 0 && !requests:
		return Stale
	case changed && resolvers:
		return Errors
	case changed:
		return OlderTool
	case added > 0:
		return Requests
	default:
		return OlderForm
	}
}

// reference matches the value that a resolver sets.
var reference = regexp.MustCompile(`(?:To|Multi)?\w*(?:CurrentValues?):`)

// references counts the references that a resolver has.
func references(body string) int { return len(reference.FindAllString(body, -1)) }

// functions returns the bodies of functions without comments, by name, methods after the
// name of their type.
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
		if f.Recv != nil && len(f.Recv.List) == 1 {
			receiver := f.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			if ident, ok := receiver.(*ast.Ident); ok {
				name = ident.Name + "." + name
			}
		}
		var b bytes.Buffer
		if err := printer.Fprint(&b, fset, f); err != nil {
			return nil, err
		}
		bodies[name] = b.String()
	}
	return bodies, nil
}

// compareYAML compares CRDs.
func compareYAML(before, after []byte) Difference {
	var old, now map[string]any
	if yaml.Unmarshal(before, &old) != nil || yaml.Unmarshal(after, &now) != nil {
		return Stale
	}
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
	case reflect.DeepEqual(inOneForm(old), inOneForm(now)):
		return OlderForm
	case old["apiVersion"] == now["apiVersion"] && !slices.Equal(fields(old), fields(now)):
		return Stale
	default:
		return OlderTool
	}
}

// inOneForm returns a YAML value with blanks in place of line breaks.
func inOneForm(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range value {
			out[name] = inOneForm(inner)
		}
		return out
	case []any:
		var out []any
		for _, inner := range value {
			out = append(out, inOneForm(inner))
		}
		return out
	case string:
		return strings.Join(strings.Fields(value), " ")
	default:
		return value
	}
}

// fields returns the paths of the properties in a CRD.
func fields(crd any) []string {
	found := map[string]bool{}
	var visit func(value any, at string)
	visit = func(value any, at string) {
		switch value := value.(type) {
		case []any:
			for _, inner := range value {
				version, _ := inner.(map[string]any)
				name, _ := version["name"].(string)
				visit(inner, at+"/"+name)
			}
		case map[string]any:
			for name, inner := range value {
				if properties, ok := inner.(map[string]any); ok && name == "properties" {
					for property := range properties {
						found[at+"."+property] = true
						visit(properties[property], at+"."+property)
					}
				} else {
					visit(inner, at)
				}
			}
		}
	}
	visit(crd, "")
	return slices.Sorted(maps.Keys(found))
}

// withoutHeader leaves out the lines that say who wrote a file, and blank lines.
func withoutHeader(lines []string) []string {
	var out []string
	for _, line := range lines {
		text := strings.TrimSpace(line)
		if text != "" && !strings.HasPrefix(text, "// Code generated by ") && !strings.HasPrefix(text, "# Code generated by ") && text != "---" {
			out = append(out, line)
		}
	}
	return out
}

// withoutAnnotation leaves out the version of controller-gen, and the line above it
// if there is no other annotation.
func withoutAnnotation(lines []string) []string {
	var out []string
	for i, line := range lines {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		isVersion := strings.HasPrefix(strings.TrimSpace(line), versionAnnotation)
		isAbove := strings.TrimSpace(line) == "annotations:" && strings.HasPrefix(strings.TrimSpace(next), versionAnnotation)
		if !isVersion && !isAbove || isAbove && i+2 < len(lines) && indent(lines[i+2]) > indent(line) {
			out = append(out, line)
		}
	}
	return out
}

const versionAnnotation = "controller-gen.kubebuilder.io/version:"

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// IsStale reports whether one of the tools wrote a file that is of no use if mrgen doesn't
// write it: a CRD, or Go source that declares nothing.
func IsStale(name string, content []byte) bool {
	if path.Ext(name) == ".yaml" {
		return bytes.Contains(content, []byte(versionAnnotation))
	}
	if !written.Match(content) {
		return false
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
	return err == nil && !slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		decl, ok := d.(*ast.GenDecl)
		return !ok || decl.Tok != token.IMPORT
	})
}

// written matches what the tools say in the files that they write.
var written = regexp.MustCompile(`(?m)^// Code generated by (?:angryjet|controller-gen)\. DO NOT EDIT\.$`)
