// Package apiserver checks CustomResourceDefinitions before they are written, with the Kubernetes API server's own code
// for creating them: structural schemas, defaults, and the compilation and cost of CEL rules. It needs no server.
package apiserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
)

// Upstream is the [crdvalidation.Validator] that validates each definition as a whole with the API server's own code,
// and caches nothing.
type Upstream struct {
	// MinKubernetes is a release of Kubernetes. Unless it is nil, rules and fields that the release doesn't support are
	// problems, too.
	MinKubernetes *version.Version
}

// Validate implements [crdvalidation.Validator].
func (u Upstream) Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
	internal, err := Convert(crd)
	if err != nil {
		return []crdvalidation.ValidationError{{Rule: -1, Reason: oneLine(err.Error())}}
	}

	problems := serverProblems(ctx, crd, internal)
	if u.MinKubernetes != nil {
		problems = append(problems, releaseProblems(internal, u.MinKubernetes, problems)...)
	}

	order := map[string]int{}
	for i, v := range slices.Backward(crd.Spec.Versions) {
		order[v.Name] = i + 1
	}
	slices.SortFunc(problems, func(a, b crdvalidation.ValidationError) int {
		return cmp.Or(cmp.Compare(order[a.Version], order[b.Version]), a.Compare(b))
	})
	return slices.CompactFunc(problems, func(a, b crdvalidation.ValidationError) bool {
		return a.Version == b.Version && a.Compare(b) == 0
	})
}

// Convert returns crd as the API server holds it when it validates a new object. The
// two share memory, which nobody may change.
func Convert(crd *apiextensionsv1.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	// Defaulting changes only these. Copying schemas would cost as much as converting them.
	defaulted := *crd
	defaulted.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	defaulted.Spec.Conversion = crd.Spec.Conversion.DeepCopy()
	// Defaulting also sets status.storedVersions to the storage version.
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(&defaulted)

	internal := &apiextensions.CustomResourceDefinition{}
	err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&defaulted, internal, nil)
	if err != nil {
		return nil, fmt.Errorf("can't be read by the API server: %w", err)
	}
	return internal, nil
}

// serverProblems returns the errors of the API server's own validation.
func serverProblems(
	ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, internal *apiextensions.CustomResourceDefinition,
) []crdvalidation.ValidationError {
	errs, err := serverErrors(ctx, internal)
	if err != nil {
		return []crdvalidation.ValidationError{{Rule: -1, Reason: oneLine(err.Error())}}
	}

	var problems []crdvalidation.ValidationError
	overBudget := false
	for _, e := range errs {
		switch {
		case strings.HasPrefix(e.Field, "status."):
			// The status is the server's own. Its errors follow from a missing storage version, which is an error in the
			// spec already.
			continue
		case e.Detail == crdvalidation.Contributed:
			// The server picks among equally expensive rules by the order of a map, which is random. expensiveRules
			// picks them instead.
			overBudget = true
			continue
		}
		l := locate(crd, e.Field)
		for _, v := range l.versions {
			problems = append(problems, crdvalidation.ValidationError{
				Version: v,
				Path:    l.path,
				Rule:    l.rule,
				Field:   l.field,
				Reason:  reason(crd, e),
			})
		}
	}
	if overBudget {
		contributors := expensiveRules(internal, problems)
		if len(contributors) == 0 {
			// Each of the rules that make up the total is over its own budget, and says
			// so already.
			problems = slices.DeleteFunc(problems, crdvalidation.ValidationError.IsTotalCost)
		}
		problems = append(problems, contributors...)
	}
	return problems
}

// serverErrors returns the errors of the API server's own validation.
func serverErrors(ctx context.Context, internal *apiextensions.CustomResourceDefinition) (errs field.ErrorList, err error) {
	defer func() {
		// It panics for some definitions, for example if a fieldPath leads below the values of a map without a schema.
		if r := recover(); r != nil {
			err = fmt.Errorf("the API server's validation crashes on this definition, check each fieldPath and selectable field: %v", r)
		}
	}()
	return validation.ValidateCustomResourceDefinition(ctx, internal), nil
}
