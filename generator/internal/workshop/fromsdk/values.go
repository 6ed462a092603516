package fromsdk

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A text is how a kind writes values of a type as text: the bodies of functions, and the form of texts in tests.
type text struct{ parse, print, form string }

// forms are those of texts in tests, by the package and the name of their type.
var forms = map[string]string{
	"net.IP": "192.0.2.%d", "net.IPNet": "10.0.%d.0/24", "net/netip.Addr": "192.0.2.%d", "net/netip.Prefix": "10.0.%d.0/24",
	"net/netip.AddrPort": "192.0.2.%d:80", "net/url.URL": "https://example.org/%d", "time.Duration": "%ds",
}

// parsers are the bodies of functions that parse texts of types without a method for it.
var parsers = map[string]string{
	"net.IPNet":     "_, parsed, err := net.ParseCIDR(text)\nif err != nil {\nreturn value, err\n}\nreturn *parsed, nil",
	"net/url.URL":   "parsed, err := url.Parse(text)\nif err != nil {\nreturn value, err\n}\nreturn *parsed, nil",
	"time.Duration": "return time.ParseDuration(text)",
}

// textOf returns how a kind writes values of a type as text, nil if it doesn't: as the type itself does, or as Go does.
func (r *reader) textOf(t types.Type) *text {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || gotypes.IsTime(t) || gotypes.IsString(t) {
		return nil
	}
	name := named.Obj().Pkg().Path() + "." + named.Obj().Name()
	if parse := parsers[name]; parse != "" {
		return &text{parse, "return value.String(), nil", forms[name]}
	}
	has := func(t types.Type, name string) bool {
		object, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		f, ok := object.(*types.Func)
		return ok && gotypes.IsError(f.Signature().Results().At(f.Signature().Results().Len()-1).Type())
	}
	if isInteger(t) || !has(t, "MarshalText") || !has(types.NewPointer(t), "UnmarshalText") {
		return nil // enumerations of integers have names, which their constants say
	}
	return &text{"err = value.UnmarshalText([]byte(text))\nreturn value, err", "text, err := value.MarshalText()\nreturn string(text), err",
		cmp.Or(forms[name], "%d")}
}

// idOf returns the field with the ID of a struct that is an object of the API by itself, which a method gets; nil
// if it is a part of another one.
func (r *reader) idOf(t types.Type) *types.Var {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || gotypes.StructOf(t) == nil || r.isRequest(t) {
		return nil
	}
	if r.objects == nil {
		r.objects = map[*types.TypeName]bool{}
		for _, m := range r.all {
			if _, isGet := stem(m.name, "get"); !isGet {
				continue
			}
			for v := range m.signature.Results().Variables() {
				if of := gotypes.NamedOf(v.Type()); of != nil {
					r.objects[of.Obj()] = true
				}
			}
		}
	}
	if !r.objects[named.Obj()] {
		return nil
	}
	for v := range gotypes.StructOf(t).Fields() {
		if b := gotypes.BasicOf(v.Type()); strings.EqualFold(v.Name(), "id") && b != nil && (gotypes.IsString(b) || isInteger(b)) {
			return v
		}
	}
	return nil
}

// help adds functions that convert the values of a type, as conversions need them.
func (r *reader) help(t types.Type) {
	t = types.Unalias(gotypes.Deref(t))
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if r.textOf(t) == nil {
			r.help(u.Elem())
			return
		}
	case *types.Map:
		r.help(u.Elem())
		return
	}
	id, form := r.idOf(t), r.textOf(t)
	if id == nil && form == nil || slices.ContainsFunc(r.helped, func(o types.Type) bool { return types.Identical(o, t) }) {
		return
	}
	r.helped = append(r.helped, t)
	name, typ := gotypes.NamedOf(t).Obj().Name(), r.text(t)
	add := func(comment, declaration, body string) {
		r.kind.Helpers = append(r.kind.Helpers, "// "+comment+"\n// +mrgen:convert\nfunc "+declaration+" {\n"+body+"\n}")
	}
	if form != nil {
		add("parsed"+gosyntax.Exported(name)+" reads a text.", "parsed"+gosyntax.Exported(name)+"(text string) (value "+typ+", err error)",
			form.parse)
		add("printed"+gosyntax.Exported(name)+" writes a value as text.", "printed"+gosyntax.Exported(name)+"(value "+typ+") (string, error)",
			form.print)
		return
	}
	kind := "string"
	if isInteger(id.Type()) {
		kind = kindInt(gotypes.BasicOf(id.Type()))
	}
	value := "object." + id.Name()
	if types.TypeString(types.Unalias(id.Type()), nil) != kind {
		value = kind + "(" + value + ")"
	}
	add("with"+name+"ID returns the object with an ID, as requests name it.", "with"+name+"ID(id "+kind+") "+typ,
		"return "+typ+"{"+id.Name()+": "+r.converted("id", kind, id.Type())+"}")
	add("idOf"+name+" returns the ID of an object.", "idOf"+name+"(object "+typ+") "+kind, "return "+value)
}

// A size is what fields take in a schema, and in the file with the types.
type size struct{ fields, bytes, lines int }

func (s size) plus(other size) size {
	return size{s.fields + other.fields, s.bytes + other.bytes, s.lines + other.lines}
}

// budget is the most that the fields of a kind may take: a larger definition is neither applied nor read.
var budget = size{fields: 150, bytes: 50 << 10, lines: 460}

func (s size) isBeyondBudget() bool {
	return s.fields > budget.fields || s.bytes > budget.bytes || s.lines > budget.lines
}

// isTooLarge says that a kind with a field would be beyond the budget.
const isTooLarge = "the definition would be too large: add the fields that you need"

// perField is the size of a field beside its name and description, whose lines are indented.
const perField = 160

// exceeds says that a struct takes more than is left of the budget.
func (r *reader) exceeds(t types.Type, at part) string {
	if r.size.plus(r.sizeOf(t, at, map[*types.TypeName]bool{})).isBeyondBudget() {
		return isTooLarge
	}
	return ""
}

// charge takes the share of a field from the budget. It returns false if there isn't enough left.
func (r *reader) charge(s *source, at part) bool {
	all := r.size.plus(r.sizeOfField(s, at, map[*types.TypeName]bool{}))
	if all.isBeyondBudget() {
		return false
	}
	r.size = all
	return true
}

// sizeOf returns what the fields of a struct take, at any depth.
func (r *reader) sizeOf(t types.Type, at part, around map[*types.TypeName]bool) (all size) {
	named := gotypes.NamedOf(t)
	if named == nil || around[named.Obj()] {
		return size{}
	}
	around[named.Obj()] = true
	for _, s := range r.sources(t) {
		if all = all.plus(r.sizeOfField(s, at, around)); all.isBeyondBudget() {
			break
		}
	}
	delete(around, named.Obj())
	return all
}

func (r *reader) sizeOfField(s *source, at part, around map[*types.TypeName]bool) size {
	times := 1
	if at == spec {
		times = 3 // in forProvider, initProvider and atProvider
	}
	said := strings.Join(comment(s.v.Name(), r.doc(s.v), "object"), " ")
	own := size{1, times * (perField + len(s.v.Name()) + len(said)*3/2), 3 + times/2 + len(said)/95}
	t := gotypes.Leaf(s.v.Type())
	if gotypes.StructOf(t) == nil || r.textOf(t) != nil || r.idOf(t) != nil {
		return own
	}
	return own.plus(r.sizeOf(t, at, around))
}
