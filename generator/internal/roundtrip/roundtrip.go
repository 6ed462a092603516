// Package roundtrip warns about fields that break when a controller updates an object. Every controller decodes the
// object into its Go type and sends back the result of encoding it, if only to add a finalizer. The API server may
// reject fields that Go adds, omits or writes in another form, or replace them with a default.
package roundtrip

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

const codeRoundTrip diag.Code = "round-trip"

// Check returns warnings for the fields of spec and status, given the complete schema of a version.
func Check(ctx context.Context, o *model.Object, root *apiextensionsv1.JSONSchemaProps) diag.List {
	c := &checker{ctx: ctx}
	around := schema.Root(o, root)
	c.updates("the kind", around)
	for _, part := range []*model.Field{o.Spec, o.Status} {
		if part == nil {
			continue
		}
		props := schema.Child(root, schema.Step{Name: part.JSONName})
		if props == nil {
			continue
		}
		at := schema.Cursor{Above: &around, Path: schema.Properties(part.JSONName), Schema: props, Type: part.Type, Field: part, Pos: o.Pos}
		c.isStatus = part == o.Status
		before := len(c.diags)
		c.field(part.JSONName, at)
		if f, instead := reusing(part, o.Spec.Part("forProvider")); f != nil && len(c.diags) > before { // which is the cause
			c.diags = c.diags[:before]
			c.warn(f, "%s has the type of spec.forProvider, which requires fields that it may lack: take %s, which mrgen writes", f.Name, instead)
		}
		c.unknown(at)
		// controller-tools gives such metadata no properties, and the API server drops unknown fields.
		if !c.isStatus && at.Type.Holds(isObjectMeta) {
			c.metadata(at, map[diag.Position]bool{})
		}
	}
	return c.diags
}

type checker struct {
	ctx   context.Context
	diags diag.List
	// isStatus is set below status, which only Go writes.
	isStatus bool
}

// value checks the fields in a value, which messages call by the name.
func (c *checker) value(name string, at schema.Cursor) {
	t := at.Type.Deref()
	c.unwritable(name, at)
	if !c.isStatus {
		c.unread(name, at)
	}
	c.updates(name, at)
	if t.Encoding() != model.Plain { // a type that encodes itself may write anything
		return
	}
	switch element, hasElements := at.Element(); {
	case t.Kind == model.Struct && t.Local && !t.Derived: // warnings are at the field of spec.forProvider
		c.minProperties(name, at)
		c.choices(at)
		for name, below := range at.Properties() {
			if below.Field != nil && !below.Field.Pos.IsOutside() && !isMirror(t, below.Field) { // the author can edit it
				c.field(name, below)
			}
		}
	case t.Kind == model.Slice && hasElements:
		if l := at.Schema.XListType; l != nil && *l != "atomic" && at.Field != nil {
			c.distinct(name, at, element)
		}
		c.value("each item of "+name, element)
	case t.Kind == model.Map && hasElements:
		c.value("each value of "+name, element)
	}
}

// field checks a field of an object, and its content.
func (c *checker) field(name string, at schema.Cursor) {
	f, required := at.Field, slices.Contains(at.Above.Schema.Required, name)
	if f.Type.Encoding() == model.Duration && c.nullable(at.Schema) {
		c.warn(f,
			"%s may be null, which Go can't decode into a Duration, so that controllers can't read the object: make it a pointer, or remove +nullable", name)
	}
	if isWrittenAsText(at) {
		c.warn(f,
			"updates from Go send %s as text in Base64 and not as a list, which the API server refuses: use []byte, or larger numbers", name)
	}
	c.sent(name, at, !required || at.Schema.Default != nil && at.Type.Kind == model.Basic)
	if c.isStatus && required && f.Unset() == model.Null && at.Schema.Default == nil && !c.nullable(at.Schema) {
		c.warn(f, "Go sends null for %s where it is nil, which counts as unset, so that the API server refuses the status: mark it +%s", name, markers.Optional)
	}
	if initial := schema.Properties("spec", "initProvider"); required && at.Path.HasPrefix(initial) && len(at.Path) == len(initial)+1 {
		c.warn(f, "%s is required in initProvider, which adds to forProvider: mark it +%s, and make it a pointer with omitempty", name, markers.Optional)
	}
	c.omitted(name, at, required)
	c.rewritten(name, f, at.Schema)
	c.value(name, at)
}

// isWrittenAsText reports whether encoding/json writes a value, or a part of it, as text although the schema has a list.
func isWrittenAsText(at schema.Cursor) bool {
	t := at.Type.Deref()
	if t.IsBytes() && t.Encoding() == model.Plain && t.Elem.Encoding() == model.Plain {
		// controller-tools knows []byte, but not lists of other types of bytes.
		return at.Schema.Type == "array"
	}
	element, hasElements := at.Element()
	return hasElements && element.Type != nil && isWrittenAsText(element)
}

func (c *checker) warn(f *model.Field, format string, args ...any) {
	problem := diag.Warningf(f.Pos, codeRoundTrip, format, args...)
	problem.Cause = format // with the remedy, which differs by type
	c.diags = append(c.diags, problem)
}

// sent checks the value that Go sends for a field that is unset or null.
func (c *checker) sent(name string, at schema.Cursor, optional bool) {
	f, s := at.Field, at.Schema
	if optional && s.Nullable && f.Unset() == model.Null && !c.nullable(s) {
		c.warn(f, "updates from Go send null for %s where nobody set a value, which the API server refuses: give it omitempty", name)
	}
	if f.Unset() != model.Written || !optional && !c.nullable(s) {
		return
	}
	switch zero, known := zeroOf(f.Type); {
	case !known:
	case c.acceptance(s)(zero):
		c.hidden(name, at, zero)
	case s.Default != nil && !c.nullable(s): // an object that Go has read has the default
		remedy := "give it omitempty"
		if f.Type.Kind == model.Struct {
			remedy = "make it a pointer with omitempty"
		}
		c.warn(f, "objects that Go creates have %s for %s where nobody set a value, which the API server refuses: "+remedy, schema.JSON(zero), name)
	case len(at.Path) == 1 && !c.isStatus:
		c.warn(f, "updates from Go send %s for spec where nobody set it, which the API server refuses: mark it +%s", schema.JSON(zero), markers.Required)
	default:
		c.warn(f, "updates from Go send %s for %s where nobody set a value, which the API server refuses: make it a pointer with omitempty",
			schema.JSON(zero), name)
	}
}

// hidden warns about a default in an object: where the object is unset, Go writes it with another value.
func (c *checker) hidden(name string, at schema.Cursor, zero any) {
	object, _ := zero.(map[string]any)
	if c.isStatus || at.Schema.Default != nil {
		return
	}
	for field, below := range at.Properties() {
		value, isSent := object[field]
		if below.Schema.Default == nil || !isSent || equal(below.Schema.Default.Raw, value) {
			continue
		}
		remedy := "+" + markers.KubebuilderDefault + "={}"
		if len(at.Schema.Required) > 0 || !c.acceptance(at.Schema)(map[string]any{}) { // a default isn't filled in itself
			remedy = "+" + markers.Required
		}
		c.warn(at.Field, "where %s is unset, updates from Go send %s for its %s, which never gets its default: mark %[1]s "+remedy, name,
			schema.JSON(value), field)
		return
	}
}

// omitted checks the effect on an object if Go omits a field that is empty or null.
func (c *checker) omitted(name string, at schema.Cursor, required bool) {
	replaced := at.Schema.Default
	// mrgen's own rule requires a field that observe-only resources leave out. An empty text or list is mostly meant as unset.
	isRelaxed := !required && at.Field.Required && at.Type.Kind == model.Basic && at.Type.Basic != "string"
	if !required && replaced == nil && !isRelaxed { // nothing requires or replaces the value
		return
	}
	for _, value := range c.omissions(at) {
		switch {
		case replaced == nil && isRelaxed:
			c.warn(at.Field, "%s is required, and %s counts as unset, since Go omits it: "+remedy(at, value), name, schema.JSON(value))
		case replaced != nil && !equal(replaced.Raw, value):
			c.warn(at.Field, "if %s is %s, it becomes %s with the first update from Go, which omits it: "+remedy(at, value), name, schema.JSON(value),
				schema.RawJSON(replaced.Raw))
		case replaced == nil:
			c.warn(at.Field, "%s is required, and may be %s, which updates from Go omit, so that the API server refuses them: "+remedy(at, value), name,
				schema.JSON(value))
		}
	}
}

// omissions returns values that the schema of a field accepts and Go omits.
func (c *checker) omissions(at schema.Cursor) []any {
	var values []any
	f := at.Field
	if zeros := zerosOf(f.Type.Deref()); f.Zero() == model.Omitted && len(zeros) > 0 {
		if i := slices.IndexFunc(zeros, c.acceptance(at.Schema)); i >= 0 {
			values = append(values, zeros[i])
		}
	}
	if f.Unset() == model.Omitted && c.nullable(at.Schema) {
		values = append(values, nil)
	}
	return values
}

// remedy says how to make a field keep a value, or reject it.
func remedy(at schema.Cursor, value any) string {
	const pointer = "make it a pointer"
	switch {
	case value == nil:
		return "remove +nullable, or omitempty"
	case at.Type.Kind == model.Pointer:
		return "remove omitzero"
	case at.Schema.Type == "string":
		return pointer + ", or add +kubebuilder:validation:MinLength=1"
	case at.Type.Kind == model.Slice:
		return "remove omitempty, or add +kubebuilder:validation:MinItems=1"
	case at.Type.Kind == model.Map:
		return "remove omitempty, or add +kubebuilder:validation:MinProperties=1"
	default:
		return pointer
	}
}

// rewritten checks the constraints of a value that Go writes in a canonical form.
func (c *checker) rewritten(name string, f *model.Field, s *apiextensionsv1.JSONSchemaProps) {
	example := map[model.Encoding]string{
		model.Quantity: "1Gi for 1024Mi",
		model.Duration: "1h0m0s for 60m",
		model.Seconds:  "times without fractions of seconds",
	}[f.Type.Deref().Encoding()]
	if example == "" {
		return
	}
	var constraints []string
	for _, s := range conjuncts(s) {
		if len(s.Enum) > 0 {
			constraints = append(constraints, "Enum")
		}
		pairs := rewrites[f.Type.Deref().Encoding()]
		isFormatted := c.acceptance(&schema.Props{Type: "string", Format: s.Format})
		if !slices.ContainsFunc(pairs, func(pair [2]string) bool { return isFormatted(pair[1]) }) {
			constraints = append(constraints, "Format")
		}
		if !c.keeps(schema.Props{MaxLength: s.MaxLength, MinLength: s.MinLength}, pairs) {
			constraints = append(constraints, "MaxLength or MinLength")
		}
		if !c.keeps(schema.Props{Pattern: s.Pattern}, pairs) {
			constraints = append(constraints, "Pattern")
		}
	}
	slices.Sort(constraints)
	for _, constraint := range slices.Compact(constraints) {
		c.warn(f, "updates from Go write %s in a form of their own, such as %s, which +kubebuilder:validation:%s may refuse: remove it", name,
			example, constraint)
	}
}

// rewrites are values as users write them, and as Go does.
var rewrites = map[model.Encoding][][2]string{
	model.Quantity: {
		{"1024Mi", "1Gi"}, {"0.1", "100m"}, {"1024Gi", "1Ti"}, {"1024Ti", "1Pi"}, {"1000", "1k"}, {"1000m", "1"}, {"1000k", "1M"}, {"1000M", "1G"},
	},
	model.Duration: {
		{"60s", "1m0s"}, {"60m", "1h0m0s"}, {"1h", "1h0m0s"}, {"5m", "5m0s"}, {"30s", "30s"}, {"0.5h", "30m0s"}, {"1500ms", "1.5s"}, {"1000us", "1ms"},
	},
	model.Seconds: {{"2006-01-02T16:04:05+01:00", "2006-01-02T15:04:05Z"}, {"2006-01-02T15:04:05.5Z", "2006-01-02T15:04:05Z"}},
}

// keeps reports whether a schema of texts accepts all values that it accepts also as Go writes them, as a pattern for every
// duration does. If it accepts none of the values, nothing is known about it.
func (c *checker) keeps(s schema.Props, pairs [][2]string) bool {
	s.Type = "string"
	accepts, isKnown := c.acceptance(&s), false
	for _, pair := range pairs {
		if !accepts(pair[0]) {
			continue
		}
		if isKnown = true; !accepts(pair[1]) {
			return false
		}
	}
	return isKnown
}

// conjuncts returns a schema, and the branches for markers of the field and of its type, or of embedded types, which differ.
func conjuncts(s *schema.Props) []*schema.Props {
	all := []*schema.Props{s}
	for i := range s.AllOf {
		all = append(all, &s.AllOf[i])
	}
	return all
}

// minProperties checks an object that must have a number of fields.
func (c *checker) minProperties(name string, at schema.Cursor) {
	least := int64(0)
	for _, s := range conjuncts(at.Schema) {
		if s.MinProperties != nil {
			least = max(least, *s.MinProperties)
		}
	}
	if least == 0 {
		return
	}
	for property, below := range at.Properties() {
		if below.Field == nil || below.Field.Pos.IsOutside() || slices.Contains(at.Schema.Required, property) {
			// a required field is checked on its own
			continue
		}
		if values := c.omissions(below); len(values) > 0 {
			c.warn(below.Field, "updates from Go omit %s if it is %s, and %s asks for a number of fields, %d at least: "+remedy(below, values[0]), property,
				schema.JSON(values[0]), name, least)
		}
	}
}

// choices checks fields in markers that demand at least one of them, or allow at most one.
func (c *checker) choices(at schema.Cursor) {
	for _, rule := range at.Schema.XValidations {
		names, demands, bounds := rules.Choice(rule)
		for _, name := range names {
			below := at.Property(name)
			f := below.Field
			if f == nil || f.Pos.IsOutside() || slices.Contains(at.Schema.Required, name) {
				continue
			}
			if below.Schema == nil {
				below.Schema = &apiextensionsv1.JSONSchemaProps{} // its type can't be expressed in a schema
			}
			zero, known := zeroOf(f.Type)
			if values := c.omissions(below); demands && len(values) > 0 {
				c.warn(f, "updates from Go omit %s if it is %s, and %s: "+remedy(below, values[0]), name, schema.JSON(values[0]), rule.Message)
			}
			if bounds && below.Schema.Default != nil {
				c.warn(f, "%s is filled in wherever another field is set, and %s: remove the default", name, rule.Message)
			} else if bounds && known && f.Unset() == model.Written {
				c.warn(f, "updates from Go send %s for %s where nobody set a value, and %s: make it a pointer with omitempty", schema.JSON(zero), name,
					rule.Message)
			}
		}
	}
}

// nullable reports whether the API server accepts null.
func (c *checker) nullable(s *apiextensionsv1.JSONSchemaProps) bool {
	return s.Nullable && c.acceptance(s)(nil) // an enum may not have null
}

// acceptance returns a function that reports whether the API server accepts a value, with its defaults.
func (c *checker) acceptance(s *apiextensionsv1.JSONSchemaProps) func(value any) bool {
	if t := s.Type; t != "object" && t != "array" && !constrained(s) { // most scalars: any value of the type is fine
		return func(any) bool { return true }
	}
	// Compiling the schema takes longer than validating several values.
	around := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"value": *s}}
	validator, err := apiserver.NewObjectValidator(around)
	return func(value any) bool {
		return err == nil && len(validator.Refusals(c.ctx, map[string]any{"value": value})) == 0
	}
}

// constrained reports whether the schema of a scalar may reject some values.
func constrained(s *schema.Props) bool {
	return s.Format != "" || schema.Has(s, schema.Bound|schema.Branch)
}

// equal reports whether a default equals a value.
func equal(raw []byte, value any) bool {
	var a, b any
	encoded, err := json.Marshal(value)
	return err == nil && json.Unmarshal(raw, &a) == nil && json.Unmarshal(encoded, &b) == nil && reflect.DeepEqual(a, b)
}
