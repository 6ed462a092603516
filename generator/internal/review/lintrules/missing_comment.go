package lintrules

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/markers"
)

var missingComment = &linter.Rule{
	Name:     "missing-comment",
	Doc:      "Every field of spec, kind and value of an enumeration has a comment of its own, or a type with one.",
	Source:   kubernetesAPI.section("Documentation and fields", "#typesgo"),
	Why:      "The comment is what kubectl explain and the reference of the provider show.",
	Severity: linter.Warning,
	Read:     123, Worth: 101,
	Run: checkMissingComment,
}

func checkMissingComment(p *linter.Pass) {
	enums := map[*model.Type]bool{}
	for _, k := range p.Kinds {
		if k.Object.Type.Doc == "" {
			if line := detached(p, k.Object.Pos); line > 0 {
				p.Kind(k, nil, nil, apart, line, k.Object.Name)
				continue
			}
			p.Kind(k, nil, nil, "%s has no comment: say what it is", k.Object.Name)
		}
		for _, f := range k.Fields {
			// Observed fields are called as in the external API, and references and embedded metadata as everywhere.
			isForeign := f.Embedded && !f.Type.Leaf().Local
			if isPart(f) || isForeign || f.In(linter.AtProvider|linter.Status) || f.IsReference() {
				continue
			}
			if strings.TrimSpace(f.Doc) == "" && !isDescribed(f) {
				if line := detached(p, f.Pos); line > 0 {
					p.Field(f, nil, apart, line, f.Name)
					continue
				}
				p.Field(f, nil, "%s has no comment above it: say what it is", f.Name)
			}
			for _, other := range f.DeclaringStruct.Fields {
				if isCopied(f.Field, other) {
					p.Field(f, nil, "the comment of %s is that of %s: say what this field is", f.Name, other.Name)
				}
			}
			t := f.Type.Leaf()
			isNamed := t.Local && t.Kind == model.Basic && t.Name != ""
			if isNamed && hasValues(t) && !enums[t] {
				enums[t] = true
				values(p, f, t)
			}
		}
	}
}

// isCopied reports whether a field has the comment of another one, which that names and this isn't named in.
func isCopied(f, other *model.Field) bool {
	if f.Name == other.Name || f.Doc != other.Doc {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(f.Doc), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	squeezed := strings.Join(words, "")
	return slices.Contains(words, strings.ToLower(other.JSONName)) && !strings.Contains(squeezed, strings.TrimSuffix(strings.ToLower(f.JSONName), "s"))
}

const apart = "a blank line below the comment in line %d parts it from %s: remove that line"

// detached returns the line of a comment that one blank line parts from the declaration at a position, or 0.
func detached(p *linter.Pass, at diag.Position) int {
	lines := strings.Split(p.Text(at.File), "\n")
	isComment := func(line int) bool { return line > 0 && strings.HasPrefix(strings.TrimSpace(lines[line-1]), "//") }
	isProse := func(line int) bool {
		return isComment(line) && !strings.HasPrefix(strings.TrimSpace(strings.TrimLeft(lines[line-1], " \t/")), "+")
	}
	line := min(at.Line-1, len(lines))
	for isComment(line) && !isProse(line) {
		line--
	}
	if line < 2 || strings.TrimSpace(lines[line-1]) != "" {
		return 0
	}
	for line--; isComment(line) && !isProse(line); {
		line--
	}
	if isProse(line) {
		return line
	}
	return 0
}

// isDescribed reports whether the schema describes a field, by the comment of its type. What rules demand of a field is in its
// description even if there is no comment, or an empty line below it.
func isDescribed(f *linter.Field) bool {
	at := f.Cursor().Schema
	isDemand := func(demand string) bool { return strings.HasPrefix(at.Description, demand) }
	demands := []string{rules.RequiredWhen, rules.RequiredUnless, rules.SetOnce}
	return at != nil && at.Description != "" && !slices.ContainsFunc(demands, isDemand)
}

// isPart reports whether a field is one that all kinds have.
func isPart(f *linter.Field) bool {
	return f.IsTop() && f.Part&(linter.Spec|linter.Status|linter.Other) != 0 &&
		slices.Contains([]string{"spec", "status", "items", "conditions"}, f.JSONName)
}

// hasValues reports whether a type lists its values.
func hasValues(t *model.Type) bool {
	return model.Named(t.Markers, markers.Enum) != nil
}

// values reports the values of an enumeration without a comment, all at once.
func values(p *linter.Pass, f *linter.Field, t *model.Type) {
	var names []string
	var first diag.Position
	for _, c := range p.Constants(path.Dir(t.Pos.File), t.Name) {
		if !c.Documented {
			if len(names) == 0 {
				first = c.Pos
			}
			names = append(names, c.Name)
		}
	}
	switch len(names) {
	case 0:
	case 1:
		p.At(f, first, t.Markers, nil, "%s has no comment: say what it means", names[0])
	default:
		p.At(f, first, t.Markers, nil, "%s have no comments: say what each means", diag.And(names))
	}
}
