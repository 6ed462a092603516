package rules

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A controller sends back an object as its Go types encode it: they omit empty values, and write quantities and
// durations in a canonical form. The conditions in this file treat values as equal if they differ in nothing else.

// A loss is a place in a value that Go may write differently from how it read it.
type loss struct {
	// name is the path below forProvider.
	name string
	// omitted is set if Go omits zero and empty values, and local if the author declares
	// the field.
	omitted, local bool
}

// loss returns the first loss in a value with that name, or nil if Go writes the value as it
// read it.
func (v value) loss(name string) *loss {
	switch v.goType.Encoding() {
	case model.Verbatim:
		return nil
	case model.Plain:
	default:
		return &loss{name: name}
	}
	switch v.goType.Kind {
	case model.Struct:
		if schema.KeepsUnknown(v.schema) {
			return &loss{name: name}
		}
		for _, property := range slices.Sorted(maps.Keys(v.schema.Properties)) {
			f, below := v.goType.Field(property), strings.TrimPrefix(name+"."+property, ".")
			s := v.schema.Properties[property]
			if f == nil { // Go drops the field
				return &loss{name: below}
			}
			inner := value{goType: f.Type.Deref(), schema: &s}
			if losesNull(f, &s) || zeroMeansUnset(f, v.schema) && !inner.isZero(true).IsNone() {
				return &loss{name: below, omitted: !losesNull(f, &s), local: v.goType.Local}
			}
			if l := inner.loss(below); l != nil {
				return l
			}
		}
	case model.Slice, model.Map:
		if !v.isMap() && !v.isList() {
			return nil // such as a []byte, which is a string in JSON
		}
		return v.elem(cel.Expr{}).loss(name + "[]") // no marker makes elements nullable
	}
	return nil
}

// same returns the condition that two values, which are both set, are equal for Go, or why
// rules can't express it. Depth counts the variables in scope.
func (a *applier) same(v, old value, name string, depth int) (cel.Expr, *obstacle) {
	if v.loss(name) == nil && !v.holdsReference() {
		return cel.Op(v.expr, "==", old.expr), nil
	}
	conditions, why := a.sameParts(v, old, name, depth)
	if why != nil {
		return cel.Expr{}, why
	}
	condition := cel.And(conditions...)
	if mayFail(v) {
		// Equal values are the same, even if they can't be converted for comparison.
		return cel.Or(cel.Op(v.expr, "==", old.expr), condition), nil
	}
	return condition, nil
}

// sameParts returns the conditions that must all hold for two values to be equal for Go.
func (a *applier) sameParts(v, old value, name string, depth int) ([]cel.Expr, *obstacle) {
	switch {
	case v.isReference():
		return v.sameReference(old), nil
	case v.isList() && v.elem(cel.Expr{}).isReference():
		return v.sameReferences(old, variable("item", depth)), nil
	case v.isMap(): // rules compare the sizes and then each key, since maps have no order
		key := variable("key", depth)
		conditions, why := a.sameParts(v.elem(v.expr.At(key)), v.elem(old.expr.At(key)), name+"[]", depth+1)
		if why != nil {
			return nil, why
		}
		each := cel.And(append([]cel.Expr{cel.Op(key, "in", old.expr)}, conditions...)...)
		return []cel.Expr{cel.Op(cel.Call("size", v.expr), "==", cel.Call("size", old.expr)), v.expr.Method("all", key, each)}, nil
	case v.isObject():
		var conditions []cel.Expr
		for _, l := range v.leaves(false) {
			if why := l.obstacle(name); why != nil {
				return nil, why
			}
			if now := l.orZero(v.expr); !now.IsNone() { // a literal in place of an unset field spares the test on both sides
				conditions = append(conditions, cel.Op(now, "==", l.orZero(old.expr)))
				continue
			}
			set := l.has(v.expr)
			conditions = append(conditions, cel.Op(set, "==", l.has(old.expr)))
			if l.presence { // other leaves compare the content
				continue
			}
			inner, why := a.same(l.of(v.expr), l.of(old.expr), dotted([]string{name}, l.names...), depth)
			if why != nil {
				return nil, why
			}
			conditions = append(conditions, cel.Or(cel.Not(set), inner))
		}
		return conditions, nil
	}
	forms, why := a.forms(v, name, depth)
	if why != nil {
		return nil, why
	}
	oldForms, _ := a.forms(old, name, depth)
	var conditions []cel.Expr
	for i := range forms {
		if v.goType.Encoding() == model.Quantity {
			// Before Kubernetes 1.32 the API server estimates that == of quantities takes
			// much longer.
			conditions = append(conditions, cel.Op(forms[i].Method("compareTo", oldForms[i]), "==", cel.Int(0)))
			continue
		}
		conditions = append(conditions, cel.Op(forms[i], "==", oldForms[i]))
	}
	return conditions, nil
}

// forms returns expressions of a value, which are equal for two values that are equal for
// Go. Depth counts the variables in scope.
func (a *applier) forms(v value, name string, depth int) ([]cel.Expr, *obstacle) {
	if v.loss(name) == nil && !v.holdsReference() {
		return []cel.Expr{v.expr}, nil
	}
	if v.isReference() {
		return append([]cel.Expr{v.referent()}, v.namespaces()...), nil
	}
	switch encoding := v.goType.Encoding(); {
	case encoding == model.Quantity:
		return []cel.Expr{v.quantity()}, nil
	case encoding == model.Duration && v.schema.Type == "string":
		return []cel.Expr{cel.Call("duration", v.expr)}, nil
	case encoding == model.Seconds && v.isTime():
		return []cel.Expr{cel.Call("int", v.expr)}, nil
	case encoding == model.Rounded:
		return nil, &obstacle{fmt.Sprintf("%s is a %s, which rounds what was written", name, v.goType.Basic),
			"make it a float64, or remove the marker"}
	case encoding != model.Plain:
		return nil, &obstacle{fmt.Sprintf("%s encodes itself: updates from Go may write %s in another form than it has", v.goType.Name, name),
			"give it a type that doesn't, or remove the marker"}
	}
	var all []cel.Expr
	switch {
	case v.isList():
		item := variable("item", depth)
		forms, why := a.forms(v.elem(item), name+"[]", depth+1)
		if why != nil {
			return nil, why
		}
		for _, form := range forms {
			all = append(all, v.expr.Method("map", item, form))
		}
	case v.isObject():
		for _, l := range v.leaves(false) {
			if why := l.obstacle(name); why != nil {
				return nil, why
			}
			if l.presence {
				all = append(all, l.has(v.expr))
				continue
			}
			forms, why := a.forms(l.of(v.expr), dotted([]string{name}, l.names...), depth)
			if why != nil {
				return nil, why
			}
			for _, form := range forms {
				all = append(all, cel.If(l.has(v.expr), cel.List(form), cel.List()))
			}
		}
	default:
		l := v.loss(name)
		if l == nil {
			return []cel.Expr{v.expr}, nil
		}
		return nil, &obstacle{fmt.Sprintf("updates from Go may write %s in another form, and rules can't compare what it is in", l.name),
			"remove the marker"}
	}
	return all, nil
}

// losesContent returns the condition that Go omits part of a list or map. It returns false if
// Go changes such values in other ways, too.
func (v value) losesContent(depth int) (cel.Expr, bool) {
	switch {
	case v.goType.Encoding() != model.Plain:
		return cel.Expr{}, false
	case v.isList():
		item := variable("item", depth)
		condition, ok := v.elem(item).losesContent(depth + 1)
		return v.expr.Method("exists", item, condition), ok
	case v.isMap():
		key := variable("key", depth)
		condition, ok := v.elem(v.expr.At(key)).losesContent(depth + 1)
		return v.expr.Method("exists", key, condition), ok
	case !v.isObject():
		return cel.Expr{}, false
	}
	var conditions []cel.Expr
	for _, l := range v.leaves(false) {
		inner, set := l.of(v.expr), l.set(v.expr)
		zero := inner.isZero(true)
		switch {
		case !l.defaulted && l.obstacle("") != nil, l.changed, l.zeroIsUnset && !l.omitted && !zero.IsNone():
			return cel.Expr{}, false
		case l.presence:
			continue
		case l.zeroIsUnset && !zero.IsNone():
			conditions = append(conditions, cel.And(append(slices.Clip(set), zero)...))
		}
		if inner.loss("") != nil {
			condition, ok := inner.losesContent(depth)
			if !ok {
				return cel.Expr{}, false
			}
			conditions = append(conditions, cel.And(append(set, condition)...))
		}
	}
	return cel.Or(conditions...), len(conditions) > 0
}

// remedy says what to do about a loss in a value that is too expensive to compare.
func (l *loss) remedy(in value) string {
	const remove = "remove the marker"
	switch {
	case in.isObject(): // a type of another module: the author can't edit it
		return remove
	case l.omitted && l.local:
		return "make " + l.name + " a pointer, or " + bound + ", or " + remove
	default:
		return bound + ", or " + remove
	}
}

const bound = "bound the lists and maps in it with +kubebuilder:validation:MaxItems and MaxProperties"

// variable returns a name for a variable that differs from those around it.
func variable(name string, depth int) cel.Expr {
	if depth > 0 {
		name += strconv.Itoa(depth + 1)
	}
	return cel.Var(name)
}

// mayFail reports whether comparing two values may fail, or may find a difference in an
// order without meaning.
func mayFail(v value) bool {
	switch v.goType.Encoding() {
	case model.Quantity, model.Duration:
		return true
	case model.Plain:
	default:
		return false
	}
	switch {
	case v.isObject():
		return slices.ContainsFunc(v.leaves(false), func(l leaf) bool { return !l.presence && mayFail(l.of(cel.Expr{})) })
	case v.isList():
		atomic := v.schema.XListType == nil || *v.schema.XListType == "atomic"
		return !atomic || mayFail(v.elem(cel.Expr{}))
	case v.isMap():
		return mayFail(v.elem(cel.Expr{}))
	}
	return false
}
