package adopt

import (
	"bytes"
	"fmt"
	"strings"
)

// SettingsFile is the file with mrgen's settings in the module root.
const SettingsFile = "mrgen.yaml"

// YAML returns the settings as mrgen.yaml has them.
func (s Settings) YAML() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "packages: [%s]\n", strings.Join(s.Packages, ", "))
	if s.HeaderFile != "" {
		fmt.Fprintf(&b, "headerFile: %s\n", s.HeaderFile)
	}
	fmt.Fprintf(&b, "crds:\n  dir: %s\n", s.CRDDir)
	if s.AllowDangerousTypes {
		b.WriteString("  allowDangerousTypes: true\n")
	}
	if s.MaxDescription >= 0 {
		fmt.Fprintf(&b, "  maxDescription: %d\n", s.MaxDescription)
	}
	if s.MisspeltMarkers {
		b.WriteString(`# Some comments were meant to be markers, and nobody reads them. mrgen fix markers puts
# right what is certain; without this line, those that are left are errors.
markers: warn
`)
	}
	b.WriteString(`# With rules, required fields are required only of resources that Crossplane may
# create or update, and +immutable is enforced. They change the CRDs: to switch them
# on, write enforce in place of off, or remove these lines.
rules:
  required: off
  immutable: off
`)
	return b.Bytes()
}

// replaceLines replaces lines of a file, which count from 1, or removes those that
// have no replacement. What a comment says of directives that are all gone goes with
// them.
func replaceLines(source []byte, replaced map[int]string) []byte {
	lines := strings.SplitAfter(string(source), "\n")
	var out []string
	for i := 0; i < len(lines); {
		end := i
		for end < len(lines) && strings.HasPrefix(lines[end], "//") {
			end++
		}
		if end == i {
			out = append(out, lines[i])
			i++
			continue
		}
		block := replaceBlock(lines[i:end], i+1, replaced)
		i = end
		if len(block) == 0 && i < len(lines) && strings.TrimSpace(lines[i]) == "" {
			i++ // one of the blank lines around it
		}
		out = append(out, block...)
	}
	return []byte(strings.Join(out, ""))
}

// replaceBlock replaces lines of a block of comments, of which the first line has the
// given number.
func replaceBlock(block []string, number int, replaced map[int]string) []string {
	var out, directives []string
	touched, stays := false, false
	for i, line := range block {
		replacement, found := replaced[number+i]
		switch {
		case found:
			touched = true
			if replacement != "" {
				directives = append(directives, replacement+"\n")
				out = append(out, replacement+"\n")
			}
		default:
			stays = stays || isDirective(line)
			out = append(out, line)
		}
	}
	switch {
	case !touched || stays:
		return out
	case len(directives) > 0:
		return append([]string{"// Generate deep copies, method sets, resolvers and CRDs, by the settings in " + SettingsFile + "\n"}, directives...)
	default:
		return nil
	}
}

// isDirective reports whether a comment is for a tool, see
// https://go.dev/doc/comment#syntax.
func isDirective(line string) bool {
	text := strings.TrimPrefix(line, "//")
	return strings.HasPrefix(text, "go:") || strings.HasPrefix(text, " +build") || strings.HasPrefix(text, "nolint") || strings.HasPrefix(text, " +")
}
