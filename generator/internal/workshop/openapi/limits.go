package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/validobject"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/fromsdk"
	"github.com/mrgen-io/mrgen/markers"
)

// formats are those that mean the same to OpenAPI and Kubernetes.
var formats = []string{"date", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"}

// limit adds markers for what values of a parameter must satisfy, and an example of one.
func (r *reader) limit(facts *fromsdk.Facts, s *shape) {
	of, prefix := &s.limits, markers.ValidationPrefix
	mark := func(name, value string) {
		if value != "" {
			facts.Markers = append(facts.Markers, prefix+name+"="+value)
		}
	}
	switch s.kind {
	case openapi3.TypeArray:
		mark("MinItems", atLeast(of.MinItems))
		mark("MaxItems", atMost(of.MaxItems))
		if s = r.shapeOf(s.items, nil); s.kind == openapi3.TypeArray || s.kind == openapi3.TypeObject {
			return
		}
		facts.Checks = append(facts.Checks, s.checks...)
		if of.UniqueItems && s.kind != openapi3.TypeNumber {
			facts.Markers = append(facts.Markers, markers.ListType+"=set")
		}
		of, prefix = &s.limits, markers.ItemsValidationPrefix
	case openapi3.TypeObject:
		if len(s.properties) == 0 {
			mark("MinProperties", atLeast(of.MinProps))
			mark("MaxProperties", atMost(of.MaxProps))
		}
		return
	}
	props := &apiextensionsv1.JSONSchemaProps{Type: s.kind}
	switch s.kind {
	case openapi3.TypeInteger:
		props.Minimum, props.Maximum = wholeBounds(of)
		mark("Minimum", whole(props.Minimum))
		mark("Maximum", whole(props.Maximum))
		if step := of.MultipleOf; step != nil && *step >= 1 {
			props.MultipleOf = step
			mark("MultipleOf", whole(step))
		}
	case openapi3.TypeNumber:
		if of.Min != nil || of.Max != nil || of.ExclusiveMin.IsSet() || of.ExclusiveMax.IsSet() {
			facts.Checks = append(facts.Checks, "the API bounds this number")
		}
	case openapi3.TypeString:
		r.limitText(facts, of, props, mark)
	}
	enum := enumOf(of.Enum, s.kind)
	if len(enum) > 0 && len(enum) <= fromsdk.MostValues {
		mark("Enum", strings.Join(enum, ";"))
	}
	facts.Example = example(s, props)
}

// limitText adds markers for what texts must satisfy.
func (r *reader) limitText(facts *fromsdk.Facts, of *openapi3.Schema, props *apiextensionsv1.JSONSchemaProps, mark func(name, value string)) {
	switch of.Format {
	case "date-time", "byte", "password":
		return
	}
	if least := of.MinLength; least > 0 && least < math.MaxInt32 {
		props.MinLength = new(int64(least))
		mark("MinLength", atLeast(least))
	}
	if most := of.MaxLength; most != nil && *most < math.MaxInt32 {
		props.MaxLength = new(int64(*most))
		mark("MaxLength", atMost(most))
	}
	if slices.Contains(formats, of.Format) {
		props.Format = of.Format
		mark("Format", of.Format)
	}
	if of.Pattern == "" {
		return
	}
	if _, err := regexp.Compile(of.Pattern); err != nil {
		facts.Checks = append(facts.Checks, "the API has a pattern for it, in a syntax that Kubernetes doesn't know")
		return
	}
	props.Pattern = of.Pattern
	quoted := "`" + of.Pattern + "`"
	if strings.ContainsAny(of.Pattern, "`\n\r") {
		quoted = strconv.Quote(of.Pattern)
	}
	mark("Pattern", quoted)
}

func atLeast(n uint64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatUint(n, 10)
}

func atMost(n *uint64) string {
	if n == nil || *n > math.MaxInt32 {
		return ""
	}
	return strconv.FormatUint(*n, 10)
}

// wholeBounds returns the bounds of a whole number, without those that every one satisfies.
func wholeBounds(of *openapi3.Schema) (least, most *float64) {
	bound := func(inclusive *float64, exclusive openapi3.ExclusiveBound, round func(float64) float64, step float64) *float64 {
		value := math.NaN()
		if inclusive != nil {
			value = round(*inclusive)
			if exclusive.IsTrue() && value == *inclusive {
				value += step
			}
		}
		if e := exclusive.Value; e != nil {
			next := round(*e)
			if next == *e {
				next += step
			}
			if math.IsNaN(value) || step*next > step*value {
				value = next
			}
		}
		if math.IsNaN(value) || math.Abs(value) > 1<<53 {
			return nil
		}
		return &value
	}
	return bound(of.Min, of.ExclusiveMin, math.Ceil, 1), bound(of.Max, of.ExclusiveMax, math.Floor, -1)
}

func whole(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

// enumOf returns the values of an enumeration as a marker has them.
func enumOf(values []any, kind string) []string {
	var all []string
	for _, value := range values {
		text, isText := value.(string)
		number, isNumber := value.(float64)
		switch {
		case isText && kind == openapi3.TypeString:
			text = fromsdk.EnumValue(text)
		case isNumber && kind == openapi3.TypeInteger:
			text = whole(&number)
		default:
			continue
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// example returns a value of a parameter, or of an item of one, as YAML: one of the document if that is as it
// says, or else one that the API server accepts. It returns "" if any will do.
func example(s *shape, props *apiextensionsv1.JSONSchemaProps) string {
	if s.kind == openapi3.TypeBoolean || s.limits.Format == "date-time" || s.limits.Format == "byte" {
		return ""
	}
	for _, value := range s.examples {
		text, isText := value.(string)
		if isNumber := s.kind == openapi3.TypeInteger || s.kind == openapi3.TypeNumber; isNumber == isText || props.Format != "" || s.limits.VisitJSON(value) != nil {
			continue
		}
		number, _ := value.(float64)
		switch {
		case s.kind == openapi3.TypeInteger && number == math.Trunc(number):
			return whole(&number)
		case s.kind == openapi3.TypeNumber:
			return strconv.Quote(whole(&number))
		case isText && len(text) < 200:
			return yamlText(text)
		}
	}
	if len(s.limits.Enum) > 0 || props.Minimum == nil && props.Maximum == nil && props.MultipleOf == nil && props.MinLength == nil && props.MaxLength == nil && props.Format == "" && props.Pattern == "" {
		return ""
	}
	var sampler validobject.Sampler
	basic := map[string]string{openapi3.TypeInteger: "int64", openapi3.TypeString: "string"}[s.kind]
	value := sampler.Value(context.Background(), schema.Cursor{Schema: props, Type: &model.Type{Kind: model.Basic, Basic: basic}})
	if text, isText := value.(string); isText {
		return yamlText(text)
	}
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

var plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./ -]*[A-Za-z0-9]$`)

// yamlText returns a text as YAML has it, in one line.
func yamlText(text string) string {
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "null":
	default:
		if plainText.MatchString(text) {
			return text
		}
	}
	quoted, _ := json.Marshal(text) // texts can be encoded
	return string(quoted)
}
