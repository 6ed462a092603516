package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator"
)

func newSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of mrgen.yaml",
		Long: `schema prints a JSON schema of mrgen.yaml, with which editors complete and check settings.
mrgen init names it in the first line of mrgen.yaml, as yaml-language-server reads it.`,
		Example: `  mrgen schema > docs/mrgen.schema.json`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := indented(settingsSchema())
			if err != nil {
				return &internalError{cause: err}
			}
			return write(cmd.OutOrStdout(), text)
		},
	}
}

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

// settingsSchema returns the schema of mrgen.yaml. It is made of the same table as the parser.
func settingsSchema() *jsonSchema {
	root := section("The settings of mrgen, see https://github.com/mrgen-io/mrgen/blob/main/docs/commands.md#mrgen-generate.")
	root.Schema, root.Title = "http://json-schema.org/draft-07/schema#", configName
	defaults := defaultSettings()
	for _, row := range table {
		at := root
		names := strings.Split(row.key, ".")
		for _, name := range names[:len(names)-1] {
			if at.Properties[name] == nil {
				at.Properties[name] = section("")
			}
			at = at.Properties[name]
		}
		of := row.value(&defaults).schema()
		of.Description = row.doc
		at.Properties[names[len(names)-1]] = of
	}
	return root
}

// section returns the schema of settings, which may be left empty.
func section(description string) *jsonSchema {
	return &jsonSchema{Description: description, Type: []string{"object", "null"}, Properties: map[string]*jsonSchema{}, Additional: false}
}

// schema returns the schema of a value in mrgen.yaml.
func (v *value) schema() *jsonSchema {
	switch {
	case v.pairs != nil:
		return &jsonSchema{Type: "object", MinPairs: 1, Additional: &jsonSchema{Type: "string", MinLength: 1}}
	case v.items != nil:
		of := &jsonSchema{Type: "object", Properties: map[string]*jsonSchema{}, Additional: false}
		for _, row := range v.items(generator.Position{}) {
			of.Properties[row.key] = row.value(nil).schema()
			of.Properties[row.key].Description = row.doc
			if row.required {
				of.Required = append(of.Required, row.key)
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
		return &jsonSchema{Type: "array", Items: of, MinItems: 1}
	}
	return of
}

func newConfigCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [packages]",
		Short: "Show the settings that are in effect, and where each comes from",
		Long: `config prints all settings as mrgen.yaml would have them, each with where it comes from:
a flag or an argument, a line of mrgen.yaml, or the default. It takes the flags of generate.`,
		Example: `  mrgen config

  # What would this flag change?
  mrgen config --mrd-dir=package/mrds`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, s, diags := moduleSettings(cmd, args)
			if err := report(cmd, diags); err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), effective(s))
		},
	}
	addFlags(cmd.Flags())
	addFlags(cmd.Flags(), strictFlag)
	return cmd
}

// effective returns settings as YAML, with comments that say where each comes from.
func effective(s settings) []byte {
	var lines []string
	var comments []string
	var open []string
	rows := slices.Clone(table)
	place := map[string]int{} // of what a section begins with, so that each is there once
	for i, row := range rows {
		name, _, _ := strings.Cut(row.key, ".")
		if _, seen := place[name]; !seen {
			place[name] = i
		}
	}
	slices.SortStableFunc(rows, func(a, b setting) int {
		nameA, _, _ := strings.Cut(a.key, ".")
		nameB, _, _ := strings.Cut(b.key, ".")
		return cmp.Compare(place[nameA], place[nameB])
	})
	for _, row := range rows {
		names := strings.Split(row.key, ".")
		sections := names[:len(names)-1]
		for i, name := range sections {
			if i < len(open) && open[i] == name {
				continue
			}
			open = open[:min(i, len(open))]
			lines, comments = append(lines, strings.Repeat("  ", i)+name+":"), append(comments, "")
			open = append(open, name)
		}
		open = open[:len(sections)]
		from := s.from[row.key]
		if from == "" {
			from = "default"
		}
		line := names[len(names)-1] + ": " + row.value(&s).literal()
		if v := row.value(&s); v.get() == "" && v.pattern != "" {
			line = "# " + names[len(names)-1] + ": none" // which can't be written
		}
		lines = append(lines, strings.Repeat("  ", len(sections))+line)
		comments = append(comments, from)
	}
	width := 0
	for i, line := range lines {
		if comments[i] != "" {
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
	return []byte(text.String())
}
