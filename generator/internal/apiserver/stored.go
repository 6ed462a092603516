package apiserver

import (
	"context"
	"fmt"
	"maps"
	"reflect"
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

// Ratchets reports whether a release of Kubernetes lets what an update leaves alone be invalid, see
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting.
// It has been on since 1.30, but only since 1.33 for updates of the status, which each reconcile of a
// managed resource makes: see pkg/registry/customresource/status_strategy.go of
// k8s.io/apiextensions-apiserver.
func Ratchets(release *version.Version) bool { return release.AtLeast(version.MajorMinor(1, 33)) }

// Read returns an object as the API server reads it, from a request or from what it has
// stored, and the fields that it drops since the schema doesn't know them. The object is
// not changed.
func (v *ObjectValidator) Read(object map[string]any) (read map[string]any, dropped []string) {
	read = runtime.DeepCopyJSON(object)
	dropped = pruning.PruneWithOptions(read, v.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(read, v.structural)
	defaulting.Default(read, v.structural)
	slices.Sort(dropped)
	return read, dropped
}

// Known returns an object without the fields that the schema doesn't know.
func (v *ObjectValidator) Known(object map[string]any) map[string]any {
	known := runtime.DeepCopyJSON(object)
	pruning.Prune(known, v.structural, true)
	return known
}

// UpdateRefusals returns the reasons for which the API server would not take an object in
// the place of a stored one, sorted. Both are as it reads them. With ratcheting, what the
// update leaves alone may be invalid.
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

// A Difference is a field that one object has and another hasn't, or has another value of.
type Difference struct {
	Field   string
	Was, Is any
}

// Differences returns how two objects differ, in the order of the names of their fields.
// Null is no value.
func Differences(was, is map[string]any) []Difference { return differences("", was, is) }

func differences(field string, was, is any) []Difference {
	var all []Difference
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok {
			break
		}
		names := slices.Collect(maps.Keys(was))
		names = slices.AppendSeq(names, maps.Keys(is))
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			all = append(all, differences(strings.TrimPrefix(field+"."+name, "."), was[name], is[name])...)
		}
		return all
	case []any:
		is, ok := is.([]any)
		if !ok || len(was) != len(is) {
			break
		}
		for i := range was {
			all = append(all, differences(fmt.Sprintf("%s[%d]", field, i), was[i], is[i])...)
		}
		return all
	}
	if reflect.DeepEqual(was, is) {
		return nil
	}
	return []Difference{{field, was, is}}
}

// ValidateUpdate returns what the API server would object to if a definition took the place
// of one that is installed and established, with objects stored in its storage version. It
// changes neither.
func ValidateUpdate(ctx context.Context, definition, installed *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
	old, err := convert(installed)
	if err != nil {
		return nil // what was installed was read by an API server
	}
	updated, err := convert(definition)
	if err != nil {
		return []crdvalidation.ValidationError{{Rule: -1, Reason: oneLine(err.Error())}}
	}
	old.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{{Type: apiextensions.Established, Status: apiextensions.ConditionTrue}}
	old.ResourceVersion, updated.ResourceVersion = "1", "1"
	// What an update does before it is validated, see the strategy in
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
		problems = append(problems, crdvalidation.ValidationError{Rule: -1, Field: strings.TrimPrefix(e.Field, "spec."), Reason: oneLine(e.ErrorBody())})
	}
	slices.SortFunc(problems, crdvalidation.ValidationError.Compare)
	return problems
}

// ChecksFormat reports whether the API server checks that strings have a format: any string is a
// password.
func ChecksFormat(format string) bool { return format != "password" && KnowsFormat("string", format) }

// KnowsFormat reports whether a format means something to the API server for values of a type. It
// ignores others.
func KnowsFormat(schemaType, format string) bool {
	s := &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{schemaType}, Format: format}}
	return len(validation.GetUnrecognizedFormats(s, version.MajorMinor(1, 36))) == 0
}
