package lintrules

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/review/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var observeOnlyRefused = &linter.Rule{
	Name:     "observe-only",
	Doc:      "The API server accepts an observe-only resource with only its identifiers.",
	Source:   observeOnly.section("Required Fields", ""),
	Why:      "Whoever imports an external resource knows its identifiers, and nothing else about it.",
	Severity: linter.Warning,
	Run:      checkObserveOnly,
}

// checkObserveOnly tries objects on the author's rules and keywords. It skips rules that generate warns about, since
// they read relaxed fields.
func checkObserveOnly(p *linter.Pass) {
	kinds := p.Managed()
	refused := make([][]refusal, len(kinds))
	parallel.Do(len(kinds), func(i int) {
		o := &observer{kind: kinds[i], relaxes: p.RequiredRules}
		// Required fields aren't relaxed: the author demands the same of observe-only resources.
		if o.guard(cel.Self).IsNone() {
			return
		}
		if o.findSuspects(); len(o.suspects) > 0 {
			refused[i] = o.refusals(context.Background())
		}
	})
	for i, k := range kinds {
		for _, r := range refused[i] {
			r.report(p, k)
		}
	}
}

// An observer looks for the parts of a version's schema that reject an observe-only resource.
type observer struct {
	kind *linter.Kind
	// relaxes is set if a run turns required fields into rules.
	relaxes  bool
	suspects []apiserver.Suspect
}

// A refusal is a suspect that rejects objects, and what to do.
type refusal struct {
	apiserver.Suspect
	remedy string
}

func (r refusal) report(p *linter.Pass, k *linter.Kind) {
	switch r.Keyword {
	case "":
		p.Cursor(k, r.At, "the rule refuses observe-only resources that have only their identifiers: %s", r.remedy)
	case "required":
		p.Cursor(k, r.At, "observe-only resources need initProvider, too, which has no effect on them: %s", r.remedy)
	default:
		p.Cursor(k, r.At, "%s of %s refuses observe-only resources that have only their identifiers: %s", r.Keyword, r.At.Path, r.remedy)
	}
}

// demands reports whether a keyword may reject an object with few fields.
func demands(k *schema.Keyword) bool { return k.Limits == "object" || k.Role == schema.Branch }

// findSuspects collects suspects at the objects that every resource has. Optional values inside them are valid
// if they are set.
func (o *observer) findSuspects() {
	root := o.kind.Root(o.kind.Version)
	spec := root.Property("spec")
	for _, at := range []schema.Cursor{root, spec, spec.Property("forProvider")} {
		place := at.Pos
		for i, rule := range at.Schema.XValidations {
			if o.isOwn(at.Path, i) { // mrgen's rules accept observe-only resources
				continue
			}
			marker, _ := rules.RuleMarker(at.Markers(), rule)
			at.Pos = cmp.Or(marker, place)
			o.suspects = append(o.suspects, apiserver.Suspect{At: at, Rule: i})
		}
		for _, k := range schema.Keywords {
			if demands(k) && k.IsSet(at.Schema) {
				at.Pos = cmp.Or(keywordMarker(at.Markers(), k.Name), place)
				o.suspects = append(o.suspects, apiserver.Suspect{At: at, Rule: -1, Keyword: k.Name})
			}
		}
	}
	if initial := spec.Property("initProvider"); initial.Schema != nil && initial.Schema.Default == nil && initial.Always() {
		o.suspects = append(o.suspects, apiserver.Suspect{At: initial, Rule: -1, Keyword: "required"})
	}
}

// keywordMarker returns the position of the marker that sets a keyword of a schema. Without one, it is invalid.
func keywordMarker(list []model.Marker, keyword string) diag.Position {
	for _, m := range list {
		name, _, _ := strings.Cut(m.Text, "=")
		if strings.EqualFold(name[strings.LastIndex(name, ":")+1:], keyword) {
			return m.Pos
		}
	}
	return diag.Position{}
}

// readsRelaxed reports whether a rule reads a relaxed field that may be unset, which generate warns about.
func (o *observer) readsRelaxed(rule *cel.Rule, at schema.Path) bool {
	return slices.ContainsFunc(o.decisions(), func(d provenance.Decision) bool {
		isBelow := len(d.Field) > len(at) && d.Field.HasPrefix(at)
		return d.Required && d.Rule != nil && isBelow && rule.ReadsUnset(d.Field[len(at):].Names())
	})
}

func (o *observer) decisions() []provenance.Decision { return o.kind.DecisionsOf(o.kind.Version) }

// isOwn reports whether mrgen added a rule.
func (o *observer) isOwn(at schema.Path, rule int) bool {
	return provenance.OfRule(o.decisions(), at, rule) != nil
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
	return rules.ObservedOnly(o.kind.Object, o.kind.Root(o.kind.Version), rules.Settings{Required: o.relaxes}, spec)
}

// refusals returns the suspects that reject every object with only identifiers.
func (o *observer) refusals(ctx context.Context) []refusal {
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

// refusalsOf returns the suspects that reject the object with the wanted and the required fields.
func (o *observer) refusalsOf(ctx context.Context, wanted func(schema.Cursor) bool) []refusal {
	sampler := validobject.Sampler{
		Bare:   true,
		Wanted: func(p schema.Cursor) bool { return p.Path.String() == ".spec.forProvider" || wanted(p) },
	}
	object := sampler.Object(ctx, *o.kind.Definition, o.kind.Version)
	root := o.kind.Root(o.kind.Version).Schema
	policy, only := validobject.ObservePolicy(root)
	object["spec"].(map[string]any)[policy] = only

	var found []refusal
	for _, s := range o.suspects {
		if remedy, refuses := o.judge(ctx, s, root, object); refuses {
			found = append(found, refusal{s, remedy})
		}
	}
	return found
}

// judge reports whether a suspect rejects an object, and the remedy.
func (o *observer) judge(ctx context.Context, s apiserver.Suspect, root *schema.Props, object map[string]any) (remedy string, refuses bool) {
	switch {
	case s.Keyword == "required":
		return "mark it +optional, with omitempty or omitzero", true
	// Without identifiers, the author hasn't said what finds the resource: a rule may demand just that.
	case !slices.ContainsFunc(o.kind.Fields, func(f *linter.Field) bool { return f.OwnMarker(markers.Identifier) != nil }):
		return "", false
	case s.Keyword == "minProperties":
		remedy = "remove it, and mark the fields that are needed +kubebuilder:validation:Required, or name them in +kubebuilder:validation:AtLeastOneOf"
	case s.Keyword != "":
		remedy = "remove it, or write a rule, which can ask for the management policies"
	default:
		rule, ok := cel.Parse(s.Text())
		if !ok || o.readsRelaxed(rule, s.At.Path) || !needsMore(rule, s.At, object) {
			return "", false
		}
		remedy = o.remedy(rule, s)
	}
	return remedy, s.Refuses(ctx, root, object)
}

// remedy returns what to write in place of a rule.
func (o *observer) remedy(rule *cel.Rule, s apiserver.Suspect) string {
	unless := func(guard cel.Expr, names ...string) string {
		return rules.MarkerArgument(rule.Unless([]cel.Expr{guard.Short()}, names...))
	}
	// A rule below spec can't read the management policies, and has to move.
	if guard := o.guardAt(s.At); !guard.IsNone() {
		return "write " + unless(guard)
	}
	return "move it to the type of spec, as " + unless(o.guard(cel.Self), s.At.Path[1:].Names()...)
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
