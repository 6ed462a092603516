// Package kept has the functions that generated conversions call, whatever the types: they
// are copied beside these, since API packages import no library for this.
package kept

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// keptPrefix is that of the annotations that hold what conversions would lose. The rest of
// the name is the version that has it.
const keptPrefix = "conversion.mrgen.io/"

// maxAnnotations is the number of bytes that all annotations of an object may have.
const maxAnnotations = 256 << 10

// A place is a part of objects that another version may have no place for.
type place struct {
	// whole is set if the value there may be lost or changed as a whole, and missing if the other
	// version has none, and nothing that is in it.
	whole, missing bool
	// fields has the places in an object, by name, and values that in each value of a map.
	fields map[string]place
	values *place
	// items is the place in each item of a list, which is found by its keys; without keys it
	// is that in the first one.
	items *place
	keys  []string
}

// A keptVersion is what an annotation has: values of a version, by their paths.
type keptVersion struct {
	// name is that of the annotation.
	name string
	// NotIn is the version that has no place for them.
	NotIn  string               `json:"notIn"`
	Values map[string]keptValue `json:"values"`
}

// A keptValue is one that a conversion would lose.
type keptValue struct {
	Value any `json:"value"`
	// Of is the hash of the value that conversion gives in its place. If that has changed, it
	// counts, and not the one that was kept. It is empty if there is none.
	Of string `json:"of,omitempty"`
}

// keep sets an annotation of dst, an object of the version notIn, to what src, an object of
// another version, has and lacks after it was converted to dst and back.
func keep(dst v1.Object, version, notIn string, src, back any, places place) {
	kept := keptVersion{name: keptPrefix + version, NotIn: notIn, Values: map[string]keptValue{}}
	places.lost(kept.Values, "", treeOf(src), treeOf(back))
	annotations := maps.Clone(dst.GetAnnotations())
	if annotations == nil && len(kept.Values) > 0 {
		annotations = map[string]string{}
	}
	delete(annotations, kept.name)
	kept.setIn(annotations)
	dst.SetAnnotations(annotations)
}

// setIn adds the annotation, as far as there is space. Short values come first, so that a long
// one displaces no others.
func (k keptVersion) setIn(annotations map[string]string) {
	size := func(v any) int {
		content, _ := json.Marshal(v)
		return len(content)
	}
	sizes := map[string]int{}
	for path, value := range k.Values {
		sizes[path] = size(path) + size(value) + len(":,")
	}
	left := maxAnnotations - len(k.name) - size(keptVersion{NotIn: k.NotIn, Values: map[string]keptValue{}})
	for name, value := range annotations {
		left -= len(name) + len(value)
	}
	for _, path := range slices.SortedFunc(maps.Keys(sizes), func(a, b string) int { return cmp.Or(cmp.Compare(sizes[a], sizes[b]), cmp.Compare(a, b)) }) {
		if left -= sizes[path]; left < 0 {
			delete(k.Values, path)
		}
	}
	if content, err := json.Marshal(k); err == nil && len(k.Values) > 0 {
		annotations[k.name] = string(content)
	}
}

// treeOf returns a value as JSON has it, in which numbers are text.
func treeOf(value any) any {
	var tree any
	if content, err := json.Marshal(value); err != nil || decodeTree(content, &tree) != nil {
		return nil
	}
	return tree
}

// decodeTree decodes JSON, and leaves numbers as they are written.
func decodeTree(content []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// hashOf returns the hash of a value, which is empty if there is none.
func hashOf(tree any) string {
	content, err := json.Marshal(tree)
	if err != nil || tree == nil {
		return ""
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// lost adds the values that differ between an object and what came back, by their paths.
func (p place) lost(values map[string]keptValue, path string, src, back any) {
	if reflect.DeepEqual(src, back) {
		return
	}
	var inside bool
	switch src := src.(type) {
	case map[string]any:
		if back, ok := back.(map[string]any); ok {
			inside = p.fields != nil || p.values != nil
			for name, value := range src {
				if below, ok := p.field(name); ok {
					below.lost(values, pathBelow(path, name), value, back[name])
				}
			}
			for name, value := range back {
				if below, ok := p.field(name); ok && src[name] == nil {
					below.lost(values, pathBelow(path, name), nil, value)
				}
			}
		}
	case []any:
		if back, ok := back.([]any); ok && p.items != nil {
			inside = len(p.keys) > 0 || len(src) == len(back)
			others := p.names(back)
			for i, name := range p.names(src) {
				if other := slices.Index(others, name); other >= 0 {
					p.items.lost(values, pathBelow(path, name), src[i], back[other])
				}
			}
		}
	}
	if (p.whole || p.missing) && !inside {
		values[path] = keptValue{Value: src, Of: hashOf(back)}
	}
}

// field returns the place in a field of an object, or in a value of a map.
func (p place) field(name string) (place, bool) {
	if p.values != nil {
		return *p.values, true
	}
	below, ok := p.fields[name]
	return below, ok
}

// names returns names for the items of a list: their keys, and a number where these are the
// same; without keys only that of the first item.
func (p place) names(list []any) []string {
	if len(p.keys) == 0 {
		return slices.Repeat([]string{"0"}, min(1, len(list)))
	}
	var names []string
	seen := map[string]int{}
	for _, item := range list {
		object, _ := item.(map[string]any)
		keys := make([]any, len(p.keys))
		for i, key := range p.keys {
			keys[i] = object[key]
		}
		content, _ := json.Marshal(keys)
		name := string(content)
		if seen[name]++; seen[name] > 1 {
			name += strconv.Itoa(seen[name])
		}
		names = append(names, name)
	}
	return names
}

// pathBelow returns the JSON pointer to a part of a value.
func pathBelow(path, name string) string {
	return path + "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
