package fromsdk

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A text is how a kind writes values of a type as text: the bodies of functions.
type text struct{ parse, print string }

// parsers are the bodies of functions that parse texts of types without a method for it.
var parsers = map[string]string{
	"net.IPNet":     "_, parsed, err := net.ParseCIDR(text)\nif err != nil {\nreturn value, err\n}\nreturn *parsed, nil",
	"net/url.URL":   "parsed, err := url.Parse(text)\nif err != nil {\nreturn value, err\n}\nreturn *parsed, nil",
	"time.Duration": "return time.ParseDuration(text)",
}

// samples are texts of types that read them.
var samples = map[string][]string{
	"net.IP": {"192.0.2.1", "192.0.2.2"}, "net/netip.Addr": {"192.0.2.1", "192.0.2.2"},
	"net.IPNet": {"192.0.2.0/24", "198.51.100.0/24"}, "net/netip.Prefix": {"192.0.2.0/24", "198.51.100.0/24"},
	"net/url.URL": {"https://a.example.org", "https://b.example.org"}, "time.Duration": {"1s", "2s"},
}

// textOf returns how a kind writes values of a type as text, nil if it doesn't: as the type itself does, or as Go does.
func (r *reader) textOf(t types.Type) *text {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || gotypes.IsTime(t) || gotypes.IsString(t) {
		return nil
	}
	name := named.Obj().Pkg().Path() + "." + named.Obj().Name()
	if parse := parsers[name]; parse != "" {
		return &text{parse, "return value.String(), nil"}
	}
	has := func(t types.Type, name string) bool {
		object, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		f, ok := object.(*types.Func)
		return ok && gotypes.IsError(f.Signature().Results().At(f.Signature().Results().Len()-1).Type())
	}
	if gotypes.BasicOf(t) != nil || !has(t, "MarshalText") || !has(types.NewPointer(t), "UnmarshalText") {
		return nil // a boolean stays one, and the constants of numbers name them
	}
	return &text{"err = value.UnmarshalText([]byte(text))\nreturn value, err", "text, err := value.MarshalText()\nreturn string(text), err"}
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
			if _, isGet := stem(m.name, reads); !isGet {
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
	return first(slices.Collect(gotypes.StructOf(t).Fields()), func(v *types.Var) bool {
		b := gotypes.BasicOf(v.Type())
		return strings.EqualFold(v.Name(), "id") && b != nil && (gotypes.IsString(b) || isInteger(b))
	})
}

// help adds functions that convert the values of a type, as conversions need them.
func (r *reader) help(t types.Type) {
	t = types.Unalias(gotypes.Deref(t))
	if _, item := itemsOf(t); item != nil && r.textOf(t) == nil {
		r.help(item)
		return
	}
	id, form := r.idOf(t), r.textOf(t)
	if id == nil && form == nil {
		return
	}
	name, typ := gotypes.NamedOf(t).Obj().Name(), r.text(t)
	add := func(comment, declaration, body string) {
		r.declare("// " + comment + "\n// +mrgen:convert\nfunc " + declaration + " {\n" + body + "\n}")
	}
	if form != nil {
		add("parsed"+gosyntax.Exported(name)+" reads a text.", "parsed"+gosyntax.Exported(name)+"(text string) (value "+typ+", err error)",
			form.parse)
		add("printed"+gosyntax.Exported(name)+" writes a value as text.", "printed"+gosyntax.Exported(name)+"(value "+typ+") (string, error)",
			form.print)
		return
	}
	kind := kindOf(id.Type())
	add("with"+name+"ID returns the object with an ID, as requests name it.", "with"+name+"ID(id "+kind+") "+typ,
		"return "+typ+"{"+id.Name()+": "+r.converted("id", kind, id.Type())+"}")
	value := cast("object."+id.Name(), id.Type(), kind)
	add("idOf"+name+" returns the ID of an object.", "idOf"+name+"(object "+typ+") "+kind, "return "+value)
}

// declare adds a function to the controller's package, once.
func (r *reader) declare(function string) {
	if !slices.Contains(r.kind.Helpers, function) {
		r.kind.Helpers = append(r.kind.Helpers, function)
	}
}

// isTooLarge says that a kind with a field would be beyond the budget: a larger definition is neither applied nor read.
const isTooLarge = "the definition would be too large: add the fields that you need"

// charge takes the share of a field from the budget. It returns false if there isn't enough left.
func (r *reader) charge(s *source, at part) bool {
	all := r.spent + r.costOf([]*source{s}, at)
	if all > 1 {
		return false
	}
	r.spent = all
	return true
}

// costOf returns what fields take of the budget, with those of their structs at any depth but around them: 50 KiB of schema, or 460
// lines, which some 100 parameters have.
func (r *reader) costOf(fields []*source, at part, around ...*types.TypeName) (all float64) {
	times := 1.0
	if at == spec {
		times = 3 // in forProvider, initProvider and atProvider
	}
	const beside = 160 // bytes of a schema beside the name and the description, whose lines are indented
	for _, s := range fields {
		if at == spec && r.isOutputOnly(s) { // which no parameter has
			continue
		}
		said := float64(len(strings.Join(comment(s.v.Name(), r.doc(s.v), "object"), " ")))
		all += max(times*(beside+float64(len(s.v.Name()))+said*3/2)/(50<<10), (3+times/2+said/95)/460)
		of := gotypes.NamedOf(gotypes.Leaf(s.v.Type()))
		if of != nil && r.textOf(of) == nil && r.idOf(of) == nil && !slices.Contains(around, of.Obj()) {
			all += r.costOf(r.sources(of), at, append(slices.Clip(around), of.Obj())...)
		}
		if all > 1 {
			break
		}
	}
	return all
}
