package validobject

import (
	"context"
	"iter"
	"math"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/cel"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// numbered returns a different string for each variant.
func numbered(variant int) string {
	if variant == 0 {
		return "example"
	}
	return "example-" + strconv.Itoa(variant+1)
}

// number returns a number that the schema accepts: 1, or one near it or near a bound.
func (s *Sampler) number(ctx context.Context, p schema.Cursor) any {
	schema := p.Schema
	candidates := []float64{1, 0}
	if schema.Minimum != nil {
		candidates = append(candidates, *schema.Minimum, *schema.Minimum+1)
	}
	if schema.Maximum != nil {
		candidates = append(candidates, *schema.Maximum, *schema.Maximum-1)
	}
	if schema.Minimum != nil && schema.Maximum != nil {
		candidates = append(candidates, (*schema.Minimum+*schema.Maximum)/2)
	}
	step := 1.0
	if m := schema.MultipleOf; m != nil && *m > 0 {
		step = *m
	}
	var values []any
	for _, c := range candidates {
		// The bounds need not be multiples.
		if schema.MultipleOf != nil {
			c = math.Ceil(c/step) * step
		}
		c += float64(s.variant) * step
		if schema.Type == "integer" {
			values = append(values, int64(math.Ceil(c)))
		} else {
			values = append(values, c)
		}
	}
	// Rules may ask for another number, which they usually contain.
	for _, literal := range Literals(schema) {
		switch literal.(type) {
		case int64, float64:
			values = append(values, literal)
		}
	}
	for _, value := range values {
		if Accepts(ctx, p, value) {
			return value
		}
	}
	return values[0]
}

// intOrString returns an integer, or a string if the schema accepts no integer.
func (s *Sampler) intOrString(ctx context.Context, p schema.Cursor) any {
	number := int64(1 + s.variant)
	if Accepts(ctx, p, number) {
		return number
	}
	if text, found := s.accepted(ctx, p); found {
		return text
	}
	return number
}

// texts are the strings to try, in this order. Some satisfy common formats and patterns.
var texts = []string{
	"example", "a", "1", "Example", "EXAMPLE", "1Gi", "1.0", "v1", "10.0.0.0/16", "10.0.0.1", "00:00:5e:00:53:01", "2001:db8::1",
	"2001:db8::/32",
	"2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000Z", "2026-01-01", "1h", "example.org", "https://example.org", "someone@example.org",
	"00000000-0000-0000-0000-000000000000", "ZXhhbXBsZQ==", "arn:aws:iam::123456789012:role/example", "example-1a",
}

// text returns a string that the schema accepts. If it finds none, it asks the author for an example.
func (s *Sampler) text(ctx context.Context, p schema.Cursor) any {
	if text, found := s.accepted(ctx, p); found {
		return text
	}
	if s.Bare {
		return texts[0]
	}
	s.Problems = append(s.Problems, diag.Warningf(p.Pos, codeExample,
		"mrgen knows no example for %s, and leaves out the manifests that need one: add a marker with one, as in +%s=value", p.Path,
		markers.Example))
	return nil
}

// accepted returns the first candidate that the schema and the Go type accept.
func (s *Sampler) accepted(ctx context.Context, p schema.Cursor) (string, bool) {
	for text := range s.candidates(p.Schema) {
		if Accepts(ctx, p, text) {
			return text, true
		}
	}
	return "", false
}

// candidates returns the strings to try, best first. Strings that are slow to make come last.
func (s *Sampler) candidates(schema *apiextensionsv1.JSONSchemaProps) iter.Seq[string] {
	return func(yield func(string) bool) {
		if s.variant > 0 && !yield(numbered(s.variant)) {
			return
		}
		atLeast := 0
		if n := schema.MinLength; n != nil {
			atLeast = int(min(*n, 1000))
		}
		for i := range texts {
			if !yield(texts[(i+s.variant)%len(texts)]) {
				return
			}
		}
		var patterns []string
		for _, s := range append([]apiextensionsv1.JSONSchemaProps{*schema}, schema.AllOf...) {
			if s.Pattern != "" {
				patterns = append(patterns, s.Pattern)
			}
		}
		others := []string{strings.Repeat(string(preferred[s.variant%26]), atLeast)}
		for _, literal := range Literals(schema) {
			if text, ok := literal.(string); ok {
				others = append(others, text, text+numbered(s.variant), numbered(s.variant)+text)
				patterns = append(patterns, text)
			}
		}
		for _, pattern := range patterns {
			others = append(others, Matching(pattern, atLeast, s.variant)...)
		}
		for _, text := range others {
			if !yield(text) {
				return
			}
		}
	}
}

// Literals returns the literals in the rules of a schema.
func Literals(schema *apiextensionsv1.JSONSchemaProps) []any {
	var literals []any
	for _, rule := range schema.XValidations {
		if parsed, ok := cel.Parse(rule.Rule); ok {
			literals = append(literals, parsed.Literals()...)
		}
	}
	return literals
}
