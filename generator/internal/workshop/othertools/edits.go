package othertools

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/run"
)

// An edit is a command that may change the CRDs that mrgen writes.
type edit struct {
	at diag.Position
	// removes is set if it removes them.
	removes bool
	// paths are the files and folders that it may change, relative to the module root.
	paths []string
}

// editors match commands that change the files among their arguments. The last argument of copies is their target, and
// outputs match the option for one.
var (
	editors = regexp.MustCompile(`^(?:xargs (?:-\S+ )*)?(?:\S*[/)] ?)?(?:go tool )?(?:rm|mv|patch|tee|sponge|truncate|yamlfmt|prettier|addlicense) | (?:-p?i\S*|--in-?place\S*|-delete|--write)(?: |$)`)
	copies  = regexp.MustCompile(`^(?:\S*/)?(?:cp|rsync|install) `)
	outputs = regexp.MustCompile(` (?:-o|--output)[ =](\S+)`)
)

// addEdit adds a command, if it may change files in a known folder.
func (s *scan) addEdit(d directive, c invocation) {
	names, text := c.writes, strings.Join(c.words, " ")
	switch {
	case editors.MatchString(text):
		names = append(names, c.words[1:]...)
	case copies.MatchString(text):
		names = append(names, c.words[len(c.words)-1])
	}
	for _, output := range outputs.FindAllStringSubmatch(text, -1) {
		names = append(names, output[1])
	}
	e := edit{at: d.position(), removes: removes.MatchString(text)}
	for _, name := range c.paths(names, s.values) {
		if f := c.folder.enter(name, s.values); !f.isUnknown {
			e.paths = append(e.paths, f.in(d))
		}
	}
	if len(e.paths) > 0 {
		s.edits = append(s.edits, e)
	}
}

// shebang matches the first line of a shell script.
var shebang = regexp.MustCompile(`^#!.*\b(?:ba|da|k|z)?sh\b`)

func isScript(name, source string) bool {
	return slices.Contains([]string{".sh", ".bash"}, path.Ext(name)) || shebang.MatchString(source)
}

// called returns the script of the module that a command runs, and its content, unless directives of it are known.
func (s *scan) called(d directive, c invocation) (name, source string) {
	word := c.words[0]
	if slices.Contains([]string{"sh", "bash", "source", "."}, path.Base(word)) && len(c.words) > 1 {
		word = c.words[1]
	}
	f := c.folder.enter(inRoot.ReplaceAllString(word, "./$1"), s.values)
	name = f.in(d)
	isKnown := slices.ContainsFunc(s.directives, func(d directive) bool { return d.file == name })
	isProgram := !strings.Contains(word, "/") && path.Ext(word) == "" // which the shell looks for in PATH
	if f.isUnknown || isKnown || isProgram || !filepath.IsLocal(name) {
		return "", ""
	}
	content, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	if err != nil || !isScript(name, string(content)) {
		return "", "" // another command writes it, or it is a program
	}
	return name, string(content)
}

// passes reports whether a command passes a tool or its arguments to a script.
func passes(words []string, script string) bool {
	text := strings.Join(words, " ")
	isNamed := slices.ContainsFunc(words, func(word string) bool { t := program(word); return t.generates() })
	return usages.MatchString(text) || isNamed && usages.MatchString(script)
}

// findEdits warns of commands that change the CRDs that mrgen writes.
func (p *Plan) findEdits(s *scan) diag.List {
	var diags diag.List
	folders := []string{p.Settings["crds.dir"]}
	for _, set := range p.sets {
		folders = append(folders, set.CRDDir)
	}
	for _, e := range s.edits {
		if folder := e.within(folders); folder != "" {
			p.edits = append(p.edits, e)
			diags = append(diags, diag.Warningf(e.at, Code,
				"this changes %s, where mrgen writes CRDs, and mrgen verify reports it: change a copy, or set crds.dir to another folder", folder))
		}
	}
	return diags
}

// within returns the folder that an edit changes, or "".
func (e edit) within(folders []string) string {
	for _, name := range e.paths {
		for _, folder := range folders {
			isWhole := contents.ReplaceAllString(name, "") == folder
			// mrgen writes all files again after one has removed the whole folder.
			if isWhole && !e.removes || !isWhole && strings.HasPrefix(name, folder+"/") {
				return folder
			}
		}
	}
	return ""
}

// changes reports whether the command changes a file.
func (e edit) changes(file string) bool {
	return slices.ContainsFunc(e.paths, func(name string) bool {
		isMatch, _ := path.Match(name, file) // a malformed pattern matches nothing
		return isMatch || contents.ReplaceAllString(name, "") == path.Dir(file)
	})
}

func (e edit) reason() string { return "a command changes it after it is generated: " + e.at.String() }

// byEdits are the differences that a command explains which changes a CRD.
var byEdits = []string{OlderForm, OlderTool, Changed, Stale}

// Reasons returns why a file changes, in the order of [Plan.Differences]. A new file may have none.
func (p *Plan) Reasons(change run.Change) []string {
	isNew := change.Action == run.Create // a command moves or removes it
	var reasons []string
	if !isNew {
		reasons = Compare(change.Path, change.Old, change.New)
	}
	at := slices.IndexFunc(p.edits, func(e edit) bool { return e.changes(change.Path) })
	others := slices.DeleteFunc(slices.Clone(reasons), func(r string) bool { return slices.Contains(byEdits, r) })
	if at < 0 || !isNew && len(others) == len(reasons) {
		return reasons
	}
	return append(others, p.edits[at].reason())
}

// Differences lists all reasons in the order of reports.
func (p *Plan) Differences() []string {
	list := slices.Clone(Differences)
	for _, e := range p.edits {
		list = append(list, e.reason())
	}
	return slices.Compact(list)
}
