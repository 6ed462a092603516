package synthetic

import (
	"fmt"
	"slices"
	"strings"
)

// A view is one of the three types that upjet makes of each block.
type view struct {
	suffix string
	// observed leaves out what only selects a value; settable what is only observed.
	observed, settable bool
	// initial leaves out identifiers, and says nothing about what must be set.
	initial bool
}

var views = []view{
	{suffix: "InitParameters", settable: true, initial: true},
	{suffix: "Observation", observed: true},
	{suffix: "Parameters", settable: true},
}

func (v view) has(a attribute) bool {
	switch {
	case a.computed && v.settable, a.identifier && v.initial:
		return false
	case v.observed:
		return a.form == plain || a.form == value
	default:
		return true
	}
}

// resourceFile returns the types of a resource in a version and a scope.
func (s scope) resourceFile(r *resource, version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%spackage %s\n\nimport (\n", generatedHeader, version)
	b.WriteString("\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t\"k8s.io/apimachinery/pkg/runtime/schema\"\n\n")
	b.WriteString("\txpv1 \"github.com/crossplane/crossplane-runtime/v2/apis/common/v1\"\n")
	if s.specImport != "" {
		fmt.Fprintf(&b, "\t%s\n", s.specImport)
	}
	b.WriteString(")\n\n")
	versions := s.versions(r.member)
	stored := version == versions[len(versions)-1]
	for _, block := range r.blocks {
		for _, v := range views {
			s.block(&b, block, v, stored)
		}
	}
	storage := ""
	if stored {
		storage = "// +kubebuilder:storageversion\n"
	}
	var rules strings.Builder
	for _, name := range r.required {
		rules.WriteString(strings.ReplaceAll(ruleTemplate, "FIELD", name))
	}
	b.WriteString(strings.NewReplacer("KIND", r.name, "SPEC", s.spec, "SCOPE", s.resource, "// STORAGE\n", storage, "// RULES\n", rules.String()).Replace(resourceTemplate))
	return b.String()
}

// block writes a view of a block. Versions that are not stored have lists of blocks only.
func (s scope) block(b *strings.Builder, t *block, v view, stored bool) {
	fmt.Fprintf(b, "type %s%s struct {\n", t.name, v.suffix)
	for _, a := range t.attributes {
		if !v.has(a) {
			continue
		}
		b.WriteString("\n" + commentLines(a.doc))
		if !v.observed {
			for _, m := range s.extractMarkers(a.field) {
				fmt.Fprintf(b, "// %s\n", m)
			}
		}
		tag := jsonName(a.name)
		switch {
		case v.initial || v.observed:
			tag += ",omitempty"
		case a.required:
			b.WriteString("// +kubebuilder:validation:Required\n")
		default:
			b.WriteString("// +kubebuilder:validation:Optional\n")
			tag += ",omitempty"
		}
		goType := s.goType(a.field)
		if a.inner != nil {
			goType = "*" + a.inner.name + v.suffix
			if a.inner.list || !stored {
				goType = "[]" + a.inner.name + v.suffix
			}
		}
		for _, m := range a.markers {
			if !v.observed || a.form == plain {
				fmt.Fprintf(b, "// %s\n", m)
			}
		}
		terraform := "-"
		if a.form == plain || a.form == value {
			terraform = terraformName(a.name) + ",omitempty"
		}
		fmt.Fprintf(b, "%s %s `json:%q tf:%q`\n", a.name, goType, tag, terraform)
	}
	b.WriteString("}\n\n")
}

// extractMarkers returns the markers of a value that is taken from another kind, in the
// version of that which is stored.
func (s scope) extractMarkers(f field) []string {
	if f.form != value {
		return nil
	}
	versions := s.versions(member{converted: f.target.converted})
	markers := []string{"+crossplane:generate:reference:type=" + Module + "/" + s.versionFolder(f.target.group, versions[len(versions)-1]) + "." + f.target.kind}
	if f.extractor {
		markers = append(markers, "+crossplane:generate:reference:extractor="+Module+"/internal/extract.ResourceID()")
	}
	return markers
}

// terraformed returns the methods by which Terraform is given the values of a resource.
func terraformed(r *resource, version string) string {
	return strings.NewReplacer("VERSION", version, "KIND", r.name, "TERRAFORM", "synthetic_"+terraformName(r.name)).Replace(terraformedTemplate)
}

// terraformName returns a name in snake case: ID is id, DiskSize disk_size.
func terraformName(name string) string {
	return strings.ReplaceAll(words(jsonName(name)), " ", "_")
}

// hubs returns the methods of what is stored in this version, or nothing.
func (s scope) hubs(version string, resources []*resource) string {
	return s.conversions(version, resources, true, generatedHeader+"package "+version+"\n", hubTemplate)
}

// spokes returns the methods of what is stored in another version, or nothing.
func (s scope) spokes(version string, resources []*resource) string {
	return s.conversions(version, resources, false, strings.ReplaceAll(spokesTemplate, "VERSION", version), spokeTemplate)
}

func (s scope) conversions(version string, resources []*resource, stored bool, head, method string) string {
	var b strings.Builder
	for _, r := range resources {
		versions := s.versions(r.member)
		if isStored := slices.Index(versions, version) == len(versions)-1; isStored == stored {
			b.WriteString(strings.ReplaceAll(method, "KIND", r.name))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return head + b.String()
}
