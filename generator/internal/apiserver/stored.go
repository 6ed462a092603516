package apiserver

import (
	"context"
	"slices"

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

// KnowsFormat reports whether the API server knows a format for values of a type. It ignores other formats.
func KnowsFormat(schemaType, format string) bool {
	s := &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{schemaType}, Format: format}}
	return len(validation.GetUnrecognizedFormats(s, version.MajorMinor(1, 36))) == 0
}
