package verdicts

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A parsed rule is the shape of its syntax tree, and the paths that it reads.
type parsed struct {
	shape string
	paths []path
}

// A path leads to a field that a rule reads.
type path struct {
	cel.Chain
	// properties are the names of the properties that the names in the rule stand for, or "" where a name stands for
	// none.
	properties []string
}

// parse parses a rule. It returns nil for syntax errors.
func parse(text string) *parsed {
	rule, ok := cel.Parse(text)
	if !ok {
		return nil
	}
	p := &parsed{}
	p.shape = rule.Shape(func(c cel.Chain) string {
		properties := slices.Clone(c.Names)
		for i, property := range properties {
			if escaped, ok := apiservercel.Escape(property); !ok || escaped != c.Written[i] {
				// not the API server's spelling of the property: the rule can't reach it
				properties[i] = ""
			}
		}
		p.paths = append(p.paths, path{c, properties})
		return fmt.Sprint(c.Root, len(p.paths))
	})
	return p
}

// simplePath matches a fieldPath in which no name needs brackets.
var simplePath = regexp.MustCompile(`^(?:\.[A-Za-z_]\w*)+$`)

// isSimple reports whether the key of a rule says everything about it.
func isSimple(r *apiextensionsv1.ValidationRule) bool {
	switch {
	// Parsers may be set up to read names in backquotes, or not to. The API server requires a message if the rule has
	// several lines, and the message to have a single line.
	case r.MessageExpression != "", strings.ContainsAny(r.Rule, "\r\n`"), strings.ContainsAny(r.Message, "\r\n"):
		return false
	case r.Message != "" && strings.TrimSpace(r.Message) == "": // the API server refuses such a message
		return false
	default:
		return r.FieldPath == "" || simplePath.MatchString(r.FieldPath)
	}
}

// keyOf returns the key of a rule on a schema. Rules with the same key have the same syntax tree, and read schemas that
// are equal except for descriptions. They may differ in the names of the properties that they read, in the text of their
// messages, and in the properties that they don't read.
//
// To the compiler of rules and the estimate of their cost (see SchemaDeclType in pkg/cel/common of k8s.io/apiserver), an
// object is its least size and its fields, which are looked up one by one when the rule selects them. The size bounds
// how often lists and maps can repeat the object: a value that contains lists or maps is read as a whole.
func keyOf(p *parsed, r *apiextensionsv1.ValidationRule, s *apiextensionsv1.JSONSchemaProps) string {
	k := &keyWriter{}
	root := &read{schema: s}
	for _, path := range p.paths {
		k.read(root, path.properties, !path.Tested)
	}
	var fieldPath []string
	if r.FieldPath != "" {
		fieldPath = strings.Split(r.FieldPath[1:], ".")
		k.read(root, fieldPath, false)
	}
	k.key = append(k.key, p.shape...)
	for _, path := range p.paths {
		k.path(root, path.Written, path.properties)
	}
	k.path(root, fieldPath, fieldPath)
	// The API server only asks whether a rule has a message, see isSimple.
	k.key = fmt.Appendf(k.key, "%t", r.Message != "")
	if r.Reason != nil {
		k.key = fmt.Appendf(k.key, " reason %q", *r.Reason)
	}
	if r.OptionalOldSelf != nil {
		k.key = fmt.Appendf(k.key, " optionalOldSelf %t", *r.OptionalOldSelf)
	}
	k.reads(root)
	return string(k.key)
}

// A read is a field that a rule reads, and the fields that it reads of its value.
type read struct {
	name     string
	number   int
	schema   *apiextensionsv1.JSONSchemaProps
	whole    bool
	children []*read
}

// child returns the read of a field, or nil.
func (r *read) child(name string) *read {
	if i := slices.IndexFunc(r.children, func(c *read) bool { return c.name == name }); i >= 0 {
		return r.children[i]
	}
	return nil
}

// A keyWriter writes a key. It replaces the name of each field that is read with a number.
type keyWriter struct {
	key    []byte
	number int
}

// read notes that a rule reads a field, or all of its value.
func (k *keyWriter) read(at *read, names []string, whole bool) {
	for _, name := range names {
		property, found := at.schema.Properties[name]
		if !isPlainObject(at.schema) || !found || name == "" {
			// The names lead to something other than a property of a plain object: take all of the value as read.
			at.whole = true
			return
		}
		next := at.child(name)
		if next == nil {
			next = &read{name: name, number: k.number, schema: &property}
			k.number++
			at.children = append(at.children, next)
		}
		at = next
	}
	at.whole = at.whole || whole
}

// path writes the names in a rule that lead to properties. Fields that have a number are written as that number.
func (k *keyWriter) path(at *read, names, properties []string) {
	for i, property := range properties {
		if at.whole { // the schema, which the key contains, has the names below
			k.key = fmt.Appendf(k.key, ".%q", names[i])
			continue
		}
		at = at.child(property)
		k.key = strconv.AppendInt(append(k.key, '.'), int64(at.number), 10)
	}
	k.key = append(k.key, ' ')
}

// reads writes the parts of a schema that a rule reads.
func (k *keyWriter) reads(r *read) {
	if !r.whole && isPlainObject(r.schema) {
		k.key = fmt.Appendf(k.key, "object %d ", len(r.children))
		for _, child := range r.children {
			k.key = fmt.Appendf(k.key, "%d ", child.number)
			k.reads(child)
		}
		return
	}
	// Some places allow neither descriptions nor rules, such as parts of anyOf. Map doesn't visit them, so they stay.
	s := schema.Map(r.schema, func(s *apiextensionsv1.JSONSchemaProps) { s.Description, s.XValidations = "", nil })
	content, err := s.Marshal()
	if err != nil {
		panic(err) // it reports nothing
	}
	k.key = append(binary.AppendUvarint(append(k.key, "schema "...), uint64(len(content))), content...)
}

// isPlainObject reports whether a schema describes an object that has only properties, and in which the API server sees
// no metadata.
func isPlainObject(s *apiextensionsv1.JSONSchemaProps) bool {
	if s.XEmbeddedResource || s.XIntOrString {
		return false // these have more fields than the schema names, or other values
	}
	return s.Type == "object" && s.AdditionalProperties == nil && s.Items == nil
}
