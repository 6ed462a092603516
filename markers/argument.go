package markers

import (
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSecretKeyLength and the rules in isSecretKey are those of
// k8s.io/apimachinery/pkg/util/validation.IsConfigMapKey, which the API server
// applies to the keys of a Secret.
const maxSecretKeyLength = 253

// choices returns the values that an argument may have, or nil if they can't be
// listed.
func (a *Argument) choices() []string {
	if a.Type == Boolean {
		return []string{"true", "false"}
	}
	return a.Choices
}

// check returns what to do about a text that the argument can't hold, or "".
func (a *Argument) check(text string) (remedy string) {
	if choices := a.choices(); choices != nil {
		if slices.Contains(choices, text) {
			return ""
		}
		if near, found := Nearest(text, choices); found {
			return "did you mean " + near + "?"
		}
		return "write " + joinOr(choices)
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
		if !isSecretKeyPattern(text) {
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
	case JSONFields:
		names := strings.Split(text, ";")
		slices.Sort(names)
		switch {
		case len(names) < 2 || names[0] == "":
			return "write the JSON names of two fields or more, separated by semicolons, such as " + a.Example
		case len(slices.Compact(names)) < strings.Count(text, ";")+1:
			return "name each field once"
		}
	}
	return ""
}

// excludes reports whether one of two named arguments takes the place of the
// other.
func (a *Argument) excludes(other *Argument) bool {
	return a.InsteadOf == other.Name || other.InsteadOf == a.Name
}

func isSecretKey(text string) bool {
	if text == "" || len(text) > maxSecretKeyLength || text == "." || strings.HasPrefix(text, "..") {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !isASCIILetterOrDigit(r) && !strings.ContainsRune("-._", r)
	})
}

// isSecretKeyPattern reports whether the text is the key of a Secret but for one
// asterisk, which no key holds.
func isSecretKeyPattern(text string) bool {
	before, after, found := strings.Cut(text, "*")
	return found && isSecretKey(before+"x"+after)
}

func isASCIILetterOrDigit(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
