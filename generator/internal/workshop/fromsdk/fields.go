package fromsdk

import (
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// A Field is one of a kind's types.
type Field struct {
	Name, Type, Tag string
	Comment         []string
	Markers         []string
	// json is the name in JSON, and owner the type that has the field.
	json, owner string

	from *source
	// said is the comment without what a request can't carry.
	said []string
	// isSecret is set if the field refers to a secret.
	isSecret bool
	// pattern matches the texts of a type that has another form in the SDK, "" for all.
	pattern string
}

// NewField returns a field that no SDK has.
func NewField(name, typ, tag string, comment []string, markers ...string) *Field {
	json, _, _ := strings.Cut(tag, ",")
	return &Field{Name: name, Type: typ, Tag: tag, Comment: comment, Markers: markers, json: json}
}

// fields returns the fields of all types of the kind.
func (k *Kind) fields() []*Field {
	fields := slices.Concat(k.Parameters, k.Observation)
	for _, s := range k.Structs {
		fields = append(fields, s.Fields...)
	}
	return fields
}

// Edits returns values for parameters whose schema doesn't tell any, as Go has them, by their paths.
func (k *Kind) Edits() map[string]string {
	all := map[string]string{}
	k.eachParameter(func(path string, f *Field) {
		if values := samplesOf(f); values != nil {
			all[path] = strings.Join(each(values, func(text string) string {
				if strings.HasPrefix(f.Type, "[]") {
					return "[]any{" + strconv.Quote(text) + "}"
				}
				return strconv.Quote(text)
			}), ", ")
		}
	})
	return all
}

// samplesOf returns texts for a field of a type that reads them, nil for another one.
func samplesOf(f *Field) []string {
	switch {
	case f.from == nil, f.isSecret, strings.TrimLeft(f.Type, "*[]") != "string": // such as a map
		return nil
	case f.isMarked(markers.ConvertNumber):
		return []string{"1", "2.5"}
	}
	of := gotypes.Deref(f.from.v.Type())
	form := textOf(of)
	if form == nil {
		form = textOf(gotypes.Deref(itemOf(of))) // unlike net.IP, which is a list of bytes
	}
	if form != nil {
		return form.samples
	}
	return nil
}

// Identifiers returns the paths of the parameters whose other values are other external resources.
func (k *Kind) Identifiers() (all []string) {
	k.eachParameter(func(path string, f *Field) {
		if f.isMarked(markers.Identifier) {
			all = append(all, path)
		}
	})
	return all
}

// eachParameter calls a function for each parameter, and for parameters in structs outside of lists, with the path as JSON has it.
func (k *Kind) eachParameter(do func(path string, f *Field)) {
	var in func(fields []*Field, around string)
	in = func(fields []*Field, around string) {
		for _, f := range fields {
			do(around+f.json, f)
			if within := k.structNamed(strings.TrimPrefix(f.Type, "*")); within != nil {
				in(within.Fields, around+f.json+".")
			}
		}
	}
	in(k.Parameters, "")
}

// drop removes markers.
func (f *Field) drop(all ...string) {
	f.Markers = slices.DeleteFunc(f.Markers, func(m string) bool { return slices.Contains(all, m) })
}

func (f *Field) mark(marker string) {
	if marker = "+" + marker; !slices.Contains(f.Markers, marker) {
		f.Markers = append(f.Markers, marker)
	}
}

// A part is one of a kind's.
type part int

const (
	spec part = iota
	status
)

type structKey struct {
	of   *types.TypeName
	part part
}

// field makes a field of the kind of one of the SDK, or returns why it can't.
func (r *reader) field(s *source, owner string, at part, inList bool) (*Field, string) {
	f := &Field{Name: s.v.Name(), json: jsonName(s), from: s, owner: owner}
	typ, pointer, why := r.typeFor(f, s.v.Type(), at, inList)
	if why != "" {
		return nil, why
	}
	doc := r.doc(s.v)
	if said := r.comment(f.Name, doc, owner); doc != "" || f.Comment == nil {
		f.Comment = said
	}
	f.Type, f.Tag = typ, f.json+",omitempty"
	switch {
	case pointer:
		f.Type = "*" + typ
	case at == spec && typ != "[]byte":
		f.Tag = f.json + "," + r.options.Omit
	}
	if at == status {
		return f, ""
	}
	switch {
	case f.pattern == "":
	case typ == "string":
		f.mark(markers.Pattern + "=`" + f.pattern + "`")
	case typ == "[]string":
		f.mark("kubebuilder:validation:items:Pattern=`" + f.pattern + "`")
	}
	if r.drops(s) && !isEnum(gotypes.NamedOf(gotypes.Deref(s.v.Type()))) { // whose zero has no name
		f.refuseEmpty(typ)
	}
	f.addEnum(s.v.Type(), r.drops(s) || r.mask != nil) // whose zero protobuf leaves unspecified
	return f, ""
}

// drops reports whether requests of the SDK carry no empty value of a field, so that the kind can't say it either. Where the request that
// updates has the field, it counts: what creation made empty could never be so again.
func (r *reader) drops(s *source) bool {
	decisive, isMasked := s, false
	isOfRequest := slices.ContainsFunc(r.requests(), func(request *types.Named) bool { return slices.Contains(r.sources(request), s) })
	for _, request := range r.requests() { // of which the one that updates is last
		if other := counterpart(r.sources(request), s); other != nil && isOfRequest {
			decisive, isMasked = other, r.isMasked(request, other)
		}
	}
	isSent := gotypes.IsPointer(decisive.v.Type()) || decisive.isForced || !strings.Contains(decisive.encoding(), ",omitempty")
	if decisive.wrapped != nil {
		isSent = decisive.sendsZero
	}
	if isMasked || isSent {
		return false
	}
	switch u := s.v.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Basic:
		return u.Info()&types.IsFloat == 0
	default: // encoding/json sends other structs
		return textOf(s.v.Type()) != nil
	}
}

// isMasked reports whether an update names a field to change, maybe to an empty value: one of the resource, not of the request around it.
func (r *reader) isMasked(request *types.Named, s *source) bool {
	return r.mask != nil && request == r.update && (len(s.path) > 0 || r.envelope(request) == nil)
}

// refuseEmpty says that no request carries the empty value of a field, with a marker if there is one.
func (f *Field) refuseEmpty(typ string) {
	says := "It can't be empty: the API's client doesn't send an empty value."
	switch {
	case typ == "string", typ == "[]byte":
		f.mark(markers.MinLength + "=1")
	case strings.HasPrefix(typ, "[]"):
		f.mark("kubebuilder:validation:MinItems=1")
	case strings.HasPrefix(typ, "map["):
		f.mark(markers.MinProperties + "=1")
	default: // no marker leaves out 0 or false alone
		says = "The API's client doesn't send a zero."
	}
	f.said, f.Comment = f.Comment, wrap(strings.Join(f.Comment, " ")+" "+says)
}

// fieldOrReference makes a field of the kind of one of the SDK, or one that refers to a secret with its value,
// or returns why it can't. Fields outside of lists are only required where something is sent.
func (r *reader) fieldOrReference(s *source, owner string, at part, inList bool) (*Field, string) {
	f, why := r.field(s, owner, at, inList)
	switch {
	case why != "":
		return nil, why
	case !r.isSecret(f):
		if at == spec {
			r.require(f, s, !inList)
		}
	case strings.TrimPrefix(f.Type, "*") != "string" || at != spec || inList || s.oneof != nil:
		return nil, isHidden
	case !r.takesSecret(s.v.Type()):
		return nil, isHidden + ", whose type is " + types.TypeString(s.v.Type(), gotypes.ByName)
	default:
		r.hide(f)
	}
	return f, ""
}

// isHidden says that a field has a value that only a secret should have, in a place where none is read.
const isHidden = "it may be a secret"

// typeFor returns the Go type for one of the SDK, and whether a field has a pointer to it. Or it says why
// there is none.
func (r *reader) typeFor(f *Field, t types.Type, at part, inList bool) (typ string, pointer bool, why string) {
	t = gotypes.Deref(t)
	named, isNamed := t.(*types.Named)
	isHiddenStruct := isNamed && !named.Obj().Exported() && gotypes.StructOf(t) != nil
	if isNamed && at == spec && (isHiddenStruct || named.Obj().Pkg() != nil && r.isInternal(named.Obj().Pkg().Path())) {
		return "", false, "its type is internal to the SDK, so that no conversion can make it"
	}
	if t = types.Unalias(t); gotypes.IsTime(t) {
		return "metav1.Time", true, ""
	}
	if form := textOf(t); form != nil {
		f.pattern = form.pattern
		return "string", true, ""
	}
	if id := r.idOf(t); id != nil {
		what := " is the ID of the "
		if inList {
			what = " has the ID of each "
		}
		f.Comment = wrap(f.Name + what + readable(gotypes.NamedOf(t).Obj().Name()) + ".")
		return kindOf(id.Type()), true, ""
	}
	if of, item := itemsOf(t); item != nil {
		typ, _, why := r.typeFor(f, item, at, true)
		return of + typ, false, why
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&(types.IsString|types.IsInteger) != 0:
			return kindOf(u), true, ""
		case info&types.IsBoolean != 0:
			return "bool", true, ""
		case info&types.IsFloat != 0:
			f.mark(markers.ConvertNumber)
			f.pattern = `^-?[0-9]+(\.[0-9]+)?$`
			return "string", true, ""
		}
	case *types.Struct:
		s, why := r.structFor(t, at, inList)
		if why != "" {
			return "", false, why
		}
		return s.Name, true, ""
	case *types.Slice:
		return "[]byte", false, ""
	case *types.Map:
		return "", false, "its keys are not text"
	}
	return "", false, "its type is " + types.TypeString(t, gotypes.ByName)
}

// structFor returns the type for a struct of the SDK.
func (r *reader) structFor(t types.Type, at part, inList bool) (*Struct, string) {
	named, ok := t.(*types.Named)
	switch {
	case !ok:
		return nil, "its struct has no name"
	case named.TypeArgs().Len() > 0:
		return nil, "its type is generic"
	}
	key := structKey{named.Obj(), at}
	if known := r.structs[key]; slices.Contains(r.kind.Structs, known) {
		if inList {
			r.leaveSecretsOf(known)
		}
		return known, ""
	} else if known != nil { // which is being made
		return nil, "its type holds itself"
	}
	if !r.budget.structs[key] {
		return nil, isTooLarge
	}
	s := &Struct{Name: r.structName(named.Obj().Name(), at), at: at}
	r.structs[key] = s
	s.Comment = comment(s.Name, "", "")
	for _, from := range r.sources(t) {
		if at == spec && r.isOutputOnly(from) {
			continue
		}
		f, why := r.fieldOrReference(from, named.Obj().Name(), at, inList)
		switch {
		case why == "":
			s.Fields = append(s.Fields, f)
		case at == spec:
			r.lack(s.Name+"."+from.v.Name(), why)
		case why == isHidden || why == isTooLarge:
			r.leave(s.Name+"."+from.v.Name(), why)
		}
	}
	r.leaveHidden(t, s.Name+".", at)
	if len(s.Fields) == 0 {
		delete(r.structs, key)
		return nil, "its struct has no field that a kind could have"
	}
	r.kind.Structs = append(r.kind.Structs, s)
	return s, ""
}

// structName returns a name for the type of fields.
func (r *reader) structName(of string, at part) string {
	end := gosyntax.Exported(strings.TrimPrefix(of, r.options.Kind))
	if slices.Contains([]string{"", "Spec", "Status", "Parameters", "InitParameters", "Observation", "List"}, end) {
		end += "Properties"
	}
	if at == status {
		end += "State"
	}
	base := r.options.Kind + end
	name := base
	isTaken := func() bool {
		isOwn := func(s *Struct) bool { return s.Name == name }
		isTaken := r.options.Taken != nil && r.options.Taken(name)
		return isTaken || r.kind.structNamed(name) != nil || slices.ContainsFunc(slices.Collect(maps.Values(r.structs)), isOwn)
	}
	for n := 2; isTaken(); n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}

// lack leaves out a field of a request that creation may need.
func (r *reader) lack(name, why string) {
	if r.leave(name, why); !slices.Contains(r.lacked, name) {
		r.lacked = append(r.lacked, name)
	}
}

func (r *reader) leave(name, why string) {
	if why == isTooLarge {
		r.budget.lacked = append(r.budget.lacked, name) // maybe twice, of requests and of answers
		return
	}
	name += ", since "
	if !slices.ContainsFunc(r.kind.Left, func(left string) bool { return strings.HasPrefix(left, name) }) {
		r.kind.Left = append(r.kind.Left, name+why)
	}
}
