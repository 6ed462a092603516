package apiserver

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A division is a schema taken apart: the API server accepts the schema if it accepts
// the parts and the rest, and all rules together are not too expensive.
//
// The API server walks a schema from the root, see
// ValidateCustomResourceDefinitionOpenAPISchema, ValidateStructural and ValidateDefaults
// in pkg/apis/apiextensions/validation and pkg/apiserver/schema of
// k8s.io/apiextensions-apiserver. What it says of a schema depends on that schema alone,
// with two exceptions: what the root and embedded resources say of metadata, and rules,
// which depend on what they read and on how often a list or map above repeats them.
// Objects with no more than properties, and lists and maps with no more than a schema
// for what is in them, have nothing that it could object to.
type division struct {
	parts []part
	// rest is the schema without the parts.
	rest *apiextensionsv1.JSONSchemaProps
}

// A part is a schema without rules, or one with a single rule and what that one reads.
type part struct {
	// key is the part's content, less descriptions and, in parts with a rule, names.
	key string
	// rule tells that the part has a rule.
	rule bool
	// schema returns the schema of a resource that has the part.
	schema func() *apiextensionsv1.JSONSchemaProps
}

// divide takes the schema of a resource apart. Nothing of it is changed.
func divide(root *apiextensionsv1.JSONSchemaProps) division {
	d := division{}
	if plainForm(root) != object || hasOwnRules(root) {
		d.rest = root
		return d
	}
	rest := *root
	rest.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
	for name, property := range root.Properties {
		switch name {
		case "apiVersion", "kind", "metadata":
			rest.Properties[name] = property
		default:
			if kept := d.take(&property, false); kept != nil {
				rest.Properties[name] = *kept
			}
		}
	}
	d.rest = &rest
	return d
}

// take takes a schema apart, and returns what is left of it, or nil. Below lists and
// maps rules stay where they are: what they cost depends on these.
func (d *division) take(s *apiextensionsv1.JSONSchemaProps, repeated bool) *apiextensionsv1.JSONSchemaProps {
	form := plainForm(s)
	if form == other {
		if !containsRules(s) {
			d.parts = append(d.parts, valuePart(s))
			return nil
		}
		return s
	}
	if hasOwnRules(s) {
		rules, ok := ruleParts(s)
		if !ok || repeated {
			return s
		}
		d.parts = append(d.parts, rules...)
	}
	kept := *s
	kept.XValidations = nil
	switch form {
	case array:
		rest := d.take(s.Items.Schema, true)
		if rest == nil {
			return nil
		}
		kept.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: rest}
	case dictionary:
		rest := d.take(s.AdditionalProperties.Schema, true)
		if rest == nil {
			return nil
		}
		kept.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: rest}
	default:
		kept.Properties = nil
		for name, property := range s.Properties {
			rest := d.take(&property, repeated)
			if rest == nil {
				continue
			}
			if kept.Properties == nil {
				kept.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
			}
			kept.Properties[name] = *rest
		}
		if kept.Properties == nil {
			return nil
		}
	}
	return &kept
}

// A form is what a schema is if there is nothing to say about it but what is in it.
type form int

const (
	// other is any schema that is judged as a whole.
	other form = iota
	object
	array
	dictionary
)

// plainContent is the content of schemas with nothing but a type.
var plainContent = map[string]string{
	"object": contentOf(&apiextensionsv1.JSONSchemaProps{Type: "object"}),
	"array":  contentOf(&apiextensionsv1.JSONSchemaProps{Type: "array"}),
}

// plainForm returns the form of a schema, whatever its rules.
func plainForm(s *apiextensionsv1.JSONSchemaProps) form {
	if s.Type != "object" && s.Type != "array" {
		return other
	}
	own := *s
	own.Description, own.Properties, own.Items, own.AdditionalProperties, own.XValidations = "", nil, nil, nil, nil
	if s.Type == "object" && s.AdditionalProperties == nil {
		own.Required = nil
	}
	// The binary form tells whether anything else is set: no field is forgotten,
	// whatever a later version adds.
	if contentOf(&own) != plainContent[s.Type] {
		return other
	}
	switch {
	case s.Type == "array":
		if s.Items != nil && s.Items.Schema != nil && len(s.Items.JSONSchemas) == 0 && len(s.Properties) == 0 && s.AdditionalProperties == nil {
			return array
		}
	case s.Items != nil:
	case s.AdditionalProperties == nil:
		return object
	case s.AdditionalProperties.Schema != nil && len(s.Properties) == 0:
		return dictionary
	}
	return other
}

func hasOwnRules(s *apiextensionsv1.JSONSchemaProps) bool { return len(s.XValidations) > 0 }

// containsRules reports whether a schema has rules, or one below it. Where else rules
// could be, the API server allows none.
func containsRules(s *apiextensionsv1.JSONSchemaProps) bool {
	if hasOwnRules(s) {
		return true
	}
	for _, property := range s.Properties {
		if containsRules(&property) {
			return true
		}
	}
	return s.Items != nil && s.Items.Schema != nil && containsRules(s.Items.Schema) ||
		s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && containsRules(s.AdditionalProperties.Schema)
}

// valuePart returns the part that a schema without rules is.
func valuePart(s *apiextensionsv1.JSONSchemaProps) part {
	return part{key: contentOf(stripped(s)), schema: func() *apiextensionsv1.JSONSchemaProps {
		return resource(apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"f": *s}})
	}}
}

// contentOf returns a key for a schema: its binary form, which leaves nothing out.
func contentOf(s *apiextensionsv1.JSONSchemaProps) string {
	content, err := s.Marshal()
	if err != nil {
		panic(err) // it only reports that a buffer is too short, which it allocates itself
	}
	return string(content)
}

// stripped returns a schema without descriptions and rules. In parts of anyOf and the
// like the API server allows neither, so that they stay there.
func stripped(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	bare := *s
	bare.Description, bare.XValidations = "", nil
	if len(s.Properties) > 0 {
		bare.Properties = make(map[string]apiextensionsv1.JSONSchemaProps, len(s.Properties))
		for name, property := range s.Properties {
			bare.Properties[name] = *stripped(&property)
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		items := *s.Items
		items.Schema = stripped(s.Items.Schema)
		bare.Items = &items
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		values := *s.AdditionalProperties
		values.Schema = stripped(s.AdditionalProperties.Schema)
		bare.AdditionalProperties = &values
	}
	return &bare
}

// resource returns the schema of a resource with that spec.
func resource(spec apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
}
