package docs

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
)

// Index is the name of the page that leads to those of kinds. Hosts of repositories show a file of
// this name below the list of a folder.
const Index = "README.md"

// Markdown returns a page for each kind, and the [Index], by name.
func Markdown(kinds []*Kind) map[string][]byte {
	pages := map[string][]byte{Index: index(kinds)}
	for _, kind := range kinds {
		pages[kind.File] = page(kind)
	}
	return pages
}

// A writer writes Markdown, with blank lines between blocks.
type writer struct{ bytes.Buffer }

func (w *writer) block(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteString("\n\n")
}

// table writes a table, unless it has no rows.
func (w *writer) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	lines := slices.Concat([][]string{head, slices.Repeat([]string{"---"}, len(head))}, rows)
	for _, line := range lines {
		for i := range line {
			line[i] = strings.ReplaceAll(line[i], "|", `\|`)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | "))
	}
	w.WriteString("\n")
}

// bytes returns what was written, with one line break at its end.
func (w *writer) bytes() []byte { return append(bytes.TrimSpace(w.Bytes()), '\n') }

// page returns the page of a kind.
func page(kind *Kind) []byte {
	w := &writer{}
	w.block("%s", artifact.MarkdownHeader(kind.SourceDirs))
	w.block("# %s", kind.Name)
	var names []string
	for _, v := range kind.Versions {
		names = append(names, "`"+kind.Group+"/"+v.Name+"`")
	}
	what := "%s, %s"
	if kind.Managed {
		what = "%s, %s, managed resource"
	}
	w.block(what+". [All kinds](%s)", strings.Join(names, ", "), scopeOf(kind), Index)
	if kind.Description != "" {
		w.block("%s", text(kind.Description))
	}
	w.versions(kind)
	for _, v := range kind.Versions {
		if v.Served {
			w.version(kind, v)
		}
	}
	if len(kind.ConnectionDetails) > 0 {
		w.block("## Connection details")
		var rows [][]string
		for _, d := range kind.ConnectionDetails {
			rows = append(rows, []string{"`" + d.Name + "`", cell(d.Description)})
		}
		w.table([]string{"key of the secret", "holds"}, rows)
	}
	if len(kind.ReferredBy) > 0 {
		w.block("## Referred to by")
		for _, r := range kind.ReferredBy {
			fmt.Fprintf(w, "- [%s](%s) `%s`\n", r.Kind.Name, r.Kind.File, r.Path)
		}
		w.WriteString("\n")
	}
	return w.bytes()
}

// scopeOf returns the scope of a kind in words.
func scopeOf(kind *Kind) string {
	if kind.Scope == "Cluster" {
		return "cluster scoped"
	}
	return "namespaced"
}

// versions lists the versions of a kind, and what differs between them.
func (w *writer) versions(kind *Kind) {
	if len(kind.Versions) < 2 {
		return
	}
	w.block("## Versions")
	var rows [][]string
	for _, v := range kind.Versions {
		var is []string
		for _, state := range []struct {
			is   bool
			name string
		}{{v.Stored, "stored"}, {!v.Served, "not served"}, {v.Deprecated, "deprecated"}} {
			if state.is {
				is = append(is, state.name)
			}
		}
		rows = append(rows, []string{v.Name, strings.Join(is, ", "), strings.Join(v.Differences, "<br>")})
	}
	w.table([]string{"version", "", "differs"}, rows)
}

// version describes one version of a kind.
func (w *writer) version(kind *Kind, v Version) {
	prefix := "##"
	if len(kind.Versions) > 1 {
		w.block("## %s", v.Name)
		prefix = "###"
	}
	if v.Manifest != "" {
		fence := "```"
		for strings.Contains(v.Manifest, fence) {
			fence += "`"
		}
		w.block("%syaml\n%s\n%s", fence, strings.TrimRight(v.Manifest, "\n"), fence)
	}
	for _, part := range v.Parts {
		w.block("%s %s", prefix, strings.TrimPrefix(part.Path, "."))
		if part.Mirrors {
			w.block("%s", mirrors(part))
		}
		var rows [][]string
		for _, f := range part.Fields {
			rows = append(rows, []string{"`" + f.Path + "`", f.Type, about(f)})
		}
		w.table([]string{"field", "type", ""}, rows)
	}
}

// mirrors says which fields of spec.forProvider a part has, too.
func mirrors(part Part) string {
	said := "All fields of spec.forProvider"
	if len(part.Missing) > 0 {
		var names []string
		for _, path := range part.Missing {
			names = append(names, "`"+path+"`")
		}
		said += ", without " + strings.Join(names, ", ")
	}
	if len(part.Fields) > 0 {
		return said + "; and:"
	}
	return said + "."
}

// about returns what there is to say about a field in a cell of a table.
func about(f Field) string {
	var lines []string
	if f.Description != "" {
		lines = append(lines, cell(f.Description))
	}
	if len(f.Facts) > 0 {
		facts := "*" + strings.Join(f.Facts, ", ") + "*"
		lines = append(lines, facts)
	}
	switch r := f.Reference; {
	case r == nil:
	case r.Kind == nil:
		lines = append(lines, "takes its value from a "+r.Name)
	default:
		lines = append(lines, fmt.Sprintf("takes its value from a [%s](%s)", r.Name, r.Kind.File))
	}
	return strings.Join(lines, "<br>")
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// text returns a comment as Markdown: its Markdown stays, and HTML is shown as it is written.
func text(comment string) string {
	var escaped strings.Builder
	for _, s := range spans(strings.TrimSpace(comment)) {
		if s.Code {
			escaped.WriteString("`" + s.Text + "`")
		} else {
			escaped.WriteString(escaper.Replace(s.Text))
		}
	}
	return escaped.String()
}

// cell returns a comment for a cell of a table.
func cell(comment string) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text(comment), "\n\n") {
		if fields := strings.Fields(paragraph); len(fields) > 0 {
			paragraphs = append(paragraphs, strings.Join(fields, " "))
		}
	}
	return strings.Join(paragraphs, "<br>")
}

// maxEdges is how many arrows a drawing may have: Mermaid refuses more than 500, see
// https://mermaid.js.org/config/schema-docs/config.html#maxedges, and nobody can follow so many.
const maxEdges = 200

// index returns the page that leads to those of kinds.
func index(kinds []*Kind) []byte {
	w := &writer{}
	var dirs, groups []string
	for _, kind := range kinds {
		dirs = append(dirs, kind.SourceDirs...)
		groups = append(groups, kind.Group)
	}
	groups = slices.Compact(slices.Sorted(slices.Values(groups)))
	w.block("%s", artifact.MarkdownHeader(dirs))
	w.block("# API reference")
	if len(groups) > 1 {
		w.graph("Which kinds take values from which:", kinds, func(*Kind) bool { return true })
	}
	for _, group := range groups {
		w.block("## %s", group)
		var rows [][]string
		for _, kind := range kinds {
			if kind.Group != group {
				continue
			}
			var names []string
			for _, v := range kind.Versions {
				names = append(names, v.Name)
			}
			first, _, _ := strings.Cut(text(kind.Description), "\n\n")
			rows = append(rows, []string{fmt.Sprintf("[%s](%s)", kind.Name, kind.File), strings.Join(names, ", "), scopeOf(kind), cell(first)})
		}
		w.table([]string{"kind", "versions", "scope", ""}, rows)
		w.graph("", kinds, func(kind *Kind) bool { return kind.Group == group })
	}
	return w.bytes()
}

// graph draws which kinds take values from which, for edges that begin or end at a kind that is of
// interest. It draws nothing if there are none, and says so if there are too many.
func (w *writer) graph(title string, kinds []*Kind, isOf func(*Kind) bool) {
	type edge struct{ from, to *Kind }
	var edges []edge
	for _, kind := range kinds {
		for _, r := range kind.ReferredBy {
			if e := (edge{r.Kind, kind}); (isOf(e.from) || isOf(e.to)) && !slices.Contains(edges, e) {
				edges = append(edges, e)
			}
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.from.File, b.from.File), cmp.Compare(a.to.File, b.to.File))
	})
	if len(edges) == 0 {
		return
	}
	if len(edges) > maxEdges {
		w.block("%d references are too many for one drawing: each group has its own below.", len(edges))
		return
	}
	if title != "" {
		w.block("%s", title)
	}
	var drawn []*Kind
	node := func(kind *Kind) string {
		i := slices.Index(drawn, kind)
		if i >= 0 {
			return fmt.Sprintf("k%d", i)
		}
		drawn = append(drawn, kind)
		return fmt.Sprintf("k%d[%q]", len(drawn)-1, label(kind, kinds))
	}
	w.WriteString("```mermaid\ngraph LR\n")
	for _, e := range edges {
		from := node(e.from)
		fmt.Fprintf(w, "  %s --> %s\n", from, node(e.to))
	}
	w.WriteString("```\n\n")
}

// label returns the name of a kind, with its group if there are several of the name.
func label(kind *Kind, kinds []*Kind) string {
	if slices.ContainsFunc(kinds, func(other *Kind) bool { return other != kind && other.Name == kind.Name }) {
		return kind.Name + "<br>" + kind.Group
	}
	return kind.Name
}
