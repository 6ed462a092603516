package fromsdk

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/extensions/sdkconversion"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A Secret is a parameter, or a field of structs in one, whose value is in a secret.
type Secret struct {
	// path leads to the field that refers to it.
	path []*Field
}

// Variable returns the name of a variable for the value.
func (s Secret) Variable() string {
	return camel(strings.Join(each(s.path, func(f *Field) string { return f.from.v.Name() }), "_"))
}

// Reference returns the expression that reads the reference from parameters. VERSION stands for the name of the kind's package.
func (s Secret) Reference(parameters string) string {
	for i, f := range s.path {
		if i > 0 {
			parameters = "ptr.Deref(" + parameters + ", VERSION." + strings.TrimPrefix(s.path[i-1].Type, "*") + "{})"
		}
		parameters += "." + f.Name
	}
	return parameters
}

// Path returns the JSON path of the field that refers to the secret.
func (s Secret) Path() string {
	return strings.Join(each(s.path, func(f *Field) string { return f.json }), ".")
}

// fieldsIn returns the fields of a request that lead to the value, or nil.
func (s Secret) fieldsIn(r *reader, request types.Type) []*source {
	var fields []*source
	for _, f := range s.path {
		match := counterpart(r.sources(request), f.from)
		if match == nil {
			return nil
		}
		fields = append(fields, match)
		request = match.v.Type()
	}
	return fields
}

// assign returns the statements that set the value of a secret in a request, if there is one.
func (r *reader) assign(s Secret, fields []*source) []string {
	name := s.Variable()
	lines := []string{"if " + name + " != nil {"}
	target := request
	for _, field := range fields[:len(fields)-1] {
		if field.oneof != nil {
			holder := strings.Join(append(append([]string{target}, field.path...), field.oneof.Name()), ".")
			wrapper := "*" + r.qualify(field.wrapper.Pkg()) + "." + field.wrapper.Name()
			lines = append(lines, "if _, isSet := "+holder+".("+wrapper+"); !isSet {", holder+" = &"+wrapper[1:]+"{}", "}")
			target = holder + ".(" + wrapper + ")." + field.name()
		} else {
			target += "." + field.way()
		}
		if t := field.v.Type(); gotypes.IsPointer(t) {
			lines = append(lines, "if "+target+" == nil {", target+" = &"+r.text(gotypes.Deref(t))+"{}", "}")
		}
	}
	last := fields[len(fields)-1]
	target += "." + last.way()
	value := r.converted("*"+name, "string", last.v.Type())
	switch {
	case gotypes.IsPointer(last.wrapped):
		return append(lines, target+" = "+r.literal(last.wrapped, "Value: "+value), "}")
	case last.wrapped != nil:
		return append(lines, sdkconversion.Fill(last.wrapped, target, value), "}")
	}
	return append(lines, target+" = "+value, "}")
}

// takesSecret reports whether a request takes the text of a secret as a type.
func (r *reader) takesSecret(t types.Type) bool { return r.converted("value", "string", t) != "" }

// hide has a field refer to the key of a secret with its value.
func (r *reader) hide(f *Field) {
	value := strings.Join(words(f.from.v.Name()), " ")
	end := "SecretRef"
	if strings.HasSuffix(f.Name, "Secret") {
		end = "Ref"
	}
	f.Name, f.json = f.Name+end, f.json+end
	f.Type, f.Tag = "*"+r.options.Selector, f.json+",omitempty"
	comment := fmt.Sprintf("%s refers to the key of a secret that has the %s.", f.Name, value)
	f.isSecret, f.Markers = true, []string{"+optional"}
	if r.isRequired(f.from) {
		f.need(true)
	} else {
		comment += " Without it, none is sent."
	}
	f.Comment = wrap(comment)
}

// structNamed returns the type of a name, or nil.
func (k *Kind) structNamed(name string) *Struct {
	return first(k.Structs, func(s *Struct) bool { return s.Name == name })
}

// leaveSecretsOf says that the secrets of the items of a list are not read.
func (r *reader) leaveSecretsOf(s *Struct) {
	for _, f := range s.Fields {
		if f.isSecret {
			r.leave(s.Name+"."+f.Name+" in lists", "the controller reads secrets outside of lists alone")
		} else if inner := r.kind.structNamed(strings.TrimLeft(f.Type, "*[]")); inner != nil {
			r.leaveSecretsOf(inner)
		}
	}
}

// isSecret reports whether a field holds a password, a token or a key, as its name, its type or a tag says.
func (r *reader) isSecret(f *Field) bool {
	of := strings.TrimLeft(f.Type, "*[]")
	if of != "string" && of != "byte" && of != "map[string]string" {
		return false
	}
	names := []string{f.Name}
	if f.from != nil {
		if f.from.isTaggedSecret() {
			return true
		}
		if named := gotypes.NamedOf(gotypes.Deref(f.from.v.Type())); named != nil {
			names = append(names, named.Obj().Name())
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		json := camel(name)
		if name == f.Name {
			json = f.json
		}
		return isSecretName(name, json, f.Markers...)
	})
}

// isSecretName reports whether mrgen takes a text of a name, in Go and in JSON, for a secret.
func isSecretName(name, json string, marked ...string) bool {
	m := &model.Field{Name: name, JSONName: json, Type: &model.Type{Kind: model.Basic, Basic: "string"}}
	m.Markers = each(marked, func(marker string) model.Marker { return model.Marker{Text: strings.TrimPrefix(marker, "+")} })
	return mirroring.New(nil).Of(m) == mirroring.SecretName
}

// findSecrets notes the parameters that refer to secrets, in structs at any depth.
func (r *reader) findSecrets(fields, path []*Field) {
	for _, f := range fields {
		here := append(slices.Clip(path), f)
		of, isPointer := strings.CutPrefix(f.Type, "*")
		if within := r.kind.structNamed(of); f.isSecret {
			r.kind.Secrets = append(r.kind.Secrets, Secret{here})
		} else if isPointer && within != nil {
			r.findSecrets(within.Fields, here)
		}
	}
}

// isTaggedSecret reports whether a tag says that a field is a secret: that of Kubernetes, or one that loggers read.
func (s *source) isTaggedSecret() bool {
	return s.tag.Get("datapolicy") != "" || slices.ContainsFunc([]string{"sensitive", "secret"}, func(key string) bool {
		is, _ := strconv.ParseBool(s.tag.Get(key))
		return is
	})
}

// A Detail is a key of the connection secret.
type Detail struct {
	Key, Description string
	// Field is that of the connection details, and Value what it has of the API's object.
	Field, Value string
}
