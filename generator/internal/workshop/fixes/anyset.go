package fixes

import (
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A givenValue is a field that Go omits from JSON if it is empty.
type givenValue struct {
	jsonName string
	typ      *model.Type
}

// anySet returns a rule which requires that at least one of an object's fields is set. It returns false if rules can't
// name one of the fields.
func anySet(values ...givenValue) (rule string, ok bool) {
	var set []cel.Expr
	for _, v := range values {
		if !cel.CanName(v.jsonName) {
			return "", false
		}
		field := cel.Self.Field(v.jsonName)
		conditions := []cel.Expr{field.Has()}
		// an empty value such as "" doesn't count: Go omits it when it sends the object
		if nonEmpty := v.nonEmpty(field); !nonEmpty.IsNone() {
			conditions = append(conditions, nonEmpty)
		}
		set = append(set, cel.And(conditions...))
	}
	return cel.Or(set...).String(), true
}

// nonEmpty returns the condition that the value of an expression isn't empty. It returns no condition if JSON never
// omits the value.
func (v givenValue) nonEmpty(value cel.Expr) cel.Expr {
	switch t := v.typ; {
	case t.IsCollection(), t.Basic == "string":
		return cel.Op(cel.Call("size", value), ">", cel.Int(0))
	case t.Kind != model.Basic: // JSON never omits a struct
		return cel.Expr{}
	case t.Basic == "bool":
		return value
	case t.Basic == "float32", t.Basic == "float64":
		return cel.Op(value, "!=", cel.Literal("0.0"))
	default:
		return cel.Op(value, "!=", cel.Int(0))
	}
}
