package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/mrgen-io/mrgen/generator/settings"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestHelpFitsATerminal holds that the help of each command says first how it is called, in at most 35
// lines of at most 100 columns, and that its summary is a line of its own.
func TestHelpFitsATerminal(t *testing.T) {
	const lines, columns, summary = 35, 100, 76
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			check(sub)
		}
		if isTopic(cmd) || cmd.HasParent() && cmd.Parent().Name() == "completion" { // whose texts are cobra's
			return
		}
		var text bytes.Buffer
		expect.NoError(t, writeHelp(cmd, &text))
		expect.True(t, strings.HasPrefix(text.String(), "Usage: "+cmd.CommandPath()), "the help of %s doesn't begin with its usage:\n%s", cmd.CommandPath(), text.String())
		if n := strings.Count(text.String(), "\n"); n > lines {
			t.Errorf("the help of %s has %d lines, and may have %d:\n%s", cmd.CommandPath(), n, lines, text.String())
		}
		for line := range strings.Lines(text.String()) {
			if n := len(strings.TrimSuffix(line, "\n")); n > columns && !strings.HasPrefix(line, "  mrgen ") {
				t.Errorf("the help of %s has a line of %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
		expect.True(t, cmd.Short != "" && len(cmd.Short) <= summary && !strings.HasSuffix(cmd.Short, "."), "the summary of %s is %q", cmd.CommandPath(), cmd.Short)
	}
	root := newRootCommand()
	check(root)
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "schema", "cache", "version", "completion", "help", settingsTopic:
		default:
			expect.True(t, cmd.GroupID != "", "%s is in no group", cmd.Name())
		}
	}
}

// TestSettingsTopic holds that the topic has each setting, and docs/commands.md an anchor for it.
func TestSettingsTopic(t *testing.T) {
	text, page := settingsHelp(), string(reference(newRootCommand()))
	for _, row := range settings.Table() {
		key := row.Key
		if row.Family != "" {
			key = row.Family
		}
		expect.True(t, strings.Count(text, "\n  "+key+" (") == 1, "the topic lacks %s", key)
		expect.True(t, strings.Count(page, `<a id="`+key+`"></a>`) == 1, "the page lacks an anchor for %s", key)
	}
}

// TestCodesHavePages holds that each code names a page of the documentation, and that mrgen
// diagnostics lists and explains it.
func TestCodesHavePages(t *testing.T) {
	codes := allCodes()
	list, err := describeCodes(codes, "text")
	expect.True(t, err == nil && bytes.Count(list, []byte("\n")) == len(codes), "%d codes have other than one line each: %v\n%s", len(codes), err, list)
	for _, c := range codes {
		page, _, _ := strings.Cut(c.Guide, "#")
		_, err := os.Stat(filepath.Join("../../../../docs", filepath.FromSlash(page)))
		expect.True(t, err == nil, "%s names a page that does not exist: %v", c.Code, err)
		text, err := describeCodes([]knownCode{c}, "text")
		if err != nil || !strings.Contains(string(text), c.Means) || !strings.Contains(string(text), c.Severity) || !strings.Contains(string(text), c.Guide) {
			t.Errorf("%s is not explained: %v\n%s", c.Code, err, text)
		}
	}
}
