package lintrules

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/language"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var ineffectiveMarker = &linter.Rule{
	Name:     "ineffective-marker",
	Doc:      "Each marker has an effect: it stands alone on its line, and where it is read.",
	Source:   linter.Source{Name: "Kubebuilder, Markers", URL: "https://book.kubebuilder.io/reference/markers.html"},
	Why:      "The schema has fewer limits than the source shows, and a secret that is marked in another module isn't treated as one.",
	Severity: linter.Warning,
	Read:     1, Worth: 1,
	Run: checkIneffectiveMarker,
}

func checkIneffectiveMarker(p *linter.Pass) {
	const foreign = "the marker +%s in %s.%s has no effect, since that struct is declared in another module: declare it in this one"
	const besideOthers = "+%s has no effect beside other text: write // +%[1]s on a line of its own"
	if !p.Partial {
		for _, unused := range p.UnusedTypes() {
			for _, m := range unused.Markers {
				if strings.HasPrefix(m.Text, markers.ValidationPrefix) {
					p.File(m.Pos, m.Pos.File, nil, "the marker +%s has no effect, since no field has the type %s: give it to a field, or remove the marker", m.Name(), unused.Name)
				}
			}
		}
	}
	checkCode(p)
	strays := checkComments(p)
	unread := map[*model.Type]string{}
	for _, k := range p.Kinds {
		if sub := k.APIVersion().Subresources; sub != nil && sub.Scale != nil && sub.Scale.LabelSelectorPath == nil {
			p.Kind(k, nil, nil, "no HorizontalPodAutoscaler scales %s, since its scale has no selector: add selectorpath, the path of a label selector as text", k.Object.Name)
		}
		if text := markerInText(k.Object.Type.Doc); text != "" {
			p.Kind(k, nil, nil, besideOthers, text)
		}
		for name, all := range aroundParameters(k.Object) {
			if m := model.Named(all, markers.Immutable); m != nil && !strays[m.Pos] {
				p.Detail(k, m.Pos, name, "the marker +%s has no effect on %s: move it to the type of spec.forProvider, or to a field there", m.Text, name)
			}
		}
		model.EachField(k.Object.Type.Fields, func(f *model.Field) bool {
			if held := f.Type.Leaf(); f.Inline && unreadIn(held, unread) != "" { // the fields of the API are the embedded struct's
				p.Detail(k, f.Pos, f.Name, foreign, unread[held], held.Package, held.Name)
			}
			return f.Type.Leaf().Local
		})
		checkReferences(p, k)
		for _, f := range k.Fields {
			if m, why := withoutEffect(k, f, !p.KnowsVersions(k)); m != nil {
				p.At(f, m.Pos, f.Markers, nil, "the marker +%s has no effect %s: remove it", m.Name(), why)
			}
			checkConstraints(p, f)
			checkPatches(p, f)
			if text := markerInText(f.Doc); text != "" {
				p.Field(f, nil, besideOthers, text)
			}
			if held := f.Type.Leaf(); unreadIn(held, unread) != "" {
				p.Field(f, nil, foreign, unread[held], held.Package, held.Name)
			}
		}
	}
}

// checkReferences reports a marker on the reference alone that is meant for the value. Beside a marked selector, it is
// the author's choice.
func checkReferences(p *linter.Pass, k *linter.Kind) {
	marked := map[*model.Field][]*linter.Field{}
	for _, f := range k.Fields {
		if f.Value() != nil && f.Marker(markers.Immutable, markers.K8sImmutable) != nil {
			marked[f.Value()] = append(marked[f.Value()], f)
		}
	}
	for value, all := range marked {
		m := all[0].Marker(markers.Immutable, markers.K8sImmutable)
		if len(all) == 1 && !value.Immutable() && model.Named(value.Markers, markers.K8sImmutable, markers.XValidation) == nil {
			p.At(all[0], m.Pos, all[0].Markers, nil, "+%s on %s leaves %s, which holds the value, free to change: mark that, too, or remove this",
				m.Text, all[0].Name, value.Name)
		}
	}
}

// checkConstraints checks the markers that constrain the value of a field.
func checkConstraints(p *linter.Pass, f *linter.Field) {
	if m := onBase64(f); m != nil {
		p.At(f, m.Pos, f.Markers, nil, "the marker +%s applies to Base64, which has four characters for three bytes: correct it, or make %s a string", m.Name(),
			f.Name)
	}
	if m := admitsAll(f); m != nil {
		p.At(f, m.Pos, f.Markers, nil, "the marker +%s admits every text, since it matches a part of each: begin it with ^ and end it with $", m.Name())
	}
	if m := admitsNone(f); m != nil {
		p.At(f, m.Pos, f.Markers, nil, "the marker +%s and others beside it, or of the type, refuse each text: correct it", m.Name())
	} else if m, why := asksForBackslash(f); m != nil {
		p.At(f, m.Pos, f.Markers, nil, "the marker +%s asks for a backslash in the text, since %s", m.Name(), why)
	}
	for _, m := range slices.Concat(f.Markers, f.Type.Leaf().AllMarkers()) {
		if grouped := anchoredInPart(m); grouped != "" {
			p.At(f, m.Pos, f.Markers, nil, "the marker +%s anchors some of its alternatives alone, and others match a part of a text: write %s", m.Name(), grouped)
		}
	}
	if m, other := ofOneHalf(f); m != nil {
		p.At(f, m.Pos, f.Markers, nil, "the marker +%s admits no %s, so that %s needs no IntOrString: add some, or change the type", m.Name(), other, f.Name)
	}
	if own, by := crossed(f); own != nil {
		p.At(f, own.Pos, f.Markers, nil, "no value of %s is valid, since the type %s has +%s: correct the marker +%s", f.Name, f.Type.Deref().Name, by.Text, own.Text)
	}
	if m, other := ofOtherFormat(f); m != nil {
		p.At(f, m.Pos, f.Markers, nil, "no value of %s is valid, since its type has the format %s: remove the marker +%s", f.Name, other, m.Text)
	}
	checkCounts(p, f)
	if own, by := overruled(f); own != nil {
		p.At(f, own.Pos, f.Markers, nil, "the marker +%s has no effect, since the type %s has +%s: remove it, or give the field another type",
			own.Text, f.Type.Deref().Name, by.Text)
	}
}

// checkPatches reports a marker or a tag that asks for strategic merge patches, unless another marker tells how a list is merged.
func checkPatches(p *linter.Pass, f *linter.Field) {
	if f.Marker(markers.ListType, markers.K8sListType) != nil {
		return
	}
	remedy := "remove it"
	if f.Type.Deref().Kind == model.Slice {
		remedy = "write +" + markers.ListType + "=map and +" + markers.ListMapKey
	}
	keys := []string{"patchMergeKey", "patchStrategy"}
	if m := f.Marker(keys...); m != nil {
		p.At(f, m.Pos, f.Markers, nil, "the marker +%s has no effect on custom resources: %s", m.Text, remedy)
		return
	}
	for _, key := range keys {
		if value, isSet := f.Tag.Lookup(key); isSet {
			p.Field(f, nil, "the tag %s:%q has no effect on custom resources: %s", key, value, remedy)
			return
		}
	}
}

// aroundParameters yields the types and fields around and beside the parameters of a kind, by name, with their markers.
func aroundParameters(o *model.Object) iter.Seq2[string, []model.Marker] {
	return func(yield func(string, []model.Marker) bool) {
		if !yield(o.Name, o.Type.Markers) {
			return
		}
		for _, part := range []*model.Field{o.Spec, o.Status, o.Spec.Part("initProvider"), o.Status.Part("atProvider")} {
			isWhole := part == o.Spec || part == o.Status
			if part != nil && (!yield(part.Name, part.Markers) || isWhole && !yield(part.Type.Deref().Name, part.Type.Deref().Markers)) {
				return
			}
		}
	}
}

// unreadIn returns the first of mrgen's markers in a struct of another module, or in the types that it consists of, or "".
func unreadIn(t *model.Type, known map[*model.Type]string) string {
	if _, seen := known[t]; !seen && !t.Local {
		known[t] = t.Unread // a type may be part of itself
		for _, f := range t.Fields {
			known[t] = cmp.Or(known[t], unreadIn(f.Type.Leaf(), known))
		}
	}
	return known[t]
}

// withoutEffect returns a marker that isn't read where it stands, and why, or nil. The kind may have other versions.
func withoutEffect(k *linter.Kind, f *linter.Field, hasOthers bool) (*model.Marker, string) {
	switch identifier, immutable := f.OwnMarker(markers.Identifier), f.Marker(markers.Immutable, markers.K8sImmutable); {
	case immutable != nil && f.In(linter.AtProvider|linter.Status):
		return immutable, "in status, which no user changes"
	case f.Marker(markers.Immutable) != nil && f.UsedIn&linter.ForProvider == 0 && f.JSONName != "forProvider":
		return immutable, "outside of spec.forProvider"
	case identifier != nil && f.In(linter.AtProvider|linter.Status):
		return identifier, "in status, since identifiers are parameters"
	case identifier != nil && f.IsReference():
		return identifier, "on a reference, since the field with the value is the identifier"
	case f.OwnMarker(markers.RenamedFrom) != nil && len(k.CRD.Spec.Versions) == 1 && !hasOthers:
		return f.OwnMarker(markers.RenamedFrom), "on a kind with one version, since it is about another one"
	}
	return nil, ""
}

// onBase64 returns a marker for text that was meant for the bytes of a field, or nil. The API server sees their Base64.
func onBase64(f *linter.Field) *model.Marker {
	if !f.Type.Deref().IsBytes() {
		return nil
	}
	for i, m := range f.Markers {
		name, value, _ := strings.Cut(m.Text, "=")
		switch name {
		case markers.ValidationPrefix + "MaxLength":
			return &f.Markers[i]
		case markers.ValidationPrefix + "MinLength":
			if value != "0" && value != "1" { // no bytes are no text
				return &f.Markers[i]
			}
		case markers.Pattern:
			if pattern := patternOf(m); pattern != nil && slices.ContainsFunc(base64Texts, func(text string) bool { return !pattern.MatchString(text) }) {
				return &f.Markers[i]
			}
		}
	}
	return nil
}

// patternOf returns the pattern of a marker, or nil if it can't be read.
func patternOf(m model.Marker) *regexp.Regexp {
	_, value, _ := strings.Cut(m.Text, "=")
	if text, err := strconv.Unquote(value); err == nil {
		value = text
	}
	pattern, err := regexp.Compile(value)
	if err != nil {
		return nil
	}
	return pattern
}

// admitsAll returns a pattern that matches a part of each text, such as none of it, or nil. A pattern with .* is meant to.
func admitsAll(f *linter.Field) *model.Marker {
	m := f.Marker(markers.Pattern)
	if m == nil || strings.Contains(m.Text, ".*") {
		return nil
	}
	pattern := patternOf(*m)
	if pattern == nil || !refusesAll([]string{`(?s)^.*$`}, pattern.String()) {
		return nil
	}
	return m
}

// refusesAll reports whether no text matches some patterns and not another one.
func refusesAll(patterns []string, other string) bool {
	_, found, isDecided := language.Difference(patterns, other)
	return isDecided && !found
}

// longest is the longest text that is looked for: most patterns match shorter ones.
const longest = 100

// admitsNone returns a pattern that matches no text of the lengths and patterns of a field, or nil.
func admitsNone(f *linter.Field) *model.Marker {
	m, at := f.Marker(markers.Pattern), f.Cursor().Schema
	if m == nil || at == nil {
		return nil
	}
	var patterns []string
	for _, s := range append([]schema.Props{*at}, at.AllOf...) {
		if s.Pattern != "" {
			patterns = append(patterns, s.Pattern)
		}
		if least := s.MinLength; least != nil && *least <= longest {
			patterns = append(patterns, fmt.Sprintf(`(?s)^.{%d,}$`, *least))
		}
		if most := s.MaxLength; most != nil && *most <= longest {
			patterns = append(patterns, fmt.Sprintf(`(?s)^.{0,%d}$`, *most))
		}
	}
	if !refusesAll(patterns, `[^\x{0}-\x{10FFFF}]`) {
		return nil
	}
	return m
}

// escapedClass matches an escaped backslash before a letter or dot, as if one more were meant.
var escapedClass = regexp.MustCompile(`\\\\([dDsSwWbB]|\.($|[^*+?{]))`)

// asksForBackslash returns a pattern that has each of its backslashes twice, and why, or nil.
func asksForBackslash(f *linter.Field) (m *model.Marker, why string) {
	m = f.Marker(markers.Pattern, markers.ItemsValidationPrefix+"Pattern")
	if m == nil {
		return nil, ""
	}
	_, value, _ := strings.Cut(m.Text, "=")
	why = "backquotes keep both: write one in place of two"
	if text, err := strconv.Unquote(value); err == nil && value[0] == '"' {
		value, why = text, "four in double quotes are two: write two"
	}
	if !escapedClass.MatchString(value) {
		return nil, ""
	}
	return m, why
}

// ofOneHalf returns an enum of an IntOrString that has only texts, or only numbers, and the other half, or nil.
func ofOneHalf(f *linter.Field) (*model.Marker, string) {
	at := f.Cursor().Schema
	m := f.Marker(markers.Enum)
	if m == nil || at == nil || f.Type.Deref().Encoding() != model.Verbatim || !at.XIntOrString {
		return nil, ""
	}
	isText := func(value apiextensionsv1.JSON) bool { return value.Raw[0] == '"' }
	switch texts := slices.ContainsFunc(at.Enum, isText); {
	case texts && !slices.ContainsFunc(at.Enum, func(value apiextensionsv1.JSON) bool { return !isText(value) }):
		return m, "number"
	case !texts:
		return m, "text"
	}
	return nil, ""
}

// ofOtherFormat returns a field's format that no value has, since the API server checks the format of its type, too, and that one.
func ofOtherFormat(f *linter.Field) (*model.Marker, string) {
	m, at := f.Marker(markers.Format), f.Cursor().Schema
	if m == nil || at == nil {
		return nil, ""
	}
	for _, s := range at.AllOf {
		isOther := s.Format != "" && !strings.HasSuffix(m.Text, "="+s.Format)
		if isOther && apiserver.KnowsFormat("string", s.Format) && apiserver.KnowsFormat("string", strings.TrimPrefix(m.Text, markers.Format+"=")) {
			return m, s.Format
		}
	}
	return nil, ""
}

// overruled returns a bound of a field that its type's bound is stricter than, and that one, or nil.
func overruled(f *linter.Field) (own, by *model.Marker) {
	for _, k := range schema.Keywords {
		if k.Sign == 0 {
			continue
		}
		name := markers.ValidationPrefix + strings.ToUpper(k.Name[:1]) + k.Name[1:]
		own, by = f.Marker(name), model.Named(f.Type.Deref().AllMarkers(), name)
		if own != nil && by != nil && numberOf(by)*float64(k.Sign) < numberOf(own)*float64(k.Sign) {
			return own, by
		}
	}
	return nil, nil
}

// numberOf returns the number that a marker has.
func numberOf(m *model.Marker) float64 {
	_, value, _ := strings.Cut(m.Text, "=")
	number, _ := strconv.ParseFloat(strings.TrimSpace(value), 64) // generate refuses others
	return number
}

// base64Texts are texts that a pattern for Base64 matches.
var base64Texts = []string{"AAAA", "+/+/", "AAA=", "AA=="}

// besideText matches text that looks like a marker at the end of a line that begins with other text, or with other signs.
var besideText = regexp.MustCompile(`(?m)(?:\S[.:,;]? +|^\W*(\W))\+([a-zA-Z0-9]+(?::[a-zA-Z0-9:]+)?(?:=\S+)?)[)"'\x60]*$`)

// markerInText returns a marker at the end of a line of text, or "".
func markerInText(doc string) string {
	for _, match := range besideText.FindAllStringSubmatch(doc, -1) {
		text := match[2]
		if match[1] != "" && strings.Contains("(\"'`", match[1]) {
			text = strings.TrimRight(text, ")\"'`")
		}
		if markers.IsRead(text) {
			return text
		}
	}
	return ""
}
