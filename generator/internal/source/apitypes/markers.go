package apitypes

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"unicode"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/markers"
)

const (
	codeMarker diag.Code = "marker"
	// CodeMisspelt is for comments that look like markers and that no tool reads.
	CodeMisspelt diag.Code = "misspelt-marker"
)

// A Correction is an edit of the author's source that corrects a misspelt marker.
type Correction struct {
	// Pos is where the text of the marker begins, after its plus sign if it has one. Old
	// is the text, up to the end of the line, and New replaces it.
	Pos      diag.Position
	Old, New string
	// Reported is where the marker is reported.
	Reported diag.Position
}

// slips are values that tools read otherwise than they were meant, or not at all.
var slips = []struct {
	matches *regexp.Regexp
	message string
}{
	{regexp.MustCompile(`[=;,{]([“”‘’])`), "the quotes of this value are curly, and no tool reads them as quotes: write straight ones"},
	{regexp.MustCompile("Enum=(?:[^;\"`{]*|\"[^\"]*\")([,|\\[])"), "semicolons alone separate the values of an enum: write them as in Enum=small;large"},
	{regexp.MustCompile("(?:[Ee]num|default)=(?:[^\"`]*[;{,])? *[\\w.-]+( +)[;,}]"), "a value that blanks follow is read as empty: remove the blanks"},
	{regexp.MustCompile("^[\\w:]+=(?:[^\"`]|\"[^\"]*\"|`[^`]*`)*? +(\\+(?:optional|required|nullable|immutable|listType=|listMapKey=|(?:kubebuilder|k8s|crossplane|mrgen):[a-z]))"), "another marker follows on this line: write each on a line of its own"},
	{regexp.MustCompile(`^(?:kubebuilder:|k8s:)?default=(null)$`), "null is read as the text null: leave the default out, or write it in quotes"},
	{regexp.MustCompile(`^(?:kubebuilder:|k8s:)?default=(ref\()`), "CRDs have no defaults by reference to a constant: write its value"},
	{regexp.MustCompile(`(?:Pattern|rule)="(?:[^"\\]|\\[^b])*(\\b)`), "\\b in double quotes is a backspace: write the value in back quotes"},
}

// parseMarker parses a marker on a target.
func (s *Source) parseMarker(text string, on markers.Target) (*markers.Value, *markers.Problem) {
	// Most markers are controller-tools', and many are the same: each is checked once, since checking takes long.
	if problem, known := s.foreignMarkers[on].Load(text); known {
		return nil, problem.(*markers.Problem)
	}
	for _, slip := range slips {
		if at := slip.matches.FindStringSubmatchIndex(text); at != nil && markers.IsRead(text) {
			return nil, &markers.Problem{Offset: at[2], Message: slip.message}
		}
	}
	value, problem := markers.Parse(text)
	if on != markers.OnPackage && isDescription(text) {
		return nil, &markers.Problem{Kind: markers.WithoutEffect,
			Message: "descriptions lack lines that begin with a plus sign, which are for markers: begin this line with another word"}
	}
	if value == nil && problem == nil {
		problem = markers.CheckForeign(text, on)
		s.foreignMarkers[on].Store(text, problem)
	}
	return value, problem
}

// isDescription reports whether a text after a plus sign has several words, of which the first can't be a marker's name, such as
// a telephone number. A bar or a number alone says nothing that a description would miss.
func isDescription(text string) bool {
	first, _, hasMore := strings.Cut(text, " ")
	return hasMore && first != "" && !unicode.IsLetter(rune(first[0]))
}

// unmarked reports comments that were meant to be markers: lines without a plus sign, and markers in block comments.
func (v *markerVisitor) unmarked(comment *ast.Comment, on markers.Target) {
	if line, isLine := strings.CutPrefix(comment.Text, "//"); isLine {
		text := strings.TrimSpace(line)
		if problem := markers.CheckUnmarked(text, on); problem != nil {
			start := len(comment.Text) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
			v.report(comment, v.source.files.Position(comment.Pos()+token.Pos(start)), text, problem)
		}
		return
	}
	// Markers in block comments are not read.
	offset := 0
	for line := range strings.Lines(comment.Text) {
		text := strings.TrimRightFunc(strings.TrimLeft(strings.TrimSuffix(line, "*/"), " \t/*"), unicode.IsSpace)
		if text, found := strings.CutPrefix(text, "+"); found && markers.IsRead(text) {
			v.diags = append(v.diags,
				diag.Warningf(v.source.files.Position(comment.Pos()+token.Pos(offset+strings.IndexByte(line, '+'))), codeMarker,
					"the marker +%s has no effect in a comment of this form: write it on a line that begins with //", text))
		}
		offset += len(line)
	}
}

// report reports a problem with the marker at a position: the position of its plus sign, if it has one.
func (v *markerVisitor) report(comment *ast.Comment, at diag.Position, text string, problem *markers.Problem) {
	if v.isOutput && problem.Kind != markers.Invalid { // mrgen copied the marker, which is reported in the original
		return
	}
	d := v.source.markerProblem(at, problem)
	v.diags = append(v.diags, d)
	if c := problem.Correction; c != nil {
		start := v.source.files.Position(comment.Pos() + token.Pos(strings.Index(comment.Text, text)))
		v.corrections = append(v.corrections, Correction{Pos: start, Old: text, New: c.Apply(text), Reported: d.Pos})
	}
}

// unreached reports the markers of a comment that describes no type or field.
func (v *markerVisitor) unreached(group *ast.CommentGroup) {
	for comment, text := range gosyntax.Markers(group) {
		at := v.source.markerPosition(comment)
		value, problem := markers.Parse(text)
		switch {
		case problem != nil:
			v.report(comment, at, text, problem)
		case value != nil && v.declared[group] && value.CheckPlace(markers.Declaration) == nil:
			// a marker for functions or constants, in its place
		case value != nil:
			v.diags = append(v.diags, unread(at, value,
				"the marker +%s describes nothing here: put it in the comment right above the type or field it is about"))
		case v.isOutput: // reported in the original
		case markers.IsExclusion(text):
			if !v.constants[group] {
				v.report(comment, at, text, markers.CheckForeign(text, markers.OnPackage))
			}
		case v.atEnd[group] && (markers.IsRead(text) || markers.CheckForeign(text, markers.OnField) != nil):
			v.diags = append(v.diags, diag.Warningf(at, codeMarker,
				"the marker +%s has no effect at the end of a line: put it in the comment above", text))
		case !v.declared[group] && gosyntax.IsCode(group):
			// The marker is part of code that is commented out.
		case v.isApart[group] && markers.IsRead(text):
			v.diags = append(v.diags, diag.Warningf(at, codeMarker,
				"the marker +%s has no effect here, since another comment follows: put it in the comment right above the field it is about", text))
		case v.free[group]:
			if problem := markers.CheckForeign(text, markers.OnPackage); problem != nil {
				v.report(comment, at, text, problem)
			}
		case markers.IsRead(text):
			v.diags = append(v.diags, diag.Warningf(at, codeMarker,
				"the marker +%s describes nothing here: put it in the comment right above the type or field it is about", shortened(text)))
		}
	}
}

// unread reports a well-formed marker that has no effect where it is. The format has a verb for the marker's name.
func unread(at diag.Position, value *markers.Value, format string) diag.Diagnostic {
	return markerProblem(at, &markers.Problem{
		Kind: value.Definition.Unread(), Message: fmt.Sprintf(format, value.Definition.Name),
	})
}

// markerProblem reports a problem with the marker whose plus sign is at pos. If it concerns
// the whole marker, that is its position.
func markerProblem(pos diag.Position, problem *markers.Problem) diag.Diagnostic {
	if problem.Offset > 0 { // otherwise the problem is about the whole marker
		pos.Column += len("+") + problem.Offset
	}
	switch problem.Kind {
	case markers.Misspelt:
		return diag.Errorf(pos, CodeMisspelt, "%s", problem.Message)
	case markers.WithoutEffect:
		d := diag.Warningf(pos, codeMarker, "%s", problem.Message)
		d.Like = problem.Like
		return d
	default:
		return diag.Errorf(pos, codeMarker, "%s", problem.Message)
	}
}

// markerProblem reports a problem with a marker, with the severity from the options.
func (s *Source) markerProblem(pos diag.Position, problem *markers.Problem) diag.Diagnostic {
	d := markerProblem(pos, problem)
	if d.Code == CodeMisspelt && s.sources.opts.MisspeltMarkers { // for authors whose tools so far ignored such markers
		d.Severity = diag.Warning
	}
	return d
}

// markerPosition returns where the plus sign of a marker comment is.
func (s *Source) markerPosition(comment *ast.Comment) diag.Position {
	return s.files.Position(comment.Pos() + token.Pos(strings.IndexByte(comment.Text, '+')))
}
