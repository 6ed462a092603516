package versionconversion

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// variables are the variables that generated functions use.
var variables = []string{"src", "dst", "hub", "ok", "back", "value", "t", "c", "v", "to", "from", "err"}

// writer writes the file of a package.
type writer struct {
	*gosrc.File
	into *gosrc.Package
	// pairs are the pairs with functions, in order of first use, and functions their names, to the hub and from
	// it.
	pairs     []*mapping.Pair
	functions map[*mapping.Pair]map[side]string
	helpers   *stage.Helpers
	// spoke is the version being written; new pairs belong to it.
	spoke *spoke
}

// renderPackage returns the source of a package's file.
func renderPackage(into *gosrc.Package, plan *packagePlan, header string, helpers *stage.Helpers) ([]byte, error) {
	w := newWriter(into, into.NewFile(header, isVariable), helpers)
	for _, o := range plan.hubs {
		w.Function(fmt.Sprintf("Hub marks the version of %s that others are converted to and from.", o.Name), "(*"+o.Name+") Hub()", func() {})
	}
	for _, s := range plan.spokes {
		w.spoke = s
		// Writing a pair may add the pairs of its fields.
		w.methods(s)
		for i := 0; i < len(w.pairs); i++ {
			w.pair(w.pairs[i])
		}
		w.pairs = nil
	}
	return w.Formatted()
}

func newWriter(into *gosrc.Package, file *gosrc.File, helpers *stage.Helpers) *writer {
	return &writer{File: file, into: into, helpers: helpers, functions: map[*mapping.Pair]map[side]string{}}
}

// isVariable reports whether a function may have a variable with that name.
func isVariable(name string) bool { return slices.Contains(variables, gosrc.Wanted(name)) }

// helper returns a function of the package of helpers.
func (w *writer) helper(name string) string {
	return w.Qualified(w.helpers.Import(), w.helpers.Call(name))
}

// typ returns a type as it is written in the file.
func (w *writer) typ(t *model.Type) string {
	return t.Source(func(t *model.Type) string { return w.Qualified(flavor.NewImport(t.Package, t.PackageName), t.Name) })
}

// variable returns name, changed if it would hide a declaration of the package.
func (w *writer) variable(name string) string {
	return gosrc.Variable(name, w.into.IsTaken)
}

// methods writes the methods of a version, its lossy fields, and the functions for its objects.
func (w *writer) methods(s *spoke) {
	name, version, stored := s.object.Name, s.object.Package.Version, s.hub.Package.Version
	src, dst, ok := w.variable("src"), w.variable("dst"), w.variable("ok")
	back, hub, err := w.variable("back"), w.variable("hub"), w.variable("err")
	own, other := w.typ(s.object.Type), w.typ(s.hub.Type)
	hubInterface := w.Qualified(flavor.Import{Path: "sigs.k8s.io/controller-runtime/pkg/conversion", Alias: "conversion"}, "Hub")
	to, from := w.functionNames(s.root)[hubSide], w.functionNames(s.root)[spokeSide]
	losses, hubLosses := w.lossesName(s, spokeSide), w.lossesName(s, hubSide)
	assertion := func(as string) {
		w.Line(as, ", ", ok, " := ", hub, ".(*", other, ")")
		w.Block("if !"+ok, func() {
			w.Line("return ", w.Standard("fmt", "Errorf"), fmt.Sprintf("(%q, %s)",
				"cannot convert "+name+" between "+version+" and %T: the version that is stored is "+stored, hub))
		})
	}
	// finish writes the end of a method: it restores the lossy fields of this version in dst, and keeps the
	// other version's values that src loses.
	finish := func(version, losses, backType, other, lost, function string) {
		restore := func() string { return w.helper("Restore") + fmt.Sprintf("(%s, %q, %s)", dst, version, losses) }
		// What isn't lost needs neither helpers nor the copy that is converted back.
		switch {
		case losses == "" && lost == "":
			w.Line("return nil")
			return
		case lost == "":
			w.Line("return ", restore())
			return
		case losses != "":
			w.Block(fmt.Sprintf("if %s := %s; %[1]s != nil", err, restore()), func() { w.Line("return ", err) })
		}
		w.Line("var ", back, " ", backType)
		w.Line(function, "(", dst, ", &", back, ")")
		w.Line("return ", w.helper("Keep"), fmt.Sprintf("(%s, %q, %q, %s, &%s, %s)", dst, other, version, src, back, lost))
	}
	w.Function(fmt.Sprintf("ConvertTo converts %s to %s, the version that is stored.", name, stored), fmt.Sprintf("(%s *%s) ConvertTo(%s %s) error", src, own, hub, hubInterface), func() {
		assertion(dst)
		// Restore and Keep edit annotations: the caller's object must not change.
		w.Line(src, " = ", src, ".DeepCopy()")
		w.Line(to, "(", src, ", ", dst, ")")
		finish(stored, hubLosses, own, version, losses, from)
	})
	w.Function(fmt.Sprintf("ConvertFrom converts %s from %s, the version that is stored.", name, stored), fmt.Sprintf("(%s *%s) ConvertFrom(%s %s) error", dst, own, hub, hubInterface), func() {
		assertion(src)
		w.Line(src, " = ", src, ".DeepCopy()")
		w.Line(from, "(", src, ", ", dst, ")")
		finish(version, losses, other, stored, hubLosses, to)
	})
	w.writeLosses(losses, s.losses, fmt.Sprintf("what %s %s has and %s may lose", name, version, stored))
	w.writeLosses(hubLosses, s.hubLosses, fmt.Sprintf("what %s %s has and %s may lose", name, stored, version))
	for _, d := range []side{hubSide, spokeSide} {
		function, fromType, toType := pick(d, to, from), pick(d, own, other), pick(d, other, own)
		w.Function(fmt.Sprintf("%s converts all but the name of the version.", function), fmt.Sprintf("%s(%s *%s, %s *%s)", function, src, fromType, dst, toType), func() {
			w.assignments(s.root, d)
			for _, m := range s.moves {
				w.assign(m, d)
			}
		})
	}
}

// functionNames returns the names of a pair's functions, and queues the pair for writing.
func (w *writer) functionNames(p *mapping.Pair) map[side]string {
	if w.functions[p] == nil {
		name, version := "convert"+gosyntax.Exported(p.Source.Name), gosyntax.Exported(w.spoke.hub.Package.Version)
		w.functions[p] = map[side]string{hubSide: w.into.Declare(name + "To" + version), spokeSide: w.into.Declare(name + "From" + version)}
		if p != w.spoke.root { // methods writes the root's functions
			w.pairs = append(w.pairs, p)
		}
	}
	return w.functions[p]
}

// pair writes the functions for a pair.
func (w *writer) pair(p *mapping.Pair) {
	for _, d := range []side{hubSide, spokeSide} {
		from, to := w.typ(pick(!d, p.Target, p.Source)), w.typ(pick(d, p.Target, p.Source))
		src, dst := w.variable("src"), w.variable("dst")
		name := w.functions[p][d]
		doc := name + " converts a struct " + pick(d, "to", "from") + " the version that is stored."
		if convertsItself(p) {
			doc = strings.TrimSuffix(doc, ".") + ", as far as mrgen can: its methods convert it."
		}
		w.Function(doc, fmt.Sprintf("%s(%s %s) %s", name, src, from, to), func() {
			w.Line("var ", dst, " ", to)
			w.assignments(p, d)
			w.Line("return ", dst)
		})
	}
}

// lossesName returns the name of the variable with the lossy fields of a side, or "" if nothing is lost.
func (w *writer) lossesName(s *spoke, of side) string {
	if pick(of, s.hubLosses, s.losses) == nil {
		return ""
	}
	name := strings.ToLower(s.object.Name[:1]) + s.object.Name[1:]
	if of == hubSide {
		name += gosyntax.Exported(s.hub.Package.Version)
	}
	return w.into.Declare(name + "Losses")
}

// writeLosses writes a variable with lossy fields.
func (w *writer) writeLosses(name string, p *lossyField, doc string) {
	if name == "" {
		return
	}
	w.Blank()
	w.Line("// ", name, " is ", doc, ".")
	w.Line("var ", name, " = ", w.helper("LossyField"), w.lossyLiteral(p))
}

// lossyLiteral returns the elements of the literal of a lossy field.
func (w *writer) lossyLiteral(p *lossyField) string {
	var elements []string
	switch {
	case p.lossy && p.isMissing && p.fields == nil: // the other version has no such field
		elements = append(elements, "Missing: true")
	case p.lossy:
		elements = append(elements, "Whole: true")
	}
	if p.isSecret {
		elements = append(elements, "Secret: true")
	}
	if p.fields != nil {
		fields := ""
		for _, name := range slices.Sorted(maps.Keys(p.fields)) {
			fields += fmt.Sprintf("%q: %s,\n", name, w.lossyLiteral(p.fields[name]))
		}
		if fields != "" {
			fields = "\n" + fields
		}
		elements = append(elements, "Fields: map[string]"+w.helper("LossyField")+"{"+fields+"}")
	}
	if p.values != nil {
		elements = append(elements, "Values: &"+w.helper("LossyField")+w.lossyLiteral(p.values))
	}
	if len(p.keys) > 0 {
		elements = append(elements, fmt.Sprintf("Keys: %#v", p.keys))
	}
	if p.items != nil {
		elements = append(elements, "Items: &"+w.helper("LossyField")+w.lossyLiteral(p.items))
	}
	return "{" + strings.Join(elements, ", ") + "}"
}
