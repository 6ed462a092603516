package apitypes

import (
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

// A keywordSet is a set of the keywords of a schema: bit i stands for field i of JSONSchemaProps.
type keywordSet uint64

// A schemaMarker is a marker that writes to a schema, without its position.
type schemaMarker struct {
	parsedMarker
	// own is its name in the source.
	own string
	// keywords are the keywords that it writes.
	keywords keywordSet
}

// A writingMarker identifies a marker by its text and target.
type writingMarker struct {
	text   string
	target ctmarkers.TargetType
}

// contradictions reports the markers of a field or type that set a keyword of its schema to another value than an
// earlier marker does.
func (s *Source) contradictions(list []model.Marker, t *model.Type, target ctmarkers.TargetType) diag.List {
	var diags diag.List
	if len(list) < 2 || s.Program.Added[list[0].Pos.File] {
		return nil // stages copy the markers of several places
	}
	for i, m := range list {
		later := s.schemaMarker(m, target)
		if later == nil {
			continue
		}
		for _, other := range list[:i] {
			earlier := s.schemaMarker(other, target)
			if earlier == nil || earlier.name != later.name || earlier.keywords&later.keywords == 0 || other.Text == m.Text {
				continue
			}
			switch {
			case !s.contradict(list, earlier, later, t, target):
				continue
			case earlier.own == later.own: // the last of two with one name counts
				diags = append(diags, diag.Warningf(other.Pos, codeMarker, "marker +%s has no effect, since +%s at %d:%d counts: remove one of them",
					shortened(other.Text), shortened(m.Text), m.Pos.Line, m.Pos.Column))
			default: // controller-gen may apply either last
				diags = append(diags, diag.Errorf(m.Pos, codeMarker, "marker +%s contradicts +%s at %d:%d: keep one of them",
					shortened(m.Text), shortened(other.Text), other.Pos.Line, other.Pos.Column))
			}
		}
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

// schemaMarker returns a marker with the keywords that it writes, or nil if it writes none.
func (s *Source) schemaMarker(m model.Marker, target ctmarkers.TargetType) *schemaMarker {
	if m.Value != nil {
		return nil
	}
	id := writingMarker{m.Text, target}
	if known, found := s.schemaMarkers.Load(id); found { // most markers occur many times
		return known.(*schemaMarker)
	}
	var found *schemaMarker
	for _, p := range s.parsed([]model.Marker{m}, target) {
		if written := keywordsOf(p.value); written != 0 {
			own, _, _ := strings.Cut(m.Text, "=")
			found = &schemaMarker{p, strings.TrimRight(own, ":"), written}
		}
	}
	s.schemaMarkers.Store(id, found)
	return found
}

// contradict reports whether the order of two markers makes a difference.
func (s *Source) contradict(list []model.Marker, a, b *schemaMarker, t *model.Type, target ctmarkers.TargetType) bool {
	context := s.contextOf(list, t, target)
	all := constraints(s.parsed(list, target), t, context).Schema
	if a.name == itemsMarkers && all.Items != nil {
		all = *all.Items.Schema
	}
	last := func(markers ...*schemaMarker) *apiextensionsv1.JSONSchemaProps {
		applied := all
		for _, m := range markers {
			if err := m.value.(crd.SchemaMarker).ApplyToSchema(context, &applied); err != nil {
				return nil // it is for other types, which is an error already
			}
		}
		return &applied
	}
	ab, ba := last(a, b), last(b, a)
	if ab == nil || ba == nil {
		return false
	}
	// Rules and keys of lists add up: only their order differs.
	ab.XValidations, ba.XValidations = nil, nil
	ab.XListMapKeys, ba.XListMapKeys = nil, nil
	return !reflect.DeepEqual(ab, ba)
}

// contextOf returns the declaration of a type for the markers that need it, or nil.
func (s *Source) contextOf(list []model.Marker, t *model.Type, target ctmarkers.TargetType) *crdmarkers.SchemaContext {
	if target != ctmarkers.DescribesType || !isK8sEnum(list) {
		return nil
	}
	context, _ := s.schemaContext(s.Program.Package(t.Package), t)
	return context
}

// keywordsOf returns the keywords that a marker of controller-tools writes, on a schema of any type.
func keywordsOf(value any) (written keywordSet) {
	marker, ok := value.(crd.SchemaMarker)
	if _, isEnum := value.(constants); isEnum {
		// It needs a declaration, which keywordsOf doesn't have. Enum writes the same keywords.
		marker, ok = crdmarkers.Enum{}, true
	}
	if !ok {
		return 0
	}
	for _, before := range blankSchemas {
		after := before
		if marker.ApplyToSchema(nil, &after) == nil { // a marker refuses the types that it isn't for
			written |= differing(reflect.ValueOf(before), reflect.ValueOf(after))
		}
	}
	return written
}

// differing returns the fields of a schema that a marker has assigned to.
func differing(before, after reflect.Value) (differ keywordSet) {
	for i := range before.NumField() {
		a, b := before.Field(i), after.Field(i)
		isSame := false
		switch a.Kind() {
		case reflect.Slice:
			isSame = a.Len() == b.Len() && a.Pointer() == b.Pointer() // a marker that assigns an equal list has written it, too
		case reflect.Map:
			isSame = a.Pointer() == b.Pointer()
		default:
			isSame = a.Equal(b)
		}
		if !isSame {
			differ |= 1 << i
		}
	}
	return differ
}

// blankSchemas has two schemas of each type: an empty one, and one with all keywords set, which shows a marker that only
// sets zero values.
var blankSchemas = func() (all []apiextensionsv1.JSONSchemaProps) {
	for _, name := range []string{"string", "integer", "number", "boolean", "array", "object"} {
		full := apiextensionsv1.JSONSchemaProps{}
		fields := reflect.ValueOf(&full).Elem()
		for i := range fields.NumField() {
			switch field := fields.Field(i); field.Kind() {
			case reflect.String:
				field.SetString("-")
			case reflect.Bool:
				field.SetBool(true)
			case reflect.Pointer:
				field.Set(reflect.New(field.Type().Elem()))
			case reflect.Slice:
				field.Set(reflect.MakeSlice(field.Type(), 1, 1))
			}
		}
		full.Type, full.XListType = name, new(string(crdmarkers.Map)) // keys of lists need it
		all = append(all, apiextensionsv1.JSONSchemaProps{Type: name}, full)
	}
	return all
}()
