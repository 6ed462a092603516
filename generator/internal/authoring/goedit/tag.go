package goedit

import (
	"slices"
	"strconv"
	"strings"
)

// decode returns the value of a string literal that the parser has accepted. For each byte of the
// value, offsets has its offset in the literal, and at last that of the closing quote.
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
	tag := d.syntax.Tag
	if tag == nil {
		return
	}
	value, offsets := decode(d.file.Text(tag))
	from, to, found := findKey(value, "json")
	if !found {
		return
	}
	key := value[from:to]
	_, options, _ := strings.Cut(key, ",")
	if slices.Contains(strings.Split(options, ","), option) {
		return
	}
	if !strings.HasSuffix(key, ",") {
		option = "," + option
	}
	d.file.text.insert(d.file.offset(tag.Pos())+offsets[to], option)
}

// findKey returns the offsets of a key's value in a struct tag, without the quotes. It follows
// reflect.StructTag.Lookup, which doesn't return offsets.
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
