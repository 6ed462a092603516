// Package markers defines every marker that mrgen owns: the prefix +mrgen:, and the prefix
// +crossplane:generate: that providers already use. It also knows the markers of other tools.
//
// A marker is a line of a Go comment that begins with a plus sign. One table of definitions decides what
// [Parse] accepts, which places [Value.CheckPlace] allows and what the reference says.
//
// Markers of other tools come from controller-tools' registry and a table. [CheckForeign] tells misspelt ones
// from valid ones and from prose.
package markers

import (
	"cmp"
	"slices"
	"strings"
)

// The prefixes of the markers that mrgen owns.
const (
	prefix           = "mrgen:"
	crossplanePrefix = "crossplane:generate:"
)

// A Place is where a marker may stand. A field's place depends on the part of the managed resource that
// contains it, at any depth.
type Place string

const (
	// Package is a Go package, in a comment before its package clause.
	Package Place = "package"
	// ManagedKind is the Go type of a managed resource.
	ManagedKind Place = "managedKind"
	// Kind is the Go type of another kind, for example of a ProviderConfig or a list.
	Kind Place = "kind"
	// Type is any other Go type.
	Type Place = "type"
	// ForProviderStruct is the Go type of spec.forProvider, or of a struct below it.
	ForProviderStruct Place = "forProviderStruct"
	// ForProviderField is a field below spec.forProvider.
	ForProviderField Place = "forProviderField"
	// InitProviderField is a field below spec.initProvider.
	InitProviderField Place = "initProviderField"
	// SpecField is a field of spec outside forProvider and initProvider.
	SpecField Place = "specField"
	// ObservationField is a field below status.atProvider.
	ObservationField Place = "observationField"
	// Field is any other field.
	Field Place = "field"
	// Declaration is a function, a variable or a constant.
	Declaration Place = "declaration"
	// Client is an interface or a function in a package of clients. ClientMethod is a method of such an
	// interface.
	Client       Place = "client"
	ClientMethod Place = "clientMethod"
)

// placeWords name places in words that fit into a sentence.
var placeWords = map[Place]string{
	Package:           "the package clause",
	ManagedKind:       "the type of a managed resource",
	Kind:              "the type of another kind",
	Type:              "a type that is not a kind",
	ForProviderStruct: "the type of a struct in spec.forProvider",
	ForProviderField:  "a field of spec.forProvider",
	InitProviderField: "a field of spec.initProvider",
	SpecField:         "another field of spec",
	ObservationField:  "a field of status.atProvider",
	Field:             "a field outside spec and status.atProvider",
	Declaration:       "a function, variable or constant",
	Client:            "an interface or a function in a package of clients",
	ClientMethod:      "a method of an interface with +mrgen:convert",
}

// String returns the place in words that fit into a sentence.
func (p Place) String() string { return cmp.Or(placeWords[p], string(p)) }

// An ArgumentType says which values an argument accepts.
type ArgumentType string

const (
	// Boolean arguments are true or false.
	Boolean ArgumentType = "boolean"
	// Choice arguments are one of [Argument.Choices].
	Choice ArgumentType = "choice"
	// Text arguments are text that is not empty. It needs quotes, as in Go, if it contains a space, a comma or
	// a quote.
	Text ArgumentType = "text"
	// Line arguments are the rest of the line, which is not empty. Quotes are part of the text.
	Line ArgumentType = "line"
	// SecretKey arguments are keys of a Kubernetes Secret.
	SecretKey ArgumentType = "secret key"
	// SecretKeyPattern arguments stand for keys of a Kubernetes Secret: a key with one asterisk for the part
	// that varies.
	SecretKeyPattern ArgumentType = "secret key pattern"
	// GoType arguments are the name of a Go type, after the import path of its
	// package and a dot if that is another package.
	GoType ArgumentType = "Go type"
	// GoCall arguments are a call of a Go function whose arguments are literals or constants. The function is
	// written like a [GoType].
	GoCall ArgumentType = "Go call"
	// GoField arguments are the name of a field of the struct that the marker is in.
	GoField ArgumentType = "Go field"
	// GoIdentifier arguments are a Go name.
	GoIdentifier ArgumentType = "Go identifier"
	// JSONPath arguments are the JSON name of a field, or several with dots between them. A version and a colon
	// may come first, for one version only. See [ParseJSONPath].
	JSONPath ArgumentType = "JSON path"
	// JSONFields arguments are the JSON names of two or more fields of the struct that
	// the marker is on, separated by semicolons.
	JSONFields ArgumentType = "JSON fields"
)

// A Definition describes a marker.
type Definition struct {
	// Name is the marker without the plus sign, its arguments and the sign before
	// them, for example "mrgen:state".
	Name string `json:"name"`
	// Doc explains the marker in one paragraph.
	Doc string `json:"doc"`
	// Places are where the marker may stand.
	Places []Place `json:"places"`
	// Arguments of the marker: none, or a single one without a name, which is
	// required and follows an equals sign, or named ones.
	Arguments []Argument `json:"arguments,omitempty"`
	// Key names the argument by which several markers of this name at one place differ. If it is empty, only
	// one is allowed.
	Key string `json:"key,omitempty"`
	// Needs is the name of a marker that must stand at the same place.
	Needs string `json:"needs,omitempty"`
	// Example is Go source that shows the marker.
	Example string `json:"example"`
}

// An Argument describes an argument of a marker.
type Argument struct {
	// Name is empty for the value that follows the equals sign.
	Name string `json:"name"`
	// AnyName is set if the name stands for any other, and the argument may be given
	// without a value. It is then the only one.
	AnyName bool `json:"anyName,omitempty"`
	// Type says which values the argument accepts.
	Type ArgumentType `json:"type"`
	// Choices are the values of a [Choice].
	Choices []string `json:"choices,omitempty"`
	// RequiredOn are the places where a named argument must be given.
	RequiredOn []Place `json:"requiredOn,omitempty"`
	// InsteadOf names the argument that this one replaces: only one of them may be given.
	InsteadOf string `json:"insteadOf,omitempty"`
	// Doc explains the argument in one paragraph.
	Doc string `json:"doc"`
	// Example is a value as it is written in a marker.
	Example string `json:"example"`
}

// Lookup returns the definition of a marker by its name, or nil. The definition is shared: don't change it.
func Lookup(name string) *Definition {
	for i := range definitions {
		if definitions[i].Name == name {
			return &definitions[i]
		}
	}
	return nil
}

// Unread returns the kind of problem that a well-formed marker has if nothing reads it. Crossplane's markers
// never had an effect at such places. mrgen's own ask for something that the output would lack: a secret that
// must not be mirrored would be.
func (d *Definition) Unread() ProblemKind {
	if strings.HasPrefix(d.Name, prefix) {
		return Invalid
	}
	return WithoutEffect
}

// usage returns the marker with an example of every argument, except alternatives.
func (d *Definition) usage() string {
	var arguments []string
	for _, a := range d.Arguments {
		if a.InsteadOf == "" {
			arguments = append(arguments, a.Name+"="+a.Example)
		}
	}
	name := "+" + d.Name
	if d.hasNamedArguments() {
		name += ":"
	}
	return name + strings.Join(arguments, ",")
}

func (d *Definition) hasNamedArguments() bool {
	return len(d.Arguments) > 0 && d.Arguments[0].Name != ""
}

// argument returns the index of an argument by its name, or -1.
func (d *Definition) argument(name string) int {
	return slices.IndexFunc(d.Arguments, func(a Argument) bool { return a.Name == name || a.AnyName })
}

// substitute returns the argument that may be given instead of the named one, or nil.
func (d *Definition) substitute(name string) *Argument {
	i := slices.IndexFunc(d.Arguments, func(a Argument) bool { return name != "" && a.InsteadOf == name })
	if i < 0 {
		return nil
	}
	return &d.Arguments[i]
}

// localName returns the name of a marker without mrgen's prefix.
func localName(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, prefix), crossplanePrefix)
}
