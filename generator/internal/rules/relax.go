package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// The fields of spec that may hold a value.
const (
	forProvider  = "forProvider"
	initProvider = "initProvider"
)

// requiredRules writes the rules for required fields.
type requiredRules struct {
	*applier
	guard *guard
	// relaxed counts the demands that rules took over from the schema.
	relaxed int
}

// relax makes required fields of forProvider optional in the schema, and adds a rule to
// spec for each.
func (a *applier) relax(ctx context.Context) {
	desired := a.part(forProvider)
	r := &requiredRules{applier: a, guard: guardOf(*desired.Above, cel.Self)}
	if why := r.keepAllRequired(desired.Schema); why != "" {
		for _, name := range desired.Schema.Required {
			r.keepRequired(desired.Property(name), why)
		}
		return
	}
	always := desired.Always()
	r.relaxObject(objectPair{desired: newOperand(desired, always), initial: newOperand(a.part(initProvider), false)})
	if r.relaxed > 0 {
		a.boundPolicies()
	}
	relaxed := a.part(forProvider).Schema
	if always && len(relaxed.Required) == 0 && relaxed.Default == nil && a.settings.Validator.Accepts(ctx, relaxed, map[string]any{}) {
		schema.Edit(a.root.Schema, desired.Path, func(s *apiextensionsv1.JSONSchemaProps) {
			s.Default = &apiextensionsv1.JSON{Raw: []byte("{}")}
		})
	}
}

// keepAllRequired says why all required fields of the kind stay required, or returns "".
func (r *requiredRules) keepAllRequired(desired *apiextensionsv1.JSONSchemaProps) string {
	switch {
	case model.IsOff(r.object.Type.Markers, markers.Relax):
		return "the kind is marked +mrgen:relax=false"
	case r.guard == nil:
		return "spec has no management policies, so the resource can't be observe-only"
	case desired.Nullable:
		return "forProvider may be null, which rules can't look into"
	}
	return ""
}

// An objectPair is an object in forProvider, with its counterpart in initProvider.
type objectPair struct {
	// names lead from forProvider to the object.
	names []string
	// initial is nil if initProvider has no such object.
	desired, initial *operand
}

// counting returns the pair for conditions that limit the number of set fields.
func (l objectPair) counting() objectPair {
	return objectPair{l.names, l.desired.counting(), l.initial.counting()}
}

// An operand is one of the two objects in a pair.
type operand struct {
	schema.Cursor
	// object leads to it from self.
	object cel.Expr
	// unset is how many of the last names that lead to the object may be unset.
	unset int
	// counts is set for conditions that limit the number of set fields: a zero value that
	// Go always sends doesn't count then.
	counts bool
}

func (s *operand) counting() *operand {
	if s == nil {
		return nil
	}
	counting := *s
	counting.counts = true
	return &counting
}

// newOperand returns an operand in spec, or nil if spec has no such object.
func newOperand(at schema.Cursor, always bool) *operand {
	if at.Field == nil || !isObject(at.Schema) || at.Schema.Nullable {
		return nil
	}
	s := &operand{Cursor: at, object: cel.Self.Field(at.Field.JSONName)}
	if !always {
		s.unset = 1
	}
	return s
}

// below returns an object in an operand. It returns nil if rules can't look into the object.
func (s *operand) below(name string) *operand {
	if s == nil {
		return nil
	}
	at := s.Property(name)
	switch {
	case at.Field == nil, !isObject(at.Schema), at.Schema.Nullable, !cel.CanName(name):
		return nil
	case !at.Type.Deref().Local: // types of other modules keep their required fields, such as the name in a reference
		return nil
	}
	// A struct that Go always sends can't require fields: nobody may have set it.
	if zeroMeansUnset(at.Field, s.Schema) && at.Field.Unset() == model.Written {
		return nil
	}
	return &operand{Cursor: at, object: s.object.Field(name), unset: s.unset + 1}
}

// set returns the condition that the object is set.
func (s *operand) set() cel.Expr { return cel.And(s.object.Set(s.unset)...) }

// requires reports whether the schema of the object requires a field.
func (s *operand) requires(name string) bool {
	return s != nil && slices.Contains(s.Schema.Required, name)
}

// has returns alternative conditions that one of the fields is set, on either side.
func (l objectPair) has(names ...string) []cel.Expr {
	return slices.Concat(l.desired.has(names...), l.initial.has(names...))
}

// hasOrRefersTo is like has, and also counts references and selectors that resolve to one
// of the fields.
func (l objectPair) hasOrRefersTo(names ...string) []cel.Expr {
	return slices.Concat(l.desired.hasOrRefersTo(names...), l.initial.hasOrRefersTo(names...))
}

func (s *operand) hasOrRefersTo(names ...string) []cel.Expr {
	if s == nil {
		return nil
	}
	var all []string
	for _, name := range names {
		all = append(all, name)
		if f := s.Type.Field(name); f != nil {
			all = append(all, s.Type.Companions(f)...)
		}
	}
	return s.has(all...)
}

// has returns alternative conditions that the object has one of the fields. It skips fields
// that rules can't read.
func (s *operand) has(names ...string) []cel.Expr {
	if s == nil {
		return nil
	}
	var fields []cel.Expr
	for _, name := range names {
		if s.canRead(name) {
			fields = append(fields, s.hasField(name))
		}
	}
	return fields
}

// hasField returns the condition that the object is set and has a field, with a value that survives the
// first update from Go.
func (s *operand) hasField(name string) cel.Expr {
	conditions := s.object.Field(name).Set(s.unset + 1)
	if s.zeroIsUnset(name) {
		if nonZero := s.nonZero(name); !nonZero.IsNone() {
			conditions = append(conditions, nonZero)
		}
	}
	return cel.And(conditions...)
}

// zeroIsUnset reports whether the zero value of a field stands for none, once Go has sent the object.
func (s *operand) zeroIsUnset(name string) bool {
	at := s.Property(name)
	switch {
	case at.Field == nil:
		return false
	case s.counts && zeroMeansUnset(at.Field, s.Schema):
		return true
	case at.Schema.Default != nil: // the API server sets what Go leaves out
		return false
	}
	return at.Field.Zero() != model.Written
}

// nonZero returns the condition that a field of the object is neither zero nor empty, or none
// if rules can't express it.
func (s *operand) nonZero(name string) cel.Expr {
	at := s.Property(name)
	return value{s.object.Field(name), at.Type.Deref(), at.Schema}.isZero(false)
}

// canRead reports whether rules can test whether the object has a field.
func (s *operand) canRead(name string) bool {
	below := schema.Child(s.Schema, schema.Step{Name: name})
	return below != nil && cel.CanName(name) && unreadable(below) == nil
}

// relaxObject relaxes the required fields of an object, and of the objects in it.
func (r *requiredRules) relaxObject(l objectPair) {
	if l.desired == nil {
		return
	}
	for _, name := range slices.Sorted(slices.Values(l.desired.Schema.Required)) {
		at := l.desired.Property(name)
		why, remedy := l.keepRequired(name, at)
		if why == "" {
			r.relaxField(l, name, at)
			continue
		}
		if remedy != "" {
			r.diags = append(r.diags, diag.Warningf(at.Pos, codeRequired, "%s stays required for observe-only resources, since %s: %s",
				dotted(l.names, name), why, remedy).
				As("%%d fields stay required for observe-only resources: run mrgen fix relax, or mark them +mrgen:identifier"))
		}
		r.keepRequired(at, why)
	}
	r.relaxChoices(l)
	r.requiredOneOf(l)
	for name := range l.desired.Properties() {
		// The fields of an object without a counterpart in initProvider are only required if
		// somebody sets the object: the schema is right as it is.
		if initial := l.initial.below(name); initial != nil {
			r.relaxObject(objectPair{names: append(slices.Clip(l.names), name), desired: l.desired.below(name), initial: initial})
		}
	}
}

// keepRequired says why a required field is not relaxed, or returns "". The remedy is "" if the author probably wanted
// the field to stay required.
func (l objectPair) keepRequired(name string, at schema.Cursor) (why, remedy string) {
	const identifier = "mark it +mrgen:identifier"
	nested := len(l.names) > 0
	isNullable := at.Schema != nil && at.Schema.Nullable && at.Schema.Default == nil
	isNull := isNullable && !leavesOut(at.Schema, "null")
	blocked := unreadable(at.Schema)
	switch f := at.Field; {
	case at.Schema == nil:
		return "the schema does not declare it", ""
	case f == nil:
		return "the Go type has no such field", ""
	case isIdentifier(f):
		return "it identifies the external resource", ""
	case nested && l.initial.Property(name).Schema == nil:
		return "initProvider has no such field, which could stand in for it", ""
	case isNullable && !isNull && f.Unset() == model.Null:
		return "updates from Go would send null where nobody set a value, which its Enum refuses", "remove +nullable, or " + identifier
	case isNull && f.Unset() == model.Omitted:
		return "it may be null, which Go omits", ""
	case isNull:
		return "it may be null, which rules can't tell from unset", "remove +nullable, or " + identifier
	case nested && at.Schema.Default != nil:
		return "its default makes sure that it is set", ""
	case !cel.CanName(name):
		return "rules can't read a field of this name", identifier
	case blocked != nil:
		return blocked.why, blocked.or(identifier)
	case at.Schema.Default == nil && f.OmitsStruct() && f.Type.Encoding() == model.Plain && l.desired.nonZero(name).IsNone():
		return "rules can't tell whether there is anything in it", "make it a pointer with omitempty, or " + identifier
	case f.Unset() == model.Written && at.Schema.Default == nil && isEmbeddedByPointer(l.desired.Type.Deref(), f):
		return fmt.Sprintf("updates from Go would send %s where only other fields of its embedded struct are set", zero(f.Type)),
			"run mrgen fix relax, or " + identifier
	case f.Unset() == model.Written && at.Schema.Default == nil:
		return fmt.Sprintf("updates from Go would send %s where nobody set a value", zero(f.Type)), "run mrgen fix relax, or " + identifier
	}
	return "", ""
}

// isEmbeddedByPointer reports whether Go omits a field of a struct together with the fields around it, since a pointer leads
// to these.
func isEmbeddedByPointer(t *model.Type, f *model.Field) bool {
	return slices.ContainsFunc(t.Fields, func(around *model.Field) bool {
		if !around.Inline || around.Type.Deref().Field(f.JSONName) != f {
			return false
		}
		return around.Type.Kind == model.Pointer || isEmbeddedByPointer(around.Type.Deref(), f)
	})
}

// keepRequired records why a field stays required.
func (r *requiredRules) keepRequired(at schema.Cursor, why string) {
	r.decisions = append(r.decisions, provenance.Decision{Field: at.Path, Pos: at.Pos, Required: true, Reason: "stays required, since " + why})
}

// zero returns what encoding/json writes for a value that nobody set.
func zero(t *model.Type) string {
	if t.Marshals { // it may write any JSON
		return "the zero value of " + t.Name
	}
	return cmp.Or(map[string]string{"object": "{}", "string": `""`, "boolean": "false"}[t.JSONType()], "0")
}

// relaxField makes a required field optional in the schema, and adds its rule.
func (r *requiredRules) relaxField(l objectPair, name string, at schema.Cursor) {
	r.relaxed++
	r.dropRequired(at.Path)
	d := provenance.Decision{Field: at.Path, Pos: at.Pos, Required: true}
	if at.Schema.Default != nil {
		d.Reason = "is not required, since its default makes sure that it is set"
		r.decisions = append(r.decisions, d)
		return
	}
	if len(l.names) > 0 && l.initial.requires(name) { // Crossplane merges both sides: either may have the value
		r.dropRequired(l.initial.Path.With(schema.Step{Name: name}))
	}
	d.Reason = "is required unless the resource is only observed"
	d.Alone = l.initial == nil && len(l.desired.Type.Companions(l.desired.Type.Field(name))) == 0
	r.add(schema.Properties("spec"), at.Path[1:].Names(), r.unlessObserved(l, dotted(l.names, name)+" is required", l.hasOrRefersTo(name)), d)
}

// absent returns the condition that the object is absent. It returns nothing if the object is always set.
func (l objectPair) absent() []cel.Expr {
	var present []cel.Expr
	if l.desired.unset > 0 {
		present = append(present, l.desired.set())
	}
	if len(l.names) > 0 {
		// Crossplane merges both sides: the object is set if either has it, and its fields
		// may be on either.
		present = append(present, l.initial.set())
	}
	if len(present) == 0 {
		return nil
	}
	return []cel.Expr{cel.Not(cel.Or(present...))}
}

// dropRequired makes a field optional in the schema of its object.
func (a *applier) dropRequired(field schema.Path) {
	object, name := field[:len(field)-1], field[len(field)-1].Name
	schema.Edit(a.root.Schema, object, func(s *apiextensionsv1.JSONSchemaProps) {
		s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(n string) bool { return n == name })
	})
}
