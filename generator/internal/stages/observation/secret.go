package observation

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// crossplaneTypes are the prefixes of the packages that declare Crossplane's API
// types: crossplane-runtime up to v2.2, in several versions, and Crossplane's own
// module since.
var crossplaneTypes = []string{
	"github.com/crossplane/crossplane-runtime/",
	"github.com/crossplane/crossplane/apis/",
}

// isReference reports whether a type refers to other objects or selects them.
func isReference(t *model.Type) bool {
	return isCrossplaneType(t, "Reference", "NamespacedReference", "TypedReference", "ProviderConfigReference",
		"Selector", "NamespacedSelector")
}

// isSecretSelector reports whether a type refers to a Kubernetes Secret.
func isSecretSelector(t *model.Type) bool {
	return isCrossplaneType(t, "SecretKeySelector", "LocalSecretKeySelector", "SecretReference", "LocalSecretReference") ||
		t.Package == "k8s.io/api/core/v1" && slices.Contains([]string{"SecretKeySelector", "SecretReference"}, t.Name)
}

func isCrossplaneType(t *model.Type, names ...string) bool {
	return slices.Contains(names, t.Name) && slices.ContainsFunc(crossplaneTypes, func(prefix string) bool {
		return strings.HasPrefix(t.Package, prefix)
	})
}

// secretWords are what the names of secrets say, in lower case and without
// separators.
var secretWords = []string{"password", "token", "secret", "privatekey", "credential"}

// saysSecret reports whether a field holds text and has a name as of a secret.
func saysSecret(f *model.Field) bool {
	t := f.Type
	for t.Kind == model.Pointer || t.Kind == model.Slice {
		t = t.Elem
	}
	if t.Basic != "string" {
		return false
	}
	separators := strings.NewReplacer("_", "", "-", "")
	for _, name := range []string{f.Name, f.JSONName} {
		name = strings.ToLower(separators.Replace(name))
		if slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) }) {
			return true
		}
	}
	return false
}
