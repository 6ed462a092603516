package lintrules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
)

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
	return p.Code.Controllers[kindOf(k)]
}

// lacks reports whether a condition holds neither for a field nor for one below.
func lacks(p *linter.Pass, f *linter.Field, condition func(*controllers.Field) bool) bool {
	holds := func(f *model.Field) bool {
		code := p.Code.Fields[f.Pos]
		return code != nil && condition(code)
	}
	return p.Code.Fields[f.Pos] != nil && !holds(f.Field) && !f.Type.Holds(func(t *model.Type) bool { return slices.ContainsFunc(t.Fields, holds) })
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
