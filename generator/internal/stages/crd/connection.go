package crd

import (
	"maps"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

const codeConnectionDetail diag.Code = "connection-detail"

// annotate returns the annotations of a CRD with its connection details.
func annotate(d stage.Definition) (map[string]string, diag.List) {
	var problems diag.List
	annotations := maps.Clone(d.CRD.Annotations)
	for _, detail := range d.ConnectionDetails {
		name := connection.AnnotationPrefix + detail.Name
		// Keys of Secrets allow more characters than names of annotations.
		if reasons := validation.IsQualifiedName(name); len(reasons) > 0 {
			problems = append(problems, diag.Warningf(detail.Pos, codeConnectionDetail,
				"the CRD does not tell of the key %q, which can't be part of an annotation's name: only an MRD can", detail.Name))
			continue
		}
		// The author's own annotation must not be overwritten.
		if other, found := annotations[name]; found && other != detail.Description {
			problems = append(problems, diag.Errorf(detail.Pos, codeConnectionDetail,
				"%s has the annotation %s with another text already: remove its marker +kubebuilder:metadata:annotations", d.CRD.Spec.Names.Kind, name))
			continue
		}
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[name] = detail.Description
	}
	if err := apivalidation.ValidateAnnotationsSize(annotations); err != nil {
		problems = append(problems, diag.Errorf(d.Objects[0].Pos, codeConnectionDetail,
			"the annotations with the connection details of %s are too large: %v: shorten the descriptions", d.CRD.Spec.Names.Kind, err))
	}
	return annotations, problems
}
