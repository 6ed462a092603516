package compare

import (
	"regexp"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// fieldName matches a name in the fieldPath of a rule.
var fieldName = regexp.MustCompile(`\.([^.\[]+)|\['([^']+)'\]`)

// subject returns the field that a transition rule is about: the one in its fieldPath, or the innermost one around
// every field of oldSelf that it reads.
func subject(path schema.Path, new *props, rule apiextensionsv1.ValidationRule) schema.Path {
	var names []string
	for _, match := range fieldName.FindAllStringSubmatch(rule.FieldPath, -1) {
		names = append(names, match[1]+match[2])
	}
	if parsed, ok := cel.Parse(rule.Rule); ok && len(names) == 0 {
		isFirst := true
		for _, chain := range parsed.Chains() {
			if read := chain.Names; chain.Root == "oldSelf" && isFirst {
				names, isFirst = read, false
			} else if chain.Root == "oldSelf" {
				names = names[:common(names, read)]
			}
		}
	}
	if schema.At(new, schema.Properties(names...)) == nil {
		return path
	}
	return slices.Concat(path, schema.Properties(names...))
}

// common returns the length of the common prefix of two lists.
func common(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func isOptional(rule apiextensionsv1.ValidationRule) bool {
	return rule.OptionalOldSelf != nil && *rule.OptionalOldSelf
}

// follow returns the place at the names that a rule reads.
func follow(s *props, names []string) schema.Cursor {
	return schema.Cursor{Schema: s}.Follow(schema.Properties(names...))
}
