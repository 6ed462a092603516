package crd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kubernetesjson "k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/constraint"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

// checkValues reports markers with values that their type can't have, such as numbers in the enum of a string,
// and formats that the API server doesn't check.
func checkValues(pass *stage.Pass) diag.List {
	c := &valueCheck{source: pass.Source, seen: map[*model.Type]bool{}, added: pass.Source.Program.Added}
	for o := range model.Objects(pass.Model.Packages) {
		if !o.List && o.Package.Group != "" {
			c.typ(o.Type)
		}
	}
	return c.diags
}

// A valueCheck checks each type once, even if several kinds use it.
type valueCheck struct {
	source interface {
		FieldConstraints(*model.Field) constraint.Set
		TypeConstraints(*model.Type) constraint.Set
	}
	seen map[*model.Type]bool
	// added are the files of stages, whose markers are copies.
	added map[string]bool
	diags diag.List
}

func (c *valueCheck) typ(t *model.Type) {
	if t == nil || c.seen[t] {
		return
	}
	c.seen[t] = true
	c.typ(t.Elem)
	c.typ(t.Of)
	if t.Local && !c.added[t.Pos.File] {
		c.markers(t.Markers, t.Name, t, func() constraint.Set { return c.source.TypeConstraints(t) })
	}
	for _, f := range t.Fields {
		if !c.added[f.Pos.File] {
			c.markers(f.Markers, f.Name, f.Type, func() constraint.Set { return c.source.FieldConstraints(f) })
		}
		c.typ(f.Type)
	}
}

// valueMarkers are the markers to check.
var valueMarkers = []string{markers.Enum, markers.ItemsEnum, markers.Format, markers.ItemsFormat, markers.KubebuilderExample}

// markers checks the markers of a field or type.
func (c *valueCheck) markers(list []model.Marker, name string, t *model.Type, constraints func() constraint.Set) {
	if hasBounds(list) {
		set := constraints()
		isOfItems := func(m model.Marker) bool { return strings.HasPrefix(m.Text, markers.ItemsValidationPrefix) }
		own := slices.DeleteFunc(slices.Clone(list), isOfItems)
		c.diags = append(c.diags, checkBounds(own, name, t, &set.Schema)...)
		if of := t.Deref().Elem; len(own) < len(list) && set.Schema.Items != nil && of != nil {
			ofItems := slices.DeleteFunc(slices.Clone(list), func(m model.Marker) bool { return !isOfItems(m) })
			c.diags = append(c.diags, checkBounds(ofItems, "an item of "+name, of, set.Schema.Items.Schema)...)
		}
	}
	for _, m := range list {
		if text := octal.FindString(m.Text); text != "" && isNumeric(t, m) {
			number, _ := strconv.ParseInt(text[1:], 8, 64)
			c.diags = append(c.diags, diag.Errorf(m.Pos, codeMarker, "the marker reads %s as %s, and as octal it is %d: write the number that you mean",
				text[1:], strings.TrimLeft(text[1:], "0"), number))
		}
		if inQuotes.MatchString(m.Text) {
			c.diags = append(c.diags, diag.Warningf(m.Pos, codeMarker,
				"the quotes or slashes are part of the value of +%s: markers have double quotes and backquotes alone, so write it in these", m.Name()))
		}
		marker, text, hasValue := strings.Cut(m.Text, "=")
		if !hasValue || !slices.Contains(valueMarkers, marker) {
			continue
		}
		set := constraints()
		v := markedValue{Marker: m, name: marker, text: text, of: name, schema: &set.Schema, goType: t.Deref()}
		if marker == markers.ItemsEnum || marker == markers.ItemsFormat {
			if set.Schema.Items == nil {
				continue // not a list, which is an error of its own
			}
			v.schema, v.of, v.goType = set.Schema.Items.Schema, "an item of "+name, t.Deref().Elem.Deref()
		}
		if v.schema.Type == "" || v.schema.XIntOrString {
			continue // it encodes itself
		}
		var problems diag.List
		switch marker {
		case markers.Format, markers.ItemsFormat:
			problems = v.checkFormat()
		case markers.KubebuilderExample:
			problems = v.checkExample()
		default:
			problems = v.checkEnum(c.source.TypeConstraints(v.goType).Schema)
		}
		c.diags = append(c.diags, problems...)
	}
}

// inQuotes matches a text in signs that quote in other languages.
var inQuotes = regexp.MustCompile(`(?:Pattern|Enum|default)=(?:'.*'|/.+/)$`)

// octal matches an octal number in a marker. Go reads it as such, and controller-tools as a decimal number.
var octal = regexp.MustCompile(`[=;]0[0-7]+\b`)

// isNumeric reports whether the values of a marker are numbers.
func isNumeric(t *model.Type, m model.Marker) bool {
	name, _, _ := strings.Cut(m.Text, "=")
	switch name {
	case markers.Default, markers.KubebuilderDefault, markers.KubebuilderExample, markers.Enum, markers.ItemsEnum:
		of := t.Leaf()
		return of.Encoding() == model.Plain && of.Kind == model.Basic && of.Basic != "string"
	}
	return m.Value == nil && hasBounds([]model.Marker{m})
}

// A markedValue is a marker with a value, and the schema that it applies to.
type markedValue struct {
	model.Marker
	// name is the name of the marker, and text its text after the equals sign.
	name, text string
	// of names the marked field or type.
	of     string
	schema *apiextensionsv1.JSONSchemaProps
	goType *model.Type
}

// checkEnum reports an enum with a value of another type than the field's, or that its declared type refuses.
func (v markedValue) checkEnum(declared schema.Props) diag.List {
	i := slices.IndexFunc(v.schema.Enum, func(value apiextensionsv1.JSON) bool { return !fits(value.Raw, v.schema.Type) })
	if i < 0 {
		return append(v.repeated(), v.refused(declared)...)
	}
	return diag.List{diag.Errorf(v.Pos, codeMarker,
		"%s is %s, and never %s: %s", v.of, v.typeWords(), inWords(v.schema.Enum[i].Raw), v.enumRemedy())}
}

// refused reports values of an enum that the declared type refuses, or other markers beside it.
func (v markedValue) refused(declared schema.Props) diag.List {
	schema.Keep(&declared, schema.Bound)
	others := *v.schema
	others.Enum, others.XValidations, others.AllOf = nil, nil, []schema.Props{declared}
	if v.goType.IsBytes() {
		others.Format = "byte"
	}
	judge, err := apiserver.NewObjectValidator(&schema.Props{Type: "object", Properties: map[string]schema.Props{"value": others}})
	if err != nil || others.Format == "" && !schema.Has(&others, schema.Bound) && !schema.Has(&declared, schema.Bound) {
		return nil // the API server's validation reports it
	}
	var problem diag.Diagnostic
	count := 0
	for _, one := range v.schema.Enum {
		var value any
		if err := kubernetesjson.Unmarshal(one.Raw, &value); err != nil || value == nil {
			continue
		}
		if refusals := judge.Refusals(context.Background(), map[string]any{"value": value}); len(refusals) > 0 {
			problem, count = diag.Warningf(v.Pos, codeMarker, "the enum of %s has %s, which its type or other markers refuse: correct one of them", v.of, one.Raw), count+1
		}
	}
	switch count {
	case 0:
		return nil
	case len(v.schema.Enum):
		problem.Severity = diag.Error
	}
	return diag.List{problem}
}

// repeated warns about a value that an enum has twice: one of them was meant to be another.
func (v markedValue) repeated() diag.List {
	for i, value := range v.schema.Enum {
		if slices.ContainsFunc(v.schema.Enum[:i], func(other apiextensionsv1.JSON) bool { return bytes.Equal(value.Raw, other.Raw) }) {
			return diag.List{diag.Warningf(v.Pos, codeMarker, "the enum of %s has %s twice: correct one, or remove it", v.of, value.Raw)}
		}
	}
	return nil
}

// typeWords returns the type of the schema in words.
func (v markedValue) typeWords() string {
	switch {
	case v.schema.Type == "array":
		return "a list"
	case v.goType.Kind == model.Map:
		return "a map"
	case v.schema.Type == "object":
		return "a struct"
	case v.schema.Type == "integer":
		return "an integer"
	default:
		return "a " + v.schema.Type
	}
}

// enumRemedy says how to correct an enum.
func (v markedValue) enumRemedy() string {
	switch {
	// The values of a list's items belong into the items' enum.
	case v.schema.Type == "array" && v.name == markers.Enum:
		return "write +" + markers.ItemsEnum + " in its place"
	case v.goType.Kind == model.Map:
		return "declare a type for its values, and mark that"
	case v.schema.Type == "object" || v.schema.Type == "array":
		return "mark the fields that the values are of"
	case v.schema.Type == "string": // controller-tools reads true and 1.30 as other types
		return "put its values in quotes"
	default:
		return "write values of that type, or remove them"
	}
}

// fits reports whether a value has a type. Null fits every type.
func fits(raw []byte, schemaType string) bool {
	var value any
	return json.Unmarshal(raw, &value) == nil && (value == nil || schema.Fits(value, schemaType))
}

// inWords returns a value and its type in words.
func inWords(raw []byte) string {
	for _, kind := range []string{"string", "boolean", "number", "array"} {
		if fits(raw, kind) {
			return "the " + kind + " " + string(raw)
		}
	}
	return "the object " + string(raw)
}

// checkExample warns about an example of a string without quotes: as a number, 1.30 is 1.3.
func (v markedValue) checkExample() diag.List {
	if v.schema.Example == nil || v.schema.Type != "string" || fits(v.schema.Example.Raw, "string") {
		return nil
	}
	return diag.List{diag.Warningf(v.Pos, codeMarker,
		"%s is a string, and its example %s: write +%s=%s", v.of, inWords(v.schema.Example.Raw), v.name, strconv.Quote(v.text))}
}

// checkFormat warns about a format that the API server doesn't check, and so accepts any value for.
func (v markedValue) checkFormat() diag.List {
	if v.schema.Format == "" || apiserver.KnowsFormat(v.schema.Type, v.schema.Format) {
		return nil
	}
	problem := diag.Warningf(v.Pos, codeMarker,
		"the API server ignores the format %q of %s: %s", v.schema.Format, v.typeWords(), v.formatRemedy())
	problem.Like = "the API server ignores the formats of %d fields, such as here: write patterns or rules"
	return diag.List{problem}
}

// formats are those of texts that authors mean most often.
var formats = []string{"byte", "cidr", "date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "mac", "password", "uri", "uuid"}

func (v markedValue) formatRemedy() string {
	items, near := v.schema.Items, strings.ToLower(strings.NewReplacer(" ", "-", "_", "-").Replace(v.schema.Format))
	if known, found := markers.Nearest(near, formats); found {
		near = known
	}
	switch {
	case apiserver.KnowsFormat(v.schema.Type, near):
		return fmt.Sprintf("write +%s=%s", v.name, near)
	case items != nil && apiserver.KnowsFormat(items.Schema.Type, v.schema.Format):
		return fmt.Sprintf("write +%s=%s", markers.ItemsFormat, v.schema.Format)
	case v.schema.Type == "string":
		return fmt.Sprintf("write a pattern, +%s=`…`, or remove the marker", markers.Pattern)
	default:
		return "remove the marker"
	}
}
