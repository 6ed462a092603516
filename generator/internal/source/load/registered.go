package load

import (
	"bytes"
	"maps"
	"regexp"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// registrations are the beginnings of calls and lists that register types with a scheme.
var registrations = regexp.MustCompile(`\.Register\(|\.AddKnownType(?:s|WithName)\(|\bappend\(|\bObject\{`)

// registeredType is a value of a type in a registration: &Bucket{}, new(Bucket) or (*Bucket)(nil).
var registeredType = regexp.MustCompile(`\b(\w+)\{\s*\}|\bnew\((\w+)\)|\(\*(\w+)\)\(nil\)`)

// Registered returns the names of the types that the text of a package registers with a scheme, as
// far as it has calls and lists that name them. There are none if another package registers them.
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
	for {
		at := registrations.FindIndex(content)
		if at == nil {
			return names
		}
		arguments := withinBrackets(content[at[1]:])
		for _, match := range registeredType.FindAllSubmatch(arguments, -1) {
			names[string(bytes.Join(match[1:], nil))] = true
		}
		content = content[at[1]+len(arguments):]
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
