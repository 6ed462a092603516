package fromsdk

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A text is how a kind writes values of a type as text: the bodies of functions, of a pointer if the type isn't copied, a pattern if
// only one form comes back, and two of the texts.
type text struct {
	parse, print, pattern string
	isPointer             bool
	samples               []string
}

// texts are those of types without a method for it, and samples those of types with one.
var (
	texts = map[string]text{
		"net.IPNet": {
			parse:   "_, parsed, err := net.ParseCIDR(text)\nif err != nil {\nreturn value, err\n}\nreturn *parsed, nil",
			samples: []string{"192.0.2.0/24", "198.51.100.0/24"},
		},
		"net/url.URL": {
			parse:   "parsed, err := url.Parse(text)\nif err != nil {\nreturn value, err\n}\nreturn *parsed, nil",
			samples: []string{"https://a.example.org", "https://b.example.org"},
		},
		"time.Duration": {parse: "return time.ParseDuration(text)", samples: []string{"1s", "2s"}},
		wellKnown + "durationpb.Duration": {
			parse: "parsed, err := time.ParseDuration(text)\nreturn durationpb.New(parsed), err",
			print: "if value == nil {\nreturn nil, nil\n}\n" +
				`return ptr.To(strconv.FormatFloat(value.AsDuration().Seconds(), 'f', -1, 64) + "s"), nil`,
			pattern: "^(0|-?[1-9][0-9]*)(\\.[0-9]*[1-9])?s$", isPointer: true, samples: []string{"1s", "2s"},
		},
		wellKnown + "timestamppb.Timestamp": {
			parse:   "parsed, err := time.Parse(time.RFC3339, text)\nreturn timestamppb.New(parsed), err",
			print:   "if value == nil {\nreturn nil, nil\n}\nreturn ptr.To(value.AsTime().Format(time.RFC3339Nano)), nil",
			pattern: "Z$", isPointer: true, samples: []string{"2031-01-02T03:04:05Z", "2031-01-02T03:04:06Z"},
		},
	}
	samples = map[string][]string{
		"net.IP": {"192.0.2.1", "192.0.2.2"}, "net/netip.Addr": {"192.0.2.1", "192.0.2.2"},
		"net/netip.Prefix": {"192.0.2.0/24", "198.51.100.0/24"},
	}
)

// wellKnown begins the names of types that protobuf comes with.
const wellKnown = "google.golang.org/protobuf/types/known/"

// textOf returns how a kind writes values of a type as text, nil if it doesn't: as the type itself does, or as Go does.
func textOf(t types.Type) *text {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || gotypes.IsTime(t) || gotypes.IsString(t) {
		return nil
	}
	if isEnum(named) {
		return &text{
			parse: "number, found := TYPE_value[text]\nif !found {\nreturn value, errors.Errorf(\"unknown value %q\", text)\n}\nreturn TYPE(number), nil",
			print: "if value == 0 { // which stands for unset\nreturn \"\", nil\n}\nreturn value.String(), nil",
		}
	}
	name := named.Obj().Pkg().Path() + "." + named.Obj().Name()
	if form, isKnown := texts[name]; isKnown {
		form.print = cmp.Or(form.print, "return value.String(), nil")
		return &form
	}
	has := func(t types.Type, name string) bool {
		object, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		f, ok := object.(*types.Func)
		return ok && gotypes.IsError(f.Signature().Results().At(f.Signature().Results().Len()-1).Type())
	}
	if gotypes.BasicOf(t) != nil || !has(t, "MarshalText") || !has(types.NewPointer(t), "UnmarshalText") {
		return nil // a boolean stays one, and the constants of numbers name them
	}
	return &text{
		parse: "err = value.UnmarshalText([]byte(text))\nreturn value, err", print: "text, err := value.MarshalText()\nreturn string(text), err",
		samples: samples[name],
	}
}

// isEnum reports whether a type is an enumeration of protobuf, whose values a map has by their names.
func isEnum(t *types.Named) bool {
	if t == nil || t.Obj().Pkg() == nil || !isInteger(t) {
		return false
	}
	values, _ := t.Obj().Pkg().Scope().Lookup(t.Obj().Name() + "_value").(*types.Var)
	return values != nil && types.TypeString(values.Type(), nil) == "map[string]int32" && methodOf(t, "String") != nil
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
	if _, item := itemsOf(t); item != nil && textOf(t) == nil {
		r.help(item)
		return
	}
	id, form := r.idOf(t), textOf(t)
	if id == nil && form == nil {
		return
	}
	name, typ := strings.ReplaceAll(gotypes.NamedOf(t).Obj().Name(), "_", ""), r.text(t)
	add := func(comment, declaration, body string) {
		r.declare("// " + comment + "\n// +mrgen:convert\nfunc " + declaration + " {\n" + body + "\n}")
	}
	if form != nil {
		result := "string"
		if form.isPointer {
			typ, result = "*"+typ, "*string"
			r.qualify(types.NewPackage("time", "time"))
		}
		parsed, printed := "parsed"+gosyntax.Exported(name), "printed"+gosyntax.Exported(name)
		add(parsed+" reads a text.", parsed+"(text string) (value "+typ+", err error)", strings.ReplaceAll(form.parse, "TYPE", typ))
		add(printed+" writes a value as text.", printed+"(value "+typ+") ("+result+", error)", form.print)
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
