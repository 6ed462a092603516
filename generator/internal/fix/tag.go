package fix

import (
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

// addOption returns the edit that adds an option to the json key of a struct tag,
// which begins at an offset of the source. There is none if the tag has no json key,
// or the key has the option.
func addOption(source []byte, start, end int, option string) (edit, bool) {
	l := decode(string(source[start:end]))
	from, to, found := findKey(string(l.value), "json")
	if !found {
		return edit{}, false
	}
	key := string(l.value[from:to])
	_, options, _ := strings.Cut(key, ",")
	for o := range strings.SplitSeq(options, ",") {
		if o == option {
			return edit{}, false
		}
	}
	if !strings.HasSuffix(key, ",") {
		option = "," + option
	}
	at := start + l.offsets[to]
	return edit{start: at, end: at, text: option}, true
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
