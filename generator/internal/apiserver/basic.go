package apiserver

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiserver/pkg/cel"
)

// plainPath is a fieldPath without what needs brackets.
var plainPath = regexp.MustCompile(`^(?:\.[A-Za-z_]\w*)+$`)

// isBasic reports whether a rule is basic, and its message, if any, a constant. Basic
// rules are about fields, and whether they are there, equal or in a list. Most rules are
// like that, among them those that are made for required and immutable fields. Parts have
// rules that compare fields, too: not all releases can compare all types.
func isBasic(rule, messageExpression string) bool {
	_, ok := readTokens(rule, false)
	return ok && messageExpression == ""
}

// A rulePart is a rule, and what it reads. Fields are renamed in the order in which the
// rule has them, so that rules which differ in nothing but names are one part.
type rulePart struct {
	rule apiextensionsv1.ValidationRule
	root *read
	// above tells of lists and maps, see division.take, and size how many bytes the
	// required fields of the object take, if there are any.
	above form
	size  int
}

// schema returns the schema of a resource that has the part.
func (r rulePart) schema() *apiextensionsv1.JSONSchemaProps {
	s := r.root.renamed()
	s.XValidations = apiextensionsv1.ValidationRules{r.rule}
	if r.size > 0 {
		// One field that takes as much room as all required ones.
		name := strings.Repeat("r", r.size-fieldSize("", cel.MinNumberSize))
		s.Required = []string{name}
		if s.Properties == nil {
			s.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
		}
		s.Properties[name] = apiextensionsv1.JSONSchemaProps{Type: "integer"}
	}
	switch r.above {
	case array:
		s = &apiextensionsv1.JSONSchemaProps{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: s}}
	case dictionary:
		s = &apiextensionsv1.JSONSchemaProps{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: s}}
	}
	return resource(*s)
}

// ruleParts returns a part for each rule of an object. It reports false if one of the
// rules does more than compare fields, or reads what is no field of plain objects.
func ruleParts(s apiextensionsv1.JSONSchemaProps, above form) ([]rulePart, bool) {
	if plainForm(&s) != object {
		return nil, false
	}
	size := 0
	if above != object {
		size = requiredSize(&s)
	}
	parts := make([]rulePart, 0, len(s.XValidations))
	for _, rule := range s.XValidations {
		p, ok := newRulePart(&s, rule)
		if !ok {
			return nil, false
		}
		p.above, p.size = above, size
		parts = append(parts, p)
	}
	return parts, true
}

// newRulePart returns the part for a rule of an object.
func newRulePart(s *apiextensionsv1.JSONSchemaProps, rule apiextensionsv1.ValidationRule) (rulePart, bool) {
	fields, ok := readTokens(rule.Rule, true)
	if !ok || rule.MessageExpression != "" || rule.FieldPath != "" && !plainPath.MatchString(rule.FieldPath) {
		return rulePart{}, false
	}
	r := &reader{root: &read{schema: s}}
	for _, f := range fields {
		if !r.add(unescaped(rule.Rule[f.start:f.end]), !f.asked) {
			return rulePart{}, false
		}
	}
	if !r.add(names(rule.FieldPath), false) {
		return rulePart{}, false
	}

	renamed := rule
	renamed.FieldPath = r.renamed(rule.FieldPath, names(rule.FieldPath))
	if strings.TrimSpace(rule.Message) != "" && !strings.ContainsAny(rule.Message, "\r\n") {
		renamed.Message = "m"
	}
	var text strings.Builder
	end := 0
	for _, f := range fields {
		path := rule.Rule[f.start:f.end]
		text.WriteString(rule.Rule[end:f.start] + r.renamed(path, unescaped(path)))
		end = f.end
	}
	renamed.Rule = text.String() + rule.Rule[end:]
	return rulePart{rule: renamed, root: r.root}, true
}

// names returns the names in a path such as ".a.b".
func names(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path[1:], ".")
}

// unescaped returns the names of the properties that a path in a rule leads to.
func unescaped(path string) []string {
	names := names(path)
	for i, escaped := range names {
		if name, ok := cel.Unescape(escaped); ok {
			names[i] = name
		}
	}
	return names
}

// A reader collects what a rule reads.
type reader struct {
	root  *read
	count int
}

// A read is a field that a rule reads.
type read struct {
	// field is the field's name in the schema that it is in, and name the one that it
	// has in the part.
	field, name string
	schema      *apiextensionsv1.JSONSchemaProps
	children    []*read
	// whole is set if the value is read, and not just whether it is there, or fields
	// in it.
	whole bool
}

// child returns what is read below a field of that name, or nil.
func (r *read) child(field string) *read {
	if i := slices.IndexFunc(r.children, func(c *read) bool { return c.field == field }); i >= 0 {
		return r.children[i]
	}
	return nil
}

// add adds a field, or the value of a field. It reports false if there is no such
// field, or it is in something else than plain objects, or it is the object itself.
func (r *reader) add(path []string, whole bool) bool {
	at := r.root
	for _, name := range path {
		if plainForm(at.schema) != object {
			return false
		}
		next := at.child(name)
		if next == nil {
			schema, ok := at.schema.Properties[name]
			if !ok {
				return false
			}
			next = &read{field: name, name: "f" + strconv.Itoa(r.count), schema: &schema}
			r.count++
			at.children = append(at.children, next)
		}
		at = next
	}
	at.whole = at.whole || whole
	return at != r.root || !whole
}

// renamed returns a path with the names that the fields have in the part. Fields of
// values keep theirs.
func (r *reader) renamed(path string, fields []string) string {
	written, at := names(path), r.root
	for i, name := range fields {
		if at = at.child(name); at.whole {
			written[i] = at.name
			break
		}
		written[i] = at.name
	}
	if len(written) == 0 {
		return ""
	}
	return "." + strings.Join(written, ".")
}

// renamed returns the schema of a field with what is read of it.
func (r *read) renamed() *apiextensionsv1.JSONSchemaProps {
	if r.whole || len(r.children) == 0 && plainForm(r.schema) != object {
		return stripped(r.schema)
	}
	part := &apiextensionsv1.JSONSchemaProps{Type: "object"}
	for _, child := range r.children {
		if part.Properties == nil {
			part.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
		}
		part.Properties[child.name] = *child.renamed()
	}
	return part
}
