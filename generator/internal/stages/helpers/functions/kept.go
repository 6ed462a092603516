package functions

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	v1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// stashPrefix is that of the annotations that hold what conversions would lose. The rest of
// the name is the version that has it.
const stashPrefix = "conversion.mrgen.io/"

// maxAnnotations is the number of bytes that all annotations of an object may have.
const maxAnnotations = 256 << 10

// A LossyField is a part of objects for which another version may have no place.
type LossyField struct {
	// Whole is set if the value there may be lost or changed as a whole, and Missing if the other
	// version has none, and nothing that is in it. A secret is never kept.
	Whole, Missing, Secret bool
	// Fields has the places in an object, by name, and Values that in each value of a map.
	Fields map[string]LossyField
	Values *LossyField
	// Items is the place in each item of a list, which is found by its keys; without keys it
	// is that in the first one.
	Items *LossyField
	Keys  []string
}

// A stash is what an annotation has: values of a version, by their paths.
type stash struct {
	// name is that of the annotation.
	name string
	// NotIn is the version that has no place for them.
	NotIn  string                  `json:"notIn"`
	Values map[string]stashedValue `json:"values"`
}

// A stashedValue is one that a conversion would lose.
type stashedValue struct {
	Value any `json:"value"`
	// Of is the hash of the value that conversion gives in its place. If that has changed, it
	// counts, and not the one that was kept. It is empty if there is none.
	Of string `json:"of,omitempty"`
}

// Keep sets an annotation of dst, an object of the version notIn, to what src, an object of
// another version, has and lacks after it was converted to dst and back. It fails if it can't keep
// all of that.
func Keep(dst v1.Object, version, notIn string, src, back any, places LossyField) error {
	stashed := stash{name: stashPrefix + version, NotIn: notIn, Values: map[string]stashedValue{}}
	if secrets := places.lost(stashed.Values, "", treeOf(src), treeOf(back)); len(secrets) > 0 {
		slices.Sort(secrets)
		return fmt.Errorf("the conversion from %s to %s changes %s, which may be secret, so that no annotation keeps it", version, notIn, strings.Join(secrets, ", "))
	}
	annotations := maps.Clone(dst.GetAnnotations())
	if annotations == nil && len(stashed.Values) > 0 {
		annotations = map[string]string{}
	}
	delete(annotations, stashed.name)
	dst.SetAnnotations(annotations)
	return stashed.setIn(annotations)
}

// setIn adds the annotation, if there is anything to keep. It fails if there is no space for it.
func (k stash) setIn(annotations map[string]string) error {
	if len(k.Values) == 0 {
		return nil
	}
	content, err := json.Marshal(k)
	if err != nil {
		return err
	}
	left := maxAnnotations - len(k.name) - len(content)
	for name, value := range annotations {
		left -= len(name) + len(value)
	}
	if left < 0 {
		return fmt.Errorf("%s has no place for %s of %s, and the annotations that keep the values would exceed the %d bytes that an object may have by %d: shorten them",
			k.NotIn, k.longest(-left), strings.TrimPrefix(k.name, stashPrefix), maxAnnotations, -left)
	}
	annotations[k.name] = string(content)
	return nil
}

// longest names the longest values, as many as have a number of bytes, but ten at most.
func (k stash) longest(size int) string {
	sizes := map[string]int{}
	for path, value := range k.Values {
		content, _ := json.Marshal(value)
		sizes[path] = len(content)
	}
	var longest []string
	for _, path := range slices.SortedFunc(maps.Keys(sizes), func(a, b string) int { return cmp.Or(cmp.Compare(sizes[b], sizes[a]), cmp.Compare(a, b)) }) {
		if size > 0 && len(longest) < 10 {
			longest = append(longest, path)
			size -= sizes[path]
		}
	}
	return strings.Join(longest, ", ")
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

// lost adds the values that differ between an object and what came back, by their paths. It
// returns the paths of those among them that are secret.
func (p LossyField) lost(values map[string]stashedValue, path string, src, back any) (secrets []string) {
	if reflect.DeepEqual(src, back) {
		return nil
	}
	below := func(p LossyField, name string, src, back any) {
		secrets = append(secrets, p.lost(values, pathBelow(path, name), src, back)...)
	}
	var inside bool
	switch src := src.(type) {
	case map[string]any:
		if back, ok := back.(map[string]any); ok {
			inside = p.Fields != nil || p.Values != nil
			for name, value := range src {
				if field, ok := p.field(name); ok {
					below(field, name, value, back[name])
				}
			}
			for name, value := range back {
				if field, ok := p.field(name); ok && src[name] == nil {
					below(field, name, nil, value)
				}
			}
		}
	case []any:
		if back, ok := back.([]any); ok && p.Items != nil {
			inside = len(p.Keys) > 0 || len(src) == len(back)
			others := p.names(back)
			for i, name := range p.names(src) {
				if other := slices.Index(others, name); other >= 0 {
					below(*p.Items, name, src[i], back[other])
				}
			}
		}
	}
	switch {
	case inside || !p.Whole && !p.Missing:
	case p.holdsSecret(src):
		secrets = append(secrets, path)
	default:
		values[path] = stashedValue{Value: src, Of: hashOf(back)}
	}
	return secrets
}

// holdsSecret reports whether a value has a secret that is not empty.
func (p LossyField) holdsSecret(value any) bool {
	if p.Secret {
		return !isEmpty(value)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, value := range value {
			if below, ok := p.field(name); ok && below.holdsSecret(value) {
				return true
			}
		}
	case []any:
		return p.Items != nil && slices.ContainsFunc(value, p.Items.holdsSecret)
	}
	return false
}

// isEmpty reports whether a value has nothing but what Go has where nobody has set anything.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for _, value := range value {
			if !isEmpty(value) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(value, func(item any) bool { return !isEmpty(item) })
	default:
		return value == nil || value == "" || value == false || value == json.Number("0")
	}
}

// field returns the place in a field of an object, or in a value of a map.
func (p LossyField) field(name string) (LossyField, bool) {
	if p.Values != nil {
		return *p.Values, true
	}
	below, ok := p.Fields[name]
	return below, ok
}

// names returns names for the items of a list: their keys, and a number where these are the
// same; without keys only that of the first item.
func (p LossyField) names(list []any) []string {
	switch {
	case len(list) == 0:
		return nil
	case len(p.Keys) == 0:
		return []string{"0"}
	}
	var names []string
	seen := map[string]int{}
	for _, item := range list {
		object, _ := item.(map[string]any)
		keys := make([]any, len(p.Keys))
		for i, key := range p.Keys {
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
