package settings

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/breaking"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/lint"
)

// The tags of YAML scalars, see https://yaml.org/spec/1.2.2/#chapter-10-recommended-schemas.
const (
	tagString = "!!str"
	tagBool   = "!!bool"
	tagInt    = "!!int"
	tagFloat  = "!!float"
	tagNull   = "!!null"
	tagMerge  = "!!merge"
)

// A Value is the target of a setting, with the rules of its type. It takes text from a flag or a scalar in
// mrgen.yaml. It is a pflag.Value.
type Value struct {
	// name is the placeholder in help texts. It is empty for booleans, whose flags need no value.
	name string
	// wants describes a valid value, as in "a whole number".
	wants string
	// tags are the tags of YAML scalars that can hold the value.
	tags []string
	// pattern is a pattern that the text must match, filled is set if it must not be empty, and number has the
	// least and the largest number. set checks them, and the schema declares them.
	pattern string
	filled  bool
	// mayBeEmpty is set if a list may have no items.
	mayBeEmpty bool
	number     *[2]float64
	// choices are all valid texts, or nil if there are too many.
	choices []string
	// list is set if mrgen.yaml has a list of such scalars. Each one is set in turn.
	list bool
	// items is set if mrgen.yaml has a list of mappings. It adds an item at a position, and returns the item's
	// fields.
	items func(at diag.Position) []Setting
	// pairs is set if mrgen.yaml has a mapping whose keys the author chooses. It is called for each key and its
	// text.
	pairs func(key, text placed)
	// at, if not nil, is called with the position of the text that is set next.
	at func(diag.Position)
	// set takes a text, or returns false if the text isn't valid.
	set func(text string) bool
	// get returns the value as text.
	get func() string
}

// kind returns the kind of the YAML node that holds the value.
func (v *Value) kind() yaml.Kind {
	switch {
	case v.list || v.items != nil:
		return yaml.SequenceNode
	case v.pairs != nil:
		return yaml.MappingNode
	default:
		return yaml.ScalarNode
	}
}

// Set takes the text of a flag.
func (v *Value) Set(text string) error {
	if !v.set(text) {
		return errors.New("must be " + v.wants)
	}
	return nil
}

// Choices returns all valid texts, or nil if there are too many.
func (v *Value) Choices() []string { return v.choices }

// String returns the value as text.
func (v *Value) String() string { return v.get() }

// Type returns the name of the value in help texts.
func (v *Value) Type() string {
	if v.name == "" {
		return "bool"
	}
	return v.name
}

// literal returns the value as a literal in mrgen.yaml.
func (v *Value) literal() string {
	switch {
	case v.list:
		var items []string
		for item := range strings.SplitSeq(v.get(), ", ") {
			if item != "" {
				items = append(items, literal(item))
			}
		}
		return "[" + strings.Join(items, ", ") + "]"
	case v.items != nil:
		return "[" + v.get() + "]"
	case v.pairs != nil:
		return "{" + v.get() + "}"
	case slices.Contains(v.tags, tagString):
		return literal(v.get())
	default:
		return v.get()
	}
}

// plain matches texts that YAML reads as text without quotes.
var plain = regexp.MustCompile(`^[A-Za-z./][A-Za-z0-9_./-]*$`)

// literal returns a text as a YAML literal.
func literal(text string) string {
	switch text {
	// YAML 1.1 reads these as other types, and people do, too.
	case "off", "on", "null", "true", "false":
		return strconv.Quote(text)
	}
	if !plain.MatchString(text) {
		return strconv.Quote(text)
	}
	return text
}

// Shown returns the value for people.
func (v *Value) Shown() string {
	switch text := v.get(); {
	case v.list, v.items != nil && text != "":
		return "[" + text + "]"
	case text == "":
		return "none"
	default:
		return text
	}
}

// checkedText returns the value for a text that must be valid.
func checkedText(target *string, name, wants string, valid func(string) bool) *Value {
	return &Value{
		name:  name,
		wants: wants,
		tags:  []string{tagString},
		set: func(text string) bool {
			*target = text
			return valid(text)
		},
		get: func() string { return *target },
	}
}

// matchedText returns the value for a text that must match an expression.
func matchedText(target *string, name, wants string, expression *regexp.Regexp) *Value {
	v := checkedText(target, name, wants, expression.MatchString)
	v.pattern = expression.String()
	return v
}

// Folder is the path of a folder.
func Folder(target *string) *Value {
	v := checkedText(target, "folder", "the path of a folder", func(path string) bool { return path != "" })
	v.filled = true
	return v
}

func folderOrNone(target *string) *Value {
	return checkedText(target, "folder", "the path of a folder, or \"\" for none", func(string) bool { return true })
}

// File is the path of a file, or empty.
func File(target *string) *Value {
	return checkedText(target, "file", "the path of a file, or \"\" for none", func(string) bool { return true })
}

// importPathPattern matches the go command's import paths, except that it allows names that are reserved on
// Windows.
var importPathPattern = regexp.MustCompile(`^[A-Za-z0-9_~+]([A-Za-z0-9._~+-]*[A-Za-z0-9_~+-])?(/[A-Za-z0-9_~+-]([A-Za-z0-9._~+-]*[A-Za-z0-9_~+-])?)*$`)

func importPath(target *string) *Value {
	return matchedText(target, "path", "an import path, such as github.com/example/provider/internal/registry", importPathPattern)
}

// rulesMode is whether rules are enforced.
func rulesMode(target *bool) *Value {
	return mode(target, word[bool]{"enforce", true}, word[bool]{"off", false})
}

// A word stands for a value.
type word[T comparable] struct {
	text  string
	value T
}

// mode is one of a few values, each written as a word.
func mode[T comparable](target *T, words ...word[T]) *Value {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.text)
	}
	return oneOf("mode", texts,
		func(text string) { *target = words[slices.Index(texts, text)].value },
		func() string {
			return texts[max(0, slices.IndexFunc(words, func(w word[T]) bool { return w.value == *target }))]
		})
}

// oneOf is one of a few texts.
func oneOf(name string, texts []string, set func(text string), get func() string) *Value {
	last := len(texts) - 1
	return &Value{
		name:    name,
		wants:   strings.Join(texts[:last], ", ") + " or " + texts[last],
		tags:    []string{tagString},
		choices: texts,
		set: func(text string) bool {
			isKnown := slices.Contains(texts, text)
			if isKnown {
				set(text)
			}
			return isKnown
		},
		get: get,
	}
}

// severity is the severity of a rule's findings.
func severity(of map[string]lint.Severity, r lint.Rule) *Value {
	return oneOf("severity", []string{"off", "hint", "warning", "error"},
		func(word string) { of[r.Name], _ = lint.ParseSeverity(word) },
		func() string {
			if severity, ok := of[r.Name]; ok {
				return severity.String()
			}
			return r.Severity.String()
		})
}

// Choice is one of several words.
func Choice(target *string, name string, words ...string) *Value {
	return oneOf(name, words, func(word string) { *target = word }, func() string { return *target })
}

// kubernetesVersionPattern matches the releases that mrgen supports: 1.31 and later.
var kubernetesVersionPattern = regexp.MustCompile(`^v?1\.(3[1-9]|[4-9][0-9]|[1-9][0-9]{2})(\.[0-9]{1,4})?$`)

// KubernetesVersion is a version such as 1.31. Without quotes, that is a number in YAML, so its text is read:
// 1.40 keeps its zero.
func KubernetesVersion(target *string) *Value {
	v := matchedText(target, "version", "a Kubernetes version, 1.31 or later", kubernetesVersionPattern)
	v.number = &[2]float64{1.31, 1.999}
	v.tags = []string{tagString, tagFloat}
	return v
}

func boolean(target *bool) *Value {
	return parsed(target, "", "true or false", tagBool, strconv.ParseBool)
}

func wholeNumber(target *int) *Value {
	return parsed(target, "number", "a whole number", tagInt, strconv.Atoi)
}

// parsed is a value that a function parses.
func parsed[T any](target *T, name, wants, tag string, parse func(string) (T, error)) *Value {
	return &Value{
		name:  name,
		wants: wants,
		tags:  []string{tag},
		set: func(text string) bool {
			value, err := parse(text)
			*target = value
			return err == nil
		},
		get: func() string { return fmt.Sprint(*target) },
	}
}

// patterns is a list of patterns. The first one replaces the default.
func patterns(target *[]string) *Value {
	isDefault := true
	return &Value{
		name:   "patterns",
		filled: true,
		wants:  "a list of package patterns, such as [./apis/...]",
		tags:   []string{tagString},
		list:   true,
		set: func(text string) bool {
			if isDefault {
				*target, isDefault = nil, false
			}
			*target = append(*target, text)
			return text != ""
		},
		get: func() string { return strings.Join(*target, ", ") },
	}
}

// patternsOrNone is a list of patterns that may be empty.
func patternsOrNone(target *[]string) *Value {
	v := patterns(target)
	v.mayBeEmpty = true
	return v
}

// breakSeverity is the severity of a class of breaking changes.
func breakSeverity(of map[breaking.Class]string, class breaking.Class) *Value {
	words := []string{"error", "warn", "off"}
	return oneOf("severity", words, func(word string) { of[class] = word }, func() string { return cmp.Or(of[class], words[0]) })
}
