package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// JSON returns a value as JSON for people, on one line.
func JSON(value any) string {
	var text bytes.Buffer
	// By default, encoding/json writes <, > and & as \u003c, \u003e and \u0026, to embed JSON in HTML.
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil { // NaN, for example, has no JSON
		return fmt.Sprint(value)
	}
	return string(bytes.TrimSpace(text.Bytes()))
}

// RawJSON returns JSON in a schema as [JSON] writes it.
func RawJSON(raw []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // floats would lose digits
	var value any
	if err := decoder.Decode(&value); err != nil {
		return string(raw)
	}
	return JSON(value)
}

// Fits reports whether a decoded JSON value has a type of schemas.
func Fits(value any, schemaType string) bool {
	switch value := value.(type) {
	case string:
		return schemaType == "string"
	case bool:
		return schemaType == "boolean"
	case int64:
		return schemaType == "integer" || schemaType == "number"
	case float64:
		return schemaType == "number" || schemaType == "integer" && value == math.Trunc(value)
	case []any:
		return schemaType == "array"
	case map[string]any:
		return schemaType == "object"
	}
	return false
}
