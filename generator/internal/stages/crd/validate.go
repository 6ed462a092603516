package crd

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
)

const codeAPIServer diag.Code = "api-server"

// validate runs the API server's validation on a definition, and returns the refusals at the fields and markers
// that caused them.
func validate(ctx context.Context, validator crdvalidation.Validator, d stage.Definition) diag.List {
	var problems diag.List
	for _, p := range causes(validator.Validate(ctx, d.CRD)) {
		if fields := expensive(d, p); len(fields) > 0 {
			for _, at := range fields {
				problems = append(problems, refusal(d, at))
			}
			continue
		}
		problems = append(problems, refusal(d, p))
	}
	return problems
}

// causes drops errors about the total cost in versions where one rule is too expensive by itself, and about the definition's name
// where its plural or group is wrong.
func causes(problems []crdvalidation.ValidationError) []crdvalidation.ValidationError {
	isOfAll := func(p crdvalidation.ValidationError) bool { return p.IsTotalCost() || p.IsContribution() }
	isWrong, isNamed := map[string]bool{}, true
	for _, p := range problems {
		isWrong[p.Version] = isWrong[p.Version] || p.Rule >= 0 && !isOfAll(p)
		isNamed = isNamed && p.Field != "names.plural" && p.Field != "group"
	}
	// That rule's cost is in the total, which would be blamed on the others.
	return slices.DeleteFunc(problems, func(p crdvalidation.ValidationError) bool {
		return isWrong[p.Version] && isOfAll(p) || !isNamed && p.Field == "metadata.name"
	})
}

// maxExpensive is the number of fields that an error about the total cost names.
const maxExpensive = 4

// expensive returns a problem for each of the most expensive fields without bounds, if mrgen's rules on them
// make the total too expensive.
func expensive(d stage.Definition, p crdvalidation.ValidationError) []crdvalidation.ValidationError {
	if !p.IsTotalCost() {
		return nil
	}
	costs := apiserver.RuleCosts(d.CRD)
	slices.SortStableFunc(costs, func(a, b apiserver.RuleCost) int { return cmp.Compare(b.Cost, a.Cost) })
	var fields []crdvalidation.ValidationError
	for _, c := range costs {
		at := crdvalidation.ValidationError{Version: c.Version, Path: c.Path, Rule: c.Rule, Reason: p.Reason}
		decided := decisionOf(d, at)
		if c.Version != p.Version || decided == nil {
			continue
		}
		if _, marker := unbounded(d, crdvalidation.ValidationError{Version: c.Version, Path: decided.Field}); marker != "" {
			fields = append(fields, at)
		}
	}
	return fields[:min(len(fields), maxExpensive)]
}

// unsupported matches a reason with a value and those that the API server takes.
var unsupported = regexp.MustCompile(`value: "([^"]*)": (?:supported values:|must be one of) (.*)$`)

// refusal returns the diagnostic for a problem with a definition.
func refusal(d stage.Definition, p crdvalidation.ValidationError) diag.Diagnostic {
	decided := decisionOf(d, p)
	refuse := func(format string, arguments ...any) diag.Diagnostic {
		return diag.Errorf(locate(d, p), codeAPIServer, format, arguments...)
	}
	if name := recursive(d, p); name != "" {
		return refuse("%s is recursive, which a CRD can't express: use apiextensionsv1.JSON in its place here", name)
	}
	at := cursor(d, p)
	about, subject := p, p.Subject()
	if decided != nil { // mrgen wrote the rule, so the field that it is about must change
		about.Path, about.Rule, about.Field, subject = decided.Field, -1, "", "the rule that "+decided.Rule.Subject
	}
	if path := hiddenBound(cursor(d, about)); path != "" && strings.Contains(p.Reason, "estimated rule cost") {
		return diag.Errorf(locate(d, about), codeAPIServer,
			"%s costs too much: keep one of the bounds on %s and its type, since the estimate sees neither", subject, path)
	}
	switch isTyped := at.Type != nil; {
	case isTyped && p.Field == "items" && at.Type.Deref().Marshals:
		return diag.Errorf(at.Pos, codeAPIServer, "%s has no items in Go: %s", at.Type.Deref().Name, schemaless)
	case isTyped && strings.HasPrefix(p.Field, markers.Default) && at.Type.Holds((*model.Type).IsDuration) && strings.Contains(p.Reason, "must be of type integer"):
		return refuse("%s has numbers of nanoseconds, and its default doesn't: declare metav1.Duration in place of time.Duration", p.Path[len(p.Path)-1].Name)
	case strings.Contains(p.Reason, "messageExpression cost") && strings.Contains(at.Schema.XValidations[p.Rule].MessageExpression, "string("):
		return refuse("the messageExpression costs the API server too much, which knows no bound for string(…): write '… %%d'.format([…]), or %%s for texts")
	case p.Field == "x-kubernetes-list-map-keys" && len(at.Schema.XListMapKeys) == 0:
		return refuse("%s is a +listType=map and names no key: add +listMapKey with the required field that tells its items apart", p.Path[len(p.Path)-1].Name)
	case strings.HasSuffix(p.Reason, "must have a default or be a required property"):
		return diag.Errorf(at.Pos, codeAPIServer, "%s is a +%s, so that no item may lack it: mark it +%s", p.Path, markers.ListMapKey, markers.Required)
	case strings.Contains(p.Reason, "undefined field '") && escapedField(at, at.Schema.XValidations[p.Rule].Rule) != "":
		name := escapedField(at, at.Schema.XValidations[p.Rule].Rule)
		escaped, _ := apiservercel.Escape(name)
		return refuse("the API server would refuse %s, since rules call the field %s %s: write that", p.Subject(), name, escaped)
	case isTyped && at.Schema.XEmbeddedResource && (at.Schema.Type != "object" || at.Schema.AdditionalProperties != nil):
		return diag.Errorf(at.Pos, codeAPIServer, "%s isn't a resource itself: mark the items of a list +%sXEmbeddedResource, and the values of a map not at all",
			p.Path[len(p.Path)-1].Name, markers.ItemsValidationPrefix)
	case strings.Contains(p.Reason, "token recognition error at: '”'"): // gofmt does that in the comments of types
		return refuse("gofmt made ” of two single quotes in %s: write rule=`… \"\" …`", subject)
	case p.Field == "uniqueItems":
		return refuse("the API server refuses uniqueItems: write +listType=set for a list of scalars, or +listType=map with +listMapKey")
	case decided == nil:
		reason := p.Reason
		if m := unsupported.FindStringSubmatch(reason); m != nil {
			known := strings.FieldsFunc(m[2], func(r rune) bool { return strings.ContainsRune(`", `, r) })
			reason = strings.TrimSuffix(reason+": "+markers.Remedy(m[1], known, ""), ": ")
		}
		return diag.Errorf(locate(d, p), codeAPIServer, "the API server would refuse %s: %s", subject, reason)
	}
	advice := "remove the marker, or set the rules to off in mrgen.yaml"
	if path, marker := unbounded(d, about); marker != "" {
		about.Path = path
		advice = "limit " + path.String() + " with +kubebuilder:validation:" + marker
	}
	return diag.Errorf(locate(d, about), codeAPIServer, "the API server would refuse %s: %s: %s", subject, p.Reason, advice)
}

// escapedField returns the name of a field at or below a value that a rule has as it is, although rules escape it, or "".
func escapedField(at schema.Cursor, rule string) string {
	for below := range at.Within() {
		name := below.Path[len(below.Path)-1].Name
		if escaped, ok := apiservercel.Escape(name); ok && escaped != name && strings.Contains(rule, "."+name) {
			return name
		}
	}
	return ""
}

// recursive returns the name of a recursive type if a field has no schema for that reason, or "".
func recursive(d stage.Definition, p crdvalidation.ValidationError) string {
	if p.Field != "type" {
		return ""
	}
	at := cursor(d, p)
	for around := at.Above; at.Type != nil && around != nil; around = around.Above {
		t := at.Type.Deref()
		if around.Type.Deref() == t {
			return t.Name
		}
		for inlined := range around.Type.Deref().Inlined() {
			if inlined == t {
				return t.Name
			}
		}
	}
	return ""
}

// decisionOf returns the decision that made the rule of a problem, or nil without a rule or for the author's.
func decisionOf(d stage.Definition, p crdvalidation.ValidationError) *provenance.Decision {
	return provenance.OfRule(d.DecisionsOf(versionIndex(d, p.Version)), p.Path, p.Rule)
}

// hiddenBound returns the path of the first schema around or in a value with a bound in allOf, or "". The field and its
// type have one each, and the API server's estimate sees neither.
func hiddenBound(at schema.Cursor) string {
	isBound := func(s schema.Props) bool { return cmp.Or(s.MaxItems, s.MaxProperties, s.MaxLength) != nil }
	for _, at := range slices.AppendSeq(at.Way(), at.Within()) {
		if at.Schema != nil && slices.ContainsFunc(at.Schema.AllOf, isBound) {
			return at.Path.String()
		}
	}
	return ""
}

// unbounded returns the first schema without a bound on the way to a problem's field, or in it, and the marker
// that bounds it. The marker is "" if all are bounded.
func unbounded(d stage.Definition, p crdvalidation.ValidationError) (path schema.Path, marker string) {
	for _, at := range cursor(d, p).Innermost().Way() {
		switch s := at.Schema; {
		case s == nil:
			return nil, ""
		// The cost of a rule grows with the longest possible values.
		case s.Type == "array" && s.MaxItems == nil:
			marker = "MaxItems"
		case s.AdditionalProperties != nil && s.MaxProperties == nil:
			marker = "MaxProperties"
		case s.Type == "string" && s.MaxLength == nil && len(s.Enum) == 0: // enums have a known length
			marker = "MaxLength"
		}
		if last := len(at.Path) - 1; marker != "" && at.Path[last].Kind == schema.Items {
			return at.Path[:last], "items:" + marker
		} else if marker != "" {
			return at.Path, marker
		}
	}
	return nil, ""
}

func versionIndex(d stage.Definition, name string) int {
	return max(0,
		slices.IndexFunc(d.CRD.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == name }))
}

// cursor returns the cursor at the schema of a problem with a definition.
func cursor(d stage.Definition, p crdvalidation.ValidationError) schema.Cursor {
	return d.Root(versionIndex(d, p.Version)).Follow(p.Path)
}

// locate returns the place in the source that caused a problem with a definition: the marker, or the field, or
// the type.
func locate(d stage.Definition, p crdvalidation.ValidationError) diag.Position {
	at := cursor(d, p)
	var marker diag.Position
	switch {
	case p.Rule >= 0 && at.Schema != nil && p.Rule < len(at.Schema.XValidations):
		marker, _ = rules.RuleMarker(at.Markers(), at.Schema.XValidations[p.Rule])
	case p.Field != "":
		marker = partMarker(at.Markers(), p.Field)
	}
	return cmp.Or(marker, at.Pos)
}

// fieldMarkers are the markers that set a part of a schema or of the CRD under another name.
var fieldMarkers = map[string]string{
	"names":                      "resource",
	"scope":                      "resource",
	"additionalPrinterColumns":   "printcolumn",
	"selectableFields":           "selectablefield",
	"deprecationWarning":         markers.DeprecatedVersion,
	"x-kubernetes-list-type":     markers.ListType,
	"x-kubernetes-list-map-keys": markers.ListMapKey,
	"x-kubernetes-map-type":      "mapType",
}

// partMarker returns the position of the marker that sets a part of a schema, such as markers.Default or "pattern",
// or of a version, such as "additionalPrinterColumns[1].jsonPath". Without such a marker, it is invalid.
func partMarker(list []model.Marker, field string) diag.Position {
	path := strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	name, index := path[0], 0
	if len(path) > 1 {
		index, _ = strconv.Atoi(path[1])
	}
	if known := fieldMarkers[name]; known != "" {
		name = known
	}
	return nthMarker(list, name, index)
}

// nthMarker returns the position of the nth marker, counted from 0, with a name or with that last part of its
// name.
func nthMarker(list []model.Marker, name string, n int) diag.Position {
	for _, m := range list {
		text, _, _ := strings.Cut(m.Text, "=")
		isPart := slices.ContainsFunc(strings.Split(text, ":"), func(part string) bool { return strings.EqualFold(part, name) })
		if m.Text != name && text != name && !isPart && !strings.HasPrefix(m.Text, name+":") {
			continue
		}
		if n == 0 {
			return m.Pos
		}
		n--
	}
	return diag.Position{}
}
