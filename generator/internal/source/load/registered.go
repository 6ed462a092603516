package load

import (
	"bytes"
	"maps"
	"regexp"

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
	// A regular expression for registrations takes as long as parsing.
	for _, beginning := range registrations {
		for _, after, found := bytes.Cut(content, beginning); found; _, after, found = bytes.Cut(after, beginning) {
			for _, match := range registeredType.FindAllSubmatch(withinBrackets(after), -1) {
				names[string(bytes.Join(match[1:], nil))] = true
			}
		}
	}
	return names
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
