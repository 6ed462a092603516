package rules

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// What a controller sends back is what its Go types made of what somebody wrote: they
// leave out what is empty, and write quantities and durations in a form of their own.
// The conditions of this file see no difference in that.

// A loss is a place in a value at which Go may not write what it has read.
type loss struct {
	// name leads there from forProvider.
	name   string
	goType *model.Type
	// omitted is set if it leaves out what is zero or empty, and local if it does so
	// with a field of the author's.
	omitted, local bool
}

// loss returns the first loss in a value of that name, or nil if Go writes it as it
// was read.
func (v value) loss(name string) *loss {
	switch v.goType.Encoding() {
	case model.Verbatim:
		return nil
	case model.Plain:
	default:
		return &loss{name: name, goType: v.goType}
	}
	switch v.goType.Kind {
	case model.Struct:
		if v.schema.XPreserveUnknownFields != nil && *v.schema.XPreserveUnknownFields {
			return &loss{name: name, goType: v.goType}
		}
		for _, property := range slices.Sorted(maps.Keys(v.schema.Properties)) {
			f, below := v.goType.Field(property), strings.TrimPrefix(name+"."+property, ".")
			schema := v.schema.Properties[property]
			if f == nil {
				return &loss{name: below, goType: v.goType}
			}
			inner := value{goType: f.Type.Deref(), schema: &schema}
			if losesNull(f, &schema) || neglects(f, v.schema) && inner.isZero(true) != "" {
				return &loss{name: below, goType: f.Type, omitted: !losesNull(f, &schema), local: v.goType.Local}
			}
			if l := inner.loss(below); l != nil {
				return l
			}
		}
	case model.Slice, model.Map:
		if !v.isMap() && !v.isList() {
			return nil
		}
		elem := v.elem("")
		if elem.schema.Nullable && v.goType.Elem.Kind != model.Pointer {
			return &loss{name: name + "[]", goType: v.goType.Elem}
		}
		return elem.loss(name + "[]")
	}
	return nil
}

// same returns a condition that holds if a value and an older one, which are both
// there, are the same to Go; or why there is none.
func (a *applier) same(v, old value, name string, depth int) (string, *block) {
	if v.loss(name) == nil {
		return v.text + " == " + old.text, nil
	}
	conditions, why := a.sameParts(v, old, name, depth)
	if why != nil {
		return "", why
	}
	condition := and(conditions...)
	if mayFail(v) {
		// What is equal is the same, whether or not it can be read as what it should be.
		return or(v.text+" == "+old.text, condition), nil
	}
	return condition, nil
}

// sameParts returns conditions that hold together if two values are the same to Go.
func (a *applier) sameParts(v, old value, name string, depth int) ([]string, *block) {
	switch {
	case v.isMap():
		key := variable("key", depth)
		conditions, why := a.sameParts(v.elem(v.text+"["+key+"]"), v.elem(old.text+"["+key+"]"), name+"[]", depth+1)
		if why != nil {
			return nil, why
		}
		each := and(append([]string{key + " in " + old.text}, conditions...)...)
		return []string{fmt.Sprintf("size(%s) == size(%s)", v.text, old.text), fmt.Sprintf("%s.all(%s, %s)", v.text, key, each)}, nil
	case v.isObject():
		var conditions []string
		for _, l := range v.leaves(false) {
			if why := l.hidden(name); why != nil {
				return nil, why
			}
			given, oldGiven := inParentheses(l.given(v.text)), inParentheses(l.given(old.text))
			if text, oldText := l.orZero(v.text), l.orZero(old.text); text != "" {
				conditions = append(conditions, text+" == "+oldText)
				continue
			}
			if l.presence {
				conditions = append(conditions, given+" == "+oldGiven)
				continue
			}
			inner, why := a.same(l.in(v.text), l.in(old.text), dotted([]string{name}, l.names...), depth)
			if why != nil {
				return nil, why
			}
			conditions = append(conditions, given+" == "+oldGiven, or(not(given), inner))
		}
		return conditions, nil
	}
	forms, why := a.forms(v, name, depth)
	if why != nil {
		return nil, why
	}
	oldForms, _ := a.forms(old, name, depth)
	var conditions []string
	for i := range forms {
		conditions = append(conditions, forms[i]+" == "+oldForms[i])
	}
	return conditions, nil
}

// forms returns expressions that are equal for two values if these are the same to Go.
// Depth counts the variables around them.
func (a *applier) forms(v value, name string, depth int) ([]string, *block) {
	if v.loss(name) == nil {
		return []string{v.text}, nil
	}
	switch encoding := v.goType.Encoding(); {
	case encoding == model.Quantity && !a.settings.Release.LessThan(quantitiesSince):
		return []string{v.quantity()}, nil
	case encoding == model.Quantity:
		return nil, &block{fmt.Sprintf("updates from Go write %s in another form, and rules know quantities only from Kubernetes %s on", name, quantitiesSince), "raise minKubernetes, or remove the marker"}
	case encoding == model.Duration && v.schema.Type == "string":
		return []string{"duration(" + v.text + ")"}, nil
	case encoding == model.Seconds && v.isTime():
		return []string{"int(" + v.text + ")"}, nil
	case encoding == model.Rounded:
		return nil, &block{fmt.Sprintf("%s is a %s, which rounds what was written", name, v.goType.Basic), "make it a float64, or remove the marker"}
	case encoding != model.Plain:
		return nil, &block{fmt.Sprintf("%s encodes itself: updates from Go may write %s in another form than it has", v.goType.Name, name), "give it a type that doesn't, or remove the marker"}
	}
	var all []string
	switch {
	case v.isList() && !v.schema.Items.Schema.Nullable:
		item := variable("item", depth)
		forms, why := a.forms(v.elem(item), name+"[]", depth+1)
		if why != nil {
			return nil, why
		}
		for _, form := range forms {
			all = append(all, fmt.Sprintf("%s.map(%s, %s)", v.text, item, form))
		}
	case v.isObject():
		for _, l := range v.leaves(false) {
			if why := l.hidden(name); why != nil {
				return nil, why
			}
			if l.presence {
				all = append(all, l.given(v.text))
				continue
			}
			forms, why := a.forms(l.in(v.text), dotted([]string{name}, l.names...), depth)
			if why != nil {
				return nil, why
			}
			for _, form := range forms {
				all = append(all, fmt.Sprintf("%s ? [%s] : []", l.given(v.text), form))
			}
		}
	default:
		l := v.loss(name)
		return nil, &block{fmt.Sprintf("updates from Go may write %s in another form, and rules can't compare what it is in", l.name), "remove the marker"}
	}
	return all, nil
}

// rewritten returns a condition that holds if Go leaves out something of a list or map.
// It reports false if that isn't all that Go does to such values.
func (v value) rewritten(depth int) (string, bool) {
	switch {
	case v.goType.Encoding() != model.Plain, (v.isList() || v.isMap()) && v.elem("").schema.Nullable:
		return "", false
	case v.isList():
		item := variable("item", depth)
		condition, ok := v.elem(item).rewritten(depth + 1)
		return fmt.Sprintf("%s.exists(%s, %s)", v.text, item, condition), ok
	case v.isMap():
		key := variable("key", depth)
		condition, ok := v.elem(v.text + "[" + key + "]").rewritten(depth + 1)
		return fmt.Sprintf("%s.exists(%s, %s)", v.text, key, condition), ok
	case !v.isObject():
		return "", false
	}
	var conditions []string
	for _, l := range v.leaves(false) {
		inner, set := l.in(v.text), selection{root: v.text}.below(l.names...).set()
		zero := inner.isZero(true)
		switch {
		case !l.defaulted && l.hidden("") != nil, l.null, l.neglected && !l.omitted && zero != "":
			return "", false
		case l.presence:
			continue
		case l.neglected && zero != "":
			conditions = append(conditions, and(append(slices.Clip(set), zero)...))
		}
		if inner.loss("") != nil {
			condition, ok := inner.rewritten(depth)
			if !ok {
				return "", false
			}
			conditions = append(conditions, and(append(set, condition)...))
		}
	}
	return or(conditions...), len(conditions) > 0
}

// remedy returns what to do about a loss in a value that costs too much to compare.
func (l *loss) remedy(in value) string {
	const remove = "remove the marker"
	switch {
	case in.isObject(): // of another module
		return remove
	case l.omitted && l.local:
		return "make " + l.name + " a pointer, or " + bound + ", or " + remove
	default:
		return bound + ", or " + remove
	}
}

const bound = "bound the lists and maps in it with +kubebuilder:validation:MaxItems and MaxProperties"

// variable returns the name of a variable inside others.
func variable(name string, depth int) string {
	if depth == 0 {
		return name
	}
	return name + strconv.Itoa(depth+1)
}

// mayFail reports whether to compare a value may fail, or depends on an order that has
// no meaning.
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
		return slices.ContainsFunc(v.leaves(false), func(l leaf) bool { return !l.presence && mayFail(l.in("")) })
	case v.isList():
		atomic := v.schema.XListType == nil || *v.schema.XListType == "atomic"
		return !atomic || mayFail(v.elem(""))
	case v.isMap():
		return mayFail(v.elem(""))
	}
	return false
}

// inParentheses puts a condition in parentheses if it has an operator.
func inParentheses(condition string) string {
	if isJoined(condition) {
		return "(" + condition + ")"
	}
	return condition
}
