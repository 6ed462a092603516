package addscope

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/scopepair"
)

// addSettings adds the scopes to the settings.
func (a *adder) addSettings() {
	content, err := os.ReadFile(filepath.Join(a.opts.Root, SettingsFile))
	// A section can't follow a mapping in braces.
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

// Section returns the settings of scopes as YAML.
func Section(pairs []scopepair.Pair) string {
	var b strings.Builder
	mapping := func(name string, all []scopepair.Replacement) {
		if len(all) > 0 {
			fmt.Fprintf(&b, "  %s:\n", name)
		}
		for _, r := range all {
			fmt.Fprintf(&b, "    %s: %s\n", strconv.Quote(r.Old.Text), strconv.Quote(r.New.Text))
		}
	}
	b.WriteString("scopes:\n")
	for _, pair := range pairs {
		fmt.Fprintf(&b, "- from: %s\n  to: %s\n", pair.Folders.From.Text, pair.Folders.To.Text)
		mapping("groups", pair.Groups)
		if len(pair.Code) > 0 {
			b.WriteString("  code:\n")
			for _, code := range pair.Code {
				fmt.Fprintf(&b, "  - {from: %s, to: %s}\n", code.From.Text, code.To.Text)
			}
		}
		mapping("replace", pair.Replace)
		if pair.Helpers.Text != "" {
			fmt.Fprintf(&b, "  helpers: %s\n", pair.Helpers.Text)
		}
		if pair.Tests {
			b.WriteString("  tests: true\n")
		}
	}
	return b.String()
}
