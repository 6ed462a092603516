package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// tiesFile is the archive that says what tests the pages, each by its name, so that pages have only what people read.
const tiesFile = "docs/tests.txtar"

// A page is a page of the documentation: its blocks of code, and what tests them and its text.
type page struct {
	titles []string // of its sections, and what its items begin with in bold print
	blocks []block
	held   map[string][]string // the tests of sections and items, by their titles
}

// A block is code in a page.
type block struct {
	line     int    // of the fence that opens it
	title    string // of the section
	ordinal  int    // in the section
	language string
	tie      string // what tests it: a verb and an object; "" if the page doesn't say
	code     string // without the indentation that the fence has
}

var (
	fence       = regexp.MustCompile("^( *)```(.*)$")
	heading     = regexp.MustCompile(`^#+ (.*)$`)
	item        = regexp.MustCompile(`(?m)^- \*\*(.*?)[.:]?\*\*`)
	inlineCode  = regexp.MustCompile("`[^`]*`")
	indented    = regexp.MustCompile(`^( {4}|\t)`)
	heldBy      = regexp.MustCompile(`^(.+): held by: (.+)$`)
	blockTie    = regexp.MustCompile(`^(.+?), block (\d+): (.+)$`)
	firstOfPage = regexp.MustCompile(`^<!-- .* -->\n`)
)

// readTies returns what tests each page, by its name.
func readTies(t *testing.T) map[string]string {
	t.Helper()
	archive := expect.Value(txtar.ParseFile(filepath.Join(repository, tiesFile)))(t)
	ties := map[string]string{}
	for _, f := range archive.Files {
		ties[f.Name] = string(f.Data)
	}
	return ties
}

// readPage reads a page, and the lines that say what tests it. Blocks that are made by indentation alone are errors: they
// have no language. So are comments between sentences, and ties to what the page doesn't have. Errors begin with a line of
// the page, or with that of [tiesFile].
func readPage(text, ties string) (p page, errs []error) {
	errs = p.readBody(text)
	for line := range strings.Lines(ties) {
		if err := p.readTie(strings.TrimSuffix(line, "\n")); err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", tiesFile, strings.TrimSpace(line), err))
		}
	}
	return p, errs
}

// readBody reads the titles and blocks of a page.
func (p *page) readBody(body string) (errs []error) {
	var open *block
	var indentation, before, title string
	for i, line := range strings.Split(firstOfPage.ReplaceAllString(body, "\n"), "\n") {
		at := fence.FindStringSubmatch(line)
		switch {
		case open != nil && at != nil && at[2] == "":
			p.blocks, open = append(p.blocks, *open), nil
		case open != nil:
			open.code += strings.TrimPrefix(line, indentation) + "\n"
		case at != nil:
			open = &block{line: i + 1, title: title, ordinal: 1, language: at[2]}
			if n := len(p.blocks); n > 0 && p.blocks[n-1].title == title {
				open.ordinal = p.blocks[n-1].ordinal + 1
			}
			indentation = at[1]
		case before == "" && indented.MatchString(line):
			errs = append(errs, fmt.Errorf("%d: put a fence with a language around this code", i+1))
		case strings.Contains(inlineCode.ReplaceAllString(line, ""), "<!--"):
			errs = append(errs, fmt.Errorf("%d: remove this comment: what tests a page is in %s", i+1, tiesFile))
		}
		if open == nil {
			if h := heading.FindStringSubmatch(line); h != nil {
				title = h[1]
				p.titles = append(p.titles, title)
			} else if b := item.FindStringSubmatch(line); b != nil {
				p.titles = append(p.titles, b[1])
			}
		}
		// The lines of an indented block follow each other: one error will do.
		before = strings.TrimRight(line, " ")
	}
	if open != nil {
		errs = append(errs, fmt.Errorf("%d: nothing closes this block", open.line))
	}
	return errs
}

// readTie reads a line that says what tests something in a page.
func (p *page) readTie(line string) error {
	if held := heldBy.FindStringSubmatch(line); held != nil {
		if err := p.hasOnce(held[1]); err != nil {
			return err
		}
		if p.held == nil {
			p.held = map[string][]string{}
		}
		p.held[held[1]] = append(p.held[held[1]], strings.Split(held[2], ", ")...)
		return nil
	}
	tie := blockTie.FindStringSubmatch(line)
	if tie == nil {
		return fmt.Errorf("write %q as TITLE: held by: TESTS, or as TITLE, block N: what tests it", line)
	}
	if err := p.hasOnce(tie[1]); err != nil {
		return err
	}
	ordinal, err := strconv.Atoi(tie[2])
	if err != nil {
		return err
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.title != tie[1] || b.ordinal != ordinal {
			continue
		}
		if b.tie != "" {
			return fmt.Errorf("block %d of %q is tied twice", ordinal, tie[1])
		}
		b.tie = tie[3]
		return nil
	}
	return fmt.Errorf("%q has no block %d", tie[1], ordinal)
}

// hasOnce returns an error unless the page has one section or item with the title.
func (p *page) hasOnce(title string) error {
	n := 0
	for _, t := range p.titles {
		if t == title {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("%d sections and items are called %q, want one", n, title)
	}
	return nil
}
