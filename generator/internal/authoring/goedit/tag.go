package goedit

import (
	"slices"
	"strconv"
	"strings"
)

// A literal is a string literal of Go source, decoded.
type literal struct {
	value []byte
	// offsets has the offset of each byte of the value in the literal, and that of
	// the closing quote.
	offsets []int
}

// decode decodes a string literal. The text is as the source has it, quotes
// included, and is one that the parser accepts.
func decode(text string) literal {
	var l literal
	add := func(offset int, s string) {
		for i := range len(s) {
			l.value, l.offsets = append(l.value, s[i]), append(l.offsets, offset)
		}
	}
	closing := len(text) - 1
	for i := 1; i < closing; {
		if text[0] == '`' {
			// Go drops carriage returns from raw strings.
			if text[i] != '\r' {
				add(i, text[i:i+1])
			}
			i++
			continue
		}
		r, multibyte, rest, err := strconv.UnquoteChar(text[i:closing], '"')
		if err != nil {
			break
		}
		if multibyte {
			add(i, string(r))
		} else {
			add(i, string([]byte{byte(r)}))
		}
		i = closing - len(rest)
	}
	l.offsets = append(l.offsets, closing)
	return l
}

// AddOption adds an option to the json key in the tag of the field, such as omitempty. It
// does nothing if there is no such key, or the key has the option.
func (d *Field) AddOption(option string) {
	tag := d.syntax.Tag
	if tag == nil {
		return
	}
	l := decode(d.file.Text(tag))
	from, to, found := findKey(string(l.value), "json")
	if !found {
		return
	}
	key := string(l.value[from:to])
	_, options, _ := strings.Cut(key, ",")
	if slices.Contains(strings.Split(options, ","), option) {
		return
	}
	if !strings.HasSuffix(key, ",") {
		option = "," + option
	}
	d.file.text.insert(d.file.offset(tag.Pos())+l.offsets[to], option)
}

// findKey returns where the value of a key is in a struct tag, without its quotes.
// It follows reflect.StructTag.Lookup, which does not say where.
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
