// Package scopepair has the settings for kinds that exist in two scopes: plain data.
package scopepair

import (
	"path"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// A Pair is source in one scope and its copies in the other.
type Pair struct {
	// Folders have the API packages, Code other packages.
	Folders Folders
	Code    []Folders
	// Groups are the API groups, in which an asterisk stands for any text.
	Groups []Replacement
	// Replace are Go names, with the import path of their package, or string literals, and their replacements
	// in the other scope.
	Replace []Replacement
	// Helpers is the folder of a generated package with the functions that differ between scopes, or empty.
	Helpers Setting
	// Tests copies tests, too.
	Tests bool
	// Pos is where the settings of the pair begin.
	Pos diag.Position
}

// Folders are the folders of source and copies, slash-separated and relative to the root of the module. An
// asterisk stands for one element of the path.
type Folders struct{ From, To Setting }

// A Replacement is a text in the settings and its replacement.
type Replacement struct{ Old, New Setting }

// A Setting is a text in the settings.
type Setting struct {
	Text string
	Pos  diag.Position
}

// Counterpart returns the folder to which a folder is copied, or false.
func (p Pair) Counterpart(dir string) (string, bool) {
	for _, folders := range append([]Folders{p.Folders}, p.Code...) {
		if to, ok := folders.Counterpart(dir); ok {
			return to, true
		}
	}
	return "", false
}

// Counterpart returns the folder to which a folder is copied, or false.
func (f Folders) Counterpart(dir string) (string, bool) {
	from, to := strings.Split(path.Clean(f.From.Text), "/"), strings.Split(path.Clean(f.To.Text), "/")
	elements := strings.Split(dir, "/")
	if !matches(from, elements) || len(to) > len(from) && matches(to, elements) {
		return "", false // a copy isn't source, though its folder may be below the source's
	}
	var matched []string
	for i, element := range from {
		if element == "*" {
			matched = append(matched, elements[i])
		}
	}
	var copied []string
	for _, element := range to {
		if element == "*" && len(matched) > 0 {
			element, matched = matched[0], matched[1:]
		}
		copied = append(copied, element)
	}
	return path.Join(path.Join(copied...), path.Join(elements[len(from):]...)), true
}

// matches reports whether a folder matches a pattern or is below one that does.
func matches(pattern, elements []string) bool {
	if len(elements) < len(pattern) {
		return false
	}
	for i, element := range pattern {
		if element != "*" && element != elements[i] {
			return false
		}
	}
	return true
}

// CounterpartGroup returns the API group of the other scope, or "".
func (p Pair) CounterpartGroup(group string) string {
	for _, r := range p.Groups {
		before, after, isPattern := strings.Cut(r.Old.Text, "*")
		switch {
		case !isPattern && group == r.Old.Text:
			return r.New.Text
		case isPattern && len(group) > len(before)+len(after) && strings.HasPrefix(group, before) && strings.HasSuffix(group, after):
			return strings.Replace(r.New.Text, "*", group[len(before):len(group)-len(after)], 1)
		}
	}
	return ""
}

// Reversed returns the pair from the other scope, without replacements.
func (p Pair) Reversed() Pair {
	back := func(f Folders) Folders { return Folders{From: f.To, To: f.From} }
	reversed := Pair{Folders: back(p.Folders), Tests: p.Tests, Helpers: p.Helpers}
	for _, code := range p.Code {
		reversed.Code = append(reversed.Code, back(code))
	}
	for _, group := range p.Groups {
		reversed.Groups = append(reversed.Groups, Replacement{Old: group.New, New: group.Old})
	}
	return reversed
}
