package synthetic

import (
	"fmt"
	"go/format"
	"strings"
)

func emitGo(name, source string, emit func(string, []byte) error) error {
	formatted, err := format.Source([]byte(source))
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, source)
	}
	return emit(name, formatted)
}

// kindFile returns the source of a kind in a scope.
func (s scope) kindFile(k *kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"reflect\"\n\n", version)
	b.WriteString("\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t\"k8s.io/apimachinery/pkg/runtime/schema\"\n\n")
	b.WriteString("\txpv1 \"github.com/crossplane/crossplane-runtime/v2/apis/common/v1\"\n")
	if s.specImport != "" {
		fmt.Fprintf(&b, "\t%s\n", s.specImport)
	}
	b.WriteString(")\n\n")
	for _, e := range k.enums {
		fmt.Fprintf(&b, "// %s is one of the values that the service knows.\n", e.name)
		fmt.Fprintf(&b, "// +kubebuilder:validation:Enum=%s\ntype %s string\n\n", strings.Join(e.values, ";"), e.name)
	}
	for i := len(k.parameters) - 1; i >= 0; i-- {
		s.structure(&b, k.parameters[i], true)
	}
	for i := len(k.observations) - 1; i >= 0; i-- {
		s.structure(&b, k.observations[i], false)
	}
	markers := ""
	if k.connection {
		markers = connectionMarkers
	}
	b.WriteString(strings.NewReplacer("KIND", k.name, "SPEC", s.spec, "SCOPE", s.resource, "// CONNECTION\n", markers).Replace(kindTemplate))
	return b.String()
}

func (s scope) structure(b *strings.Builder, t *structure, desired bool) {
	b.WriteString(comment(t.doc))
	if t.rule != "" {
		fmt.Fprintf(b, "// %s\n", t.rule)
	}
	fmt.Fprintf(b, "type %s struct {\n", t.name)
	for i, f := range t.fields {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(comment(f.doc))
		if desired && !f.required {
			b.WriteString("// +optional\n")
		}
		for _, m := range append(f.markers, s.referenceMarkers(f)...) {
			fmt.Fprintf(b, "// %s\n", m)
		}
		tag := jsonName(f.name)
		// Required fields that are no pointers always marshal.
		if !f.required || strings.HasPrefix(s.goType(f), "*") {
			tag += ",omitempty"
		}
		fmt.Fprintf(b, "%s %s `json:%q`\n", f.name, s.goType(f), tag)
	}
	b.WriteString("}\n\n")
}

func (s scope) goType(f field) string {
	switch f.form {
	case reference:
		return "*" + s.reference
	case references:
		return "[]" + s.reference
	case selector:
		return "*" + s.selector
	case secret:
		return "*" + s.secret
	default:
		return f.goType
	}
}

func (s scope) referenceMarkers(f field) []string {
	if f.form != value {
		return nil
	}
	qualifier := ""
	if f.target.group != "" {
		qualifier = Module + "/" + s.folder(f.target.group) + "."
	}
	markers := []string{"+crossplane:generate:reference:type=" + qualifier + f.target.kind}
	if f.extractor {
		markers = append(markers, "+crossplane:generate:reference:extractor="+qualifier+"ARN()")
	}
	return markers
}

// jsonName returns the name in lower camel case: ARN is arn, DiskSize diskSize.
func jsonName(name string) string {
	if name == strings.ToUpper(name) {
		return strings.ToLower(name)
	}
	return strings.ToLower(name[:1]) + name[1:]
}
