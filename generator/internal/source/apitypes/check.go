package apitypes

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/markers"
)

const codeJSONName diag.Code = "json-tag"

// checkModel reports errors in the types of a model that don't depend on the generated output. The maps say why schemas
// can't express fields, and why types can't read their own JSON.
func (s *Source) checkModel(inexpressible map[*model.Field]string, encodings map[*model.Type]string) diag.List {
	c := &checker{
		source: s,
		kinds:  map[*model.Type]markers.Place{},
		places: map[*model.Type][]markers.Place{},
		schema: map[*model.Type]bool{},
		named:  map[*model.Type]bool{},

		encodings: encodings,
		marshaled: map[*model.Type]bool{},
	}
	for _, p := range s.Model.Packages {
		c.markersAt(p.Markers, markers.Package)
		for _, o := range p.Objects {
			c.object(o)
			problems := inexpressible
			if !hasSchema(p, o) { // without a CRD, no schema has to express the types
				problems = nil
			}
			c.expressible(o.Type, problems)
		}
	}
	for _, t := range c.order {
		if !encodesWhole(t) && c.named[t] && !c.losesMethods(t) {
			c.tags(t)
			c.options(t)
			c.jsonNames(t)
		}
		c.markers(t)
	}
	return c.diags
}

// checker walks the types that objects are made of, and records in which parts of objects
// each declared type occurs.
type checker struct {
	source *Source
	kinds  map[*model.Type]markers.Place
	places map[*model.Type][]markers.Place
	// order has the types of the module in the order in which they were reached.
	order []*model.Type
	// schema are the types that are part of the schema of a CRD. named are the types whose fields need JSON names: all
	// types of objects, except below a field without a schema.
	schema, named map[*model.Type]bool
	// encodings say why types can't read their own JSON. marshaled are types that encode themselves, and are reported.
	encodings map[*model.Type]string
	marshaled map[*model.Type]bool
	diags     diag.List
}

// hasSchema reports whether an object is a kind with a CRD.
func hasSchema(p *model.Package, o *model.Object) bool {
	return p.Group != "" && !o.List && !slices.ContainsFunc(p.Markers, func(m model.Marker) bool { return m.Text == markers.Skip })
}

// expressible reports the fields that no schema can express, in the types that a type consists of.
func (c *checker) expressible(t *model.Type, problems map[*model.Field]string) {
	visited := c.schema
	if problems == nil {
		visited = c.named
	}
	if t == nil || visited[t] {
		return
	}
	visited[t], c.named[t] = true, true
	c.expressible(t.Elem, problems)
	for _, f := range t.Fields {
		if f.Ignored || !f.Tagged { // tags reports fields without a tag
			continue
		}
		if problem := problems[f]; problem != "" {
			c.diags = append(c.diags, diag.Errorf(f.Pos, codeType, "%s %s", f.Name, problem))
		} else if model.Named(f.Markers, markers.Schemaless) == nil { // fields below a schemaless field are not part of the schema
			if problems != nil && !t.Derived {
				c.marshals(f)
			}
			c.expressible(f.Type, problems)
		}
	}
}

// field visits the types below a field, if there is one.
func (c *checker) field(f *model.Field, place markers.Place) {
	if f != nil {
		c.typ(f.Type, place)
	}
}

// typ visits a type at a place, and the types that it consists of.
func (c *checker) typ(t *model.Type, place markers.Place) {
	if t == nil || t.Kind == model.Basic && !t.Local {
		return
	}
	// Only types with a name can be part of themselves.
	if t.Kind == model.Struct || t.Name != "" {
		// Which markers have an effect depends on the place, so a type is visited once for each.
		known := c.places[t]
		if slices.Contains(known, place) {
			return
		}
		c.places[t] = append(known, place)
		if t.Local && len(known) == 0 {
			c.order = append(c.order, t)
		}
	}
	if encodesWhole(t) {
		return
	}
	c.typ(t.Key, place)
	c.typ(t.Elem, place)
	c.typ(t.Of, place)
	for _, f := range t.Fields {
		if f.Inline || f.JSONName != "" {
			c.typ(f.Type, place)
		}
	}
}

// encodesWhole reports whether a type encodes itself, and its schema doesn't come from its fields. They are not part of
// the API then.
func encodesWhole(t *model.Type) bool {
	// A marker gives the schema, or it is a string if the type marshals itself as text: see infoToSchema in
	// controller-tools.
	return t.Texts || t.Marshals && model.Named(t.Markers, markers.ValidationType) != nil
}

// markers reports markers in the wrong place, and markers that contradict each other.
func (c *checker) markers(t *model.Type) {
	places := []markers.Place{cmp.Or(c.kinds[t], markers.Type)}
	if t.Kind == model.Struct && slices.Contains(c.places[t], markers.ForProviderField) {
		places = append(places, markers.ForProviderStruct)
		c.alternatives(t)
	}
	c.markersAt(t.Markers, places...)
	c.diags = append(c.diags, c.source.contradictions(t.Markers, t, ctmarkers.DescribesType)...)
	for _, f := range t.Fields {
		if !t.Derived { // the author marks the mirrored field
			c.keys(f)
			c.inlined(f)
			c.present(f)
		}
		c.markersAt(f.Markers, c.places[t]...)
		c.diags = append(c.diags, c.source.contradictions(f.Markers, f.Type, ctmarkers.DescribesField)...)
	}
}

// keys warns about markers on the type of a map's keys.
func (c *checker) keys(f *model.Field) {
	t := f.Type.Leaf()
	if of := f.Type.Deref(); of.Kind == model.Map {
		t = of
	}
	if t.Key == nil {
		return
	}
	for _, m := range t.Key.Markers {
		if strings.HasPrefix(m.Text, markers.ValidationPrefix) && m.Name() != markers.ValidationType {
			c.diags = append(c.diags, diag.Warningf(f.Pos, codeMarker,
				"+%s of %s has no effect on the keys of %s: write +%s:rule=\"self.all(key, …)\"", m.Name(), t.Key.Name, f.Name, markers.XValidation))
			return
		}
	}
}

func (c *checker) markersAt(all []model.Marker, places ...markers.Place) {
	var meant []string
	if !slices.ContainsFunc(all, func(m model.Marker) bool { return m.Value != nil }) {
		// most lists only have markers of other tools
		return
	}
	values := make([]*markers.Value, len(all))
	for i, m := range all {
		values[i] = m.Value
		if m.Value == nil {
			if m.Meant != "" {
				meant = append(meant, m.Meant)
			}
			continue
		}
		if problem := m.Value.CheckPlace(places...); problem != nil {
			c.diags = append(c.diags, markerProblem(m.Pos, problem))
		}
	}
	for _, conflict := range markers.Check(values, meant...) {
		c.diags = append(c.diags, markerProblem(all[conflict.Index].Pos, &conflict.Problem))
	}
}

// alternatives reports markers that name fields which a struct lacks, or fields that are
// not alternatives.
func (c *checker) alternatives(t *model.Type) {
	for _, of := range model.OneOfs(t.Markers) {
		names, isKnown := t.JSONNames(), true
		for _, name := range of.Fields {
			if slices.Contains(names, name) {
				continue
			}
			isKnown = false
			c.diags = append(c.diags, diag.Errorf(of.Pos, codeMarker, "%s has no field with the JSON name %q: %s", t.Name, name,
				markers.Remedy(name, names, "write JSON names of its fields")))
		}
		alternatives := t.Alternatives(of.Fields)
		switch {
		case !isKnown || len(alternatives) == len(of.Fields): // an unknown name is reported above
		case len(alternatives) == 1:
			c.diags = append(c.diags, diag.Errorf(of.Pos, codeMarker,
				"%s stand for one value, so there is nothing to choose: name another field, or mark the value +%s instead",
				diag.And(of.Fields), markers.ValidationRequired))
		default:
			c.diags = append(c.diags, diag.Warningf(of.Pos, codeMarker,
				"some of %s stand for one value, and are counted once: name the values alone, without their references and selectors",
				diag.And(of.Fields)))
		}
	}
}

// losesMethods reports a struct that is declared as another one and lacks the methods by which that one encodes itself.
func (c *checker) losesMethods(t *model.Type) bool {
	if t.Kind != model.Struct || t.Of == nil {
		return false
	}
	isLost := func(method string) bool { return t.Of.Methods[method].IsValid() && !t.Methods[method].IsValid() }
	if !slices.ContainsFunc([]string{"MarshalJSON", "MarshalText", "UnmarshalJSON", "UnmarshalText"}, isLost) {
		return c.losesMethods(t.Of)
	}
	if t.Local {
		c.diags = append(c.diags, diag.Errorf(t.Pos, codeType,
			"%s lacks the methods by which %s encodes itself: declare it as an alias, with an equals sign, or declare methods", t.Name, t.Of.Name))
	}
	return true
}

// tags reports fields without a valid name in their json tag.
// encoding/json would use the Go name, but the schema takes names from json tags alone.
func (c *checker) tags(t *model.Type) {
	for _, f := range t.Fields {
		name := gosyntax.Unexported(f.Name)
		switch {
		case !f.Tagged && f.Pos.IsOutside(): // the type is declared as a struct of another module
			c.diags = append(c.diags, diag.Errorf(t.Pos, codeJSONName,
				"%s is declared as %s.%s, whose fields lack json tags: declare fields, or MarshalText, UnmarshalText and +%s=string",
				t.Name, t.Of.PackageName, t.Of.Name, markers.ValidationType))
			return
		case f.Embedded && f.JSONName == inline:
			c.report(f, "the json tag of %s makes inline its name, since a comma is missing: write `json:\",inline\"`", f.Name)
		case !f.Tagged && f.Embedded:
			c.report(f, "the embedded field %s has no json tag: add `json:\",inline\"`, or a name", f.Name)
		case !f.Tagged:
			c.report(f, "the field %s has no json tag, or one that Go can't read: write one, such as `json:\"%s,omitempty\"`", f.Name, name)
		case !validJSONName(f.JSONName):
			c.report(f, "encoding/json does not accept %q as a name, and would use %s: use letters, digits and dashes", f.JSONName, f.Name)
		case slipsInName.MatchString(f.JSONName):
			c.report(f,
				"the json tag of %s makes %q its name, with a space or an option: write the name, a comma, and the option, such as `json:\"%s,omitempty\"`", f.Name, f.JSONName, name)
		case !f.Embedded && f.JSONName == "" && slices.Contains(f.Options, inline):
			c.report(f,
				"encoding/json inlines only embedded fields, and calls this one %s: embed the type, or name the field in JSON, such as `json:\"%s,omitempty\"`", f.Name, name)
		case !f.Embedded && f.JSONName == "" && !f.Ignored:
			c.report(f, "the json tag of %s has no name: add one, such as `json:\"%s,omitempty\"`", f.Name, name)
		}
	}
}

// slipsInName matches mistakes in names that encoding/json allows.
var slipsInName = regexp.MustCompile(`^ | $|[^A-Za-z0-9](omitempty|omitzero|inline)$|^omit(empty|zero)$`)

// inline is the option by which Kubernetes' tools recognize embedded structs without a name.
const inline = "inline"

// options reports misspelt options of json tags, which encoding/json ignores.
func (c *checker) options(t *model.Type) {
	known := []string{"omitempty", "omitzero", "string", inline}
	for _, f := range t.Fields {
		for _, option := range f.Options {
			word, _, _ := strings.Cut(option, "=")
			if near, found := markers.Nearest(word, known); found && !slices.Contains(known, option) {
				c.report(f, "encoding/json knows no option %q in the json tag of %s: did you mean %s?", option, f.Name, near)
			}
		}
	}
}

// validJSONName reports whether encoding/json accepts a name in a tag: see
// isValidTag there.
func validJSONName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

func (c *checker) report(f *model.Field, format string, args ...any) {
	c.diags = append(c.diags, diag.Errorf(f.Pos, codeJSONName, format, args...))
}

// jsonNames reports JSON names that two fields of a struct have at the same depth.
func (c *checker) jsonNames(t *model.Type) {
	type claim struct {
		field *model.Field
		depth int
	}
	claims := map[string][]claim{}
	var collect func(t *model.Type, at *model.Field, depth int, path []*model.Type)
	collect = func(t *model.Type, at *model.Field, depth int, path []*model.Type) {
		if slices.Contains(path, t) { // a struct may embed itself by a pointer
			return
		}
		path = append(path, t)
		for _, f := range t.Fields {
			// A name in an embedded struct is reported at the embedded field.
			place := cmp.Or(at, f)
			switch {
			case f.Inline:
				collect(f.Type.Deref(), place, depth+1, path)
			case f.JSONName != "":
				claims[f.JSONName] = append(claims[f.JSONName], claim{place, depth})
			}
		}
	}
	collect(t, nil, 0, nil)
	for name, all := range claims {
		shallowest := slices.MinFunc(all, func(a, b claim) int { return cmp.Compare(a.depth, b.depth) }).depth
		// encoding/json silently drops both of two fields at the least depth
		all = slices.DeleteFunc(all, func(c claim) bool { return c.depth != shallowest })
		for _, other := range all[1:] {
			c.report(other.field, "the JSON name %q is already taken by the field %s: give one of them another name", name, all[0].field.Name)
		}
	}
}
