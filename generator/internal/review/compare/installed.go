package compare

import (
	"context"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
)

// installErrors returns the API server's objections to replacing an installed and established definition that has
// objects in its storage version. It changes neither.
func installErrors(ctx context.Context, definition, installed *apiextensionsv1.CustomResourceDefinition) (field.ErrorList, error) {
	old, err := apiserver.Convert(installed)
	if err != nil {
		return nil, err
	}
	updated, err := apiserver.Convert(definition)
	if err != nil {
		return nil, err
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
	return validation.ValidateCustomResourceDefinitionUpdate(ctx, updated, old), nil
}
