package rules

import (
	"fmt"
	"slices"
)

// References are compared by what they refer to. Their policies say how they are resolved.

// isReference reports whether a value is a reference to another managed resource.
func (v value) isReference() bool {
	return isReference(v.goType) && v.isObject() && slices.Contains(v.schema.Required, "name")
}

// holdsReference reports whether a value is a reference, or has one in it.
func (v value) holdsReference() bool {
	switch {
	case v.isReference():
		return true
	case v.isList(), v.isMap():
		return v.elem("").holdsReference()
	case !v.isObject():
		return false
	}
	return slices.ContainsFunc(v.leaves(false), func(l leaf) bool { return !l.presence && l.of("").holdsReference() })
}

// referent returns the name of what a reference refers to.
func (v value) referent() selection { return selection{root: v.text}.below("name") }

// namespace returns the namespace in a reference, and the condition that it isn't set. Without
// one the reference is to the namespace of the resource, which rules can't read. There are none if
// resources have no namespaces.
func (v value) namespace() (namespace, unset string) {
	if _, found := v.schema.Properties["namespace"]; !found {
		return "", ""
	}
	field := selection{root: v.text}.below("namespace")
	return field.String(), or(not(field.has()), field.String()+" == ''")
}

// namespaces returns an expression that is a list with the namespace in a reference, if there is
// one.
func (v value) namespaces() []string {
	namespace, unset := v.namespace()
	if namespace == "" {
		return nil
	}
	return []string{fmt.Sprintf("%s ? [] : [%s]", unset, namespace)}
}

// sameReference returns the conditions that two references refer to the same. A namespace that
// only one of them has is taken for that of the resource.
func (v value) sameReference(old value) []string {
	conditions := []string{v.referent().String() + " == " + old.referent().String()}
	if namespace, unset := v.namespace(); namespace != "" {
		before, wasUnset := old.namespace()
		conditions = append(conditions, or(unset, wasUnset, namespace+" == "+before))
	}
	return conditions
}

// sameReferences returns the conditions that two lists of references refer to the same, in the
// same order.
func (v value) sameReferences(old value, item string) []string {
	each := v.elem(item)
	mapped := func(list value, to string) string { return fmt.Sprintf("%s.map(%s, %s)", list.text, item, to) }
	equal := func(to string) string { return mapped(v, to) + " == " + mapped(old, to) }
	conditions := []string{equal(each.referent().String())}
	if _, unset := each.namespace(); unset != "" {
		none := func(list value) string { return fmt.Sprintf("%s.all(%s, %s)", list.text, item, unset) }
		conditions = append(conditions, or(none(v), none(old), equal(each.namespaces()[0])))
	}
	return conditions
}
