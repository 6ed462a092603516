package fromsdk

import (
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/markers"
)

// Example returns the lines of spec.forProvider of an example, with what can't be left out.
func (k *Kind) Example() []string { return k.exampleOf(k.Parameters) }

func (k *Kind) exampleOf(fields []*Field) []string {
	var lines []string
	for _, f := range fields {
		if f.isRef {
			lines = append(lines, f.json+":", "  name: example")
		}
		if slices.Contains(f.Markers, "+optional") || f.isReferred {
			continue
		}
		value, isBlock := k.value(f, strings.TrimPrefix(f.Type, "*"))
		if !isBlock {
			lines = append(lines, f.json+": "+value[0])
			continue
		}
		lines = append(lines, f.json+":")
		for _, line := range value {
			lines = append(lines, "  "+line)
		}
	}
	return lines
}

// value returns a value of a type, and whether it is a block below its key.
func (k *Kind) value(f *Field, typ string) (lines []string, isBlock bool) {
	item, isList := strings.CutPrefix(typ, "[]")
	entry, isMap := strings.CutPrefix(typ, "map[string]")
	switch {
	case typ == "[]byte":
		return []string{"ZXhhbXBsZQ=="}, false
	case isList, isMap:
		prefix, indent := "- ", "  "
		if isMap {
			item, prefix, indent = entry, "example: ", "    "
		}
		value, isBlock := k.value(f, item)
		if isMap && isBlock {
			value = append([]string{""}, value...)
		}
		lines := []string{strings.TrimRight(prefix+value[0], " ")}
		for _, line := range value[1:] {
			lines = append(lines, indent+line)
		}
		return lines, true
	}
	for _, marker := range f.Markers {
		for _, enum := range []string{markers.Enum, markers.ItemsEnum} {
			if list, ok := strings.CutPrefix(marker, "+"+enum+"="); ok {
				first, _, _ := strings.Cut(list, ";")
				return []string{first}, false
			}
		}
	}
	if slices.Contains(f.Markers, "+"+markers.ConvertNumber) {
		return []string{`"1"`}, false
	}
	if f.example != "" && k.structNamed(typ) == nil {
		return []string{f.example}, false
	}
	switch typ {
	case "bool":
		return []string{"true"}, false
	case "int32", "int64":
		return []string{"1"}, false
	case "metav1.Time":
		return []string{`"2030-01-01T00:00:00Z"`}, false
	}
	if s := k.structNamed(typ); s != nil {
		if lines := k.exampleOf(s.Fields); len(lines) > 0 {
			return lines, true
		}
		return []string{"{}"}, false
	}
	return []string{"example"}, false
}
