package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// A jsonSchema is a part of a JSON schema, see https://json-schema.org/draft-07.
type jsonSchema struct {
	Schema      string                 `json:"$schema,omitempty"`
	Title       string                 `json:"title,omitempty"`
	Description string                 `json:"description,omitempty"`
	Type        any                    `json:"type,omitempty"`
	Enum        []string               `json:"enum,omitempty"`
	Pattern     string                 `json:"pattern,omitempty"`
	MinLength   int                    `json:"minLength,omitempty"`
	MinItems    int                    `json:"minItems,omitempty"`
	Minimum     float64                `json:"minimum,omitempty"`
	Maximum     float64                `json:"maximum,omitempty"`
	MinPairs    int                    `json:"minProperties,omitempty"`
	Items       *jsonSchema            `json:"items,omitempty"`
	Properties  map[string]*jsonSchema `json:"properties,omitempty"`
	Required    []string               `json:"required,omitempty"`
	Additional  any                    `json:"additionalProperties,omitempty"`
}

// Schema returns the JSON schema of mrgen.yaml, to be encoded.
func Schema() any {
	root := section("The settings of mrgen, see https://github.com/mrgen-io/mrgen/blob/main/docs/commands.md#settings.")
	root.Schema, root.Title = "http://json-schema.org/draft-07/schema#", FileName
	defaults := Default()
	for _, row := range table {
		at := root
		names := strings.Split(row.Key, ".")
		for _, name := range names[:len(names)-1] {
			if at.Properties[name] == nil {
				at.Properties[name] = section("")
			}
			at = at.Properties[name]
		}
		of := row.Value(&defaults).schema()
		of.Description = row.Doc
		at.Properties[names[len(names)-1]] = of
	}
	return root
}

// section returns the schema of a section of settings, which may be empty.
func section(description string) *jsonSchema {
	return &jsonSchema{Description: description, Type: []string{"object", "null"}, Properties: map[string]*jsonSchema{}, Additional: false}
}

// schema returns the schema of a value in mrgen.yaml.
func (v *Value) schema() *jsonSchema {
	switch {
	case v.pairs != nil:
		return &jsonSchema{Type: "object", MinPairs: 1, Additional: &jsonSchema{Type: "string", MinLength: 1}}
	case v.items != nil:
		of := &jsonSchema{Type: "object", Properties: map[string]*jsonSchema{}, Additional: false}
		for _, row := range v.items(diag.Position{}) {
			of.Properties[row.Key] = row.Value(nil).schema()
			of.Properties[row.Key].Description = row.Doc
			if row.Required {
				of.Required = append(of.Required, row.Key)
			}
		}
		return &jsonSchema{Type: "array", Items: of}
	}
	types := map[string]string{tagString: "string", tagBool: "boolean", tagInt: "integer", tagFloat: "number"}
	var names []string
	for _, tag := range v.tags {
		names = append(names, types[tag])
	}
	of := &jsonSchema{Type: names, Enum: v.choices, Pattern: v.pattern}
	if len(names) == 1 {
		of.Type = names[0]
	}
	if v.filled {
		of.MinLength = 1
	}
	if v.number != nil {
		of.Minimum, of.Maximum = v.number[0], v.number[1]
	}
	if v.list {
		least := 1
		if v.mayBeEmpty {
			least = 0
		}
		return &jsonSchema{Type: "array", Items: of, MinItems: least}
	}
	return of
}

// An Effective setting is a setting with its value in effect and its origin.
type Effective struct {
	Setting string `json:"setting"`
	// Value is the value in mrgen.yaml: text, a number, a truth value, a list or a mapping.
	Value any `json:"value"`
	// From is "default", a flag, "arguments", or a line of mrgen.yaml.
	From string `json:"from"`
}

// Effective returns all settings with their values, in the order of [Table].
func (s Settings) Effective() []Effective {
	var all []Effective
	for _, row := range table {
		e := Effective{Setting: row.Key, From: cmp.Or(s.From[row.Key], fromDefault)}
		if v := row.Value(&s); v.kind() == yaml.ScalarNode && slices.Contains(v.tags, tagString) {
			e.Value = v.get()
		} else {
			_ = yaml.Unmarshal([]byte(v.literal()), &e.Value) // a literal is YAML
		}
		all = append(all, e)
	}
	return all
}

// Place gives diagnostics that name the value of a setting in mrgen.yaml the setting's position.
func (s Settings) Place(diags diag.List) diag.List {
	placed := slices.Clone(diags)
	for _, row := range table {
		v := row.Value(&s)
		line, err := strconv.Atoi(strings.TrimPrefix(s.From[row.Key], FileName+":"))
		if err != nil || v.get == nil { // a flag has the value
			continue
		}
		values := strings.Split(v.get(), ", ")
		for i := range placed {
			d := &placed[i]
			if value := d.Pos.File; slices.Contains(valueCodes, d.Code) && slices.Contains(values, value) {
				d.Pos, d.Message = diag.Position{File: FileName, Line: line}, value+": "+d.Message
			}
		}
	}
	return placed
}

// valueCodes are the codes of diagnostics that have the value of a setting in place of a file.
var valueCodes = []diag.Code{"option", "own-package", "package-pattern"}

// fromDefault is the origin of an unset setting.
const fromDefault = "default"

// commentColumn is the last column in which the comments of [Settings.YAML] begin, unless a line is longer.
const commentColumn = 48

// YAML returns the settings in the form of mrgen.yaml, with a comment on the origin of each. It only counts the
// rules of lint with a default severity.
func (s Settings) YAML() []byte {
	var lines []string
	var comments []string
	var open []string
	rows := slices.Clone(table)
	// The table may name a section in several places; YAML may not.
	place := map[string]int{} // of what a section begins with, so that each is there once
	for i, row := range rows {
		name, _, _ := strings.Cut(row.Key, ".")
		if _, seen := place[name]; !seen {
			place[name] = i
		}
	}
	slices.SortStableFunc(rows, func(a, b Setting) int {
		nameA, _, _ := strings.Cut(a.Key, ".")
		nameB, _, _ := strings.Cut(b.Key, ".")
		return cmp.Compare(place[nameA], place[nameB])
	})
	defaults := 0
	for _, row := range rows {
		from := cmp.Or(s.From[row.Key], fromDefault)
		if row.Family != "" && from == fromDefault {
			defaults++
			continue
		}
		names := strings.Split(row.Key, ".")
		sections := names[:len(names)-1]
		for i, name := range sections {
			if i >= len(open) || !slices.Equal(open[:i+1], sections[:i+1]) {
				lines, comments = append(lines, strings.Repeat("  ", i)+name+":"), append(comments, "")
			}
		}
		open = sections
		line := names[len(names)-1] + ": " + row.Value(&s).literal()
		if v := row.Value(&s); v.get() == "" && v.pattern != "" {
			line = "# " + names[len(names)-1] + ": none" // empty isn't a valid value
		}
		lines = append(lines, strings.Repeat("  ", len(sections))+line)
		comments = append(comments, from)
	}
	width := 0
	for i, line := range lines {
		if comments[i] != "" && len(line) <= commentColumn {
			width = max(width, len(line))
		}
	}
	var text strings.Builder
	for i, line := range lines {
		if comments[i] == "" {
			fmt.Fprintln(&text, line)
		} else {
			fmt.Fprintf(&text, "%-*s  # %s\n", width, line, comments[i])
		}
	}
	fmt.Fprintf(&text, "# The other %d rules of lint have their default severity, which mrgen lint --list shows.\n", defaults)
	return []byte(text.String())
}
