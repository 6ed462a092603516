package rules

import (
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
)

// References are equal if they refer to the same object. Their policies only say how they are resolved.

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
		return v.elem(cel.Expr{}).holdsReference()
	case !v.isObject():
		return false
	}
	return slices.ContainsFunc(v.leaves(false), func(l leaf) bool { return !l.presence && l.of(cel.Expr{}).holdsReference() })
}

// referent returns the name that a reference refers to.
func (v value) referent() cel.Expr { return v.expr.Field("name") }

// namespace returns the namespace in a reference, and the condition that it isn't set. It returns neither if the
// references have no namespaces.
func (v value) namespace() (namespace, unset cel.Expr) {
	if _, found := v.schema.Properties["namespace"]; !found {
		return cel.Expr{}, cel.Expr{}
	}
	field := v.expr.Field("namespace")
	return field, cel.Or(cel.Not(field.Has()), cel.Op(field, "==", cel.Text("")))
}

// namespaces returns an expression for a list with the namespace in a reference. The list is empty if the namespace is
// unset.
func (v value) namespaces() []cel.Expr {
	namespace, unset := v.namespace()
	if namespace.IsNone() {
		return nil
	}
	return []cel.Expr{cel.If(unset, cel.List(), cel.List(namespace))}
}

// sameReference returns the conditions that two references refer to the same object.
func (v value) sameReference(old value) []cel.Expr {
	conditions := []cel.Expr{cel.Op(v.referent(), "==", old.referent())}
	// An unset namespace stands for the namespace of the resource, which rules can't read. So it may equal any other.
	if namespace, unset := v.namespace(); !namespace.IsNone() {
		before, wasUnset := old.namespace()
		conditions = append(conditions, cel.Or(unset, wasUnset, cel.Op(namespace, "==", before)))
	}
	return conditions
}

// sameReferences returns the conditions that two lists of references refer to the same, in the
// same order.
func (v value) sameReferences(old value, item cel.Expr) []cel.Expr {
	each := v.elem(item)
	equal := func(to cel.Expr) cel.Expr {
		return cel.Op(v.expr.Method("map", item, to), "==", old.expr.Method("map", item, to))
	}
	conditions := []cel.Expr{equal(each.referent())}
	if _, unset := each.namespace(); !unset.IsNone() {
		none := func(list value) cel.Expr { return list.expr.Method("all", item, unset) }
		conditions = append(conditions, cel.Or(none(v), none(old), equal(each.namespaces()[0])))
	}
	return conditions
}
