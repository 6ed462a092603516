package markers

// ofConversions are the markers for conversions between an SDK and a kind: on interfaces of client packages,
// their methods, and fields of kinds.
var ofConversions = []Definition{
	{
		Name: Convert,
		Doc: "The methods of an interface are conversions between the types of a kind and of an SDK: mrgen writes a function for each. " +
			"A function with the marker is called wherever its types meet. The setting convert.packages names the packages to look into.",
		Places: []Place{Client},
		Example: `// +mrgen:convert
type hooks interface {
	ObserveHook(*gitlab.ProjectHook) v1alpha1.HookObservation
}`,
	},
	{
		Name:   ConvertField,
		Doc:    "The field of the kind, and the path of the SDK's field that it is converted to or from.",
		Places: []Place{ClientMethod},
		Arguments: oneValue(Line,
			"The Go name of the field, or the name of a parameter, an equals sign, and the Go names that lead to the other, with dots between them.",
			"NamespaceID=Namespace.ID"),
		Example: `// +mrgen:convert:field=NamespaceID=Namespace.ID
ObserveProject(*gitlab.Project) v1alpha1.ProjectObservation`,
	},
	{
		Name: ConvertIgnore,
		Doc: "The field is not converted, for the given reason: at a method, the named field; " +
			"at a field of a kind, or of a struct within it, this field in all conversions, or in the named method. " +
			"At a method, a field of a struct within the kind's has the name of the struct before its own.",
		Places: append([]Place{ClientMethod}, convertedFields...),
		Arguments: oneValue(Line,
			"At a method the Go name of the field and a comma, at a field nothing or the name of a method and a comma, and then the reason.",
			`reason="in the path of the request"`),
		Example: `// +mrgen:convert:ignore=ProjectID,reason="in the path of the request"
CreateHook(v1alpha1.HookParameters) *gitlab.AddProjectHookOptions`,
	},
	{
		Name:      ConvertIn,
		Doc:       "Envelopes in the SDK's struct: their fields are converted as if they were fields of the struct.",
		Places:    []Place{ClientMethod},
		Arguments: oneValue(Line, "The Go names of the fields, separated by commas.", "Properties"),
		Example: `// +mrgen:convert:in=Properties
ObserveServer(*sdk.Server) v1alpha1.ServerObservation`,
	},
	{
		Name:      ConvertList,
		Doc:       "A map in one type is a list of items with a key and a value in the other. Lists made of maps are sorted by key.",
		Places:    append([]Place{ClientMethod}, convertedFields...),
		Arguments: oneValue(Line, "The Go names of the two fields of the items, separated by a comma.", "Key,Value"),
		Example: `// Tags of the bucket.
// +optional
// +mrgen:convert:list=Key,Value
Tags map[string]string ` + "`json:\"tags,omitempty\"`",
	},
	{
		Name:      ConvertName,
		Doc:       "The Go name that the field has in the SDK.",
		Places:    convertedFields,
		Arguments: oneValue(Line, "The name, or several that lead to the field, with dots between them.", "SAMLGroupName"),
		Example: `// Name of the group.
// +mrgen:convert:name=SAMLGroupName
Name string ` + "`json:\"name\"`",
	},
	{
		Name:   ConvertNumber,
		Doc:    "The value is a number in two forms: a whole number, a float or a string.",
		Places: convertedFields,
		Example: `// Price of an hour, such as 0.25.
// +mrgen:convert:number
Price string ` + "`json:\"price\"`",
	},
	{
		Name:   ConvertSendZero,
		Doc:    "Zero is sent and observed. Without the marker, zero counts as unset if only one side has a pointer.",
		Places: append([]Place{ClientMethod}, convertedFields...),
		Example: `// Replicas to run.
// +mrgen:convert:sendZero
Replicas int64 ` + "`json:\"replicas,omitempty\"`",
	},
	{
		Name: ConvertUpdate,
		Doc: "The method makes a request that updates, and not one that creates. " +
			"A field that is sent at creation must be in an update, too, or be immutable.",
		Places: []Place{ClientMethod},
		Example: `// +mrgen:convert:update
UpdateHook(v1alpha1.HookParameters) *gitlab.EditProjectHookOptions`,
	},
}
