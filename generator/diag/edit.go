package diag

// An Edit is a change of the author's source that corrects a finding. It edits a field or a type, by the names
// that are set, or lines of another file if both names are empty.
type Edit struct {
	// Pos is the place of the field, the type or the marker in Remove. It is the line before Lines in another file.
	Pos Position
	// Package, Struct and Field name the field to edit. Field is empty where the edit concerns the type Struct.
	Package, Struct, Field string

	// Add is a marker to add, without its plus sign. Remove is one to remove, or to replace if With isn't empty.
	Add, Remove, With string
	// Option is an option to add to the json tag, such as omitempty.
	Option string
	// Pointer makes the type of the field a pointer.
	Pointer bool
	// OmitReferenced adds omitempty to a value that a reference can replace, and otherwise keeps the value
	// required.
	OmitReferenced bool

	// Lines are the lines to insert after Pos.
	Lines []string
}
