package apiserver

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celmodel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
)

// Ratchets reports whether a release of Kubernetes accepts updates of an invalid object if they don't touch the invalid
// fields, see
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting.
// It has been on since 1.30, but only since 1.33 for updates of the status, which each reconcile of a managed resource
// makes: see pkg/registry/customresource/status_strategy.go of k8s.io/apiextensions-apiserver.
func Ratchets(release *version.Version) bool { return release.AtLeast(version.MajorMinor(1, 33)) }

// Read returns an object as the API server reads it, from a request or from its storage, and the fields that it drops
// because the schema doesn't declare them. The object is not changed.
func (v *ObjectValidator) Read(object map[string]any) (read map[string]any, dropped []string) {
	read = runtime.DeepCopyJSON(object)
	dropped = pruning.PruneWithOptions(read, v.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(read, v.structural)
	defaulting.Default(read, v.structural)
	slices.Sort(dropped)
	return read, dropped
}

// Known returns an object without the fields that the schema doesn't declare.
func (v *ObjectValidator) Known(object map[string]any) map[string]any {
	known := runtime.DeepCopyJSON(object)
	pruning.Prune(known, v.structural, true)
	return known
}

// UpdateRefusals returns the reasons for which the API server would not replace a stored object with another one,
// sorted. Both objects are as [ObjectValidator.Read] returns them. With ratcheting, fields that the update doesn't touch
// may be invalid.
func (v *ObjectValidator) UpdateRefusals(ctx context.Context, object, old map[string]any, ratcheting bool) []Refusal {
	var options []validation.ValidationOption
	var celOptions []cel.Option
	if ratcheting {
		correlated := common.NewCorrelatedObject(object, old, &celmodel.Structural{Structural: v.structural})
		options = append(options, validation.WithRatcheting(correlated))
		celOptions = append(celOptions, cel.WithRatcheting(correlated))
	}
	errs := validation.ValidateCustomResourceUpdate(nil, object, old, v.validator, options...)
	return v.refusals(nil, v.errors(ctx, errs, object, old, celOptions...), object)
}

// ValidateUpdate returns the API server's objections to replacing an installed and established definition that has
// objects in its storage version. It changes neither.
func ValidateUpdate(ctx context.Context, definition, installed *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
	old, err := convert(installed)
	if err != nil {
		return nil // an API server has read the installed definition
	}
	updated, err := convert(definition)
	if err != nil {
		return []crdvalidation.ValidationError{{Rule: -1, Reason: oneLine(err.Error())}}
	}
	// Validation is stricter for a definition that is established.
	old.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{{
		Type:   apiextensions.Established,
		Status: apiextensions.ConditionTrue,
	}}
	// Updates need a resourceVersion.
	old.ResourceVersion, updated.ResourceVersion = "1", "1"
	// The server sets the status before it validates an update, see the strategy in
	// k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition.
	storage := updated.Status.StoredVersions
	updated.Status = *old.Status.DeepCopy()
	for _, v := range storage {
		if !slices.Contains(updated.Status.StoredVersions, v) {
			updated.Status.StoredVersions = append(updated.Status.StoredVersions, v)
		}
	}
	var problems []crdvalidation.ValidationError
	for _, e := range apiextensionsvalidation.ValidateCustomResourceDefinitionUpdate(ctx, updated, old) {
		problems = append(problems, crdvalidation.ValidationError{
			Rule:   -1,
			Field:  strings.TrimPrefix(e.Field, "spec."),
			Reason: oneLine(e.ErrorBody()),
		})
	}
	slices.SortFunc(problems, crdvalidation.ValidationError.Compare)
	return problems
}

// ChecksFormat reports whether the API server checks the format of strings. It knows the format password, which any
// string has.
func ChecksFormat(format string) bool { return format != "password" && KnowsFormat("string", format) }

// KnowsFormat reports whether the API server knows a format for values of a type. It ignores other formats.
func KnowsFormat(schemaType, format string) bool {
	s := &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{schemaType}, Format: format}}
	return len(validation.GetUnrecognizedFormats(s, version.MajorMinor(1, 36))) == 0
}
