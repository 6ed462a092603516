package lintrules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

// controllerGuide is the source of most rules about controllers.
var controllerGuide = developmentGuide.section("Defining Resource Controllers", "")

// ofContract completes a rule that follows from how a managed reconciler calls a controller.
func ofContract(r linter.Rule) *linter.Rule {
	if r.Source.Name == "" {
		r.Source = controllerGuide
	}
	r.Severity, r.Controllers = linter.Warning, true
	return &r
}

// A client is an external client, with the kinds that it handles, and reports findings at places in its code.
type client struct {
	*controllers.Client
	pass  *linter.Pass
	kinds []*linter.Kind
}

// at reports a finding about a method in its code, where markers on the kinds may except it.
func (c *client) at(site controllers.Site, method, format string, args ...any) {
	for _, k := range c.kinds {
		c.pass.Detail(k, site.Pos, method, format, args...)
	}
}

// ofClient completes a rule that asks something of each external client.
func ofClient(r linter.Rule, find func(*client)) *linter.Rule {
	r.Run = func(p *linter.Pass) {
		byKind := map[controllers.Kind]*linter.Kind{}
		for _, k := range p.Managed() {
			byKind[kindOf(k)] = k
		}
		for _, c := range p.Code.Clients {
			found := &client{Client: c, pass: p}
			for _, k := range c.Kinds {
				if byKind[k] != nil {
					found.kinds = append(found.kinds, byKind[k])
				}
			}
			find(found)
		}
	}
	return ofContract(r)
}

// ofSecret completes a rule about references to secrets.
func ofSecret(r linter.Rule, find func(*linter.Pass, *linter.Field, *controllers.Field)) *linter.Rule {
	r.Run = func(p *linter.Pass) {
		eachParameter(p, func(f *linter.Field, code *controllers.Field) {
			if isSecret(p, f) {
				find(p, f, code)
			}
		})
	}
	return ofContract(r)
}

// isSecret reports whether a field refers to a secret as a whole.
func isSecret(p *linter.Pass, f *linter.Field) bool {
	return p.Secret(f.Field) == mirroring.SecretReference && !strings.EqualFold(f.Name, "Namespace") && f.Type.Leaf().Kind == model.Struct
}

// eachField calls visit with the fields of kinds that have controllers: those in a part of the resource,
// whose struct is in no other part.
func eachField(p *linter.Pass, part linter.Part, visit func(f *linter.Field, code *controllers.Field)) {
	for _, k := range p.Managed() {
		if len(controllersOf(p, k)) == 0 {
			continue
		}
		for _, f := range k.Fields {
			if code := p.Code.Fields[f.Pos]; code != nil && f.Part&part != 0 && f.In(part) {
				visit(f, code)
			}
		}
	}
}

// eachParameter calls visit with the fields of spec.forProvider that hold values of their own, and are in
// no part of the resource but spec. Those that are documented to do nothing are left out.
func eachParameter(p *linter.Pass, visit func(f *linter.Field, code *controllers.Field)) {
	eachField(p, linter.ForProvider|linter.InitProvider, func(f *linter.Field, code *controllers.Field) {
		if f.Part == linter.ForProvider && !f.IsReference() && !idle.MatchString(linter.Words(f.Doc)) {
			visit(f, code)
		}
	})
}

// idle matches comments of fields that no longer do anything, or don't yet.
var idle = regexp.MustCompile(`(?i)^\W*(\w+, )?(deprecated|unused|not (yet )?(supported|implemented))\b|\bdeprecated:`)

// kindOf names a kind as the code of controllers does.
func kindOf(k *linter.Kind) controllers.Kind {
	return controllers.Kind{Package: k.Object.Package.Path, Name: k.Object.Name}
}

func controllersOf(p *linter.Pass, k *linter.Kind) []string {
	var names []string
	for _, c := range p.Code.Of(kindOf(k)) {
		names = append(names, c.Name)
	}
	return names
}

// lacks reports whether a condition holds neither for a field nor for one below.
func lacks(p *linter.Pass, f *linter.Field, condition func(*controllers.Field) bool) bool {
	holds := func(f *model.Field) bool {
		code := p.Code.Fields[f.Pos]
		return code != nil && condition(code)
	}
	return p.Code.Fields[f.Pos] != nil && !holds(f.Field) &&
		!f.Type.Holds(func(t *model.Type) bool { return slices.ContainsFunc(t.Fields, holds) })
}

// isWithin reports whether a field, or one around it, lacks a condition, so that the finding is there.
func isWithin(p *linter.Pass, f *linter.Field, condition func(*controllers.Field) bool) bool {
	return f != nil && (lacks(p, f, condition) || isWithin(p, f.ParentField, condition))
}

// isLeaf reports whether a field has no fields below that the author declared.
func isLeaf(f *linter.Field) bool {
	t := f.Type.Leaf()
	return t.Kind != model.Struct || !t.Local || len(t.Fields) == 0
}

// looked names the controllers of a kind.
func looked(p *linter.Pass, f *linter.Field) string {
	return strings.Join(controllersOf(p, f.Kind), " and ")
}

// functions names the functions of some sites, each once, up to three.
func functions(sites []controllers.Site) string {
	var names []string
	for _, s := range controllers.PerFunction(sites) {
		names = append(names, s.Function)
	}
	if len(names) > 3 {
		names = append(names[:2], "others")
	}
	return diag.And(names)
}

// updates reports whether Update of a controller of the field's kind asks the API something.
func updates(p *linter.Pass, f *linter.Field) bool {
	return slices.ContainsFunc(p.Code.Of(kindOf(f.Kind)), func(c *controllers.Client) bool { return c.Updates })
}

// isFixed reports whether a field can't change, or says so, or identifies the resource.
func isFixed(f *linter.Field) bool {
	return f.IsImmutable() || f.OwnMarker(markers.Identifier) != nil || fixed.MatchString(linter.Words(f.Doc)) ||
		slices.ContainsFunc(f.Markers, func(m model.Marker) bool { return strings.Contains(m.Text, "oldSelf") })
}

// fixed matches comments of fields that don't change.
var fixed = regexp.MustCompile(
	`(?i)immutable|\b(can ?not|can't|may not|must not|won't) be (changed|modified|updated|altered)|(read|write)-?only|not (be )?returned|not return|not reconciled`)
