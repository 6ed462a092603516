package lintrules

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var enumConstants = &linter.Rule{
	Name:     "enum-constants",
	Doc:      "The enumeration of a type has the values of its constants, quotes are around one value, and no value is a slip of another one.",
	Source:   kubernetesAPI.section("Constants", "#constants"),
	Why:      "The API server refuses objects that code or users write with the constant.",
	Severity: linter.Warning,
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			for _, f := range k.Fields {
				checkEnumConstants(p, f)
			}
		}
		checkNarrowed(p)
	},
}

func checkEnumConstants(p *linter.Pass, f *linter.Field) {
	s := f.Cursor().Innermost().Schema
	if s == nil || len(s.Enum) == 0 { // a mirror, which admits all values
		return
	}
	if one := string(s.Enum[0].Raw); len(s.Enum) == 1 && strings.Contains(one, ";") {
		p.Field(f, nil, "%s has one value, %s: write its values without quotes around all of them", f.Name, one)
	}
	checkAlike(p, f, s.Enum)
	t := f.Type.Leaf()
	if !t.Local || !hasValues(t) || f.Marker(markers.Enum) != nil {
		return
	}
	for _, c := range p.Constants(path.Dir(t.Pos.File), t.Name) {
		if c.Value != "" && !admits(s, c.Value) { // "" is mostly meant as unset
			p.At(f, c.Pos, t.Markers, nil, "the enum of %s lacks %q, the value of %s: add it, or remove the constant", t.Name, c.Value, c.Name)
		}
	}
}

// checkNarrowed reports constants that no field of their type admits, where each field has an enumeration of its own.
func checkNarrowed(p *linter.Pass) {
	fields := map[*model.Type][]*linter.Field{}
	for _, k := range p.Kinds {
		for _, f := range k.Fields {
			if t := f.Type.Leaf(); f.Part == linter.ForProvider && t.Local && !hasValues(t) {
				fields[t] = append(fields[t], f)
			}
		}
	}
	for t, users := range fields {
		if slices.ContainsFunc(users, func(f *linter.Field) bool { return f.Marker(markers.Enum) == nil }) {
			continue
		}
		for _, c := range p.Constants(path.Dir(t.Pos.File), t.Name) {
			isAdmitted := slices.ContainsFunc(users, func(f *linter.Field) bool { return admits(f.Cursor().Innermost().Schema, c.Value) })
			if c.Value != "" && !isAdmitted {
				m := users[0].Marker(markers.Enum)
				p.At(users[0], m.Pos, users[0].Markers, nil, "the enum of %s lacks %q, the value of %s of its type %s: add it, or remove the constant",
					users[0].Name, c.Value, c.Name, t.Name)
			}
		}
	}
}

// admits reports whether a schema, which may be nil, has an enumeration with a text.
func admits(s *schema.Props, text string) bool {
	return s != nil && slices.ContainsFunc(s.Enum, func(of apiextensionsv1.JSON) bool {
		var value string
		return json.Unmarshal(of.Raw, &value) == nil && value == text
	})
}

// checkAlike reports texts that look like slips: with a blank or a comma at an end, or the same letters as another one.
func checkAlike(p *linter.Pass, f *linter.Field, values []apiextensionsv1.JSON) {
	known := map[string]string{}
	for _, value := range values {
		var text string
		if json.Unmarshal(value.Raw, &text) != nil { // a number
			continue
		}
		letters := strings.Join(strings.FieldsFunc(strings.ToLower(text), isSign), "")
		switch other, found := known[letters]; {
		case letters == "": // such as < and >
		case strings.Trim(text, " ,;:.") != text:
			p.Field(f, nil, "the enum of %s has %q, with a blank or punctuation at an end: correct it", f.Name, text)
		case found && other != text && !strings.ContainsAny(letters, "0123456789"): // unlike 1.10 and 11.0; generate reports equal ones
			p.Field(f, nil, "the enum of %s has %q and %q, with the same letters: remove one", f.Name, other, text)
		}
		known[letters] = text
	}
}

// isSign reports whether a character is neither a letter nor a digit.
func isSign(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
