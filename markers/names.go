package markers

// CheckComment begins a comment beside generated code that asks its reader to confirm a guess.
const CheckComment = "mrgen:check: "

// The names of the markers that mrgen owns.
const (
	Methods                    = "crossplane:generate:methods"
	ReferenceExtractor         = "crossplane:generate:reference:extractor"
	ReferenceFieldName         = "crossplane:generate:reference:refFieldName"
	ReferenceSelectorFieldName = "crossplane:generate:reference:selectorFieldName"
	ReferenceType              = "crossplane:generate:reference:type"
	Immutable                  = "immutable"
	ConnectionDetail           = "mrgen:connectionDetail"
	Convert                    = "mrgen:convert"
	ConvertField               = "mrgen:convert:field"
	ConvertIgnore              = "mrgen:convert:ignore"
	ConvertIn                  = "mrgen:convert:in"
	ConvertList                = "mrgen:convert:list"
	ConvertName                = "mrgen:convert:name"
	ConvertNumber              = "mrgen:convert:number"
	ConvertSendZero            = "mrgen:convert:sendZero"
	ConvertedBy                = "mrgen:convertedBy"
	Diff                       = "mrgen:diff"
	Example                    = "mrgen:example"
	Identifier                 = "mrgen:identifier"
	LateInitialize             = "mrgen:lateInitialize"
	Mirror                     = "mrgen:mirror"
	NoLint                     = "mrgen:nolint"
	Relax                      = "mrgen:relax"
	RenamedFrom                = "mrgen:renamedFrom"
	RequiredOneOf              = "mrgen:requiredOneOf"
	Scope                      = "mrgen:scope"
	Sensitive                  = "mrgen:sensitive"
	Singleton                  = "mrgen:singleton"
	State                      = "mrgen:state"
)

// The names of the markers of controller-tools that mrgen reads itself.
const (
	Default                = "default"
	GroupName              = "groupName"
	K8sDefault             = "k8s:default"
	K8sEnum                = "k8s:enum"
	K8sImmutable           = "k8s:immutable"
	K8sListMapKey          = "k8s:listMapKey"
	K8sListType            = "k8s:listType"
	K8sMinLength           = "k8s:minLength"
	K8sOptional            = "k8s:optional"
	K8sRequired            = "k8s:required"
	KubebuilderDefault     = "kubebuilder:default"
	ObjectGenerate         = "kubebuilder:object:generate"
	ObjectRoot             = "kubebuilder:object:root"
	PreserveUnknownFields  = "kubebuilder:pruning:PreserveUnknownFields"
	Resource               = "kubebuilder:resource"
	Skip                   = "kubebuilder:skip"
	SkipVersion            = "kubebuilder:skipversion"
	StorageVersion         = "kubebuilder:storageversion"
	UnservedVersion        = "kubebuilder:unservedversion"
	DeprecatedVersion      = "kubebuilder:deprecatedversion"
	EmbeddedResource       = "kubebuilder:validation:EmbeddedResource"
	Enum                   = "kubebuilder:validation:Enum"
	ItemsEnum              = "kubebuilder:validation:items:Enum"
	ItemsMinProperties     = "kubebuilder:validation:items:MinProperties"
	ItemsXValidation       = "kubebuilder:validation:items:XValidation"
	Format                 = "kubebuilder:validation:Format"
	Metadata               = "kubebuilder:metadata"
	PrintColumn            = "kubebuilder:printcolumn"
	StatusSubresource      = "kubebuilder:subresource:status"
	MinLength              = "kubebuilder:validation:MinLength"
	MinProperties          = "kubebuilder:validation:MinProperties"
	Pattern                = "kubebuilder:validation:Pattern"
	ValidationOptional     = "kubebuilder:validation:Optional"
	ValidationRequired     = "kubebuilder:validation:Required"
	Schemaless             = "kubebuilder:validation:Schemaless"
	ValidationType         = "kubebuilder:validation:Type"
	XEmbeddedResource      = "kubebuilder:validation:XEmbeddedResource"
	XIntOrString           = "kubebuilder:validation:XIntOrString"
	XPreserveUnknownFields = "kubebuilder:validation:XPreserveUnknownFields"
	XValidation            = "kubebuilder:validation:XValidation"
	ListMapKey             = "listMapKey"
	ListType               = "listType"
	Nullable               = "nullable"
	Optional               = "optional"
	Required               = "required"
	VersionName            = "versionName"
)

// The names of the markers of deepcopy-gen that mrgen reads.
const (
	DeepCopyGen           = "k8s:deepcopy-gen"
	DeepCopyGenInterfaces = "k8s:deepcopy-gen:interfaces"
)

// What the names of a group of markers begin with: of those of references, of those that
// ask for deep copies, of those for the schema of a type or field, and of those for the
// schema of the items of a list.
const (
	ReferencePrefix       = "crossplane:generate:reference:"
	ObjectPrefix          = "kubebuilder:object:"
	ValidationPrefix      = "kubebuilder:validation:"
	ItemsValidationPrefix = ValidationPrefix + "items:"
)
