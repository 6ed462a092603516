package fromsdk

import (
	"go/types"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// shown returns the field of status for a parameter whose struct the API shows with more fields, such as output only ones: its type
// embeds the mirror of the struct. It returns nil if the mirror has all of them.
func (r *reader) shown(f *Field, s *source) *Field {
	name := f.Type[strings.LastIndexAny(f.Type, "*]")+1:]
	holder := strings.TrimSuffix(f.Type, name)
	parameters := r.kind.structNamed(name)
	if parameters == nil || f.isUnseen() {
		return nil
	}
	state := r.stateOf(parameters, gotypes.Leaf(s.v.Type()), strings.Contains(holder, "]"))
	if state == nil {
		return nil
	}
	if holder == "" { // a required struct
		holder = "*"
	}
	said := f.Comment
	if f.said != nil {
		said = f.said
	}
	shown := NewField(f.Name, holder+state.Name, f.json+",omitempty", said)
	shown.from = s
	return shown
}

// stateOf returns the type of status for a struct of parameters, which the API shows as a type of the SDK.
func (r *reader) stateOf(parameters *Struct, t types.Type, inList bool) *Struct {
	key := shownKey{parameters, t}
	if known, isKnown := r.shownAs[key]; isKnown {
		return known
	}
	state := &Struct{Fields: []*Field{NewField("", "Observed"+parameters.Name, ",inline", nil)}}
	objects := r.sources(t)
	for _, s := range objects {
		own := first(parameters.Fields, func(f *Field) bool { return counterpart(objects, f.from) == s })
		if own != nil {
			if f := r.shown(own, s); f != nil {
				state.Fields = append(state.Fields, f)
			}
			continue
		}
		r.allot([]*source{s}, status)
		f, why := r.field(s, parameters.Name, status, inList)
		switch {
		case why != "", r.isDeprecated(s):
		case r.isSecret(f):
			r.leave(parameters.Name+"."+f.Name, isHidden)
		case !r.budget.fields[s]:
			r.leave(parameters.Name+"."+f.Name, isTooLarge)
		default:
			state.Fields = append(state.Fields, f)
		}
	}
	if len(state.Fields) == 1 {
		state = nil
	} else {
		state.Name = r.structName(gotypes.NamedOf(t).Obj().Name(), status)
		state.Comment = comment(state.Name, "", "")
		r.kind.Structs = append(r.kind.Structs, state)
	}
	r.shownAs[key] = state
	return state
}

// A shownKey is a struct of parameters, as the API shows it.
type shownKey struct {
	parameters *Struct
	shown      types.Type
}
