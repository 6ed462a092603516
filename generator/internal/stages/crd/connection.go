package crd

import (
	"maps"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/diag"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
)

const codeConnectionDetail diag.Code = "connection-detail"

// connectionDetails returns the connection details of a managed kind.
func connectionDetails(pass *pipeline.Pass, d pipeline.Definition) []connection.Detail {
	details, diags := connection.Details(d.Objects)
	for _, problem := range diags {
		pass.Report(problem)
	}
	return details
}

// annotate returns the annotations of a CRD with one more for each connection
// detail. The name of an annotation holds less than the key of a Secret: details
// that don't fit are named in a warning and left out.
func annotate(pass *pipeline.Pass, d pipeline.Definition) map[string]string {
	annotations := maps.Clone(d.CRD.Annotations)
	for _, detail := range d.ConnectionDetails {
		name := connection.AnnotationPrefix + detail.Name
		if problems := validation.IsQualifiedName(name); len(problems) > 0 {
			pass.Report(diag.Warningf(detail.Pos, codeConnectionDetail,
				"the CRD does not tell of the key %q, which can't be part of an annotation's name: only an MRD can", detail.Name))
			continue
		}
		if other, found := annotations[name]; found && other != detail.Description {
			pass.Report(diag.Errorf(detail.Pos, codeConnectionDetail,
				"%s has the annotation %s with another text already: remove its marker +kubebuilder:metadata:annotations", d.CRD.Spec.Names.Kind, name))
			continue
		}
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[name] = detail.Description
	}
	if err := apivalidation.ValidateAnnotationsSize(annotations); err != nil {
		pass.Report(diag.Errorf(d.Objects[0].Pos, codeConnectionDetail,
			"the annotations with the connection details of %s are too large: %v: shorten the descriptions", d.CRD.Spec.Names.Kind, err))
	}
	return annotations
}
