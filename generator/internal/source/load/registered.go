package load

import (
	"bytes"
	"maps"
	"regexp"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// registrations are the beginnings of calls and lists that register types with a scheme.
var registrations = [][]byte{[]byte(".Register("), []byte(".AddKnownTypes("), []byte(".AddKnownTypeWithName("), []byte("append("),
	[]byte("Object{")}

// registeredType is a value of a type in a registration: &Bucket{}, new(Bucket) or (*Bucket)(nil).
var registeredType = regexp.MustCompile(`\b(\w+)\{\s*\}|\bnew\((\w+)\)|\(\*(\w+)\)\(nil\)`)

// Registered returns the names of the types that a package registers with a scheme, as far as its text has calls and
// lists that name them. It returns none if another package registers them.
func (p *Program) Registered(pkg *loader.Package) map[string]bool {
	names := map[string]bool{}
	for _, file := range pkg.CompiledGoFiles {
		content, err := p.listing.ReadFile(file)
		if err != nil {
			continue // it was there when it was parsed
		}
		maps.Copy(names, registered(content))
	}
	return names
}

// registered returns the names in one file.
func registered(content []byte) map[string]bool {
	names := map[string]bool{}
	// Look at each bracket: a regular expression for registrations takes as long as parsing.
	for i := 0; i < len(content); i++ {
		if c := content[i]; c != '(' && c != '{' || !registers(content[:i+1]) {
			continue
		}
		arguments := withinBrackets(content[i+1:])
		for _, match := range registeredType.FindAllSubmatch(arguments, -1) {
			names[string(bytes.Join(match[1:], nil))] = true
		}
		i += len(arguments)
	}
	return names
}

// registers reports whether a text ends with the beginning of a registration.
func registers(text []byte) bool {
	return slices.ContainsFunc(registrations, func(beginning []byte) bool {
		before, ends := bytes.CutSuffix(text, beginning)
		return ends && (beginning[0] == '.' || len(before) == 0 || !isWord(before[len(before)-1])) // myappend( isn't append(
	})
}

// isWord reports whether a byte may be part of a name. Bytes of letters beyond ASCII may.
func isWord(c byte) bool {
	switch lower := c | 0x20; {
	case c == '_', '0' <= c && c <= '9', c >= 0x80:
		return true
	default:
		return 'a' <= lower && lower <= 'z'
	}
}

// withinBrackets returns the text up to the bracket that closes one before it.
func withinBrackets(content []byte) []byte {
	depth := 1
	for i, c := range content {
		switch c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return content[:i]
			}
		}
	}
	return content
}
