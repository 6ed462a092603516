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

// A parsed rule is the shape of its syntax tree, and the paths in it.
type parsed struct {
	shape string
	paths []path
}

// A path is what leads to a field that a rule reads.
type path struct {
	cel.Chain
	// properties are the names of properties that the names in the rule stand for, "" for those that
	// stand for none.
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
				properties[i] = ""
			}
		}
		p.paths = append(p.paths, path{c, properties})
		return fmt.Sprint(c.Root, len(p.paths))
	})
	return p
}

// simplePath is a fieldPath without what needs brackets.
var simplePath = regexp.MustCompile(`^(?:\.[A-Za-z_]\w*)+$`)

// isSimple reports whether there is nothing in a rule that its key doesn't tell. The API
// server asks of a message that it is there, if the rule has several lines, and is no more
// than a line. Parsers may be set up to read names in backquotes, or not to.
func isSimple(r *apiextensionsv1.ValidationRule) bool {
	switch {
	case r.MessageExpression != "", strings.ContainsAny(r.Rule, "\r\n`"), strings.ContainsAny(r.Message, "\r\n"):
		return false
	case r.Message != "" && strings.TrimSpace(r.Message) == "": // which the API server refuses
		return false
	default:
		return r.FieldPath == "" || simplePath.MatchString(r.FieldPath)
	}
}

// keyOf returns the key of a rule on a schema. Rules with the same key have the same syntax
// tree and read schemas that are equal, descriptions aside. They may differ in the names of
// the properties that they read, which decide on nothing but what is read; in the words of
// their messages; and in what they don't read. To the compiler of rules and to the estimate
// of their cost (see SchemaDeclType in pkg/cel/common of k8s.io/apiserver) an object is its
// fields, each of which is looked up when the rule selects it, and the least size that it
// may have. That size tells how often lists and maps can repeat the object: a value with
// such in it is read as a whole.
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

// A read is a field that a rule reads, and what it reads of its value.
type read struct {
	name     string
	number   int
	schema   *apiextensionsv1.JSONSchemaProps
	whole    bool
	children []*read
}

// child returns what is read of a field, or nil.
func (r *read) child(name string) *read {
	if i := slices.IndexFunc(r.children, func(c *read) bool { return c.name == name }); i >= 0 {
		return r.children[i]
	}
	return nil
}

// A keyWriter writes a key. It gives a number to each field that is read, in place of its
// name.
type keyWriter struct {
	key    []byte
	number int
}

// read notes that a field is read, or all of its value. Where the names lead to anything
// but a property of a plain object, all is taken as read.
func (k *keyWriter) read(at *read, names []string, whole bool) {
	for _, name := range names {
		property, found := at.schema.Properties[name]
		if !isPlainObject(at.schema) || !found || name == "" {
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

// path writes names in a rule that lead to properties, with numbers in place of those that
// have one, and are not in a value that is read as a whole: its schema has their names.
func (k *keyWriter) path(at *read, names, properties []string) {
	for i, property := range properties {
		if at.whole {
			k.key = fmt.Appendf(k.key, ".%q", names[i])
			continue
		}
		at = at.child(property)
		k.key = strconv.AppendInt(append(k.key, '.'), int64(at.number), 10)
	}
	k.key = append(k.key, ' ')
}

// reads writes what is read of a schema.
func (k *keyWriter) reads(r *read) {
	if !r.whole && isPlainObject(r.schema) {
		k.key = fmt.Appendf(k.key, "object %d ", len(r.children))
		for _, child := range r.children {
			k.key = fmt.Appendf(k.key, "%d ", child.number)
			k.reads(child)
		}
		return
	}
	// Where the API server allows neither descriptions nor rules, as in parts of anyOf, they stay.
	s := schema.Map(r.schema, func(s *apiextensionsv1.JSONSchemaProps) { s.Description, s.XValidations = "", nil })
	content, err := s.Marshal()
	if err != nil {
		panic(err) // it reports nothing
	}
	k.key = append(binary.AppendUvarint(append(k.key, "schema "...), uint64(len(content))), content...)
}

// isPlainObject reports whether a schema is that of an object with properties alone, in
// which the API server sees no metadata.
func isPlainObject(s *apiextensionsv1.JSONSchemaProps) bool {
	if s.XEmbeddedResource || s.XIntOrString {
		return false // these have more fields than the schema names, or other values
	}
	return s.Type == "object" && s.AdditionalProperties == nil && s.Items == nil
}
