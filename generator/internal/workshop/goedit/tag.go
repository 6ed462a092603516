package goedit

import (
	"regexp"
	"slices"
	"strings"
)

// AddOption adds an option such as omitempty to the json key in the tag of the field. It does
// nothing if the tag has no such key, or the key already has the option.
func (d *Field) AddOption(option string) {
	key, at := d.jsonKey()
	if at < 0 || slices.Contains(strings.Split(key, ",")[1:], option) {
		return
	}
	if !strings.HasSuffix(key, ",") {
		option = "," + option
	}
	d.file.text.insert(at+len(key), option)
}

// jsonKey matches the json key in the source of a struct tag, which may be a string with escaped quotes.
var jsonKey = regexp.MustCompile("(?:^[`\"]| )json:\\\\?\"([^\"\\\\]*)\\\\?\"")

// jsonKey returns the value of the json key in the tag of the field, and its offset in the file, or -1 if there is
// no such key.
func (d *Field) jsonKey() (key string, offset int) {
	tag := d.syntax.Tag
	if tag == nil {
		return "", -1
	}
	source := d.file.Text(tag)
	at := jsonKey.FindStringSubmatchIndex(source)
	if at == nil {
		return "", -1
	}
	return source[at[2]:at[3]], d.file.offset(tag.Pos()) + at[2]
}
