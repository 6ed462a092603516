package memo

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A parsed rule is its syntax tree as text, with gaps for the paths in it: a path follows
// each self and oldSelf.
type parsed struct {
	text  []string
	paths []path
}

// A path is a chain of names of fields.
type path struct {
	names []string
	// whole is set if the rule reads the value there, and not just asks if there is one.
	whole bool
}

// parse has the API server's parser parse a rule. It returns nil for syntax errors, and
// for rules that are more than calls, lists, literals and selected fields: other macros
// than has() declare variables, which may be called self.
func parse(text string) *parsed {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).NewExpressionsEnv()
	tree, issues := env.Parse(text)
	if issues.Err() != nil {
		return nil
	}
	p := &parsed{text: []string{""}}
	if !p.add(tree.NativeRep().Expr()) {
		return nil
	}
	return p
}

// add adds an expression. It reports false if that is of another kind.
func (p *parsed) add(e ast.Expr) bool {
	if root, names := chain(e); root == "self" || root == "oldSelf" {
		p.write("%s", root)
		p.paths = append(p.paths, path{names, e.Kind() != ast.SelectKind || !e.AsSelect().IsTestOnly()})
		p.text = append(p.text, "")
		if !p.paths[len(p.paths)-1].whole {
			p.write("?")
		}
		return true
	}
	operands := []ast.Expr{}
	switch e.Kind() {
	case ast.LiteralKind:
		p.write("%s %q", e.AsLiteral().Type().TypeName(), fmt.Sprint(e.AsLiteral().Value()))
	case ast.IdentKind:
		p.write("%q", e.AsIdent())
	case ast.SelectKind:
		p.write("select %q %t", e.AsSelect().FieldName(), e.AsSelect().IsTestOnly())
		operands = append(operands, e.AsSelect().Operand())
	case ast.CallKind:
		call := e.AsCall()
		p.write("call %q %t", call.FunctionName(), call.IsMemberFunction())
		if call.IsMemberFunction() {
			operands = append(operands, call.Target())
		}
		operands = append(operands, call.Args()...)
	case ast.ListKind:
		p.write("list %v", e.AsList().OptionalIndices())
		operands = e.AsList().Elements()
	default:
		return false
	}
	p.write("(")
	for _, operand := range operands {
		if !p.add(operand) {
			return false
		}
		p.write(",")
	}
	p.write(")")
	return true
}

func (p *parsed) write(format string, args ...any) {
	p.text[len(p.text)-1] += fmt.Sprintf(format, args...)
}

// chain returns the identifier and the names of a chain of selections; "" if there is none.
func chain(e ast.Expr) (root string, names []string) {
	for e.Kind() == ast.SelectKind {
		names = append(names, e.AsSelect().FieldName())
		e = e.AsSelect().Operand()
		if e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() {
			return "", nil
		}
	}
	slices.Reverse(names)
	if e.Kind() != ast.IdentKind {
		return "", nil
	}
	return e.AsIdent(), names
}

// simplePath is a fieldPath without what needs brackets.
var simplePath = regexp.MustCompile(`^(?:\.[A-Za-z_]\w*)+$`)

// isSimple reports whether there is nothing in a rule that its key doesn't tell. The API
// server asks of a message that it is there, if the rule has several lines, and is no more
// than a line. Parsers may be set up to read names in backquotes, or not to.
func isSimple(r *apiextensionsv1.ValidationRule) bool {
	return r.MessageExpression == "" && !strings.ContainsAny(r.Rule, "\r\n`") && !strings.ContainsAny(r.Message, "\r\n") &&
		(r.Message == "" || strings.TrimSpace(r.Message) != "") &&
		(r.FieldPath == "" || simplePath.MatchString(r.FieldPath))
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
		k.read(root, unescaped(path.names), path.whole)
	}
	var fieldPath []string
	if r.FieldPath != "" {
		fieldPath = strings.Split(r.FieldPath[1:], ".")
		k.read(root, fieldPath, false)
	}
	for i, text := range p.text {
		k.key = append(k.key, text...)
		if i < len(p.paths) {
			k.path(root, p.paths[i].names, unescaped(p.paths[i].names))
		}
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

// unescaped returns the names of the properties that names in a rule stand for, "" for
// those that stand for none.
func unescaped(names []string) []string {
	properties := make([]string, len(names))
	for i, name := range names {
		property, _ := cel.Unescape(name)
		if escaped, ok := cel.Escape(property); ok && escaped == name {
			properties[i] = property
		}
	}
	return properties
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
	size := s.Size()
	k.key = binary.AppendUvarint(append(k.key, "schema "...), uint64(size))
	k.key = slices.Grow(k.key, size)[:len(k.key)+size]
	if _, err := s.MarshalToSizedBuffer(k.key[len(k.key)-size:]); err != nil {
		panic(err) // it reports nothing
	}
}

// isPlainObject reports whether a schema is that of an object with properties alone, in
// which the API server sees no metadata.
func isPlainObject(s *apiextensionsv1.JSONSchemaProps) bool {
	return s.Type == "object" && s.AdditionalProperties == nil && s.Items == nil && !s.XEmbeddedResource && !s.XIntOrString
}
