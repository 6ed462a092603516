package lintrules

import (
	"path"
	"regexp"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

// ownMarker matches a marker of mrgen's on a declaration or a field.
var ownMarker = regexp.MustCompile(`(?m)^[ \t]*// ?\+(mrgen:\S.*)$`)

// checkCode reports markers outside API packages that mrgen doesn't read: a run looks for conversions in some folders, and for
// markers alone that it knows.
func checkCode(p *linter.Pass) {
	isAPI := map[string]bool{} // where a run reports them
	for _, k := range p.Kinds {
		isAPI[k.Object.Package.Dir] = true
	}
	for _, o := range p.Missing {
		isAPI[path.Dir(o.Pos.File)] = true
	}
	for _, dir := range p.Unread {
		isAPI[dir] = true
	}
	for first := range p.Find(ownMarker) {
		dir, text := path.Dir(first.File), p.Text(first.File)
		if isAPI[dir] {
			continue
		}
		for _, m := range ownMarker.FindAllStringSubmatchIndex(text, -1) {
			at, marker := diag.Position{File: first.File, Line: linter.LineAt(text, m[2])}, text[m[2]:m[3]]
			value, problem := markers.Parse(marker)
			if value == nil && problem == nil {
				problem = markers.CheckForeign(marker, markers.OnType|markers.OnField)
			}
			switch {
			case value != nil && marker == markers.Convert && !p.Exists(path.Join(dir, "zz_generated.convert.go")):
				p.File(at, marker, nil, "the marker +%s has no effect so far: name the folder in convert.packages of mrgen.yaml, and run mrgen generate", marker)
			case problem != nil && problem.Kind != markers.WithoutEffect:
				p.File(at, marker, nil, "%s", problem.Message)
			}
		}
	}
}

// checkComments reports markers below their fields, which count for the next ones, and lines that are nearly markers. It
// returns their positions.
func checkComments(p *linter.Pass) map[diag.Position]bool {
	found := map[diag.Position]bool{}
	for _, s := range p.Straying() {
		found[s.Pos] = true
		if s.Written != "" {
			p.File(s.Pos, s.Text, nil, "no tool reads the line %s: write // +%s, or delete it", s.Written, s.Text)
			continue
		}
		p.File(s.Pos, s.Text, nil, "the marker +%s counts for %s, though it stands below %s: move it right above the one that it is for", s.Text, s.Above, s.Below)
	}
	return found
}
