package othertools

import (
	"path"
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// An edit is a command that may change the CRDs that mrgen writes.
type edit struct {
	at diag.Position
	// removes is set if it removes them.
	removes bool
	// paths are the files and folders that it may change, relative to the module root.
	paths []string
}

// editors match commands that change the files among their arguments. The last argument of copies is their target.
var (
	editors = regexp.MustCompile(`^(?:\S*[/)] ?)?(?:rm|mv|patch|tee|yamlfmt|prettier) | (?:-p?i\S*|--in-?place\S*|-delete|--write)(?: |$)`)
	copies  = regexp.MustCompile(`^(?:\S*/)?(?:cp|rsync|install) `)
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
	base := d.folder
	if c.folder.ofScript {
		base = path.Dir(d.file)
	}
	e := edit{at: d.position(), removes: removes.MatchString(text)}
	for _, name := range names {
		if name = inRoot.ReplaceAllString(name, "./$1"); !c.folder.isUnknown && !path.IsAbs(name) {
			e.paths = append(e.paths, path.Join(base, c.folder.path, name))
		}
	}
	if len(e.paths) > 0 {
		s.edits = append(s.edits, e)
	}
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
