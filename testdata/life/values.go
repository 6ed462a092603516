package life

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// An edit is a field of spec.forProvider that a user can change, with valid values: the second and later ones differ from
// the first, each in one field of an item if they are lists of objects.
type edit struct {
	path   []string
	values []any
	// large is a number of more than 32 bits, nil if there is none.
	large any
	// isSet is set for lists without order, isOptional for fields that can be removed, isFixed for those that can be set once, and
	// isLeftOut for those that the kind is without.
	isSet, isOptional, isFixed, isLeftOut bool
}

// in returns a copy of a spec in which the field has a value, or none if that is nil.
func (e edit) in(spec map[string]any, value any) map[string]any {
	spec = runtime.DeepCopyJSON(spec)
	path := append([]string{"forProvider"}, e.path...)
	if value == nil {
		unstructured.RemoveNestedField(spec, path...)
	} else {
		_ = unstructured.SetNestedField(spec, runtime.DeepCopyJSONValue(value), path...) // structs
	}
	return spec
}

// String returns the path.
func (e edit) String() string { return strings.Join(e.path, ".") }

// below returns the path of the field in one of a document: in that of its name, or in an envelope around it.
func (e edit) below(field string) []string {
	if same(field, e.path[0]) {
		return e.path[1:]
	}
	return e.path
}

// editsOf returns the edits that the schema of an object allows. They begin with the values of the example.
func (l *life) editsOf(of, example map[string]any, path ...string) (all []edit) {
	properties, _ := of["properties"].(map[string]any)
	for _, f := range slices.Sorted(maps.Keys(properties)) {
		s, _ := properties[f].(map[string]any)
		e := edit{path: append(slices.Clone(path), f), isOptional: !isRequired(of, f)}
		if reason := cmp.Or(l.reason(e.String()), l.reason("edits of "+e.String())); reason != "" {
			l.without("edits of "+e.String(), "%s", reason)
			e.isLeftOut = true
		}
		switch {
		case isReference(properties, f):
			continue
		case l.Edits[e.String()] != nil:
			e.values, _ = document(map[string]any{f: l.Edits[e.String()]})[f].([]any) // with the numbers of JSON
		case s["type"] == "object" && s["properties"] != nil:
			given, _ := example[f].(map[string]any)
			for _, field := range l.editsOf(s, given, e.path...) {
				field.isLeftOut = field.isLeftOut || e.isLeftOut
				all = append(all, field)
			}
			continue
		default:
			e.values, e.large = from(example[f], valuesOf(s)), largeOf(s)
		}
		if len(e.values) < 2 {
			if !e.isLeftOut {
				l.without("edits of "+e.String(), "its schema doesn't tell two values: give them in Edits")
			}
			continue
		}
		kind := s["x-kubernetes-list-type"]
		e.isSet = kind == "set" || kind == "map"
		all = append(all, e)
	}
	return all
}

// from returns values that begin with that of the example, if it is neither a list nor a map.
func from(example any, values []any) []any {
	switch example.(type) {
	case nil, []any, map[string]any:
		return values
	}
	if i := slices.Index(values, example); i >= 0 {
		values = slices.Delete(values, i, i+1)
	}
	return slices.Insert(values, 0, example)
}

// isReference reports whether a property refers to a secret or another resource: the steps for these set it.
func isReference(properties map[string]any, f string) bool {
	s, _ := properties[f].(map[string]any)
	if items, ok := s["items"].(map[string]any); ok {
		s = items
	}
	fields, _ := s["properties"].(map[string]any)
	isSelector := fields["matchLabels"] != nil || fields["matchControllerRef"] != nil
	return isSelector || isSecretReference(f, s) || fields["policy"] != nil && fields["name"] != nil
}

func isSecretReference(f string, s map[string]any) bool {
	fields, _ := s["properties"].(map[string]any)
	return strings.HasSuffix(strings.ToLower(f), "secretref") && fields["key"] != nil && fields["name"] != nil
}

func isRequired(of map[string]any, f string) bool {
	required, _ := of["required"].([]any)
	return slices.Contains(required, any(f))
}

// many is the number of entries in the largest value of a map.
const many = 50

// valuesOf returns different values that a schema allows.
func valuesOf(s map[string]any) []any {
	values := []any{valueOf(s, 0), valueOf(s, 1)}
	if values[0] == nil || reflect.DeepEqual(values[0], values[1]) {
		return nil
	}
	items, _ := s["items"].(map[string]any)
	fields, _ := items["properties"].(map[string]any)
	if entries, _ := s["additionalProperties"].(map[string]any); entries != nil {
		all := map[string]any{"both": valueOf(entries, 0)} // more than an API may take at once
		for n := range min(many, int(number(s["maxProperties"], many))-1) {
			all[fmt.Sprintf("k%d", n)] = valueOf(entries, n)
		}
		changed := maps.Clone(all)
		changed["both"] = valueOf(entries, 1)
		values = append(values, all, changed, all) // each only adds, changes or, at the end, removes entries
	}
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		field, _ := fields[f].(map[string]any)
		list, _ := valueOf(s, 0).([]any)
		if other := valueOf(field, 1); other != nil && len(list) > 0 && !isKey(s, f) {
			list[0].(map[string]any)[f] = other
			values = append(values, list)
		}
	}
	if fields != nil { // other items, without what they can lack
		first, others := requiredOf(s, 0), requiredOf(s, 2)
		if len(first) > 0 && !reflect.DeepEqual(first[0], others[0]) {
			values = append(values, others)
		}
	}
	if list, _ := values[1].([]any); len(list) > 1 && isOrdered(s) {
		reversed := slices.Clone(list)
		slices.Reverse(reversed)
		values = append(values, reversed)
	}
	if empty := emptyOf(s); empty != nil {
		values = append(values, empty)
	}
	return values
}

// isOrdered reports whether the order of a list counts.
func isOrdered(s map[string]any) bool { return s["x-kubernetes-list-type"] == "atomic" }

// emptyOf returns an empty text, list or map if a schema allows it, nil otherwise.
func emptyOf(s map[string]any) any {
	for _, keyword := range []string{"enum", "pattern", "format", "minLength", "minItems", "minProperties", "properties"} {
		if s[keyword] != nil {
			return nil
		}
	}
	switch s["type"] {
	case "string":
		return ""
	case "array":
		return []any{}
	case "object":
		return map[string]any{}
	}
	return nil
}

// requiredOf returns a list of objects that have only the required fields.
func requiredOf(s map[string]any, n int) []any {
	list, _ := valueOf(s, n).([]any)
	items, _ := s["items"].(map[string]any)
	for _, item := range list {
		maps.DeleteFunc(item.(map[string]any), func(f string, _ any) bool { return !isRequired(items, f) && !isKey(s, f) })
	}
	return list
}

// isKey reports whether a field tells the items of a list apart.
func isKey(list map[string]any, f string) bool {
	keys, _ := list["x-kubernetes-list-map-keys"].([]any)
	return slices.Contains(keys, any(f))
}

// valueOf returns one of the values that a schema allows, nil if it doesn't tell.
func valueOf(s map[string]any, n int) any {
	if enum, _ := s["enum"].([]any); len(enum) > 0 {
		return enum[n%len(enum)]
	}
	if s["x-kubernetes-int-or-string"] == true {
		return int64(n + 1)
	}
	switch s["type"] {
	case "string":
		return textOf(s, n)
	case "integer":
		if value := numberOf(s, n); value == math.Trunc(value) {
			return int64(value)
		}
	case "number":
		return numberOf(s, n)
	case "boolean":
		return n%2 == 0
	case "array":
		items, _ := s["items"].(map[string]any)
		list := []any{}
		for i := range max(int(number(s["minItems"], 0)), min(2, int(number(s["maxItems"], 2)))) {
			if item := valueOf(items, n+i); item != nil {
				list = append(list, item)
			}
		}
		if isOrdered(s) { // and isn't the ascending one, which some controllers sort it to
			slices.Reverse(list)
		}
		return list
	case "object":
		return objectOf(s, n)
	}
	return nil
}

func objectOf(s map[string]any, n int) any {
	o := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	for _, f := range slices.Sorted(maps.Keys(properties)) {
		field, _ := properties[f].(map[string]any)
		if value := valueOf(field, n); value != nil && !isReference(properties, f) {
			o[f] = value
		}
	}
	if of, _ := s["additionalProperties"].(map[string]any); of != nil {
		o[fmt.Sprintf("k%d", n)], o["both"] = valueOf(of, n), valueOf(of, 0)
	}
	return o
}

// textOf returns a text, nil if the schema has a pattern, which the author must give values for.
func textOf(s map[string]any, n int) any {
	var value string
	switch s["format"] {
	case "date-time":
		value = fmt.Sprintf("2031-01-0%dT00:00:00Z", n%8+1)
	case "date":
		value = fmt.Sprintf("2031-01-0%d", n%8+1)
	case "duration":
		value = fmt.Sprintf("%ds", n+1)
	case "ipv4", "ip":
		value = fmt.Sprintf("192.0.2.%d", n+1)
	case "ipv6":
		value = fmt.Sprintf("2001:db8::%d", n+1)
	case "cidr":
		value = fmt.Sprintf("10.%d.0.0/16", n)
	case "uuid":
		value = fmt.Sprintf("00000000-0000-4000-8000-00000000000%d", n%10)
	case "uri":
		value = fmt.Sprintf("https://%d.example.org", n)
	case "byte":
		value = encoded(fmt.Sprintf("life-%d", n))
	case nil, "":
		if s["pattern"] != nil {
			return nil
		}
		value = string(rune('a'+n%26)) + "-life"
		if most := int(number(s["maxLength"], 63)); most < len(value) {
			value = value[:most]
		}
		value += strings.Repeat("x", max(0, int(number(s["minLength"], 0))-len(value)))
	default:
		return nil
	}
	return value
}

// largeOf returns a number of more than 32 bits, nil if the schema allows none.
func largeOf(s map[string]any) any {
	if value, _ := valueOf(s, math.MaxUint32).(int64); value > math.MaxUint32 && s["format"] != "int32" {
		return value
	}
	return nil
}

func numberOf(s map[string]any, n int) float64 {
	step := number(s["multipleOf"], 1)
	least := math.Ceil(number(s["minimum"], 1)/step) * step
	if s["minimum"] == nil {
		least = min(step, number(s["maximum"], 5*step)-4*step)
	}
	if s["exclusiveMinimum"] == true || least == 0 { // zero is what an unset field may be sent as
		least += step
	}
	return min(least+float64(n)*step, number(s["maximum"], math.MaxFloat64))
}

func number(value any, otherwise float64) float64 {
	switch value := value.(type) {
	case int64:
		return float64(value)
	case float64:
		return value
	}
	return otherwise
}

// text returns a value as JSON.
func text(value any) string {
	content, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(content)
}

// isEmpty reports whether a value says nothing.
func isEmpty(value any) bool {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Map, reflect.Slice:
		return v.Len() == 0
	}
	return v.IsZero() || value == "0001-01-01T00:00:00Z"
}

// isHollow reports whether an object has empty values alone, at any depth, which a status leaves out.
func isHollow(value any) bool {
	fields, isObject := value.(map[string]any)
	for _, inner := range fields {
		isObject = isObject && (isEmpty(inner) || isHollow(inner))
	}
	return isObject
}

// leaveOut removes the field at a path from a document, from an object in it if that is there.
func leaveOut(d map[string]any, path []string) {
	for name, value := range d {
		within, isObject := value.(map[string]any)
		switch {
		case !same(name, path[0]):
		case isObject && len(path) > 1:
			leaveOut(within, path[1:])
		default:
			delete(d, name)
		}
	}
}

// same reports whether two names are one in the spellings of Kubernetes and of APIs.
func same(a, b string) bool { return strings.EqualFold(plain.Replace(a), plain.Replace(b)) }

var plain = strings.NewReplacer("_", "", "-", "")

// lookup returns the field of a document with a name, nil if there is none.
func lookup(d map[string]any, name string) any {
	if value, found := d[name]; found {
		return value
	}
	for _, key := range slices.Sorted(maps.Keys(d)) {
		if same(key, name) {
			return d[key]
		}
	}
	return nil
}

// lookupPath returns what stands at a path in a document, as far as its objects lead there.
func lookupPath(d map[string]any, name string, below ...string) any {
	value := lookup(d, name)
	if within, isObject := value.(map[string]any); isObject && len(below) > 0 && lookup(within, below[0]) != nil {
		return lookupPath(within, below[0], below[1:]...)
	}
	return value
}

// leavesOut reports whether nothing stands at a path in a document, as APIs do with what is empty.
func leavesOut(d map[string]any, name string, below ...string) bool {
	value := lookup(d, name)
	within, isObject := value.(map[string]any)
	return value == nil || isObject && len(below) > 0 && leavesOut(within, below[0], below[1:]...)
}

// withoutMarks returns a map, or a list of its entries, without those that say whose an external resource is, and the API's own.
func (l *life) withoutMarks(value any) any {
	isMark := func(key any) bool {
		isPrefix := func(prefix string) bool { return strings.HasPrefix(fmt.Sprint(key), prefix) }
		return isPrefix("crossplane-") || slices.ContainsFunc(l.OwnEntries, isPrefix)
	}
	switch value := value.(type) {
	case map[string]any:
		entries := maps.Clone(value)
		maps.DeleteFunc(entries, func(key string, _ any) bool { return isMark(key) })
		return entries
	case []any:
		return slices.DeleteFunc(slices.Clone(value), func(item any) bool {
			fields, _ := item.(map[string]any)
			return slices.ContainsFunc(slices.Collect(maps.Values(fields)), isMark)
		})
	}
	return value
}

// holds reports whether a value has what another one has. It may have more fields, other cases and another order.
func holds(has, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		if items, isList := has.([]any); isList {
			return isEntries(items, want)
		}
		fields, ok := has.(map[string]any)
		for name, value := range want {
			shown := lookup(fields, name)
			isLeftOut := shown == nil && (isEmpty(value) || isHollow(value)) // as APIs do with what is empty
			ok = ok && (isLeftOut || holds(shown, value))
		}
		return ok
	case []any:
		if entries, isMap := has.(map[string]any); isMap {
			return isEntries(want, entries)
		}
		items, ok := has.([]any)
		for _, value := range want {
			ok = ok && slices.ContainsFunc(items, func(item any) bool { return holds(item, value) })
		}
		return ok && len(items) == len(want)
	}
	if fields, ok := has.(map[string]any); ok {
		return holds(lookup(fields, "id"), want) // another object, which spec has the ID of
	}
	a, b := strings.Trim(text(has), `"`), strings.Trim(text(want), `"`)
	for _, pair := range [][2]string{{a, b}, {b, a}} { // of which Kubernetes writes one
		at, err := time.Parse(time.RFC3339, pair[0])
		if other, isTime := instant(pair[1]); err == nil && isTime {
			return at.Unix() == other.Unix()
		}
	}
	for _, pair := range [][2]string{{a, b}, {b, a}} { // a duration, which Go's JSON has in nanoseconds
		number, err := time.ParseDuration(pair[0] + "ns")
		if written, other := time.ParseDuration(pair[1]); err == nil && other == nil {
			return number == written
		}
	}
	_, isText := has.(string)
	isWhole := isText && (strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")) // a version, which APIs complete
	return strings.EqualFold(a, b) || isWhole || isPart(a, b) || isPart(b, a)
}

// instant returns the time that a text has in one of the forms of APIs, such as the seconds or milliseconds since 1970.
func instant(text string) (at time.Time, isTime bool) {
	for _, layout := range []string{time.RFC3339, time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC, "2006-01-02T15:04:05", time.DateTime} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	const mostSeconds = 100_000_000_000 // of the year 5138
	number, err := strconv.ParseFloat(text, 64)
	if number > mostSeconds {
		number /= 1000
	}
	return time.Unix(int64(number), 0), err == nil
}

// inSameOrder reports whether the items of two lists are the same one by one. Other values are.
func inSameOrder(a, b any) bool {
	items, isList := a.([]any)
	others, _ := b.([]any)
	return !isList || slices.EqualFunc(items, others, holds)
}

// isPart reports whether a text is an ID or name, and another one the URL or ARN that ends with it or contains it.
func isPart(name, path string) bool {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == ':' })
	return len(name) > 2 && len(parts) > 1 && slices.ContainsFunc(parts[1:], func(part string) bool { return strings.EqualFold(name, part) })
}

// isReordered reports whether two texts have the same letters.
func isReordered(a, b string) bool {
	return slices.Equal(slices.Sorted(slices.Values([]byte(a))), slices.Sorted(slices.Values([]byte(b))))
}

// isEntries reports whether the items of a list, such as {"key": "a", "value": "b"}, are the entries of a map.
func isEntries(items []any, entries map[string]any) bool {
	for key, value := range entries {
		if !slices.ContainsFunc(items, func(item any) bool {
			fields, _ := item.(map[string]any)
			parts := slices.Collect(maps.Values(fields))
			return slices.ContainsFunc(parts, func(part any) bool { return part == key }) &&
				slices.ContainsFunc(parts, func(part any) bool { return holds(part, value) })
		}) {
			return false
		}
	}
	return len(items) == len(entries)
}

// inOrder sorts the lists in a value, apart from those whose order counts by a schema, which may be nil.
func inOrder(value any, s map[string]any) {
	switch value := value.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for name, field := range value {
			switch field.(type) {
			case map[string]any, []any:
				of, _ := lookup(properties, name).(map[string]any)
				inOrder(field, of)
			}
		}
	case []any:
		items, _ := s["items"].(map[string]any)
		for _, item := range value {
			inOrder(item, items)
		}
		if !isOrdered(s) {
			slices.SortFunc(value, func(a, b any) int { return strings.Compare(text(a), text(b)) })
		}
	}
}

// shownBy returns a value without the fields that a schema lacks in any spelling, at any depth. A schema without fields has all.
func shownBy(s map[string]any, value any) any {
	properties, _ := s["properties"].(map[string]any)
	items, _ := s["items"].(map[string]any)
	switch value := value.(type) {
	case map[string]any:
		if properties == nil {
			return value
		}
		shown := map[string]any{}
		for name, field := range value {
			if of, isShown := lookup(properties, name).(map[string]any); isShown {
				shown[name] = shownBy(of, field)
			}
		}
		return shown
	case []any:
		shown := slices.Clone(value)
		for i, item := range value {
			shown[i] = shownBy(items, item)
		}
		return shown
	}
	return value
}

// changed returns the fields in which documents differ.
func changed(a, b Document) []string {
	var names []string
	for name := range b {
		if !reflect.DeepEqual(a[name], b[name]) {
			names = append(names, name)
		}
	}
	for name := range a {
		if _, found := b[name]; !found && a[name] != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// mentions reports whether a text is somewhere in a document, encoded or not.
func mentions(d any, value string) bool {
	return value != "" && (strings.Contains(text(d), strings.Trim(text(value), `"`)) || strings.Contains(text(d), encoded(value)))
}

func encoded(value string) string { return base64.StdEncoding.EncodeToString([]byte(value)) }

func decoded(value string) string {
	content, _ := base64.StdEncoding.DecodeString(value) // the API server accepts no other text
	return string(content)
}
