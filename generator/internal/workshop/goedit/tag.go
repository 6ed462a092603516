package goedit

import (
	"slices"
	"strconv"
	"strings"
)

// decode returns the value of a valid string literal. For each byte of the value, offsets has its offset in the
// literal, followed by the offset of the closing quote.
func decode(literal string) (value string, offsets []int) {
	closing := len(literal) - 1
	for i := 1; i < closing; {
		decoded, end := literal[i:i+1], i+1
		if literal[0] == '"' {
			r, multibyte, rest, _ := strconv.UnquoteChar(literal[i:closing], '"')
			if decoded = string(r); !multibyte {
				decoded = string([]byte{byte(r)})
			}
			end = closing - len(rest)
		} else if decoded == "\r" {
			decoded = "" // Go drops carriage returns from raw strings
		}
		value += decoded
		for range len(decoded) {
			offsets = append(offsets, i)
		}
		i = end
	}
	return value, append(offsets, closing)
}

// AddOption adds an option such as omitempty to the json key in the tag of the field. It does
// nothing if the tag has no such key, or the key already has the option.
func (d *Field) AddOption(option string) {
	key, at := d.jsonKey()
	if at == nil || slices.Contains(strings.Split(key, ",")[1:], option) {
		return
	}
	if !strings.HasSuffix(key, ",") {
		option = "," + option
	}
	d.file.text.insert(at(len(key)), option)
}

// ReplaceOption replaces an option of the json key in the field's tag. It does nothing if the key lacks the
// option.
func (d *Field) ReplaceOption(option, with string) {
	key, at := d.jsonKey()
	if at == nil {
		return
	}
	parts := strings.Split(key, ",")
	from := len(parts[0])
	for _, part := range parts[1:] {
		to := from + len(",") + len(part)
		switch {
		case part != option:
		// The key has both, so only remove the old one.
		case slices.Contains(parts[1:], with):
			d.file.text.replace(at(from), at(to), "")
		default:
			d.file.text.replace(at(from+len(",")), at(to), with)
		}
		from = to
	}
}

// jsonKey returns the value of the json key in the tag of the field, and the offsets of its bytes
// in the file, or nil if there is no such key.
func (d *Field) jsonKey() (key string, at func(int) int) {
	tag := d.syntax.Tag
	if tag == nil {
		return "", nil
	}
	value, offsets := decode(d.file.Text(tag))
	from, to, found := findKey(value, "json")
	if !found {
		return "", nil
	}
	return value[from:to], func(i int) int { return d.file.offset(tag.Pos()) + offsets[from+i] }
}

// findKey returns the offsets of a key's value in a struct tag, without the quotes.
func findKey(tag, key string) (from, to int, found bool) {
	for at := 0; at < len(tag); {
		for at < len(tag) && tag[at] == ' ' {
			at++
		}
		colon := strings.IndexAny(tag[at:], `: "`)
		if colon <= 0 || !strings.HasPrefix(tag[at+colon:], `:"`) {
			break
		}
		name := tag[at : at+colon]
		from = at + colon + len(`:"`)
		for to = from; to < len(tag) && tag[to] != '"'; to++ {
			if tag[to] == '\\' {
				to++
			}
		}
		if to >= len(tag) {
			break
		}
		if name == key {
			return from, to, true
		}
		at = to + 1
	}
	return 0, 0, false
}
