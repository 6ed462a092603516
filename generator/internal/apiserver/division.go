package apiserver

import (
	"bytes"
	"context"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A division takes a schema apart: the API server accepts the schema if it accepts
// the parts and the rest, and all rules together are not too expensive. A part is a
// schema without rules, or one with a single rule and what that one reads.
//
// The API server walks a schema from the root, see
// ValidateCustomResourceDefinitionOpenAPISchema, ValidateStructural and ValidateDefaults
// in pkg/apis/apiextensions/validation and pkg/apiserver/schema of
// k8s.io/apiextensions-apiserver. What it says of a schema depends on that schema alone,
// with two exceptions: what the root and embedded resources say of metadata, and rules,
// which depend on what they read, on the lists and maps above, and, if there are any, on
// how large the object is at least: it tells how often these can repeat the rule.
// Objects with no more than properties, and lists and maps with no more than a schema
// for what is in them, have nothing that it could object to.
type division struct {
	ctx   context.Context
	judge *Judge
	// refused is set if a part is not accepted, and cost is that of all that are.
	refused bool
	cost    uint64
	// values are parts without rules that no verdict is known of.
	values []valuePart
	// key and names are memory for the key of a part, and for the names of properties
	// that are still to be added to it: parts are many, and nearly all of them known.
	key   []byte
	names []string
}

// A valuePart is a part without rules.
type valuePart struct {
	key    string
	schema apiextensionsv1.JSONSchemaProps
}

// divide takes the schema of a resource apart, and returns what is left of it. Nothing
// of it is changed.
func (d *division) divide(root *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	if plainForm(root) != object || hasOwnRules(root) {
		return root
	}
	rest := *root
	rest.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
	for name, property := range root.Properties {
		switch name {
		case "apiVersion", "kind", "metadata":
			rest.Properties[name] = property
		default:
			if kept := d.takeCopy(property, object); kept != nil {
				rest.Properties[name] = *kept
			}
		}
	}
	d.askValues()
	return &rest
}

// take takes a schema apart, and returns a copy with what is left of it, or nil. What is
// above the schema decides on its rules: it is array if there is a list, dictionary if
// there is a map and no list, and object if there is neither.
func (d *division) take(s *apiextensionsv1.JSONSchemaProps, above form) *apiextensionsv1.JSONSchemaProps {
	form := plainForm(s)
	if form == other {
		if !containsRules(s) {
			d.value(s)
			return nil
		}
		return shallowCopy(s)
	}
	if hasOwnRules(s) {
		rules, ok := ruleParts(*s, above)
		if !ok {
			return shallowCopy(s)
		}
		for _, r := range rules {
			d.rule(r)
		}
	}
	var items, values *apiextensionsv1.JSONSchemaProps
	var properties map[string]apiextensionsv1.JSONSchemaProps
	switch form {
	case array:
		items = d.take(s.Items.Schema, array)
	case dictionary:
		if above == object {
			above = dictionary
		}
		values = d.take(s.AdditionalProperties.Schema, above)
	default:
		for name, property := range s.Properties {
			if rest := d.takeCopy(property, above); rest != nil {
				if properties == nil {
					properties = map[string]apiextensionsv1.JSONSchemaProps{}
				}
				properties[name] = *rest
			}
		}
	}
	if items == nil && values == nil && properties == nil {
		return nil
	}
	kept := shallowCopy(s)
	kept.XValidations, kept.Properties = nil, properties
	if items != nil {
		kept.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: items}
	}
	if values != nil {
		kept.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: values}
	}
	return kept
}

// takeCopy does what take does. A loop that passes the address of each value of a map
// to the function that it is in makes the compiler allocate all of them, half a
// kilobyte each; as an argument they are on the stack, unless this is inlined.
//
//go:noinline
func (d *division) takeCopy(s apiextensionsv1.JSONSchemaProps, above form) *apiextensionsv1.JSONSchemaProps {
	return d.take(&s, above)
}

func shallowCopy(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	copied := *s
	return &copied
}

// value sets the part that a schema without rules is aside, if no verdict is known.
func (d *division) value(s *apiextensionsv1.JSONSchemaProps) {
	d.key = append(d.key[:0], 'v')
	d.addSchema(s)
	if v, known := d.judge.known(d.key); known {
		d.count(v)
		return
	}
	d.values = append(d.values, valuePart{string(d.key), *s})
}

// askValues asks for one verdict on all parts without rules that were set aside: the API
// server accepts each of them if it accepts all.
func (d *division) askValues() {
	if len(d.values) == 0 {
		return
	}
	fields := make(map[string]apiextensionsv1.JSONSchemaProps, len(d.values))
	for i, part := range d.values {
		fields["f"+strconv.Itoa(i)] = part.schema
	}
	v := d.judge.ask(d.ctx, resource(apiextensionsv1.JSONSchemaProps{Type: "object", Properties: fields}))
	if v.accepted {
		for _, part := range d.values {
			d.judge.remember(part.key, v)
		}
	}
	d.count(v)
}

// rule asks for a verdict on the part for a rule.
func (d *division) rule(r rulePart) {
	d.key = append(d.key[:0], 'r', byte(r.above))
	d.addLength(r.size)
	d.addRule(&r.rule)
	d.addRead(r.root)
	v, known := d.judge.known(d.key)
	if !known {
		schema := r.schema()
		if v = d.judge.ask(d.ctx, schema); v.accepted {
			v.cost = costOf(schema)
		}
		d.judge.remember(string(d.key), v)
	}
	d.count(v)
}

func (d *division) count(v verdict) {
	d.refused = d.refused || !v.accepted
	d.cost = add(d.cost, v.cost)
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

// plainContent is the binary form of schemas with nothing but a type.
var plainContent = map[string][]byte{
	"object": appendContent(nil, &apiextensionsv1.JSONSchemaProps{Type: "object"}),
	"array":  appendContent(nil, &apiextensionsv1.JSONSchemaProps{Type: "array"}),
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
	// whatever a later version adds. Mostly its size does, which takes less to find.
	var buffer [64]byte
	plain := plainContent[s.Type]
	if own.Size() != len(plain) || !bytes.Equal(appendContent(buffer[:0], &own), plain) {
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
		if copyContainsRules(property) {
			return true
		}
	}
	return s.Items != nil && s.Items.Schema != nil && containsRules(s.Items.Schema) ||
		s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && containsRules(s.AdditionalProperties.Schema)
}

// copyContainsRules does what containsRules does, see takeCopy.
//
//go:noinline
func copyContainsRules(s apiextensionsv1.JSONSchemaProps) bool { return containsRules(&s) }

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
