package combinations_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
)

// A judgement is what the API server's code and encoding/json say about the values of a cell.
type judgement struct {
	*outcome
	t      testing.TB
	server *apiserver.ObjectValidator
	holder reflect.Type
	// verdicts are by the number of the value, and the first is about an object without the field.
	verdicts []verdict
}

// A verdict is about an object with a value of the field.
type verdict struct {
	value any
	// isPossible is unset if the place can't have the value.
	isPossible bool
	// object is as it was sent, and stored is as the API server has stored it, or nil.
	object, stored map[string]any
	refusals       []apiserver.Refusal
	// decoded is the Go value, unless Go can't read it.
	decoded  reflect.Value
	unread   error
	sent     map[string]any
	unsent   []apiserver.Refusal
	returned reflect.Value
}

// schema returns the schema of the only version of a definition.
func schemaOf(definition *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.JSONSchemaProps {
	return definition.Spec.Versions[0].Schema.OpenAPIV3Schema
}

// judge tries values for the field of a cell. It returns nil if the tests can't be linked with its type.
func judge(t testing.TB, o *outcome, server *apiserver.ObjectValidator, values []any) *judgement {
	holder, err := o.holderType(o.kind.name, o.kind.packages...)
	if err != nil {
		return nil
	}
	j := &judgement{outcome: o, t: t, server: server, holder: holder}
	j.verdicts = append(j.verdicts, j.try(nil, false))
	for _, value := range values {
		j.verdicts = append(j.verdicts, j.try(value, true))
	}
	return j
}

func (j *judgement) try(value any, isSet bool) verdict {
	v := verdict{value: value}
	v.object, v.isPossible = j.object(runtime.DeepCopyJSONValue(value), isSet)
	if !v.isPossible {
		return v
	}
	v.stored, _ = j.server.Read(v.object)
	if v.refusals = j.server.Refusals(context.Background(), v.stored); len(v.refusals) > 0 {
		v.stored = nil
		return v
	}
	around := follow(v.stored, j.path())
	if v.decoded, v.unread = decode(j.holder, around); v.unread != nil {
		return v
	}
	v.sent = runtime.DeepCopyJSON(v.stored)
	if v.unread = j.encode(v.decoded, follow(v.sent, j.path())); v.unread != nil {
		return v
	}
	v.sent, _ = j.server.Read(v.sent)
	if v.unsent = j.server.UpdateRefusals(context.Background(), v.sent, v.stored, false); len(v.unsent) == 0 {
		v.returned, v.unread = decode(j.holder, follow(v.sent, j.path()))
	}
	return v
}

// encode replaces the field in an object by what Go writes.
func (j *judgement) encode(value reflect.Value, holder map[string]any) error {
	if holder == nil { // a status or an initProvider that the object doesn't have
		return nil
	}
	content, err := json.Marshal(value.Interface())
	if err != nil {
		return err
	}
	written := map[string]any{}
	if err := json.Unmarshal(content, &written); err != nil {
		return err
	}
	name, _ := j.names()
	delete(holder, name)
	if field, isWritten := written[name]; isWritten {
		holder[name] = field
	}
	return nil
}

// mirrorRefuses returns what the API server says if what one object desires is observed of another one, which it has stored.
func (j *judgement) mirrorRefuses(stored, object map[string]any) string {
	if stored == nil || object == nil || !j.place.isDesired() {
		return ""
	}
	observed := runtime.DeepCopyJSON(stored)
	observed["status"] = runtime.DeepCopyJSON(map[string]any{"atProvider": object["spec"].(map[string]any)["forProvider"]})
	read, _ := j.server.Read(observed)
	return refusalText(j.server.Refusals(context.Background(), read))
}

// refusalText returns refusals in one line.
func refusalText(refusals []apiserver.Refusal) string {
	var all []string
	for _, r := range refusals {
		all = append(all, r.Field+": "+r.Reason)
	}
	return strings.Join(all, "; ")
}

// shown returns a value as JSON.
func shown(value any) string {
	content, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(content)
}

// shown returns the value that was tried.
func (v *verdict) shown() string {
	if v.value == nil && v.object == nil {
		return "nothing"
	}
	return shown(v.value)
}

// accepts returns the number of values that the API server stores.
func (j *judgement) accepts() (n int) {
	for _, v := range j.verdicts[1:] {
		if v.stored != nil && j.field(v.stored) != nil {
			n++
		}
	}
	return n
}

// field returns the value of the field in an object, or nil.
func (j *judgement) field(object map[string]any) any {
	name, _ := j.names()
	return follow(object, j.path())[name]
}

// isWarned reports whether a warning of the cell, that its base doesn't have, has one of the words.
func isWarned(o, base *outcome, words ...string) bool {
	has := func(o *outcome, message string) bool {
		return slices.ContainsFunc(o.warnings, func(d diagnostic) bool { return generalized(o, d.Message) == message })
	}
	return slices.ContainsFunc(o.warnings, func(d diagnostic) bool {
		if base != nil && has(base, generalized(o, d.Message)) {
			return false
		}
		return len(words) == 0 || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(d.Message, word) })
	})
}

// generalized returns a text without the names of the cell and its kind.
func generalized(o *outcome, text string) string {
	return strings.NewReplacer(o.kind.name, "K", strings.ToLower(o.kind.name), "k", fmt.Sprintf("%05d", o.number), "").Replace(text)
}
