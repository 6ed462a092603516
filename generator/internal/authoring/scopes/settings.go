package scopes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/run"
)

// addSettings adds what the settings say of scopes.
func (a *adder) addSettings() {
	content, err := os.ReadFile(filepath.Join(a.opts.Root, SettingsFile))
	if err == nil && bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) {
		a.errorf(diag.Position{File: SettingsFile, Line: 1, Column: 1}, "mrgen can't add to settings in braces: write each on a line of its own")
		return
	}
	content = artifact.UnixLineBreaks(content)
	if len(content) > 0 && !bytes.HasSuffix(content, []byte("\n")) {
		content = append(content, '\n')
	}
	a.added.Files[SettingsFile] = append(content, Section(a.added.Pairs)...)
}

// Section returns what settings say of scopes, as YAML.
func Section(pairs []run.ScopePair) string {
	var b strings.Builder
	b.WriteString("scopes:\n")
	for _, pair := range pairs {
		fmt.Fprintf(&b, "- from: %s\n  to: %s\n", pair.Folders.From.Text, pair.Folders.To.Text)
		if len(pair.Groups) > 0 {
			b.WriteString("  groups:\n")
			for _, group := range pair.Groups {
				fmt.Fprintf(&b, "    %s: %s\n", strconv.Quote(group.Old.Text), strconv.Quote(group.New.Text))
			}
		}
		if len(pair.Code) > 0 {
			b.WriteString("  code:\n")
			for _, code := range pair.Code {
				fmt.Fprintf(&b, "  - {from: %s, to: %s}\n", code.From.Text, code.To.Text)
			}
		}
		if len(pair.Replace) > 0 {
			b.WriteString("  replace:\n")
			for _, r := range pair.Replace {
				fmt.Fprintf(&b, "    %s: %s\n", strconv.Quote(r.Old.Text), strconv.Quote(r.New.Text))
			}
		}
		if pair.Helpers.Text != "" {
			fmt.Fprintf(&b, "  helpers: %s\n", pair.Helpers.Text)
		}
		if pair.Tests {
			b.WriteString("  tests: true\n")
		}
	}
	return b.String()
}
