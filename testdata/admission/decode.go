package admission

import (
	"fmt"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// decode returns an object as the API server decodes it from a request of kubectl,
// which has unknown fields refused.
func (s *Server) decode(object map[string]any) (*unstructured.Unstructured, error) {
	decoded, unknown, err := s.coerce(object, false)
	switch {
	case err != nil:
		return nil, apierrors.NewBadRequest(err.Error())
	case len(unknown) > 0:
		var errs []error
		for _, path := range unknown {
			errs = append(errs, fmt.Errorf("unknown field %q", path))
		}
		return nil, apierrors.NewBadRequest(runtime.NewStrictDecodingError(errs).Error())
	}
	return decoded, nil
}

// read returns an object as the API server reads it from its storage, which may
// hold what it would refuse today.
func (s *Server) read(stored map[string]any) (*unstructured.Unstructured, error) {
	decoded, _, err := s.coerce(stored, true)
	if err != nil {
		return nil, err
	}
	// Storage has always given an object its version and generation.
	if decoded.GetResourceVersion() == "" {
		decoded.SetResourceVersion("1")
	}
	if decoded.GetGeneration() == 0 {
		decoded.SetGeneration(1)
	}
	return decoded, nil
}

// coerce does what the API server's decoders of custom resources do beyond JSON,
// which it doesn't export: see unstructuredSchemaCoercer and unstructuredDefaulter in
// k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go. It returns
// a copy of the object, and the paths of fields that it had to drop. Malformed
// metadata is an error, or dropped.
func (s *Server) coerce(object map[string]any, dropMalformed bool) (*unstructured.Unstructured, []string, error) {
	decoded := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
	apiVersion, kind := decoded.GetAPIVersion(), decoded.GetKind()
	metadata, hasMetadata, unknown, err := objectmeta.GetObjectMetaWithOptions(decoded.Object, objectmeta.ObjectMetaOptions{
		DropMalformedFields: dropMalformed, ReturnUnknownFieldPaths: true,
	})
	if err != nil {
		return nil, nil, err
	}
	unknown = append(unknown, pruning.PruneWithOptions(decoded.Object, s.schema, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
	defaulting.PruneNonNullableNullsWithoutDefaults(decoded.Object, s.schema)
	invalid, paths := objectmeta.CoerceWithOptions(nil, decoded.Object, s.schema, false, objectmeta.CoerceOptions{
		DropInvalidFields: dropMalformed, ReturnUnknownFieldPaths: true,
	})
	if invalid != nil {
		return nil, nil, invalid
	}
	unknown = append(unknown, paths...)
	decoded.SetAPIVersion(apiVersion)
	decoded.SetKind(kind)
	if hasMetadata {
		if err := objectmeta.SetObjectMeta(decoded.Object, metadata); err != nil {
			return nil, nil, err
		}
	}
	defaulting.Default(decoded.Object, s.schema)
	return decoded, unknown, nil
}
