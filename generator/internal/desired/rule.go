package desired

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// ruleFields are the fields of a struct that rules are about, which generated code does
// not evaluate.
type ruleFields struct {
	// names are as rules write them.
	names map[string]bool
	// all is set if a rule may be about any field.
	all bool
}

// has reports whether a rule may be about the field of that JSON name.
func (r *ruleFields) has(jsonName string) bool {
	escaped, _ := apiservercel.Escape(jsonName)
	return r.all || r.names[escaped]
}

// addAll adds the fields that rules name in the struct that a path leads to from self.
func (r *ruleFields) addAll(rules []apiextensionsv1.ValidationRule, path ...string) {
	for _, rule := range rules {
		r.add(rule.Rule, path)
	}
}

// add adds the fields that a rule names in the struct that a path leads to from self. To
// name what is around the struct is to be about all of it. The names of variables are
// not looked at: what they stand for is below a field that is named.
func (r *ruleFields) add(rule string, path []string) {
	for i := 0; i < len(rule); {
		if !isWord(rule[i]) {
			i++
			continue
		}
		start := i
		i = endOfWord(rule, i)
		isMember := start > 0 && rule[start-1] == '.'
		if word := rule[start:i]; !isMember && (word == "self" || word == "oldSelf") {
			var selected []string
			selected, i = selection(rule, i)
			r.addSelected(selected, path)
		}
	}
}

// addSelected adds a field that is selected from self.
func (r *ruleFields) addSelected(selected, path []string) {
	for _, name := range path {
		switch {
		case len(selected) == 0:
			r.all = true
			return
		case selected[0] != name:
			return
		}
		selected = selected[1:]
	}
	if len(selected) == 0 {
		r.all = true
		return
	}
	if r.names == nil {
		r.names = map[string]bool{}
	}
	r.names[selected[0]] = true
}

// selection returns the names of the fields that are selected one from the other in a
// rule, from an offset on, and where they end. A call ends them.
func selection(rule string, i int) ([]string, int) {
	var names []string
	for {
		next := skip(rule, i, " \t\r\n")
		if next == len(rule) || rule[next] != '.' {
			return names, i
		}
		start := skip(rule, next+1, " \t\r\n?")
		end := endOfWord(rule, start)
		if after := skip(rule, end, " \t\r\n"); end == start || after < len(rule) && rule[after] == '(' {
			return names, i
		}
		names = append(names, rule[start:end])
		i = end
	}
}

// skip returns the offset of the first byte that is none of those, from i on.
func skip(text string, i int, those string) int {
	for i < len(text) && strings.IndexByte(those, text[i]) >= 0 {
		i++
	}
	return i
}

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func endOfWord(text string, i int) int {
	for i < len(text) && isWord(text[i]) {
		i++
	}
	return i
}
