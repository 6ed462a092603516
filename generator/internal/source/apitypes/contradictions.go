package apitypes

import (
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/controllertools"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

// A contradiction is a pair of markers whose order makes a difference, by their indexes in a list.
type contradiction struct{ earlier, later int }

// contradictions reports markers of a field or type that set a keyword of its schema to different values by different
// names: controller-gen may apply either last. Of one name, the last marker counts.
func (s *Source) contradictions(list []model.Marker, t *model.Type, target ctmarkers.TargetType) diag.List {
	var diags diag.List
	if len(list) < 2 || s.Program.Added[list[0].Pos.File] {
		return nil // stages copy the markers of several places
	}
	for _, c := range s.contradicting(list, t, target) {
		earlier, later := &list[c.earlier], &list[c.later]
		if earlier.Name() == later.Name() {
			diags = append(diags, diag.Warningf(earlier.Pos, codeMarker, "the marker +%s has no effect, since the one at %d:%d counts: remove one of them",
				earlier.Name(), later.Pos.Line, later.Pos.Column))
			continue
		}
		diags = append(diags, diag.Errorf(later.Pos, codeMarker, "marker +%s contradicts +%s at %d:%d: keep one of them",
			shortened(later.Text), shortened(earlier.Text), earlier.Pos.Line, earlier.Pos.Column))
	}
	return diags
}

// shortened returns the text of a marker, without a long value.
func shortened(text string) string {
	const most = 45
	if name, _, found := strings.Cut(text, "="); found && len(text) > most {
		return name
	}
	return text
}

// contradicting returns the contradictions in a list. Most fields have a list of markers that others have, too.
func (s *Source) contradicting(list []model.Marker, t *model.Type, target ctmarkers.TargetType) []contradiction {
	var key strings.Builder
	form := controllertools.Outline(t)
	key.WriteString(form.Type)
	if form.Items != nil {
		key.WriteString(" of " + form.Items.Schema.Type)
	}
	if target == ctmarkers.DescribesType { // a marker may be about its constants
		key.WriteString(" " + t.Package + "." + t.Name)
	}
	for _, m := range list {
		key.WriteString("\n" + m.Text)
	}
	return s.contradictory.Get(key.String(), func() []contradiction { return s.contradictionsIn(list, t, target) })
}

// contradictionsIn finds the contradictions in a list.
func (s *Source) contradictionsIn(list []model.Marker, t *model.Type, target ctmarkers.TargetType) (found []contradiction) {
	var all []controllertools.ParsedMarker
	var at []int // their indexes in the list
	for i := range list {
		for _, m := range s.parsed(list[i:i+1], target) {
			all, at = append(all, m), append(at, i)
		}
	}
	var declared *controllertools.Declaration
	if target == ctmarkers.DescribesType && model.Named(list, markers.K8sEnum) != nil {
		declared, _ = s.declared(t)
	}
	schema := sync.OnceValue(func() apiextensionsv1.JSONSchemaProps { // few lists need it
		return controllertools.Constraints(all, t, declared).Schema
	})
	for later, b := range all {
		for earlier, a := range all[:later] {
			isPair := a.Name == b.Name && list[at[earlier]].Text != list[at[later]].Text
			if isPair && controllertools.Contradict(schema(), a, b, declared) {
				found = append(found, contradiction{at[earlier], at[later]})
			}
		}
	}
	return found
}
