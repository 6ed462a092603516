package apiserver

import (
	"context"
	"slices"
	"strings"

	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Suspect is a part of a schema that may reject an object.
type Suspect struct {
	// At is the place of the part.
	At schema.Cursor
	// Rule is the index of a rule at the place, or -1 for a keyword.
	Rule    int
	Keyword string
}

// Text returns the rule, or "" for a keyword.
func (s Suspect) Text() string {
	if s.Rule < 0 {
		return ""
	}
	return s.At.Schema.XValidations[s.Rule].Rule
}

// Refuses reports whether the API server would reject an object because of the suspect: it accepts the object
// without it. Errors in the schema are reported elsewhere.
func (s Suspect) Refuses(ctx context.Context, root *schema.Props, object map[string]any) bool {
	refused := func(suspect *Suspect) bool {
		validator, err := NewObjectValidator(bare(root, nil, s.Text(), object, suspect))
		return err == nil && len(validator.Refusals(ctx, object)) > 0
	}
	return refused(&s) && !refused(nil)
}

// bare returns the schema at a path reduced to types and formats, and the suspect, if any.
func bare(from *schema.Props, path schema.Path, rule string, value any, s *Suspect) *schema.Props {
	form := new(*from)
	schema.Keep(form, schema.Form|schema.Default|schema.Ownership)
	form.Format, form.AdditionalProperties = formOnly(from.Format), from.AdditionalProperties
	// The API server requires these of an int-or-string.
	if from.XIntOrString {
		form.AnyOf, form.AllOf = from.AnyOf, from.AllOf
	}
	isThere := s != nil && path.Compare(s.At.Path) == 0
	if isThere && s.Rule >= 0 {
		form.XValidations = from.XValidations[s.Rule : s.Rule+1]
	}
	for _, k := range schema.Keywords {
		if isThere && s.Keyword == k.Name {
			k.Copy(form, from)
		}
	}
	fields, _ := value.(map[string]any)
	for step, below := range schema.Below(from) {
		inner, found := fields[step.Name]
		escaped, _ := apiservercel.Escape(step.Name)
		items, _ := value.([]any)
		switch {
		case step.Kind == schema.Values:
			inner = fields["example"]
		case step.Kind == schema.Items && len(items) > 0:
			inner = items[0]
		// Leave out what neither the object nor the rule needs: large schemas take long to process.
		case step.Kind == schema.Property && !found && !strings.Contains(rule, escaped) && !slices.Contains(from.XListMapKeys, step.Name):
			continue
		case slices.Contains(from.Required, step.Name):
			form.Required = append(form.Required, step.Name)
		}
		schema.Put(form, step, bare(below, path.With(step), rule, inner, s))
	}
	return form
}

// formOnly returns a format if it determines the value's type in rules.
func formOnly(format string) string {
	if slices.Contains(schema.TypedFormats, format) || strings.HasPrefix(format, "int") {
		return format
	}
	return ""
}
