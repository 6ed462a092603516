package markers

import (
	"slices"
	"strings"
	"sync"
)

// A ForeignMarker is a marker that another tool defines.
type ForeignMarker struct {
	Name string `json:"name"`
	// Tool reads the marker.
	Tool string `json:"tool"`
	// Doc is a sentence. Details are further lines of text and source.
	Doc     string `json:"doc"`
	Details string `json:"details,omitempty"`
	// Instead names the replacement of a deprecated marker, or of one that has no effect on the output of
	// controller-gen and mrgen.
	Deprecated bool   `json:"deprecated,omitempty"`
	Instead    string `json:"instead,omitempty"`
	// Places name the targets in On.
	Places    []string          `json:"places,omitempty"`
	Arguments []ForeignArgument `json:"arguments,omitempty"`
	// Family is set if every name with this prefix belongs to the marker.
	Family bool `json:"family,omitempty"`

	// On has the targets that the marker is defined for. It is zero if mrgen ignores where it is.
	On Target `json:"-"`
}

type ForeignArgument struct {
	// Name is empty for the value that follows the equals sign.
	Name     string `json:"name"`
	Type     string `json:"type"`
	Optional bool   `json:"optional,omitempty"`
	Doc      string `json:"doc,omitempty"`
}

// foreign returns the markers of other tools, sorted by name.
var foreign = sync.OnceValue(func() []ForeignMarker {
	all := slices.Concat(otherMarkers, registry().markers)
	for i := range all {
		all[i].Places, _ = all[i].On.names()
	}
	slices.SortStableFunc(all, func(a, b ForeignMarker) int { return strings.Compare(a.Name, b.Name) })
	return all
})

// other returns the marker of [otherMarkers] that the text begins with, without its plus sign,
// or nil.
func other(text string) *ForeignMarker {
	for i := range otherMarkers {
		m := &otherMarkers[i]
		rest, found := strings.CutPrefix(text, m.Name)
		switch {
		case !found: // another marker
		case rest == "" || strings.ContainsRune("=(", rune(rest[0])):
			return m
		// Only a separator ends the family's name: +linter isn't in the family +lint.
		case m.Family && strings.ContainsRune(":.[ ", rune(rest[0])):
			return m
		}
	}
	return nil
}

// The arguments of markers that have a single value: text, optional text or another marker.
var optionalText = []ForeignArgument{{Type: "text", Optional: true}}

func textOf(doc string) []ForeignArgument { return []ForeignArgument{{Type: "text", Doc: doc}} }

func markerOf(doc string) []ForeignArgument { return []ForeignArgument{{Type: "marker", Doc: doc}} }

const (
	// conventionTool reads the markers of [conventions].
	conventionTool = "mrgen"
	// validationTool reads markers of Kubernetes' declarative validation. controller-gen knows some of them.
	validationTool = "validation-gen"
)

// otherMarkers are the markers that controller-tools doesn't register. They are defined by
// k8s.io/code-generator, k8s.io/gengo, k8s.io/kube-openapi, sigs.k8s.io/kubebuilder and
// github.com/crossplane/upjet. mrgen ignores all except the [conventions].
var otherMarkers = []ForeignMarker{
	{Name: "build", Tool: "go", Doc: "The older form of a build constraint.", Family: true},
	{Name: "enum", Instead: K8sEnum, Tool: "openapi-gen", Doc: "The constants of the type are its values."},
	{Name: "featureGate", Tool: "kubernetes", Doc: "The feature gate that the field depends on.", Arguments: textOf("The name of the gate.")},
	{Name: "genclient", Tool: "client-gen", Doc: "Writes a client for the type.", Arguments: optionalText},
	{Name: "genclient:method", Tool: "client-gen", Doc: "A method that the client has beside the common ones.",
		Arguments: textOf("The name of the method, and verb, subresource, input and result.")},
	{Name: "genclient:noStatus", Tool: "client-gen", Doc: "The client has no method UpdateStatus."},
	{Name: "genclient:noVerbs", Tool: "client-gen", Doc: "The client lacks the common methods."},
	{Name: "genclient:nonNamespaced", Tool: "client-gen", Doc: "The type is cluster scoped."},
	{Name: "genclient:onlyVerbs", Tool: "client-gen", Doc: "The methods that the client has.",
		Arguments: textOf("Their verbs, separated by commas.")},
	{Name: "genclient:readonly", Tool: "client-gen", Doc: "The client has get, list and watch alone."},
	{Name: "genclient:skipVerbs", Tool: "client-gen", Doc: "The methods that the client lacks.",
		Arguments: textOf("Their verbs, separated by commas.")},
	{Name: "groupGoName", Tool: "client-gen", Doc: "What the API group is called in Go.", Arguments: textOf("The name.")},
	{Name: "immutable", Tool: conventionTool, Doc: "The field, or each of the type, can't be changed once it is set.", On: OnType | OnField},
	{Name: "k8s:alpha", Instead: XValidation, Tool: validationTool,
		Doc: "Runs the validation beside the handwritten one, and only reports differences.", Arguments: markerOf("The validation.")},
	{Name: "k8s:beta", Instead: XValidation, Tool: validationTool, Doc: "As k8s:alpha, and enforced behind a feature gate.",
		Arguments: markerOf("The validation.")},
	{Name: "k8s:conversion-fn", Tool: "conversion-gen", Doc: "What may be done with a conversion function that is written by hand.",
		Arguments: textOf("drop or copy-only.")},
	{Name: "k8s:conversion-gen", Tool: "conversion-gen",
		Doc:       "Writes conversions to the types of another package, or with false, none for the type.",
		Arguments: textOf("The import path of the other package, or false.")},
	{Name: "k8s:conversion-gen-external-types", Tool: "conversion-gen", Doc: "The package that has the versioned types.",
		Arguments: textOf("Its import path.")},
	{Name: "k8s:conversion-gen:explicit-from", Tool: "conversion-gen", Doc: "Writes a conversion from a type.",
		Arguments: textOf("The type with its package.")},
	{Name: "k8s:customUnique", Instead: XValidation, Tool: validationTool,
		Doc: "That the items of the list are unique is checked by hand-written code."},
	{Name: "k8s:customValidation", Instead: XValidation, Tool: validationTool, Doc: "Calls a hand-written validation function."},
	{Name: "k8s:declarativeValidationNative", Tool: validationTool, Doc: "The validations of the field have no hand-written counterpart."},
	{Name: "k8s:deepcopy-gen:nonpointer-interfaces", Tool: "deepcopy-gen", Doc: "Whether the methods for interfaces belong to the value.",
		Arguments: []ForeignArgument{{Type: "boolean"}}},
	{Name: "k8s:default", Instead: Default, Tool: "defaulter-gen", Doc: "The default of the field, as JSON.",
		Arguments: textOf("The default.")},
	{Name: "k8s:defaulter-gen", Tool: "defaulter-gen", Doc: "Writes functions that set defaults for some types of the package.",
		Arguments: textOf("Which types, or true or false.")},
	{Name: "k8s:defaulter-gen-input", Tool: "defaulter-gen", Doc: "The package that has the types.", Arguments: textOf("Its import path.")},
	{Name: "k8s:dependentForbidden", Instead: XValidation, Tool: validationTool, Doc: "When the field is set, another one must not be.",
		Arguments: optionalText},
	{Name: "k8s:dependentRequired", Instead: XValidation, Tool: validationTool, Doc: "When the field is set, another one must be.",
		Arguments: optionalText},
	{Name: "k8s:deprecated", Tool: "kubernetes", Doc: "The field that stood here before.",
		Arguments: textOf("Its name, and its number in protocol buffers.")},
	{Name: "k8s:eachKey", Instead: XValidation, Tool: validationTool, Doc: "Declares a validation for each key of a map.",
		Arguments: markerOf("The validation.")},
	{Name: "k8s:eachVal", Instead: ItemsXValidation, Tool: validationTool,
		Doc: "Declares a validation for each item of a list, or value of a map.", Arguments: markerOf("The validation.")},
	{Name: K8sEnumExclude, Tool: validationTool, Doc: "The constant is not one of the values of its type, which is marked +k8s:enum."},
	{Name: "k8s:forbidden", Instead: XValidation, Tool: validationTool, Doc: "The field must not be set."},
	{Name: "k8s:format", Instead: Format, Tool: validationTool, Doc: "The format of a text.",
		Arguments: textOf("The name of the format, such as k8s-short-name.")},
	{Name: "k8s:ifDisabled", Instead: XValidation, Tool: validationTool, Doc: "Declares a validation that applies when an option is off.",
		Arguments: markerOf("The validation.")},
	{Name: "k8s:ifEnabled", Instead: XValidation, Tool: validationTool, Doc: "Declares a validation that applies when an option is on.",
		Arguments: markerOf("The validation.")},
	{Name: "k8s:ifMode", Instead: XValidation, Tool: validationTool, Doc: "Declares a validation that applies in one mode.",
		Arguments: markerOf("The validation.")},
	{Name: "k8s:isSubresource", Tool: validationTool, Doc: "The subresource that the type is.",
		Arguments: textOf("The path of the subresource.")},
	{Name: "k8s:item", Instead: XValidation, Tool: validationTool, Doc: "Declares a validation for the item of a list that has a key.",
		Arguments: markerOf("The validation.")},
	{Name: "k8s:maxBytes", Instead: XValidation, Tool: validationTool, Doc: "The greatest length of a text in bytes.",
		Arguments: []ForeignArgument{{Type: "whole number"}}},
	{Name: "k8s:maxLength", Instead: MaxLength, Tool: validationTool, Doc: "The greatest length of a text in characters.",
		Arguments: []ForeignArgument{{Type: "whole number"}}},
	{Name: "k8s:maxProperties", Instead: MaxProperties, Tool: validationTool, Doc: "The greatest number of entries of a map.",
		Arguments: []ForeignArgument{{Type: "whole number"}}},
	{Name: "k8s:minItems", Instead: MinItems, Tool: validationTool, Doc: "The least number of items of a list.",
		Arguments: []ForeignArgument{{Type: "whole number"}}},
	{Name: "k8s:minLength", Instead: MinLength, Tool: validationTool, Doc: "The least length of a text in characters.",
		Arguments: []ForeignArgument{{Type: "whole number"}}},
	{Name: "k8s:minProperties", Instead: MinProperties, Tool: validationTool, Doc: "The least number of entries of a map.",
		Arguments: []ForeignArgument{{Type: "whole number"}}},
	{Name: "k8s:modeDiscriminator", Instead: XValidation, Tool: validationTool, Doc: "The field says which mode applies."},
	{Name: "k8s:monotonic", Instead: XValidation, Tool: validationTool, Doc: "The number must not decrease."},
	{Name: "k8s:neq", Instead: XValidation, Tool: validationTool, Doc: "A value that the field must not have.",
		Arguments: []ForeignArgument{{Type: "any value"}}},
	{Name: "k8s:opaqueType", Tool: validationTool, Doc: "What the type of the field declares is not checked here."},
	{Name: "k8s:openapi-gen", Tool: "openapi-gen", Doc: "Whether an OpenAPI definition is written, or an extension in it.",
		Arguments: textOf("true, false or an extension such as x-kubernetes-foo:bar."), Family: true},
	{Name: "k8s:openapi-model-package", Tool: "openapi-gen", Doc: "The package in the names of OpenAPI definitions.",
		Arguments: textOf("The name of the package.")},
	{Name: "k8s:prerelease-lifecycle-gen", Tool: "prerelease-lifecycle-gen",
		Doc: "Writes methods that tell when an API was introduced, deprecated and removed.", Arguments: []ForeignArgument{{Type: "boolean"}}},
	{Name: "k8s:prerelease-lifecycle-gen:deprecated", Tool: "prerelease-lifecycle-gen", Doc: "The Kubernetes release that deprecated the API.",
		Arguments: textOf("The release, as 1.34.")},
	{Name: "k8s:prerelease-lifecycle-gen:introduced", Tool: "prerelease-lifecycle-gen", Doc: "The Kubernetes release that introduced the API.",
		Arguments: textOf("The release, as 1.34.")},
	{Name: "k8s:prerelease-lifecycle-gen:removed", Tool: "prerelease-lifecycle-gen", Doc: "The Kubernetes release that removed the API.",
		Arguments: textOf("The release, as 1.34.")},
	{Name: "k8s:prerelease-lifecycle-gen:replacement", Tool: "prerelease-lifecycle-gen", Doc: "What replaces the API.",
		Arguments: textOf("Group, version and kind.")},
	{Name: "k8s:protobuf-gen", Tool: "go-to-protobuf", Doc: "Whether protocol buffers are written for a package.",
		Arguments: textOf("package or false.")},
	{Name: "k8s:register-gen", Tool: "register-gen", Doc: "Whether code that registers the types is written.",
		Arguments: textOf("package or false.")},
	{Name: "k8s:subfield", Instead: XValidation, Tool: validationTool, Doc: "Declares a validation for a field of a struct.",
		Arguments: markerOf("The validation.")},
	{Name: "k8s:supportsSubresource", Tool: validationTool, Doc: "A subresource that the type has.",
		Arguments: textOf("The path of the subresource.")},
	{Name: "k8s:unionDiscriminator", Instead: XValidation, Tool: validationTool, Doc: "The field says which member of a union is set."},
	{Name: "k8s:unionMember", Instead: ExactlyOneOf, Tool: validationTool, Doc: "The field is a member of a union."},
	{Name: "k8s:unique", Instead: ListType, Tool: validationTool, Doc: "The items of the list are unique.", Arguments: textOf("set or map.")},
	{Name: "k8s:update", Instead: K8sImmutable, Tool: validationTool, Doc: "What an update may do to the field.",
		Arguments: textOf("NoSet, NoUnset or NoModify.")},
	{Name: "k8s:validateError", Tool: validationTool, Doc: "Fails, for tests of the generator.", Arguments: optionalText},
	{Name: "k8s:validateFalse", Tool: validationTool, Doc: "A validation that always fails, for tests of the generator.",
		Arguments: optionalText},
	{Name: "k8s:validateTrue", Tool: validationTool, Doc: "A validation that never fails, for tests of the generator.",
		Arguments: optionalText},
	{Name: "k8s:validateTrueAlpha", Tool: validationTool, Doc: "As k8s:validateTrue, for k8s:alpha.", Arguments: optionalText},
	{Name: "k8s:validateTrueBeta", Tool: validationTool, Doc: "As k8s:validateTrue, for k8s:beta.", Arguments: optionalText},
	{Name: "k8s:validation", Instead: XValidation, Tool: "openapi-gen",
		Doc: "Constraints of an OpenAPI definition: names below it, such as k8s:validation:maxLength.", Family: true},
	{Name: "k8s:validation-gen", Tool: validationTool, Doc: "Which types of the package have declarative validation.",
		Arguments: textOf("Which types, or true or false.")},
	{Name: "k8s:validation-gen-input", Tool: validationTool, Doc: "The package that has the types.", Arguments: textOf("Its import path.")},
	{Name: "k8s:validation-gen-nolint", Tool: validationTool, Doc: "The generator's own findings are meant."},
	{Name: "k8s:validation-gen-scheme-registry", Tool: validationTool, Doc: "The type of the scheme that validations are registered with.",
		Arguments: textOf("The type with its package.")},
	{Name: "k8s:validation-gen-test-fixture", Tool: validationTool, Doc: "Writes a test, for tests of the generator.",
		Arguments: textOf("validateFalse.")},
	{Name: "k8s:validation-gen-test-targets", Tool: validationTool, Doc: "Writes what tests of validations cover."},
	{Name: "k8s:zeroOrOneOfMember", Instead: AtMostOneOf, Tool: validationTool,
		Doc: "At most one of several fields, this one among them, may be set."},
	{Name: "kubebuilder:ac:generate", Tool: "controller-gen applyconfiguration",
		Doc: "Whether an apply configuration is written for a package or type.", On: OnPackage | OnType,
		Arguments: []ForeignArgument{{Type: "boolean"}}},
	{Name: "kubebuilder:ac:output:package", Tool: "controller-gen applyconfiguration",
		Doc: "The package of the apply configurations, relative to the types' package.", On: OnPackage,
		Arguments: []ForeignArgument{{Type: "text"}}},
	{Name: "kubebuilder:docs-gen", Tool: "kubebuilder", Doc: "How kubebuilder's book shows the source.", Family: true},
	{Name: "kubebuilder:rbac", Tool: "controller-gen rbac", Doc: "Specifies an RBAC rule for resources or URLs.", On: OnPackage, Family: true},
	{Name: "kubebuilder:scaffold", Tool: "kubebuilder", Doc: "Where kubebuilder inserts source.", Family: true},
	{Name: "kubebuilder:webhook", Tool: "controller-gen webhook", Doc: "Registers an admission webhook.", On: OnPackage, Family: true},
	{Name: "kubebuilder:webhookconfiguration", Tool: "controller-gen webhook", Doc: "Names a webhook configuration.", On: OnPackage,
		Family: true},
	{Name: "lint", Tool: "linters", Doc: "Settings of linters.", Family: true},
	{Name: "nonNamespaced", Tool: "client-gen", Doc: "The older form of genclient:nonNamespaced.", Arguments: optionalText},
	{Name: "operator-sdk", Tool: "operator-sdk", Doc: "What a cluster service version says of the type or field.", Family: true},
	{Name: "patchMergeKey", Tool: "openapi-gen", Doc: "The key of a list for strategic merge patches.",
		Arguments: textOf("The JSON name of a field.")},
	{Name: "patchStrategy", Tool: "openapi-gen", Doc: "How strategic merge patches treat the field.",
		Arguments: textOf("merge, replace or retainKeys.")},
	{Name: "protobuf", Tool: "go-to-protobuf", Doc: "Whether and how a protocol buffer is written for the type.", Family: true,
		Arguments: optionalText},
	{Name: "resourceName", Tool: "client-gen", Doc: "The plural of the resource.", Arguments: textOf("The plural.")},
	{Name: "terrajet", Tool: "terrajet", Doc: "How terrajet writes the field.", Family: true},
	{Name: "union", Instead: ExactlyOneOf, Tool: "openapi-gen", Doc: "The struct is a union of its optional fields."},
	{Name: "unionDeprecated", Tool: "openapi-gen", Doc: "The member of the union is deprecated."},
	{Name: "unionDiscriminator", Tool: "openapi-gen", Doc: "The field says which member of the union is set."},
	{Name: "upjet", Tool: "upjet", Doc: "How upjet writes the field.", Family: true},
}
