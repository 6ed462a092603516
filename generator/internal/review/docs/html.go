package docs

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
)

//go:embed page.html.tmpl
var pageTemplate string

var htmlPage = template.Must(template.New("page").Funcs(template.FuncMap{
	"anchor":     func(kind *Kind) string { return strings.TrimSuffix(kind.File, ".md") },
	"scope":      scopeOf,
	"paragraphs": paragraphs,
	"spans":      spans,
	"mirrors":    mirrors,
}).Parse(pageTemplate))

// HTML returns one page about all kinds, which needs no other file and no network.
func HTML(kinds []*Kind) ([]byte, error) {
	type group struct {
		Name  string
		Kinds []*Kind
	}
	var groups []group
	for _, kind := range kinds {
		if len(groups) == 0 || groups[len(groups)-1].Name != kind.Group {
			groups = append(groups, group{Name: kind.Group})
		}
		last := &groups[len(groups)-1]
		last.Kinds = append(last.Kinds, kind)
	}
	page := bytes.NewBufferString(artifact.HTMLHeader() + "\n")
	err := htmlPage.Execute(page, groups)
	return page.Bytes(), err
}

// paragraphs returns the paragraphs of a comment.
func paragraphs(comment string) []string {
	return strings.Split(strings.TrimSpace(comment), "\n\n")
}

// A span is a part of a text, which is code or not.
type span struct {
	Text string
	Code bool
}

// spans returns the parts of a text, in which pairs of backquotes surround code.
func spans(text string) []span {
	var all []span
	parts := strings.Split(text, "`")
	for i, part := range parts {
		switch isCode := i%2 == 1; {
		case isCode && i == len(parts)-1: // nothing ends it
			all = append(all, span{"`" + part, false})
		case part != "":
			all = append(all, span{part, isCode})
		}
	}
	return all
}
