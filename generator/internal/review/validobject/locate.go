package validobject

import (
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// Locate returns the cursor that a field in an error of the API server leads to from a cursor, or the cursor at the nearest
// value around it that the schema knows.
func Locate(c schema.Cursor, field string) schema.Cursor {
	for field != "" {
		rest, next := enter(c, field)
		if next.Schema == nil {
			break
		}
		c, field = next, rest
	}
	return c
}

// enter follows the first step of a field.
func enter(c schema.Cursor, field string) (rest string, next schema.Cursor) {
	if inner, isIndex := strings.CutPrefix(field, "["); isIndex {
		_, rest, _ = strings.Cut(inner, "]")
		next, _ = c.Element()
		return rest, next
	}
	field = strings.TrimPrefix(field, ".")
	longest := ""
	for name := range c.Properties() {
		// Names may contain dots, which the API server doesn't quote: the longest match is the field.
		after, ok := strings.CutPrefix(field, name)
		if isEnd := after == "" || after[0] == '.' || after[0] == '['; ok && isEnd && len(name) > len(longest) {
			longest = name
		}
	}
	if longest != "" {
		return field[len(longest):], c.Property(longest)
	}
	// No property has the name: it is the key of a map.
	end := strings.IndexAny(field, ".[")
	if end < 0 {
		end = len(field)
	}
	return field[end:], c.Values()
}
