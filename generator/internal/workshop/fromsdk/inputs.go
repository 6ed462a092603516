package fromsdk

import (
	"slices"
	"strings"
)

// Inputs is the variable of the controller with the parameters that are no part of requests: arguments of
// methods, and references to secrets.
const Inputs = "in"

// An InputStruct is the type of that variable, or of what is in it.
type InputStruct struct {
	Name   string
	Fields []Input
}

// An Input is a parameter that is no part of requests.
type Input struct{ Name, Type string }

// inputsType returns the name of the type for what is at a path of parameters.
func inputsType(path []*Field) string {
	return "inputs" + strings.Join(each(path, func(f *Field) string { return f.Name }), "")
}

// inputType returns the type of an argument that has the value of a field.
func (f *Field) inputType() string { return strings.TrimPrefix(f.Type, "*") }

// findInputs finds the parameters that are no part of requests, at a path of parameters: arguments, and what refers to secrets, in
// structs at any depth. It reports whether there are any.
func (r *reader) findInputs(c *calls, fields []*Field, path []*Field) bool {
	k, s := r.kind, &InputStruct{Name: inputsType(path)}
	before := k.Inputs
	k.Inputs = append(k.Inputs, s)
	for _, f := range fields {
		here := append(slices.Clip(path), f)
		of, isPointer := strings.CutPrefix(f.Type, "*")
		within := k.structNamed(of)
		switch {
		case f.isSecret:
			k.Secrets = append(k.Secrets, Secret{here})
			s.Fields = append(s.Fields, Input{f.Name, f.Type})
		case slices.ContainsFunc(c.parents, func(p *parent) bool { return p.field == f }):
			s.Fields = append(s.Fields, Input{f.Name, f.inputType()})
		case isPointer && within != nil && r.findInputs(c, within.Fields, here):
			s.Fields = append(s.Fields, Input{f.Name, "*" + inputsType(here)})
		}
	}
	if len(s.Fields) == 0 {
		k.Inputs = before
	}
	return len(s.Fields) > 0
}
