package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// link is a link in Markdown, whose text may go over two lines.
var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// next is what ends a guide: where to go on.
var next = regexp.MustCompile(`\n(?:Next: .*\n|## Next\n\n(?:[- ].*\n)+)$`)

// TestLinks holds that what the pages link to exists, anchors included, that docs/README.md leads to
// every guide, and that each guide says where to go on.
func TestLinks(t *testing.T) {
	names := append(pages(t), generated...)
	texts := map[string]string{}
	for _, name := range names {
		content := expect.Value(os.ReadFile(filepath.Join(repository, name)))(t)
		texts[name] = string(content)
	}
	for _, name := range names {
		for _, problem := range brokenLinks(name, texts) {
			t.Errorf("%s: %s", name, problem)
		}
		if !strings.HasPrefix(name, "docs/guide/") {
			continue
		}
		expect.True(t, strings.Contains(texts["docs/README.md"], "("+strings.TrimPrefix(name, "docs/")+")"), "docs/README.md doesn't link to %s", name)
		expect.True(t, next.MatchString(texts[name]), "%s doesn't end with a section Next, or a line that begins with it", name)
	}
}

// brokenLinks returns what is wrong with the links in a page, each with its line. Links to the web are
// not followed.
func brokenLinks(name string, texts map[string]string) (problems []string) {
	for i, line := range proseLines(texts[name]) {
		for _, found := range link.FindAllStringSubmatch(inlineCode.ReplaceAllString(line, ""), -1) {
			target, anchor, hasAnchor := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			text, isPage := texts[file]
			if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(file))); err != nil && !isPage {
				problems = append(problems, fmt.Sprintf("%d: there is no %s", i+1, file))
			} else if hasAnchor && !slices.Contains(anchors(text), anchor) {
				problems = append(problems, fmt.Sprintf("%d: %s has no section #%s", i+1, file, anchor))
			}
		}
	}
	return problems
}

// proseLines returns the lines of a page, with those of blocks of code empty.
func proseLines(text string) []string {
	lines, inBlock := strings.Split(text, "\n"), false
	for i, line := range lines {
		isFence := fence.MatchString(line)
		if isFence {
			inBlock = !inBlock
		}
		if isFence || inBlock {
			lines[i] = ""
		}
	}
	return lines
}

// anchors returns the fragments that GitHub gives to the sections of a page.
func anchors(text string) (list []string) {
	seen := map[string]int{}
	for _, line := range proseLines(text) {
		h := heading.FindStringSubmatch(line)
		if h == nil {
			continue
		}
		title := link.ReplaceAllString(h[1], "") // a link counts by its text
		anchor := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		if n := seen[anchor]; n > 0 {
			list = append(list, fmt.Sprintf("%s-%d", anchor, n))
		} else {
			list = append(list, anchor)
		}
		seen[anchor]++
	}
	return list
}

// TestBrokenLinks checks that links which lead nowhere are found.
func TestBrokenLinks(t *testing.T) {
	texts := map[string]string{
		"docs/a.md": "# A\n\n[b](b.md), [c](b.md#use-it), [d](#a)\n[e](../Makefile), [f](https://example.org/none#none)\n`[g](none.md)`\n```text\n[h](none.md)\n```\n",
		"docs/b.md": "# B\n\n## Use it\n\n## Use it\n\n## `+a:b`, c's\n\n```sh\n# no section\n```\n",
		"docs/c.md": "[a](none.md)\n[b](b.md#none) and [c](b.md#use-it-1)\n[d](b.md#ab-cs), [e](b.md#no-section)\n[f](../Makefile#none)\n",
	}
	got := brokenLinks("docs/a.md", texts)
	expect.True(t, got == nil, "got %q, want nothing", got)
	want := []string{"1: there is no docs/none.md", "2: docs/b.md has no section #none", "3: docs/b.md has no section #no-section", "4: Makefile has no section #none"}
	expect.Equal(t, want, brokenLinks("docs/c.md", texts))
}
