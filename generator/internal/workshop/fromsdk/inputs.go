package fromsdk

import "strings"

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
	name := "inputs"
	for _, f := range path {
		name += f.Name
	}
	return name
}

// inputType returns the type of an argument that has the value of a field.
func (f *Field) inputType() string { return strings.TrimPrefix(f.Type, "*") }

// findInputs finds the parameters that are no part of requests.
func (r *reader) findInputs(c *calls) {
	for _, p := range c.parents {
		r.kind.addInput([]*Field{p.field}, p.field.inputType())
	}
	for _, secret := range r.kind.Secrets {
		r.kind.addInput(secret.path, secret.path[len(secret.path)-1].Type)
	}
}

// addInput adds what is at a path of parameters, with the structs on the way.
func (k *Kind) addInput(path []*Field, typ string) {
	for i, f := range path {
		input := Input{f.Name, typ}
		if i < len(path)-1 {
			input.Type = "*" + inputsType(path[:i+1])
		}
		of := k.inputs(inputsType(path[:i]))
		if len(of.Fields) == 0 || of.Fields[len(of.Fields)-1] != input { // secrets of one struct follow each other
			of.Fields = append(of.Fields, input)
		}
	}
}

// inputs returns the struct of a name.
func (k *Kind) inputs(name string) *InputStruct {
	s := first(k.Inputs, func(s *InputStruct) bool { return s.Name == name })
	if s == nil {
		s = &InputStruct{Name: name}
		k.Inputs = append(k.Inputs, s)
	}
	return s
}
