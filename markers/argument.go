package markers

import (
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Values returns the values that the argument accepts, or nil if they can't be listed.
func (a *Argument) Values() []string {
	if a.Type == Boolean {
		return []string{"true", "false"}
	}
	return a.Choices
}

// check returns "" if the argument accepts the text, and otherwise how to correct it.
func (a *Argument) check(text string) (remedy string) {
	if choices := a.Values(); choices != nil {
		if slices.Contains(choices, text) {
			return ""
		}
		// A typo gets its correction; a list of all choices would bury it.
		return Remedy(text, choices, "write "+Or(choices))
	}
	switch a.Type {
	case Text, Line:
		if strings.TrimSpace(text) == "" || !utf8.ValidString(text) {
			return "write text in UTF-8 that is not empty, such as " + a.Example
		}
	case SecretKey:
		if !isSecretKey(text) {
			return "write the key of a Secret, which has at most 253 letters, digits, hyphens, dots and underscores, such as " + a.Example
		}
	case SecretKeyPattern:
		if before, after, found := strings.Cut(text, "*"); !found || !isSecretKey(before+"x"+after) {
			return "write the keys of a Secret with one asterisk for what varies, such as " + a.Example
		}
	case GoType:
		if !isGoName(text) {
			return "write the name of a Go type, such as " + a.Example + " or example.org/apis/ec2." + a.Example
		}
	case GoCall:
		if _, ok := ParseGoCall(text); !ok {
			return "write the call of a Go function with literals or constants, such as " + a.Example +
				` or example.org/apis/ec2.Attribute("id", true)`
		}
	case GoField:
		if !token.IsIdentifier(text) {
			return "write the Go name of a field, such as " + a.Example
		}
	case GoIdentifier:
		if !token.IsIdentifier(text) {
			return "write a Go name, such as " + a.Example
		}
	case JSONPath:
		version, names := ParseJSONPath(text)
		// A colon needs a version before it.
		if slices.Contains(names, "") || version == "" && strings.Contains(text, ":") {
			return "write JSON names with dots between them, such as " + a.Example
		}
	case JSONFields:
		names := strings.Split(text, ";")
		slices.Sort(names)
		switch {
		case len(names) < 2 || names[0] == "": // one field alone is no alternative
			return "write the JSON names of two fields or more, separated by semicolons, such as " + a.Example
		case len(slices.Compact(names)) < len(names):
			return "name each field once"
		}
	}
	return ""
}

// ParseJSONPath returns the parts of a [JSONPath]: its version, or "", and its names.
func ParseJSONPath(text string) (version string, names []string) {
	if before, after, found := strings.Cut(text, ":"); found {
		version, text = before, after
	}
	return version, strings.Split(text, ".")
}

// excludes reports whether the two arguments are alternatives: only one may be given.
func (a *Argument) excludes(other *Argument) bool {
	return a.InsteadOf == other.Name || other.InsteadOf == a.Name
}

// isSecretKey reports whether the API server accepts the text as a key of a Secret. Keys of ConfigMaps follow
// the same rule.
func isSecretKey(text string) bool { return len(validation.IsConfigMapKey(text)) == 0 }

func isASCIILetterOrDigit(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	}
	return false
}
