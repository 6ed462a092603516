package controllertools

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// TestSource compares the schemas of types in Go packages that import each other, with
// markers, embedded types, and other names of types.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/m\n\ngo 1.24\n")
	var patterns []string
	for seed := range uint64(20) {
		s := &source{depths: map[string]map[int]int{}, Rand: rand.New(rand.NewPCG(seed, 1)), module: fmt.Sprintf("example.org/m/m%d", seed)}
		for _, pkg := range []string{"c", "b", "a"} { // each imports those before it
			write(t, dir, fmt.Sprintf("m%d/%s/types.go", seed, pkg), s.file(pkg))
		}
		patterns = append(patterns, s.module+"/a")
	}
	conflicts := 0
	for _, pattern := range patterns {
		conflicts += compare(t, func() (*crd.Parser, []crd.TypeIdent) { return parse(t, dir, pattern) })
		expect.Must(t, !t.Failed(), "%v", pattern)
	}
	expect.True(t, conflicts != 0, "no conflict between types was met")
}

// parse returns a parser, and the types of the packages.
func parse(t *testing.T, dir, pattern string) (*crd.Parser, []crd.TypeIdent) {
	t.Helper()
	roots := expect.Value(loader.LoadRootsWithConfig(&packages.Config{Dir: dir}, pattern))(t)
	registry := &markers.Registry{}
	expect.NoError(t, crdmarkers.Register(registry))
	parser := &crd.Parser{Collector: &markers.Collector{Registry: registry}, Checker: &loader.TypeChecker{}}
	crd.AddKnownTypes(parser)
	var idents []crd.TypeIdent
	for _, root := range roots {
		parser.NeedPackage(root)
		expect.None(t, root.Errors)
		for ident := range parser.Types {
			if ident.Package == root {
				idents = append(idents, ident)
			}
		}
	}
	slices.SortFunc(idents, func(a, b crd.TypeIdent) int { return strings.Compare(a.Name, b.Name) })
	if len(idents) == 0 {
		t.Fatal("there are no types in " + pattern)
	}
	return parser, idents
}

// source makes Go packages.
type source struct {
	*rand.Rand
	module string
	// structs and others are the names of types so far, with packages.
	structs, others []string
	// depths are those of the fields of structs.
	depths  map[string]map[int]int
	imports map[string]bool
}

const typesEach = 6

func (s *source) file(pkg string) string {
	s.imports = map[string]bool{}
	var body strings.Builder
	for i := range typesEach {
		name := fmt.Sprintf("%s%d", strings.ToUpper(pkg), i)
		fmt.Fprintf(&body, "\n// %s is a type.\n", name)
		if s.IntN(4) > 0 || len(s.structs) == 0 {
			s.structType(&body, pkg, name)
			s.structs = append(s.structs, pkg+"."+name)
		} else {
			s.otherType(&body, pkg, name)
			s.others = append(s.others, pkg+"."+name)
		}
	}
	header := "package " + pkg + "\n\n"
	for _, imported := range []string{"b", "c"} {
		if s.imports[imported] {
			header += fmt.Sprintf("import %q\n", s.module+"/"+imported)
		}
	}
	return header + body.String()
}

// otherType declares a type that is no struct of its own.
func (s *source) otherType(b *strings.Builder, pkg, name string) {
	of := s.use(pkg, s.structs)
	switch s.IntN(5) {
	case 0:
		fmt.Fprintf(b, "type %s %s\n", name, of)
	case 1:
		fmt.Fprintf(b, "// +kubebuilder:validation:MaxItems=7\n// +listType=atomic\ntype %s []%s\n", name, of)
	case 2:
		fmt.Fprintf(b, "// +kubebuilder:validation:MaxProperties=7\ntype %s map[string]%s\n", name, of)
	case 3:
		fmt.Fprintf(b, "// +kubebuilder:validation:Enum=x;y\ntype %s string\n", name)
	default:
		fmt.Fprintf(b, "// +kubebuilder:validation:MaxLength=%d\n// +kubebuilder:default=x\ntype %s string\n", s.IntN(2)+7, name)
	}
}

// structType declares a struct. Fields of types that it embeds may have equal names, if none hides the
// other: see TestHidden.
func (s *source) structType(b *strings.Builder, pkg, name string) {
	if s.IntN(3) == 0 {
		fmt.Fprintf(b, "// +kubebuilder:validation:XValidation:rule=\"self != 'x'\"\n")
	}
	fmt.Fprintf(b, "type %s struct {\n", name)
	embedded, depths := map[string]bool{}, map[int]int{}
	for range s.IntN(3) {
		if len(s.structs) == 0 {
			break
		}
		of := s.use(pkg, s.structs)
		qualified := of
		if !strings.Contains(of, ".") {
			qualified = pkg + "." + of
		}
		if embedded[of] || !s.embed(depths, qualified) {
			continue
		}
		embedded[of] = true
		fmt.Fprintf(b, "\t%s `json:\",inline\"`\n", of)
	}
	for _, field := range s.Perm(5)[:s.IntN(5)+1] {
		if _, isTaken := depths[field]; !isTaken {
			depths[field] = 0
			s.field(b, pkg, name, field)
		}
	}
	s.depths[pkg+"."+name] = depths
	b.WriteString("}\n")
}

// embed adds the depths of fields of an embedded struct, unless one would hide another.
func (s *source) embed(depths map[int]int, of string) bool {
	for field, depth := range s.depths[of] {
		if known, found := depths[field]; found && known != depth+1 {
			return false
		}
	}
	for field, depth := range s.depths[of] {
		depths[field] = depth + 1
	}
	return true
}

func (s *source) field(b *strings.Builder, pkg, name string, field int) {
	of, validations := "string", []string{"", "kubebuilder:validation:MaxLength=7", "kubebuilder:validation:Pattern=x", "kubebuilder:default=y", "kubebuilder:validation:Enum=y;z"}
	switch kind := s.IntN(8); {
	case kind == 0:
		of, validations = "[]"+name, []string{"", "kubebuilder:validation:MaxItems=5", "listType=atomic"}
	case kind < 4 && len(s.structs) > 0:
		form := []string{"", "*", "[]", "map[string]", "[]*"}[s.IntN(5)]
		of, validations = form+s.use(pkg, s.structs), []string{"", "kubebuilder:pruning:PreserveUnknownFields", "kubebuilder:validation:XValidation:rule=\"true\""}
	case kind < 6 && len(s.others) > 0:
		of, validations = s.use(pkg, s.others), []string{"", "optional", "nullable"}
	case kind == 6:
		of, validations = "int64", []string{"", "kubebuilder:validation:Minimum=1", "kubebuilder:validation:Maximum=9"}
	}
	if s.IntN(2) == 0 {
		fmt.Fprintf(b, "\t// F%d is a field of %s.\n", field, name)
	}
	if validation := validations[s.IntN(len(validations))]; validation != "" {
		fmt.Fprintf(b, "\t// +%s\n", validation)
	}
	fmt.Fprintf(b, "\tF%d %s `json:\"f%d%s\"`\n", field, of, field, []string{"", ",omitempty"}[s.IntN(2)])
}

// use returns one of the types, as it is called in a package.
func (s *source) use(pkg string, types []string) string {
	from, name, _ := strings.Cut(types[s.IntN(len(types))], ".")
	if from == pkg {
		return name
	}
	s.imports[from] = true
	return from + "." + name
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	testmodule.Write(t, filepath.Join(dir, name), []byte(content))
}
