package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSON returns a value as JSON for people, on one line: encoding/json writes <, > and & as \u003c,
// \u003e and \u0026 unless it is told that the text is no part of HTML.
func JSON(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return string(bytes.TrimSpace(text.Bytes()))
}

// RawJSON returns JSON in a schema as [JSON] writes it.
func RawJSON(raw []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // all digits stay
	var value any
	if err := decoder.Decode(&value); err != nil {
		return string(raw)
	}
	return JSON(value)
}
