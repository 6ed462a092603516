package crd

import (
	"math/big"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// sizes are the names of the markers for sizes after Min and Max, with the bounds that they set.
var sizes = []struct {
	name   string
	bounds func(*schema.Props) (least, most *int64)
}{
	{"Length", func(s *schema.Props) (least, most *int64) { return s.MinLength, s.MaxLength }},
	{"Items", func(s *schema.Props) (least, most *int64) { return s.MinItems, s.MaxItems }},
	{"Properties", func(s *schema.Props) (least, most *int64) { return s.MinProperties, s.MaxProperties }},
}

// beyondInt32 and beyondInt64 are the least whole numbers that such types don't hold.
const (
	beyondInt32 = 1 << 31
	beyondInt64 = 1 << 63
)

// checkBounds reports markers of a field or type, of type t, whose bounds no value meets, or that the API server can't apply.
func checkBounds(list []model.Marker, name string, t *model.Type, s *schema.Props) diag.List {
	var diags diag.List
	report := func(marker, format string, args ...any) {
		if pos := nthMarker(list, marker, 0); pos.IsValid() {
			diags = append(diags, diag.Errorf(pos, codeMarker, "no value of %s is valid: "+format, append([]any{name}, args...)...))
		}
	}
	for _, size := range sizes {
		switch least, most := size.bounds(s); {
		case most != nil && *most < 0:
			report("Max"+size.name, "its Max%s is negative: correct it", size.name)
		case least != nil && *least < 0:
			diags = append(diags, diag.Warningf(nthMarker(list, "Min"+size.name, 0), codeMarker,
				"the Min%s of %s has no effect, since it is negative: correct it, or remove it", size.name, name))
		case least != nil && most != nil && *least > *most:
			report("Min"+size.name, "its Min%s is above its Max%[2]s: correct one of them", size.name)
		case size.name == "Properties" && most != nil && *most == 0 && len(t.Deref().Fields) > 0:
			report("MaxProperties", "its MaxProperties leaves no room for its fields: correct it")
		}
	}
	isBeyond := func(bound *float64) bool {
		return s.Type == "integer" && bound != nil && (*bound >= beyondInt64 || *bound < -beyondInt64)
	}
	format := s.Format
	if basic := t.Deref().Basic; format == "" && (basic == "int32" || basic == "uint32") {
		format = "int32" // as controller-tools writes it
	}
	switch {
	case s.MultipleOf != nil && (*s.MultipleOf <= 0 || isBeyond(s.MultipleOf)):
		report("MultipleOf", "its MultipleOf isn't a positive number of 64 bits: correct it")
	case isBeyond(s.Maximum):
		report("Maximum", "the API server refuses all if the Maximum is beyond int64: write at most 9223372036854774784, or remove it")
	case isBeyond(s.Minimum):
		report("Minimum", "the API server refuses all if the Minimum is beyond int64: write at least -9223372036854775808, or remove it")
	case format == "int32" && s.Maximum != nil && *s.Maximum >= beyondInt32:
		report("Maximum", "Kubernetes 1.36 and later refuses all if the Maximum is beyond the format int32: add +%sFormat=int64", markers.ValidationPrefix)
	case format == "int32" && s.Minimum != nil && *s.Minimum < -beyondInt32:
		report("Minimum", "Kubernetes 1.36 and later refuses all if the Minimum is beyond the format int32: add +%sFormat=int64", markers.ValidationPrefix)
	case s.Minimum != nil && s.Maximum != nil && *s.Minimum > *s.Maximum:
		report("Minimum", "its Minimum is above its Maximum: correct one of them")
	}
	for _, m := range list {
		if exact := rounded(m); exact != "" {
			diags = append(diags, diag.Errorf(m.Pos, codeMarker, "the API server rounds the bound of %s to %s, since it reads a float: write that, or a rule",
				name, exact))
		}
	}
	return append(diags, withoutBound(list, s)...)
}

// rounded returns the number that a bound of numbers becomes as a float, if that is another whole number, or "".
func rounded(m model.Marker) string {
	name, text, _ := strings.Cut(m.Text, "=")
	isBound := slices.ContainsFunc([]string{"inimum", "aximum", "ultipleOf"}, func(end string) bool { return strings.HasSuffix(name, end) })
	number, isWhole := new(big.Int).SetString(text, 10)
	if !isBound || !isWhole || !number.IsInt64() {
		return "" // a number beyond int64 is an error of its own
	}
	float := new(big.Float).SetFloat64(float64(number.Int64()))
	if nearest, _ := float.Int(nil); nearest.Cmp(number) != 0 && nearest.IsInt64() {
		return nearest.String()
	}
	return ""
}

// withoutBound warns about markers that need another one, or a value.
func withoutBound(list []model.Marker, s *schema.Props) diag.List {
	var diags diag.List
	limits := map[string]*float64{"Minimum": s.Minimum, "Maximum": s.Maximum}
	for _, m := range list {
		prefix, name, _ := strings.Cut(m.Name(), "Exclusive")
		limit, isLimit := limits[name]
		bound := prefix + name
		switch isLacking := isLimit && limit == nil && model.Named(list, bound) == nil; {
		case isLacking && strings.HasSuffix(m.Text, "=true"):
			diags = append(diags, diag.Warningf(m.Pos, codeMarker, "the marker +%s has no effect without +%s: add it, or remove this one", m.Name(), bound))
		case strings.HasSuffix(m.Text, "Enum={}"):
			diags = append(diags, diag.Warningf(m.Pos, codeMarker, "the marker +%s has no effect, since it lists no value: add some, or remove it", m.Name()))
		}
	}
	return diags
}

// hasBounds reports whether one of the markers is a bound.
func hasBounds(list []model.Marker) bool {
	return slices.ContainsFunc(list, func(m model.Marker) bool {
		last := m.Name()[strings.LastIndex(m.Name(), ":")+1:]
		return slices.ContainsFunc([]string{"Min", "Max", "min", "max", "Multiple", "Exclusive", "Enum"}, func(word string) bool { return strings.HasPrefix(last, word) })
	})
}
