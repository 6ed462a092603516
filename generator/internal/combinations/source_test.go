package combinations_test

import (
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"go/format"
)

// imports are the imported packages of cells, by their names in the table of types.
var imports = map[string]string{
	"metav1":          "k8s.io/apimachinery/pkg/apis/meta/v1",
	"xpv2":            "github.com/crossplane/crossplane/apis/v2/core/v2",
	"runtime":         "k8s.io/apimachinery/pkg/runtime",
	"apiextensionsv1": "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
	"intstr":          "k8s.io/apimachinery/pkg/util/intstr",
	"corev1":          "k8s.io/api/core/v1",
	"resource":        "k8s.io/apimachinery/pkg/api/resource",
	"unstructured":    "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured",
	"errors":          "errors",
	"unsafe":          "unsafe",
	"common":          modulePath + "/apis/common",
}

const modulePath = "example.org/provider"

// kindText is the source of a kind, with fields and markers by place.
//
//go:embed testdata/kind.go.tmpl
var kindText string

// kindTemplate is the source of a kind. Fields and markers are by place.
var kindTemplate = template.Must(template.New("").Parse(kindText))

// ofKind are the parts of names in the tables that the name of the kind replaces.
var ofKind = regexp.MustCompile(`\b(Observed)?K([A-Z][A-Za-z]*)?\b`)

// comment returns lines of a comment.
func comment(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString("// " + line + "\n")
	}
	return b.String()
}

// sources returns the files of a group, by path. folder is that of its API package.
func (g *group) sources(folder string) (map[string][]byte, error) {
	kind := kindSource{Plain: g.place.isPlain, Fields: map[string]string{}, Markers: map[string]string{}}
	files := map[string][]byte{}
	for _, c := range g.cells {
		own, elsewhere := c.declarations(&kind)
		if err := c.write(files, folder, "v1", own); err != nil {
			return nil, err
		}
		if err := c.write(files, "apis/common", "common", elsewhere); err != nil {
			return nil, err
		}
	}
	var b strings.Builder
	if err := kindTemplate.Execute(&b, kind); err != nil {
		return nil, err
	}
	source, err := formatted("v1", b.String(), g.name)
	files[folder+"/"+strings.ToLower(g.name)+".go"] = source
	return files, err
}

// write adds the file of a cell, unless it declares nothing.
func (c *cell) write(files map[string][]byte, folder, pkg, body string) error {
	if body == "" {
		return nil
	}
	source, err := formatted(pkg, body, c.prefix())
	files[folder+"/"+strings.ToLower(c.prefix())+".go"] = source
	return err
}

// formatted returns the source of a file, in which the name of the kind is K.
func formatted(pkg, body, name string) ([]byte, error) {
	content := "package " + pkg + "\n\n" + withImports(body)
	return format.Source([]byte(ofKind.ReplaceAllString(content, "${1}"+name+"${2}")))
}

// A kindSource has the parts of a kind's source: the fields of structs, by their names, and the markers at places on
// kinds.
type kindSource struct {
	Plain           bool
	Fields, Markers map[string]string
}

// declarations adds the cell to its kind, and returns what it declares, in its own package and in another one.
func (c *cell) declarations(kind *kindSource) (own, elsewhere string) {
	expr, options := c.goType.options()
	var declared []string
	if c.goType.decl != "" {
		declared = append(declared, c.goType.decl)
	}
	lines := c.marking.lines
	switch c.place.on {
	case onKind:
		kind.Markers[c.place.name], lines = comment(lines), nil
	case onType:
		declared = append(declared, c.marked(strings.TrimPrefix(expr, "*")))
		expr, lines = strings.ReplaceAll(c.place.expr, "D", "KY"), nil
		if c.place.isElsewhere {
			expr = "common.KY"
		}
	}
	jsonName, _ := c.names()
	field := fieldOf(expr, options, jsonName, lines)
	if c.place.owner == "KX" {
		declared = append(declared, "// KX is.\ntype KX struct {\n"+field+"}\n")
		field = c.around()
	}
	owner := c.place.owner
	if owner == "KX" {
		owner = "KParameters"
	}
	// The types of the cell are named after it, and not after the kind.
	kind.Fields[owner] += ofKind.ReplaceAllString(field, "${1}"+c.prefix()+"${2}") + "\n"
	if c.place.name == "shared struct" {
		kind.Fields["KSpec"] += ofKind.ReplaceAllString("// Again.\n// +optional\nAgain"+c.top()+" *KX `json:\"again"+c.top()+",omitempty\"`\n", "${1}"+c.prefix()+"${2}")
	}
	if c.place.isElsewhere {
		return "", strings.Join(declared, "\n")
	}
	return strings.Join(declared, "\n"), ""
}

// marked returns the declaration of the marked type KY.
func (c *cell) marked(expr string) string {
	switch marks := comment(c.marking.lines); c.place.name {
	case "alias":
		return "// KY is.\n" + marks + "type KY = " + expr + "\n"
	case "type of another type":
		return "// KZ is.\ntype KZ " + expr + "\n\n// KY is.\n" + marks + "type KY KZ\n"
	default:
		return "// KY is.\n" + marks + "type KY " + expr + "\n"
	}
}

// goName returns the Go name of a field with a JSON name.
func goName(jsonName string) string { return strings.ToUpper(jsonName[:1]) + jsonName[1:] }

// fieldOf returns the field of a cell.
func fieldOf(expr, options, jsonName string, lines []string) string {
	var optional string
	if strings.Contains(options, "omit") {
		optional = "// +optional\n"
	}
	if options != "" {
		options = "," + options
	}
	return "// Value.\n" + optional + comment(lines) + goName(jsonName) + " " + expr + " `json:\"" + jsonName + options + "\"`\n"
}

// around returns the field that has the struct KX.
func (c *cell) around() string {
	expr := "*KX"
	if c.place.isElsewhere {
		expr = "*common.KX"
	}
	switch {
	case c.place.name == "embedded":
		return "KX `json:\",inline\"`\n"
	case strings.HasSuffix(c.place.path, "[]"):
		expr = "[]KX"
	case strings.HasSuffix(c.place.path, "{}"):
		expr = "map[string]KX"
	}
	return "// Struct.\n// +optional\n" + goName(c.top()) + " " + expr + " `json:\"" + c.top() + ",omitempty\"`\n"
}

// withImports returns declarations below the imports that they need.
func withImports(body string) string {
	var b strings.Builder
	b.WriteString("import (\n")
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(body) {
			b.WriteString(name + " \"" + imports[name] + "\"\n")
		}
	}
	return b.String() + ")\n\n" + body
}
