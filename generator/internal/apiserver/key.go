package apiserver

import (
	"maps"
	"slices"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// The key of a part is its content, less descriptions and, in parts with a rule, names.
// It is made of the binary forms of what is in the part, which leave nothing out, each
// after its length. That of a whole schema would do as well, but takes memory for all
// schemas below it.

// addSchema adds a schema without rules to the key. In parts of anyOf and the like the
// API server allows no descriptions, so that they stay there.
func (d *division) addSchema(s *apiextensionsv1.JSONSchemaProps) {
	own := *s
	own.Description, own.XValidations, own.Properties = "", nil, nil
	items, values := s.Items, s.AdditionalProperties
	if items != nil && items.Schema != nil && len(items.JSONSchemas) == 0 {
		own.Items = nil
	} else {
		items = nil
	}
	if values != nil && values.Schema != nil {
		own.AdditionalProperties = nil
	} else {
		values = nil
	}
	d.addLength(own.Size())
	d.key = appendContent(d.key, &own)
	d.addProperties(s.Properties)
	if items != nil {
		d.key = append(d.key, 'i')
		d.addSchema(items.Schema)
	}
	if values != nil {
		d.key = strconv.AppendBool(d.key, values.Allows)
		d.addSchema(values.Schema)
	}
	d.key = append(d.key, '.')
}

// addProperties adds properties in the order of their names.
func (d *division) addProperties(properties map[string]apiextensionsv1.JSONSchemaProps) {
	d.addLength(len(properties))
	first := len(d.names)
	d.names = slices.AppendSeq(d.names, maps.Keys(properties))
	slices.Sort(d.names[first:])
	for i := range len(properties) {
		name := d.names[first+i]
		d.addText(name)
		d.addCopy(properties[name])
	}
	d.names = d.names[:first]
}

// addCopy does what addSchema does, see takeCopy.
//
//go:noinline
func (d *division) addCopy(s apiextensionsv1.JSONSchemaProps) { d.addSchema(&s) }

// addRule adds a rule, as it is in its part.
func (d *division) addRule(rule *apiextensionsv1.ValidationRule) {
	size := rule.Size()
	d.addLength(size)
	d.key = slices.Grow(d.key, size)[:len(d.key)+size]
	if _, err := rule.MarshalToSizedBuffer(d.key[len(d.key)-size:]); err != nil {
		panic(err) // see appendContent
	}
}

// addRead adds what is read of a field.
func (d *division) addRead(r *read) {
	if r.whole || len(r.children) == 0 && plainForm(r.schema) != object {
		d.key = append(d.key, 'w')
		d.addSchema(r.schema)
		return
	}
	d.addLength(len(r.children))
	for _, child := range r.children {
		d.addText(child.name)
		d.addRead(child)
	}
}

func (d *division) addText(text string) {
	d.addLength(len(text))
	d.key = append(d.key, text...)
}

func (d *division) addLength(n int) { d.key = append(strconv.AppendInt(d.key, int64(n), 10), ':') }

// appendContent appends the binary form of a schema.
func appendContent(to []byte, s *apiextensionsv1.JSONSchemaProps) []byte {
	size := s.Size()
	to = slices.Grow(to, size)[:len(to)+size]
	if _, err := s.MarshalToSizedBuffer(to[len(to)-size:]); err != nil {
		panic(err) // it reports nothing
	}
	return to
}
