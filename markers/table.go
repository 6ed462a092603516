package markers

import (
	"slices"
	"strings"
)

// referenceFields are the places of the markers that describe a reference. Resolvers read and write spec only.
var referenceFields = []Place{ForProviderField, InitProviderField, SpecField}

// convertedFields are the places of the markers for conversions: all fields of a kind.
var convertedFields = []Place{ForProviderField, InitProviderField, SpecField, ObservationField, Field}

// definitions is the table of the markers that mrgen owns, sorted by name.
//
// Crossplane's markers come from crossplane-tools: cmd/angryjet/main.go and
// internal/method/reference_processor.go.
var definitions = slices.SortedFunc(slices.Values(slices.Concat(ofKinds, ofConversions)),
	func(a, b Definition) int { return strings.Compare(a.Name, b.Name) })

// oneValue returns the only argument of a marker, whose value follows the equals sign. choices are the values
// of a [Choice].
func oneValue(valueType ArgumentType, doc, example string, choices ...string) []Argument {
	return []Argument{{Type: valueType, Choices: choices, Doc: doc, Example: example}}
}

// ofKinds are the markers in API packages.
var ofKinds = []Definition{
	{
		Name:      Methods,
		Doc:       "With the value false, mrgen writes no methods for the kind: its author does. True is the default.",
		Places:    []Place{ManagedKind, Kind},
		Arguments: oneValue(Boolean, "Whether methods are written.", "false"),
		Example: `// A Bucket has hand-written methods.
// +crossplane:generate:methods=false
type Bucket struct {`,
	},
	{
		Name: ReferenceExtractor,
		Doc: "How the value is taken from the managed resource that the field refers to: " +
			"a call that returns an ExtractValueFn of crossplane-runtime. " +
			"Without the marker, the value is the external name.",
		Places:    referenceFields,
		Arguments: oneValue(GoCall, "The call.", "SubnetARN()"),
		Needs:     ReferenceType,
		Example: `// RoleARN of the role that the cluster assumes.
// +crossplane:generate:reference:type=example.org/iam.Role
// +crossplane:generate:reference:extractor=example.org/iam.RoleARN()
RoleARN *string ` + "`json:\"roleArn,omitempty\"`",
	},
	{
		Name: ReferenceFieldName,
		Doc: "The field that holds the reference. " +
			"Without the marker, it is named as the marked field, with Ref added, or Refs if the marked field is a slice.",
		Places:    referenceFields,
		Arguments: oneValue(GoField, "The Go name of the field.", "SubnetIDRefs"),
		Needs:     ReferenceType,
		Example: `// +crossplane:generate:reference:type=Subnet
// +crossplane:generate:reference:refFieldName=SubnetIDRefs
SubnetIDs []string ` + "`json:\"subnetIds,omitempty\"`" + `

// SubnetIDRefs refer to the subnets.
// +optional
SubnetIDRefs []xpv1.Reference ` + "`json:\"subnetIdRefs,omitempty\"`",
	},
	{
		Name: ReferenceSelectorFieldName,
		Doc: "The field that holds the selector of the reference. " +
			"Without the marker, it is named as the marked field, with Selector added.",
		Places:    referenceFields,
		Arguments: oneValue(GoField, "The Go name of the field.", "SubnetIDSelector"),
		Needs:     ReferenceType,
		Example: `// +crossplane:generate:reference:type=Subnet
// +crossplane:generate:reference:selectorFieldName=SubnetIDSelector
SubnetIDs []string ` + "`json:\"subnetIds,omitempty\"`" + `

// SubnetIDSelector selects the subnets.
// +optional
SubnetIDSelector *xpv1.Selector ` + "`json:\"subnetIdSelector,omitempty\"`",
	},
	{
		Name: ReferenceType,
		Doc: "The field refers to a managed resource of this type: its value may be given, " +
			"or be resolved from a reference or a selector.",
		Places:    referenceFields,
		Arguments: oneValue(GoType, "The type that is referred to.", "VPC"),
		Example: `// VPCID of the network that the subnet is in.
// +optional
// +crossplane:generate:reference:type=VPC
VPCID *string ` + "`json:\"vpcId,omitempty\"`" + `

// VPCIDRef refers to the VPC.
// +optional
VPCIDRef *xpv1.Reference ` + "`json:\"vpcIdRef,omitempty\"`" + `

// VPCIDSelector selects the VPC.
// +optional
VPCIDSelector *xpv1.Selector ` + "`json:\"vpcIdSelector,omitempty\"`",
	},
	{
		Name: ConnectionDetail,
		Doc: "A key of the connection secret that the managed resource writes. " +
			"On a kind it declares a computed key, such as a password; on a field it declares that the field's value is published.",
		Places: []Place{ManagedKind, ObservationField},
		Arguments: []Argument{
			{
				Name:       "name",
				Type:       SecretKey,
				RequiredOn: []Place{ManagedKind},
				Doc:        "The key. On a field it defaults to the field's JSON name.",
				Example:    "password",
			},
			{
				Name:      "pattern",
				Type:      SecretKeyPattern,
				InsteadOf: "name",
				Doc:       "A pattern for keys that are only known at run time, with an asterisk for the variable part, which the description explains.",
				Example:   "output.*",
			},
			{
				Name:       "description",
				Type:       Text,
				RequiredOn: []Place{ManagedKind},
				Doc:        "What the key holds. On a field it defaults to the field's comment.",
				Example:    `"Admin's password."`,
			},
		},
		Key: "name",
		Example: `// A DatabaseInstance is a managed database.
// +mrgen:connectionDetail:name=password,description="Admin's password."
type DatabaseInstance struct {

// A Workspace has outputs that its author chooses.
// +mrgen:connectionDetail:pattern=output.*,description="Each output."
type Workspace struct {

// Endpoint is the host name of the database.
// +mrgen:connectionDetail
Endpoint *string ` + "`json:\"endpoint,omitempty\"`",
	},
	{
		Name: ConvertedBy,
		Doc: "Your functions convert the field of the stored version: one whose name ends in To takes the value of another version " +
			"and returns the field's value, and one whose name ends in From does the opposite. " +
			"The package of the other version declares both, unless the two fields are the same. " +
			"Values that change on the way there and back are kept in an annotation. If a secret changes, the conversion fails.",
		Places:    convertedFields,
		Arguments: oneValue(GoIdentifier, "The names of the functions, without To and From.", "convertSize"),
		Example: `// SizeGB was a text in v1alpha1, whose package declares
// func convertSizeTo(size string) int64 and
// func convertSizeFrom(sizeGB int64) string.
// +mrgen:renamedFrom=size
// +mrgen:convertedBy=convertSize
SizeGB int64 ` + "`json:\"sizeGB\"`",
	},
	{
		Name: Diff,
		Doc: "How the method Diff compares the field, and all fields below it, with the observed state: " +
			"exact reports each difference, and items and entries that only the API has; " +
			"subset ignores these, such as the system tags of an API; " +
			"unordered is exact except for the order of lists, and the API server doesn't enforce it, unlike +listType=set; " +
			"and off doesn't compare. Exact is the default. Lists with a +listType are compared as it says. " +
			"At a kind or a package the marker is for all of its fields, and off omits the method. " +
			"A marker at a field prevails over one around it, and one at a kind over one at its package.",
		Places:    []Place{Package, ManagedKind, ForProviderField},
		Arguments: oneValue(Choice, "How values are compared.", "subset", "off", "exact", "subset", "unordered"),
		Example: `// Tags of the bucket. The API adds tags of its own.
// +optional
// +mrgen:diff=subset
Tags map[string]string ` + "`json:\"tags,omitempty\"`",
	},
	{
		Name: Example,
		Doc: "The value of the field in the manifests of mrgen examples, which include the field even if it is optional. " +
			"The value is the text of a string, in quotes or not, or JSON.",
		Places:    []Place{ForProviderField},
		Arguments: oneValue(Line, "The value.", "10.0.0.0/16"),
		Example: `// Ports that are open.
// +optional
// +mrgen:example=[80, 443]
Ports []int64 ` + "`json:\"ports,omitempty\"`",
	},
	{
		Name: Identifier,
		Doc: "The field is needed to find the external resource. " +
			"If it is required, it stays required for observe-only resources, too; its reference or its selector counts as the value.",
		Places: []Place{ForProviderField},
		Example: `// Region that the bucket is in.
// +mrgen:identifier
Region string ` + "`json:\"region\"`",
	},
	{
		Name: LateInitialize,
		Doc: "With the value false, the method LateInitialize never fills the field or the fields below it. " +
			"Unset, the field is left to the API, such as a size that an autoscaler changes. True is the default. " +
			"At a kind or a package, false omits the method. " +
			"mrgen writes the method if status.atProvider mirrors spec.forProvider, unless you declare it. " +
			"A marker at a field prevails over one around it, and one at a kind over one at its package.",
		Places:    []Place{Package, ManagedKind, ForProviderField},
		Arguments: oneValue(Boolean, "Whether the observed value fills the field.", "false"),
		Example: `// DesiredSize of the group. An autoscaler changes it.
// +optional
// +mrgen:lateInitialize=false
DesiredSize *int64 ` + "`json:\"desiredSize,omitempty\"`",
	},
	{
		Name: Mirror,
		Doc: "Whether the observed type under status.atProvider has the field. " +
			"Without the marker it has, unless the field is a reference or a selector, refers to a secret, or is named like one. " +
			"With the value true, nothing treats the field as a secret: conversions may keep it in an annotation.",
		Places:    convertedFields,
		Arguments: oneValue(Boolean, "Whether the field is mirrored.", "false"),
		Example: `// SkipFinalSnapshot when the database is deleted. No API returns it.
// +optional
// +mrgen:mirror=false
SkipFinalSnapshot *bool ` + "`json:\"skipFinalSnapshot,omitempty\"`",
	},
	{
		Name: NoLint,
		Doc: "Accepts the findings of a rule of mrgen lint, for the given reason: at a field, at a type for its fields, or at a kind. " +
			"The name of the argument is the name of the rule.",
		Places: []Place{ManagedKind, Kind, Type, ForProviderStruct, ForProviderField, InitProviderField, SpecField, ObservationField, Field},
		Arguments: []Argument{{
			Name:    "RULE",
			AnyName: true,
			Type:    Text,
			Doc:     "Why it is meant.",
			Example: `"The API has no other name for it."`,
		}},
		Key: "RULE",
		Example: `// Snapshot_ID of the snapshot to restore.
// +optional
// +mrgen:nolint:json-name="The API spells it so."
SnapshotID *string ` + "`json:\"snapshot_id,omitempty\"`",
	},
	{
		Name: Relax,
		Doc: "With the value false, the required fields of the kind's forProvider stay required, " +
			"for observe-only resources, too. True is the default.",
		Places:    []Place{ManagedKind},
		Arguments: oneValue(Boolean, "Whether required fields are relaxed.", "false"),
		Example: `// A Role can't be observed without its document.
// +mrgen:relax=false
type Role struct {`,
	},
	{
		Name: RenamedFrom,
		Doc: "The field has another name in another version, or another place. " +
			"The marker means the same at either of the two fields: in the stored version, or in a version that is converted to it. " +
			"It has no effect on versions that have a field of its own name.",
		Places: convertedFields,
		Arguments: oneValue(JSONPath,
			"The version, a colon, and the field's name there or, if it has moved, its path from the root of the object. "+
				"Without a version and a colon, the stored version or, at its own fields, all others. "+
				"A hyphen instead of the name: the field has no other name.",
			"v1alpha1:spec.forProvider.size"),
		Example: `// SizeGB was called size, and was not part of storage.
// +optional
// +mrgen:renamedFrom=v1alpha1:spec.forProvider.size
SizeGB *int64 ` + "`json:\"sizeGB,omitempty\"`",
	},
	{
		Name: RequiredOneOf,
		Doc: "At least one of the fields must be set, or exactly one, unless the resource is observe-only. " +
			"The reference and the selector of a value count as the value, and so does a value in spec.initProvider. " +
			"On a struct that may be left out, it holds if the struct is given.",
		Places: []Place{ForProviderStruct},
		Arguments: []Argument{
			{
				Name:       "fields",
				Type:       JSONFields,
				RequiredOn: []Place{ForProviderStruct},
				Doc:        "The fields. A value need not be named beside its reference or selector.",
				Example:    "cidrBlock;ipamPoolId",
			},
			{
				Name:    "exactly",
				Type:    Boolean,
				Doc:     "Whether no more than one of them may be set. False is the default.",
				Example: "true",
			},
		},
		Key: "fields",
		Example: `// SubnetParameters are the desired state of a Subnet.
// +mrgen:requiredOneOf:fields=cidrBlock;ipamPoolId,exactly=true
// +mrgen:requiredOneOf:fields=zone;zoneId
type SubnetParameters struct {`,
	},
	{
		Name: Scope,
		Doc: "The file or declaration belongs to one scope: mrgen doesn't copy it to the other one. " +
			"Outside the folders of the setting scopes, the marker has no effect. " +
			"For a file, write it before the package clause.",
		Places:    []Place{Package, ManagedKind, Kind, Type, ForProviderStruct, Declaration},
		Arguments: oneValue(Choice, "The scope of the folder.", "namespaced", "namespaced", "cluster"),
		Example: `// Secret reads the secret from the namespace of the resource.
// +mrgen:scope=namespaced
func (b *Bucket) Secret(ctx context.Context) (*corev1.Secret, error) {`,
	},
	{
		Name:   Sensitive,
		Doc:    "The field holds a secret: it is never mirrored to status.atProvider, and conversions never keep it in an annotation.",
		Places: convertedFields,
		Example: `// AuthToken that clients present.
// +optional
// +mrgen:sensitive
AuthToken *string ` + "`json:\"authToken,omitempty\"`",
	},
	{
		Name: Singleton,
		Doc: "The field is a list in the stored version and a single value in others, or the other way round: the value is the list's only item. " +
			"More items are kept in an annotation for the versions with the list.",
		Places: convertedFields,
		Example: `// Network was a list of at most one network in v1alpha1.
// +optional
// +mrgen:singleton
Network *Network ` + "`json:\"network,omitempty\"`",
	},
	{
		Name: State,
		Doc: "The initial state of the kind's ManagedResourceDefinition. " +
			"Crossplane creates the CustomResourceDefinition of an active one. Inactive is the default.",
		Places:    []Place{ManagedKind},
		Arguments: oneValue(Choice, "The state.", "Active", "Active", "Inactive"),
		Example: `// A NopResource is installed with the provider.
// +mrgen:state=Active
type NopResource struct {`,
	},
}
