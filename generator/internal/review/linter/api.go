package linter

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

// An API is the input of rules.
type API struct {
	// Root is the folder of the module.
	Root string
	// CRDDir and MRDDir are the folders for CRDs and MRDs, relative to Root. There are no
	// MRDs if MRDDir is empty.
	CRDDir, MRDDir string
	// DefinitionFolders are all folders for CRDs and MRDs, relative to Root.
	DefinitionFolders []string
	// RequiredRules is set if runs turn required fields into rules.
	RequiredRules bool
	// Kinds are the versions of the kinds, sorted by group, kind and version.
	Kinds []*Kind
	// Partial is set if the provider may have more kinds.
	Partial bool
	// Missing are the kinds that have errors.
	Missing []*model.Object
	// Unread are the folders of packages with errors, whose versions of kinds may be unknown.
	Unread []string
	// Covers reports whether the patterns of a run match a folder.
	Covers func(folder string) bool

	// parts are the parts that use each struct, in any kind.
	parts map[*model.Type]Part
	code  *code
	// secrets decides which fields are secrets, and reasons caches its answers.
	secrets *mirroring.Rules
	reasons map[*model.Field]mirroring.Reason
	asking  sync.Mutex
}

// NamesSecretNamespace reports whether a field may name the namespace of a secret.
func (a *API) NamesSecretNamespace(f *model.Field) bool {
	a.asking.Lock()
	defer a.asking.Unlock()
	return a.secrets.NamesNamespace(f)
}

// Secret returns the reason why a field isn't mirrored, or "": it is a secret, refers to one, or is a
// reference.
func (a *API) Secret(f *model.Field) mirroring.Reason {
	a.asking.Lock()
	defer a.asking.Unlock()
	reason, known := a.reasons[f]
	if !known {
		reason = a.secrets.Of(f)
		a.reasons[f] = reason
	}
	return reason
}

// A Part is a part of managed resources, or several.
type Part uint8

const (
	// ForProvider is spec.forProvider, and InitProvider spec.initProvider.
	ForProvider Part = 1 << iota
	InitProvider
	// AtProvider is status.atProvider.
	AtProvider
	// Spec and Status are the rest of spec and status.
	Spec
	Status
	// Other is the rest of an object, and every part of an object that isn't a managed resource.
	Other
)

// A Kind is a version of a kind.
type Kind struct {
	*stage.Definition
	Version int
	Object  *model.Object
	// Fields are the fields that authors declared, once for each part and parent, in source order.
	Fields []*Field
}

// A Field is a field at a place in the objects of a kind.
type Field struct {
	*model.Field
	Kind *Kind
	Part Part
	// DeclaringStruct declares the field, and JSONParent is its struct in JSON, which may embed
	// DeclaringStruct.
	DeclaringStruct, JSONParent *model.Type
	// ParentField is the field with the struct, or nil at the top of a part.
	ParentField *Field
	// List is the nearest surrounding list that is an atomic value, or nil.
	List *Field
	// UsedIn is the set of parts that use the struct, in any kind.
	UsedIn Part

	// above is the field with the struct, even at the top of a part. It is nil at the top of spec and status,
	// whose path is path.
	above *Field
	path  schema.Path
	// siblings describes the field's struct in JSON.
	siblings *siblings
}

// siblings are the fields of a struct in JSON, the structs that declare them, and the values of references by
// the names of the fields for references and selectors.
type siblings struct {
	fields []*model.Field
	owners []*model.Type
	values map[string]*model.Field
	// structs are the struct and the structs that it embeds inline.
	structs []*model.Type
}

// Cursor returns the cursor at the field, in the schema of its version.
func (f *Field) Cursor() schema.Cursor { return f.Kind.Root(f.Kind.Version).Follow(f.Path()) }

// Path returns the path from the root of the kind's objects to the field.
func (f *Field) Path() schema.Path {
	path := f.path
	if f.above != nil {
		path = f.above.Path()
		for t := f.above.Type.Deref(); t.Elem != nil && len(path) < longestPath; t = t.Elem.Deref() {
			switch t.Kind {
			case model.Slice:
				path = path.With(schema.Step{Kind: schema.Items})
			case model.Map:
				path = path.With(schema.Step{Kind: schema.Values})
			}
		}
	}
	return path.With(schema.Step{Name: f.JSONName})
}

// longestPath bounds the paths of types that are elements of themselves.
const longestPath = 100

// Name returns the kind in the form Kind.group/version.
func (k *Kind) Name() string {
	return k.Object.Name + "." + k.CRD.Spec.Group + "/" + k.APIVersion().Name
}

// APIVersion returns the version in the CRD.
func (k *Kind) APIVersion() apiextensionsv1.CustomResourceDefinitionVersion {
	return k.CRD.Spec.Versions[k.Version]
}

// ForProvider returns the type of spec.forProvider, or nil.
func (k *Kind) ForProvider() *model.Type { return partType(k.Object.Spec, "forProvider") }

// AtProvider returns the type of status.atProvider, or nil.
func (k *Kind) AtProvider() *model.Type { return partType(k.Object.Status, "atProvider") }

func partType(of *model.Field, name string) *model.Type {
	if f := of.Part(name); f != nil {
		return f.Type.Deref()
	}
	return nil
}

// In reports whether the field is in one of some parts, and its struct in no others.
func (f *Field) In(parts Part) bool { return f.Part&parts != 0 && f.UsedIn&^parts == 0 }

// IsTop reports whether the field belongs to the part itself, rather than to a struct in it.
func (f *Field) IsTop() bool { return f.ParentField == nil }

// HasMarker reports whether the field or its type has one of some markers, with any arguments.
func (f *Field) HasMarker(names ...string) bool {
	return model.Named(slices.Concat(f.Markers, f.Type.Deref().Markers), names...) != nil
}

// IsImmutable reports whether a marker makes the field immutable: on the field, its type, a field or struct
// around it, or an embedding of its struct.
func (f *Field) IsImmutable() bool {
	for at := f; at != nil; at = at.above {
		if at.Immutable() || at.JSONParent != nil && slices.ContainsFunc(at.siblings.structs, (*model.Type).Immutable) {
			return true
		}
	}
	return false
}

// Marker returns the field's own first marker with one of some names, or nil.
func (f *Field) Marker(names ...string) *model.Marker {
	return model.Named(f.Markers, names...)
}

// IsReference reports whether the field holds a reference to another managed resource or a selector, by its
// type or a reference marker.
func (f *Field) IsReference() bool {
	if f.Value() != nil {
		return true
	}
	return isReference(f.Type.Leaf())
}

// isReference reports whether a type is one of Crossplane's references and selectors.
func isReference(t *model.Type) bool {
	return !t.Local && mirroring.IsReference(t.Package, t.Name)
}

// Value returns the field whose reference or selector f is, or nil.
func (f *Field) Value() *model.Field {
	if value := f.siblings.values[f.Name]; value != f.Field {
		return value
	}
	return nil
}

// IsSelector reports whether f is the selector of a value.
func (f *Field) IsSelector() bool {
	value := f.Value()
	if value == nil {
		return false
	}
	_, selector := value.ReferenceNames()
	return selector == f.Name
}

// IsValue reports whether the field has the value of a reference.
func (f *Field) IsValue() bool { return f.OwnMarker(markers.ReferenceType) != nil }

// IsOnlyField reports whether the field is the only one of an optional struct.
func (f *Field) IsOnlyField() bool {
	return f.ParentField != nil && !f.ParentField.Required && f.ParentField.Type.Deref() == f.JSONParent && len(f.siblings.fields) == 1
}

// IsBehindPointer reports whether the struct that declares the field is embedded by a pointer, which is nil if none of its
// fields is set.
func (f *Field) IsBehindPointer() bool {
	for _, embedding := range f.JSONParent.Inlined() {
		isPointer := embedding.Inline && embedding.Type.Kind == model.Pointer
		if isPointer && embedding.Type.Deref() == f.DeclaringStruct {
			return true
		}
	}
	return false
}

// IsText reports whether the field is a string, or a pointer to one.
func (f *Field) IsText() bool { return IsText(f.Type.Deref()) }

// IsText reports whether a type is a string.
func IsText(t *model.Type) bool {
	return t.Kind == model.Basic && t.Basic == "string" && !t.Marshals
}

// NewAPI returns the input of rules, from the definitions of the kinds, in the module with that root.
func NewAPI(root string, definitions []stage.Definition) *API {
	a := &API{Root: root, parts: map[*model.Type]Part{}}
	own := map[string]bool{}
	isOwn := func(file string) bool {
		is, known := own[file]
		if !known {
			if is = strings.HasPrefix(path.Base(file), "zz_generated."); is {
				content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
				is = err != nil || artifact.IsReplaceable(file, content) // or it isn't written yet
			}
			own[file] = is
		}
		return is
	}
	var managed []*model.Object
	structs := map[*model.Type]*siblings{}
	// A copy has the positions of its source, whose findings and edits count.
	isCopy := func(d stage.Definition) int {
		o := d.Objects[0]
		if path.Dir(o.Pos.File) != o.Package.Dir {
			return 1
		}
		return 0
	}
	definitions = slices.SortedStableFunc(slices.Values(definitions), func(x, y stage.Definition) int { return isCopy(x) - isCopy(y) })
	for i := range definitions {
		d := &definitions[i]
		for version, o := range d.Objects {
			k := &Kind{Definition: d, Version: version, Object: o}
			a.Kinds = append(a.Kinds, k)
			if d.Managed() {
				managed = append(managed, o)
			}
			(&walker{kind: k, parts: a.parts, seen: map[visit]bool{}, structs: structs, isOwn: isOwn}).object()
		}
	}
	// Only after all kinds were visited, the uses of shared structs are known.
	for _, k := range a.Kinds {
		for _, f := range k.Fields {
			f.UsedIn = a.parts[f.DeclaringStruct]
		}
	}
	a.secrets, a.reasons = mirroring.New(managed), map[*model.Field]mirroring.Reason{}
	a.code = &code{constants: map[string]map[string][]Constant{}}
	return a
}

// Managed returns the versions of the managed kinds.
func (a *API) Managed() []*Kind {
	return slices.DeleteFunc(slices.Clone(a.Kinds), func(k *Kind) bool { return !k.Managed() })
}

// ManagedFields returns the fields of the kinds that are managed resources.
func (a *API) ManagedFields() []*Field {
	var all []*Field
	for _, k := range a.Managed() {
		all = append(all, k.Fields...)
	}
	return all
}

// IsSecretText reports whether a field is text that is a secret, by its name. References to secrets, and text
// about one, don't count.
func IsSecretText(a *API, f *Field) bool {
	leaf := f.Type.Leaf()
	if f.JSONParent.Field("secretName") != nil && strings.EqualFold(f.JSONName, "secretKey") {
		return false // the key in a Secret, beside its name
	}
	isText := leaf.Kind == model.Basic && !leaf.Marshals
	if !isText || digest.MatchString(f.Name) || aboutSecret.MatchString(Words(f.Doc)) {
		return false
	}
	reason := a.Secret(f.Field)
	return reason == mirroring.SecretName || reason == mirroring.Sensitive // the marker hides it in status alone
}

// aboutSecret matches comments of fields that name a secret, or describe it.
var aboutSecret = regexp.MustCompile(`(?i)\b(arn|ids?|identifier|names?|path|url|uri|reference|resource|type|kind|location|version) (\([^)]*\) )?(of|for|to) |\bname of|\bkey id\b|kubernetes secret|secrets? manager|whether|number of`)

// digest matches names of digests: they don't reveal a secret.
var digest = regexp.MustCompile(`(?i)(hash|digest|fingerprint|checksum)(es|s)?$`)

// MayCost reports whether rules of a kind may come near the API server's limits on cost.
func (k *Kind) MayCost() bool {
	for version, v := range k.CRD.Spec.Versions {
		made := 0
		for _, d := range k.DecisionsOf(version) {
			if d.Rule != nil {
				made++
			}
		}
		// mrgen's rules are cheap unless there are very many, and so are rules that read a value once to
		// compare it.
		if made > 100 || mayCost(v.Schema.OpenAPIV3Schema, false) {
			return true
		}
	}
	return false
}

// mayCost reports whether a schema, or one below it, has a rule that calls functions, or that runs for many
// values.
func mayCost(s *apiextensionsv1.JSONSchemaProps, many bool) bool {
	for _, r := range s.XValidations {
		if many || calls.MatchString(presence.Replace(r.Rule)) {
			return true
		}
	}
	for step, below := range schema.Below(s) {
		if mayCost(below, many || step.Kind != schema.Property) {
			return true
		}
	}
	return false
}

// calls matches a call in a rule. presence removes the calls that only test for a value.
var (
	calls    = regexp.MustCompile(`\w\(`)
	presence = strings.NewReplacer("has(", "(", "size(", "(")
)

// PackageDir is the folder of the Crossplane package, relative to the root of the module.
func (a *API) PackageDir() string {
	if a.MRDDir != "" {
		return path.Dir(a.MRDDir)
	}
	return path.Dir(a.CRDDir)
}
