package lintrules

import "github.com/mrgen-io/mrgen/generator/internal/review/linter"

// design is the folder of Crossplane's design documents.
const design = "https://github.com/crossplane/crossplane/blob/main/design/"

// The documents that several rules come from.
var (
	apiPatterns   = document{"Managed Resources API Patterns", design + "one-pager-managed-resource-api-design.md"}
	observeOnly   = document{"Observe Only Resources", design + "design-doc-observe-only-resources.md"}
	v2Proposal    = document{"Crossplane v2 proposal", design + "proposal-crossplane-v2.md"}
	kubernetesAPI = document{
		"Kubernetes API Conventions",
		"https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md",
	}
	providerTemplate = document{
		"provider-template",
		"https://github.com/crossplane/provider-template/blob/main/apis/sample/v1alpha1/mytype_types.go",
	}
	mrdDesign = linter.Source{Name: "One-pager: Managed Resource Definitions", URL: design + "one-pager-mrds.md"}
)

type document struct{ name, url string }

// section returns a section as the source of a rule. The anchor is "" if it has none.
func (d document) section(title, anchor string) linter.Source {
	return linter.Source{Name: d.name + ", " + title, URL: d.url + anchor}
}
