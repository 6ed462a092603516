package crd

import (
	"context"
	"slices"
	"strings"

	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/validobject"
	"github.com/mrgen-io/mrgen/markers"
)

const codeObserved diag.Code = "observe-only"

// observed warns about the author's rules and keywords that reject an observe-only resource with only its
// identifiers. It skips rules with a known warning, such as rules that read relaxed fields.
func observed(ctx context.Context, options stage.Options, d stage.Definition, known diag.List) diag.List {
	var problems diag.List
	for i := range d.Objects {
		o := &observer{definition: d, version: i, settings: ruleSettings(options)}
		// Required fields aren't relaxed: the author demands the same of observe-only resources.
		if o.guard(cel.Self).IsNone() {
			continue
		}
		o.findSuspects(known)
		if len(o.suspects) > 0 {
			problems = append(problems, o.refusals(ctx)...)
		}
	}
	return problems
}

// An observer looks for the parts of a version's schema that reject an observe-only resource.
type observer struct {
	definition stage.Definition
	version    int
	settings   rules.Settings
	suspects   []suspect
}

// A suspect is a part of the schema that may reject the resource.
type suspect struct {
	at schema.Cursor
	// rule is the index of a rule at the place, or -1 for a keyword.
	rule    int
	keyword string
	pos     diag.Position
}

// text returns the rule, or "" for a keyword.
func (s suspect) text() string {
	if s.rule < 0 {
		return ""
	}
	return s.at.Schema.XValidations[s.rule].Rule
}

// demands reports whether a keyword may reject an object with few fields.
func demands(k *schema.Keyword) bool { return k.Limits == "object" || k.Role == schema.Branch }

// findSuspects collects suspects at the objects that every resource has. Optional values inside them are valid
// if they are set.
func (o *observer) findSuspects(known diag.List) {
	root := o.definition.Root(o.version)
	spec := root.Property("spec")
	for _, at := range []schema.Cursor{root, spec, spec.Property("forProvider")} {
		for i, rule := range at.Schema.XValidations {
			// mrgen's own rules, and rules with the guard, accept observe-only resources.
			if guard := o.guardAt(at); o.isOwn(at.Path, i) || !guard.IsNone() && cel.BeginsWith(rule.Rule, guard) {
				continue
			}
			s := suspect{at: at, rule: i}
			s.pos = locate(o.definition, o.problem(s))
			if !slices.ContainsFunc(known, func(k diag.Diagnostic) bool { return k.Pos == s.pos }) {
				o.suspects = append(o.suspects, s)
			}
		}
		for _, k := range schema.Keywords {
			if demands(k) && k.IsSet(at.Schema) {
				s := suspect{at: at, rule: -1, keyword: k.Name}
				s.pos = locate(o.definition, o.problem(s))
				o.suspects = append(o.suspects, s)
			}
		}
	}
	if initial := spec.Property("initProvider"); initial.Schema != nil && initial.Schema.Default == nil && initial.Always() {
		o.suspects = append(o.suspects, suspect{at: initial, rule: -1, keyword: "required", pos: initial.Pos})
	}
}

func (o *observer) problem(s suspect) crdvalidation.ValidationError {
	return crdvalidation.ValidationError{
		Version: o.definition.CRD.Spec.Versions[o.version].Name,
		Path:    s.at.Path,
		Rule:    s.rule,
		Field:   s.keyword,
	}
}

// isOwn reports whether mrgen added a rule.
func (o *observer) isOwn(at schema.Path, rule int) bool {
	return provenance.OfRule(o.definition.DecisionsOf(o.version), at, rule) != nil
}

// guardAt returns the condition that a resource is observe-only for rules at a place, or none if they can't
// read the management policies.
func (o *observer) guardAt(at schema.Cursor) cel.Expr {
	switch len(at.Path) {
	case 0:
		return o.guard(cel.Self.Field("spec"))
	case 1:
		return o.guard(cel.Self)
	}
	return cel.Expr{}
}

// guard returns the condition for rules that reach spec by an expression.
func (o *observer) guard(spec cel.Expr) cel.Expr {
	return rules.ObservedOnly(o.definition.Objects[o.version], o.definition.Root(o.version), o.settings, spec)
}

// refusals returns a warning for each suspect that rejects every object with only identifiers.
func (o *observer) refusals(ctx context.Context) diag.List {
	optional := map[string]bool{}
	fewest := o.refusalsOf(ctx, func(p schema.Cursor) bool {
		if isIdentifier(p) {
			optional[p.Path.String()] = true
		}
		return isIdentifier(p)
	})
	selections := []string{""}
	for path := range optional {
		selections = append(selections, path)
	}
	slices.Sort(selections)
	for _, selection := range selections {
		// One optional identifier may be enough, so a suspect must refuse each choice.
		if len(fewest) == 0 || len(optional) == 0 {
			break
		}
		if list := o.refusalsOf(ctx, func(p schema.Cursor) bool { return p.Path.String() == selection }); len(list) < len(fewest) {
			fewest = list
		}
	}
	return fewest
}

func isIdentifier(p schema.Cursor) bool {
	return p.Field != nil && p.Field.OwnMarker(markers.Identifier) != nil
}

// refusalsOf returns the warnings for the object with the wanted and the required fields.
func (o *observer) refusalsOf(ctx context.Context, wanted func(schema.Cursor) bool) diag.List {
	sampler := validobject.Sampler{
		Bare:   true,
		Wanted: func(p schema.Cursor) bool { return p.Path.String() == ".spec.forProvider" || wanted(p) },
	}
	object := sampler.Object(ctx, o.definition, o.version)
	root := o.definition.Root(o.version).Schema
	policy, only := validobject.ObservePolicy(root)
	object["spec"].(map[string]any)[policy] = only

	var problems diag.List
	for _, s := range o.suspects {
		switch remedy, refuses := o.judge(ctx, s, root, object); {
		case !refuses:
		case s.keyword == "required":
			problems = append(problems, diag.Warningf(s.pos, codeObserved,
				"observe-only resources need initProvider, too, which has no effect on them: %s", remedy))
		case s.keyword != "":
			problems = append(problems, diag.Warningf(s.pos, codeObserved,
				"%s of %s refuses observe-only resources that have only their identifiers: %s", s.keyword, s.at.Path, remedy))
		default:
			problems = append(problems, diag.Warningf(s.pos, codeObserved,
				"the rule refuses observe-only resources that have only their identifiers: %s", remedy))
		}
	}
	return problems
}

// judge reports whether a suspect rejects an object, and the remedy.
func (o *observer) judge(ctx context.Context, s suspect, root *schema.Props, object map[string]any) (remedy string, refuses bool) {
	switch {
	case s.keyword == "required":
		return "mark it +optional, with omitempty or omitzero", true
	case s.keyword == "minProperties":
		remedy = "remove it, and mark the fields that are needed +kubebuilder:validation:Required, or name them in +kubebuilder:validation:AtLeastOneOf"
	case s.keyword != "":
		remedy = "remove it, or write a rule, which can ask for the management policies"
	default:
		rule, ok := cel.Parse(s.text())
		if !ok || !needsMore(rule, s.at, object) {
			return "", false
		}
		remedy = o.remedy(rule, s)
	}
	return remedy, refusedBy(ctx, s, root, object)
}

// refusedBy reports whether the API server would reject an object because of a suspect.
func refusedBy(ctx context.Context, s suspect, root *schema.Props, object map[string]any) bool {
	// Refused with the suspect, and accepted without it.
	return refused(ctx, bare(root, nil, s.text(), object, &s), object) && !refused(ctx, bare(root, nil, s.text(), object, nil), object)
}

// refused reports whether the API server would reject an object. Errors in the schema are reported elsewhere.
func refused(ctx context.Context, schema *schema.Props, object map[string]any) bool {
	validator, err := apiserver.NewObjectValidator(schema)
	return err == nil && len(validator.Refusals(ctx, object)) > 0
}

// remedy returns what to write in place of a rule.
func (o *observer) remedy(rule *cel.Rule, s suspect) string {
	unless := func(guard cel.Expr, names ...string) string {
		return rules.MarkerArgument(rule.Unless([]cel.Expr{guard.Short()}, names...))
	}
	// A rule below spec can't read the management policies, and has to move.
	if guard := o.guardAt(s.at); !guard.IsNone() {
		return "write " + unless(guard)
	}
	return "move it to the type of spec, as " + unless(o.guard(cel.Self), s.at.Path[1:].Names()...)
}

// needsMore reports whether a rule reads a field that an object lacks. Otherwise other values may satisfy the
// rule.
func needsMore(rule *cel.Rule, at schema.Cursor, object map[string]any) bool {
	var value any = object
	for _, step := range at.Path {
		value, _ = value.(map[string]any)[step.Name]
	}
	return slices.ContainsFunc(rule.Chains(), func(c cel.Chain) bool {
		below := value
		for _, name := range c.Names {
			fields, isObject := below.(map[string]any)
			if !isObject {
				return false // a function of a value that is set
			}
			field, found := fields[name]
			if !found {
				return true
			}
			below = field
		}
		return len(c.Names) == 0
	})
}

// bare returns the schema at a path reduced to types and formats, and the suspect, if any.
func bare(from *schema.Props, path schema.Path, rule string, value any, s *suspect) *schema.Props {
	form := new(*from)
	schema.Keep(form, schema.Form|schema.Default|schema.Ownership)
	form.Format, form.AdditionalProperties = formOnly(from.Format), from.AdditionalProperties
	// The API server requires these of an int-or-string.
	if from.XIntOrString {
		form.AnyOf, form.AllOf = from.AnyOf, from.AllOf
	}
	isThere := s != nil && path.Compare(s.at.Path) == 0
	if isThere && s.rule >= 0 {
		form.XValidations = from.XValidations[s.rule : s.rule+1]
	}
	for _, k := range schema.Keywords {
		if isThere && s.keyword == k.Name {
			k.Copy(form, from)
		}
	}
	fields, _ := value.(map[string]any)
	for step, below := range schema.Below(from) {
		inner, found := fields[step.Name]
		escaped, _ := apiservercel.Escape(step.Name)
		items, _ := value.([]any)
		switch {
		case step.Kind == schema.Values:
			inner = fields["example"]
		case step.Kind == schema.Items && len(items) > 0:
			inner = items[0]
		// Leave out what neither the object nor the rule needs: large schemas take long to process.
		case step.Kind == schema.Property && !found && !strings.Contains(rule, escaped) && !slices.Contains(from.XListMapKeys, step.Name):
			continue
		case slices.Contains(from.Required, step.Name):
			form.Required = append(form.Required, step.Name)
		}
		schema.Put(form, step, bare(below, path.With(step), rule, inner, s))
	}
	return form
}

// formOnly returns a format if it determines the value's type in rules.
func formOnly(format string) string {
	if slices.Contains(rules.TypedFormats, format) || strings.HasPrefix(format, "int") {
		return format
	}
	return ""
}
