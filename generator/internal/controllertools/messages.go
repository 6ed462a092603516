package controllertools

import "regexp"

// The messages of controller-tools' errors that mrgen states in its own words.
var (
	// FloatingError is for a field or type with a floating-point type.
	FloatingError = regexp.MustCompile(`^found float,`)
	// UntaggedError is for a field without a json tag.
	UntaggedError = regexp.MustCompile(`^encountered struct field "\w*" without JSON tag`)
	// MisappliedError is for a marker on the wrong type: the marker, the wanted kind of types, and the type if it is known.
	MisappliedError = regexp.MustCompile(`^must apply ([\w:]+) to (an? [\w ]+?)(?:, found(?: type)? "?(\w*)"?|; either .*)?$`)
	// AlternativeError is for a required field, which it names, that is one of several alternatives.
	AlternativeError = regexp.MustCompile(`^field (\S+) is part of OneOf constraint`)
	// AliasError is for an alias of a type without a name: the kind of the type, and the alias.
	AliasError = regexp.MustCompile(`^unsupported type \*types\.(\w+) for identifier (\w+)$`)
	// ArgumentError is for an argument that a marker doesn't support.
	ArgumentError = regexp.MustCompile(`^unknown argument "([^"]+)"$`)

	parserPosition = regexp.MustCompile(` \(at <input>[:\d]*\)$`)
)

// TypeErrors are for types that controller-tools can't read, with the message that follows the name of a field or type.
var TypeErrors = []struct {
	Matches *regexp.Regexp
	Message string
}{
	{regexp.MustCompile(`^unsupported AST kind \*ast\.Index`), " has a generic type, which controller-tools can't read: declare a struct with its fields"},
	{regexp.MustCompile(`^k8s:enum must be set on a type`), " is marked +k8s:enum, which is for types: move it above the declaration of the type that has the constants"},
	{regexp.MustCompile(`^map keys must be strings`), " has map keys of a type that controller-tools can't read, such as an alias: write string"},
	{regexp.MustCompile(`^ListType must be`), " is a list, whose +listType is map for structs with a +listMapKey, set for scalars, or atomic: write one of these"},
	{regexp.MustCompile(`^(Map|Struct)Type must be`), " has a +mapType or +structType with another word than granular or atomic: write one of these"},
	{regexp.MustCompile(`^must apply listMapKey to`), " has a key and isn't a +listType=map: write that, or remove +listMapKey"},
	{regexp.MustCompile(`^cannot apply non-integral`), " has whole numbers, and its marker a fraction: write a whole number"},
}

// WithoutParserPosition returns a message without the position in the text of a marker, which means nothing to users.
func WithoutParserPosition(message string) string {
	return parserPosition.ReplaceAllString(message, "")
}
