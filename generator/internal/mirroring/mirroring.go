// Package mirroring decides which fields of spec.forProvider are not mirrored in
// status.atProvider: references, secrets, and fields that their author excludes.
package mirroring

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A Reason is why a field is not mirrored, or "" for a mirrored field.
type Reason string

const (
	// Sensitive fields are marked +mrgen:sensitive.
	Sensitive Reason = "it is sensitive"
	// Marked fields are marked +mrgen:mirror=false.
	Marked Reason = "it is marked not to be mirrored"
	// SecretReference fields refer to Kubernetes Secrets.
	SecretReference Reason = "it refers to a secret"
	// Reference fields refer to other managed resources, or select them.
	Reference Reason = "it is a reference or a selector"
	// SecretName fields are named like secrets.
	SecretName Reason = "it is named like a secret"
	// HoldsSecret fields have a type of another module that contains a secret. Such types
	// are mirrored as a whole or not at all.
	HoldsSecret Reason = "its type, of another module, has a field for a secret"
)

// Secret reports whether the field appears to hold a secret or to refer to one.
func (r Reason) Secret() bool {
	return r == Sensitive || r == SecretReference || r == SecretName || r == HoldsSecret
}

// Guessed reports whether a name alone decided, so that the author should review it.
func (r Reason) Guessed() bool { return r == SecretName || r == HoldsSecret }

// Rules decide which fields are not mirrored.
type Rules struct {
	// selectors are structs that refer to secrets, judging by fields that use them.
	selectors map[*model.Type]bool
}

// New returns the rules for the fields of the objects.
func New(objects []*model.Object) *Rules {
	r := &Rules{selectors: map[*model.Type]bool{}}
	for _, o := range objects {
		if forProvider := o.Spec.Part("forProvider"); forProvider != nil {
			model.EachField(forProvider.Type.Leaf().Fields, r.learn)
		}
	}
	return r
}

// learn records a type with a name and a key, used by a field whose name says that it refers to a secret. Then
// the type refers to secrets in other fields, too.
func (r *Rules) learn(f *model.Field) bool {
	if leaf := f.Type.Leaf(); refersToSecret(f) && leaf.Field("name") != nil && leaf.Field("key") != nil {
		r.selectors[leaf] = true
	}
	return true
}

// Of returns why a field is not mirrored, or "". Its markers take precedence over its name and its type.
func (r *Rules) Of(f *model.Field) Reason {
	switch m := f.OwnMarker(markers.Mirror); {
	case f.OwnMarker(markers.Sensitive) != nil:
		return Sensitive
	case m == nil:
		return r.unmarked(f)
	case !m.Value.Bool():
		return Marked
	}
	return ""
}

// unmarked returns why a field without such a marker is not mirrored, or "".
func (r *Rules) unmarked(f *model.Field) Reason {
	leaf := f.Type.Leaf()
	switch {
	case r.isSecretSelector(leaf):
		return SecretReference
	case IsReference(leaf.Package, leaf.Name):
		return Reference
	case refersToSecret(f):
		return SecretReference
	// A boolean such as rotatePassword isn't a secret.
	case isNamedLikeSecret(f) && r.mayHoldText(f):
		return SecretName
	// A foreign type is mirrored as a whole or not at all.
	case !leaf.Local && r.holdsSecret(leaf):
		return HoldsSecret
	}
	return ""
}

// NamesNamespace reports whether a field may name the namespace of a secret, regardless of markers: by a
// reference to a secret with a namespace, by a type of another module that contains one, or by its own name.
func (r *Rules) NamesNamespace(f *model.Field) (names bool) {
	model.EachField([]*model.Field{f}, func(f *model.Field) bool {
		leaf := f.Type.Leaf()
		if leaf.Kind != model.Struct {
			names = names || leaf.Basic == "string" && strings.HasSuffix(compact(f.JSONName), "secretnamespace")
		} else {
			names = names || leaf.Field("namespace") != nil && r.unmarked(f) == SecretReference
		}
		return !names && !leaf.Local && !leaf.Marshals
	})
	return names
}

// crossplaneTypes are the prefixes of the packages that declare Crossplane's API
// types: crossplane-runtime up to v2.2, in several versions, and Crossplane's own
// module since.
var crossplaneTypes = []string{
	"github.com/crossplane/crossplane-runtime/",
	"github.com/crossplane/crossplane/apis/",
}

// references are Crossplane's types that refer to other objects or select them.
var references = []string{
	"Reference", "NamespacedReference", "TypedReference", "ProviderConfigReference", "Selector", "NamespacedSelector",
}

// IsReference reports whether the type of a name in a package refers to other objects or selects them.
func IsReference(importPath, name string) bool {
	return slices.Contains(references, name) && IsCrossplane(importPath)
}

// IsCrossplane reports whether a package has the common types of managed resources.
func IsCrossplane(importPath string) bool {
	return slices.ContainsFunc(crossplaneTypes, func(prefix string) bool { return strings.HasPrefix(importPath, prefix) })
}

// selectorFields are the fields of selectors of secrets, except the name.
var selectorFields = []string{"namespace", "key", "optional"}

// isSecretSelector reports whether a type refers to a Kubernetes Secret: by its own name, by the name of a
// field that uses it, or because it embeds such a type. around are the types that lead to it.
func (r *Rules) isSecretSelector(t *model.Type, around ...*model.Type) bool {
	if r.selectors[t] || isSecretReference(compact(t.Name)) && t.Field("name") != nil {
		return true
	}
	embeds := false
	for _, f := range t.Fields {
		switch inner := f.Type.Deref(); {
		// Structs may embed each other by pointers.
		case f.Inline && inner != t && !slices.Contains(around, inner) && r.isSecretSelector(inner, append(around, t)...):
			embeds = true
		case !slices.Contains(selectorFields, f.JSONName):
			return false
		}
	}
	return embeds
}

// notText are Kubernetes types that encode themselves and can't hold a secret.
var notText = []string{"Time", "MicroTime", "Duration", "Quantity", "IntOrString"}

// mayHoldText reports whether a field may hold arbitrary text, itself or in a field that is not excluded for
// another reason. Numbers, booleans and enums can't.
func (r *Rules) mayHoldText(of *model.Field) (may bool) {
	model.EachField([]*model.Field{of}, func(f *model.Field) bool {
		isMarked := f.OwnMarker(markers.Sensitive) != nil || model.IsOff(f.Markers, markers.Mirror)
		isReference := refersToSecret(f) || r.isSecretSelector(f.Type.Leaf())
		switch leaf := f.Type.Leaf(); {
		case may, isEnum(f):
		case f != of && (f.Ignored || isMarked || isReference): // left out for another reason
		case leaf.Marshals:
			// A type that encodes itself may write any text, except the known ones.
			may = !strings.HasPrefix(leaf.Package, "k8s.io/apimachinery/") || !slices.Contains(notText, leaf.Name)
		case leaf.Kind == model.Basic:
			may = leaf.Basic == "string" || slices.ContainsFunc(f.Type.Layers(), (*model.Type).IsBytes)
		// A map or an interface may hold text.
		case leaf.Kind != model.Struct:
			may = true
		default:
			return true
		}
		return false
	})
	return may
}

// holdsSecret reports whether a struct has a field for a secret or a reference to one, at any depth.
func (r *Rules) holdsSecret(t *model.Type) (holds bool) {
	if t.Marshals {
		return false
	}
	model.EachField(t.Fields, func(f *model.Field) bool {
		leaf := f.Type.Leaf()
		switch {
		case f.Ignored:
		case r.isSecretSelector(leaf), refersToSecret(f) && !IsReference(leaf.Package, leaf.Name), isNamedLikeSecret(f) && r.mayHoldText(f):
			holds = true
		}
		return !holds && !f.Ignored && !leaf.Marshals
	})
	return holds
}

// isEnum reports whether a marker restricts a field to an enum.
func isEnum(f *model.Field) bool {
	return model.Named(slices.Concat(f.Markers, f.Type.Leaf().Markers), markers.Enum, markers.ItemsEnum, markers.K8sEnum) != nil
}

// SecretIn returns the first field that may hold a secret, of f and the fields below it, in any part of a kind,
// or nil. References to secrets hold none. known reports fields that hold one for other reasons.
func (r *Rules) SecretIn(f *model.Field, known func(*model.Field) bool) (secret *model.Field) {
	model.EachField([]*model.Field{f}, func(f *model.Field) bool {
		switch {
		case secret != nil, f.Ignored:
		case f.OwnMarker(markers.Sensitive) != nil, known(f):
			secret = f
		case r.HoldsNoSecret(f):
		case isNamedLikeSecret(f) && r.mayHoldText(f):
			secret = f
		default:
			return !f.Type.Leaf().Marshals
		}
		return false
	})
	return secret
}

// HoldsNoSecret reports whether a field holds no secret, even inside one: it refers to a secret, or its author
// says so.
func (r *Rules) HoldsNoSecret(f *model.Field) bool {
	m, leaf := f.OwnMarker(markers.Mirror), f.Type.Leaf()
	if m != nil && m.Value.Bool() {
		return true // the author says so
	}
	return r.isSecretSelector(leaf) || IsReference(leaf.Package, leaf.Name) || refersToSecret(f)
}
