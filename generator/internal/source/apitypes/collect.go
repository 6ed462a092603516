package apitypes

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/markers"
)

// collectMarkers parses the markers of the API packages with controller-tools, and reports the ones that it rejects.
func (s *Source) collectMarkers() (diags diag.List) {
	pkgs := s.Program.APIs
	problems := make([]error, len(pkgs))
	parallel.Do(len(pkgs), func(i int) { _, problems[i] = s.Collector.MarkersInPackage(pkgs[i]) })
	for _, err := range problems {
		diags = append(diags, s.positionedErrors(err)...)
	}
	return diags
}

// positionedErrors turns errors of controller-tools into diagnostics.
func (s *Source) positionedErrors(err error) diag.List {
	var list loader.ErrList
	var positioned loader.PositionedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &list):
		var diags diag.List
		for _, e := range list {
			// Further errors in a marker follow from the first.
			for _, d := range s.positionedErrors(e) {
				if !slices.ContainsFunc(diags, func(other diag.Diagnostic) bool { return d.Pos.IsValid() && other.Pos == d.Pos }) {
					diags = append(diags, d)
				}
			}
		}
		return diags
	case errors.As(err, &positioned):
		return diag.List{s.rejectedMarker(positioned)}
	default:
		return diag.List{diag.Errorf(diag.Position{}, codeMarker, "%s", s.files.RelativeText(err.Error()))}
	}
}

// rejectedMarker reports a marker that controller-tools can't parse. The error is at the
// comment, and doesn't name the marker.
func (s *Source) rejectedMarker(err loader.PositionedError) diag.Diagnostic {
	message := controllertools.WithoutParserPosition(err.Error())
	for _, pkg := range s.Program.APIs {
		for _, file := range pkg.Syntax {
			if err.Pos < file.FileStart || file.FileEnd <= err.Pos {
				continue
			}
			for comment, text := range gosyntax.Markers(file.Comments...) {
				if comment.Pos() != err.Pos {
					continue
				}
				// mrgen's own message is better, if it knows the mistake.
				if _, p := s.parseMarker(text, markers.OnPackage|markers.OnType|markers.OnField); p != nil && p.Kind == markers.Invalid {
					return s.markerProblem(s.markerPosition(comment), p)
				}
				if match := controllertools.ArgumentError.FindStringSubmatch(message); match != nil {
					if near := markers.NearestArgument(text, match[1]); near != "" {
						message += ": did you mean " + near + "?"
					}
				}
				switch {
				case strings.HasPrefix(message, `expected argument name, got "\"`):
					message += `: begin with the name of the argument, as in rule="..."`
				case message == `missing argument ""`:
					message = "it lacks its value: write +" + strings.TrimSuffix(text, "=") + "=VALUE"
				case notNumber.MatchString(message):
					name, _, _ := strings.Cut(text, "=")
					message = "it takes a number without quotes and units: write +" + name + "=7, or another one"
				case message == "invalid char escape":
					message += ": double each backslash, or write the value in backquotes"
				case strings.HasPrefix(message, "expected equals") && bareList.MatchString(text):
					message += ": put several values in braces, as in {a,b}"
				}
				if name, value := s.quoted(text); value != "" {
					return diag.Errorf(s.markerPosition(comment), codeMarker,
						"cannot read the value of +%s, since its quotes are missing or wrong: write +%s=%s", name, name, value)
				}
				return diag.Errorf(s.markerPosition(comment), codeMarker, "cannot read the arguments of +%s: %s", text, message)
			}
		}
	}
	return diag.Errorf(s.files.Position(err.Pos), codeMarker, "%s", message)
}

// bareList matches an argument with several values and no braces.
var bareList = regexp.MustCompile(`=[\w-]+,[\w-]+(,|$)`)

// notNumber matches a message about a text where a marker takes a number.
var notNumber = regexp.MustCompile(`^invalid \w+ value: strconv|^unable to parse integer|^expected integer|^extra arguments`)

// quoted returns the name of a marker whose value is a text, such as a pattern, and the value in quotes that make it
// valid, or "".
func (s *Source) quoted(text string) (name, value string) {
	name, value, _ = strings.Cut(text, "=")
	value = gosyntax.Quoted(strings.Trim(value, " \"'`"))
	definition := s.Collector.Lookup("+"+text, ctmarkers.DescribesField)
	if definition == nil || definition.Fields[""].Type != ctmarkers.StringType { // only texts need quotes
		return name, ""
	}
	if _, err := definition.Parse("+" + name + "=" + value); err != nil {
		return name, ""
	}
	return name, value
}
