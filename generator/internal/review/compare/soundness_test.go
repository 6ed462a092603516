package compare

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

var firstPair = flag.Int("first-pair", 0, "the first pair of TestWhatBreaksIsFound, to have them in parts, or one of them again")

// TestWhatBreaksIsFound holds that no object which the old definition accepts is refused,
// pruned or changed without a finding, for random edits of random schemas and of the schemas in
// testdata, and that objects show nearly all findings. The objects come from a generator of this
// test's own, which knows nothing of the search.
func TestWhatBreaksIsFound(t *testing.T) {
	ctx := context.Background()
	pairs := budget.Of(10, 800)
	shapes := shapes(t)
	all, without, judged, bad := 0, 0, 0, 0
	for i := *firstPair; i < *firstPair+pairs; i++ {
		p := newPair(ctx, uint64(i), shapes)
		judged += len(p.objects)
		old, new := definitionOf(p.old.DeepCopy()), definitionOf(p.new.DeepCopy())
		if i%3 == 0 {
			old.CRD.Spec.Scope, new.CRD.Spec.Scope = apiextensionsv1.NamespaceScoped, apiextensionsv1.NamespaceScoped
		}
		found := compare(t, old, new, usual)
		all += len(found)
		for _, f := range found {
			if f.Counterexample == nil && !p.shows(ctx, f) {
				without++
				if testing.Verbose() {
					t.Logf("pair %d: may break: %s", i, describeAll([]Finding{f}))
				}
			}
		}
		for _, object := range p.objects {
			if field, says := fate(ctx, p.validOld, p.validNew, object); says != "" && !explained(found, field) {
				bad++
				was, _ := json.Marshal(p.old)
				is, _ := json.Marshal(p.new)
				t.Errorf("pair %d: %s: %s\n%s\n%s\n%s\nfound %s", i, field, says, compacted(object), was, is, describeAll(found))
				break
			}
		}
		expect.Must(t, bad <= 5, "and so on")
	}
	t.Logf("%d pairs, %d objects, %d unexplained, %d findings, %d of them may break and no object shows it", pairs, judged, bad, all, without)
	expect.True(t, judged >= pairs, "only %d objects were accepted by the old definitions", judged)
	expect.True(t, without*20 <= all, "of %d findings, %d have no counterexample among %d objects", all, without, maxTrials)
}

// maxTrials is how many objects are made to show a finding without a counterexample.
const maxTrials = 10000

// shows reports whether one of many random objects shows a finding.
func (p pair) shows(ctx context.Context, f Finding) bool {
	r := &chooser{rand.New(rand.NewPCG(11, 13))}
	for range maxTrials {
		object := r.identified(p.old)
		if len(p.validOld.Refusals(ctx, object)) > 0 {
			continue
		}
		if field, says := fate(ctx, p.validOld, p.validNew, object); says != "" && explained([]Finding{f}, field) {
			return true
		}
	}
	return false
}

// identified returns a random object, with a name.
func (r *chooser) identified(s *props) map[string]any {
	object := map[string]any{"apiVersion": "example.org/v1", "kind": "Thing", "metadata": map[string]any{"name": "a"}}
	maps.Copy(object, r.value(s, 0).(map[string]any))
	return object
}

// maxObjects is how many objects are made for a pair. Each counts once.
const maxObjects = 200

// A pair is a schema before and after edits, with objects that the old one accepts.
type pair struct {
	old, new           *props
	validOld, validNew *apiserver.ObjectValidator
	objects            []map[string]any
}

// newPair returns a pair by number, every other one with a schema of a real shape. The API
// server takes both schemas, and there are objects.
func newPair(ctx context.Context, number uint64, shapes []*props) pair {
	for attempt := uint64(7); ; attempt++ {
		r := &chooser{rand.New(rand.NewPCG(number, attempt))}
		var p pair
		if number%2 == 0 {
			p.old = r.root()
		} else {
			p.old = r.thinned(pick(r, shapes...))
		}
		p.new = p.old.DeepCopy()
		for range 1 + r.IntN(3) {
			r.edit(p.new)
		}
		var errOld, errNew error
		p.validOld, errOld = apiserver.NewObjectValidator(p.old)
		p.validNew, errNew = apiserver.NewObjectValidator(p.new)
		if errOld != nil || errNew != nil || len((apiserver.Upstream{}).Validate(ctx, definitionNamed(p.old))) > 0 || len((apiserver.Upstream{}).Validate(ctx, definitionNamed(p.new))) > 0 {
			continue // the API server takes one of them from nobody
		}
		seen := map[string]bool{}
		for range maxObjects {
			object := r.identified(p.old)
			text := compacted(object)
			if seen[text] {
				continue
			}
			seen[text] = true
			if len(p.validOld.Refusals(ctx, object)) == 0 {
				p.objects = append(p.objects, object)
			}
		}
		if len(p.objects) > 0 {
			return p // otherwise nobody has an object of such a kind
		}
	}
}

// maxShape bounds the size of the files that schemas of real shapes are read from: those of
// kinds with hundreds of fields take long, and are made of the same.
const maxShape = 60 << 10

// shapes returns the schemas of the providers in testdata.
func shapes(t *testing.T) []*props {
	names, err := filepath.Glob("../../../../testdata/provider-*/package/crds/*.yaml")
	expect.Must(t, err == nil && len(names) != 0, "no definitions %v", err)
	var all []*props
	for _, name := range names {
		text := expect.Value(os.ReadFile(name))(t)
		var crd apiextensionsv1.CustomResourceDefinition
		expect.NoError(t, yaml.Unmarshal(text, &crd))
		if len(text) > maxShape {
			continue
		}
		for _, v := range crd.Spec.Versions {
			s := bare(v.Schema.OpenAPIV3Schema)
			for _, name := range []string{"apiVersion", "kind", "metadata"} {
				delete(s.Properties, name)
			}
			if len(s.Properties) > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

// thinned returns a copy of a schema without some of its optional fields, and without the
// rules that name one of these.
func (r *chooser) thinned(s *props) *props {
	s = s.DeepCopy()
	gone := map[string]bool{}
	var thin func(s *props, depth int)
	each := func(s *props, depth int, do func(s *props, depth int)) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			p := s.Properties[name]
			do(&p, depth+1)
			s.Properties[name] = p
		}
		if s.Items != nil {
			do(s.Items.Schema, depth)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			do(s.AdditionalProperties.Schema, depth)
		}
	}
	thin = func(s *props, depth int) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if depth > 0 && !slices.Contains(s.Required, name) && !slices.Contains(s.XListMapKeys, name) && r.flip(2) {
				delete(s.Properties, name)
				gone[name] = true
			}
		}
		each(s, depth, thin)
	}
	thin(s, 0)
	var forget func(s *props, depth int)
	forget = func(s *props, depth int) {
		s.XValidations = slices.DeleteFunc(s.XValidations, func(rule apiextensionsv1.ValidationRule) bool {
			return slices.ContainsFunc(slices.Collect(maps.Keys(gone)), func(name string) bool { return strings.Contains(rule.Rule, name) })
		})
		each(s, depth, forget)
	}
	forget(s, 0)
	return s
}

func definitionNamed(root *props) *apiextensionsv1.CustomResourceDefinition {
	crd := definitionOf(root).CRD
	crd.Name = "things.example.org"
	return crd
}

func compacted(object map[string]any) string {
	text, _ := json.Marshal(object)
	return string(text)
}

// fate returns what becomes of an object, "" if nothing does.
func fate(ctx context.Context, old, new *apiserver.ObjectValidator, object map[string]any) (field, says string) {
	stored, _ := old.Read(object)
	read, dropped := new.Read(stored)
	if len(dropped) > 0 {
		return dropped[0], "dropped"
	}
	if d := visible(valueChanges("", stored, old.Known(read))); len(d) > 0 {
		return d[0].field, "read differently"
	}
	if refusals := new.UpdateRefusals(ctx, read, read, true); len(refusals) > 0 {
		return refusals[0].Field, "update refused: " + refusals[0].Reason
	}
	manifest := maps.Clone(object)
	delete(manifest, "status")
	if refusals := new.Refusals(ctx, manifest); len(refusals) > 0 {
		return refusals[0].Field, "refused: " + refusals[0].Reason
	}
	was, _ := old.Read(manifest)
	is, _ := new.Read(manifest)
	if d := visible(valueChanges("", was, old.Known(is))); len(d) > 0 {
		return d[0].field, "means something else"
	}
	return "", ""
}

// visible returns the changes that clients in Go notice.
func visible(all []valueChange) []valueChange {
	return slices.DeleteFunc(all, valueChange.isZero)
}

// explained reports whether a finding is about a field, what it is in, or what is in it.
func explained(found []Finding, field string) bool {
	plain := func(path string) string {
		var b strings.Builder
		for _, part := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]{}\"", r) }) {
			if strings.Trim(part, "0123456789") != "" && !strings.HasPrefix(part, "k_") {
				b.WriteString("." + part)
			}
		}
		return b.String() + "."
	}
	return slices.ContainsFunc(found, func(f Finding) bool {
		return strings.HasPrefix(plain(field), plain(f.Path)) || strings.HasPrefix(plain(f.Path), plain(field))
	})
}

// A chooser makes random schemas, edits and values.
type chooser struct{ *rand.Rand }

func (r *chooser) flip(of int) bool { return r.IntN(of) == 0 }

func pick[T any](r *chooser, from ...T) T { return from[r.IntN(len(from))] }

func (r *chooser) root() *props {
	root := &props{Type: "object", Properties: map[string]props{"spec": r.object(0)}}
	if r.flip(2) {
		root.Properties["status"] = r.object(2)
	}
	if r.flip(2) {
		root.Required = []string{"spec"}
	}
	return root
}

var fieldNames = []string{"alpha", "beta", "gamma", "delta", "epsilon"}

func (r *chooser) object(depth int) props {
	s := props{Type: "object", Properties: map[string]props{}}
	for _, name := range fieldNames[:1+r.IntN(len(fieldNames))] {
		s.Properties[name] = r.schema(depth + 1)
		if r.flip(4) {
			s.Required = append(s.Required, name)
		}
	}
	if r.flip(4) {
		r.rule(&s)
	}
	if r.flip(12) {
		s.MaxProperties = new(int64(1 + r.IntN(4)))
	}
	if r.flip(12) {
		s.XPreserveUnknownFields = new(true)
	}
	isFree := func(name string) bool {
		p, ok := s.Properties[name]
		return ok && p.Default == nil && !slices.Contains(s.Required, name)
	}
	if r.flip(12) && isFree("alpha") && isFree("beta") {
		s.OneOf = []props{{Required: []string{"alpha"}}, {Required: []string{"beta"}}}
	}
	return s
}

func (r *chooser) schema(depth int) props {
	kind := r.IntN(9)
	if depth > 3 {
		kind = r.IntN(5)
	}
	var s props
	switch kind {
	case 0, 1:
		s = props{Type: "string"}
		switch r.IntN(6) {
		case 0:
			s.Enum = r.enum()
		case 1:
			s.Pattern = pick(r, patterns...)
		case 2:
			s.MaxLength = new(int64(2 + r.IntN(6)))
		case 3:
			s.MinLength = new(int64(r.IntN(3)))
		case 4:
			s.Format = pick(r, "date-time", "ipv4", "byte", "unheard-of")
		}
	case 2:
		s = props{Type: pick(r, "integer", "number")}
		if s.Type == "integer" {
			s.Format = pick(r, "", "int64", "int32")
		}
		r.bounds(&s)
	case 3:
		s = props{Type: "boolean"}
	case 4:
		s = props{XIntOrString: true}
	case 5, 6:
		return r.object(depth)
	case 7:
		items := r.schema(depth + 1)
		items.Default, items.Nullable = nil, false
		s = props{Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}, MaxItems: new(int64(2 + r.IntN(5)))}
		if r.flip(4) {
			s.MinItems = new(int64(1 + r.IntN(2)))
		}
		if items.Type == "string" && r.flip(3) {
			s.XListType = new("set")
		}
	default:
		values := r.schema(depth + 1)
		values.Default, values.Nullable = nil, false
		s = props{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Schema: &values, Allows: true}}
	}
	s.Nullable = r.flip(10)
	r.defaults(&s)
	return s
}

var patterns = []string{"^[a-z]+$", "^[a-z]+( [a-z]+)*$", "^.*$", "^[a-zA-Z0-9]*$", "^[a-f0-9]*$", "^x", "a$", "^[A-Za-z]{1,4}$", "b"}

func (r *chooser) enum() []apiextensionsv1.JSON {
	var values []apiextensionsv1.JSON
	for _, v := range []string{`"a"`, `"b"`, `"xa"`, `"Fox"`}[:1+r.IntN(4)] {
		values = append(values, apiextensionsv1.JSON{Raw: []byte(v)})
	}
	return values
}

func (r *chooser) bounds(s *props) {
	if r.flip(3) {
		s.Minimum = new(float64(r.IntN(4) - 1))
		s.ExclusiveMinimum = r.flip(3)
	}
	if r.flip(3) {
		s.Maximum = new(float64(4 + r.IntN(6)))
		s.ExclusiveMaximum = r.flip(3)
	}
	if r.flip(6) {
		s.MultipleOf = new(float64(1 + r.IntN(3)))
	}
}

func (r *chooser) defaults(s *props) {
	s.Default = nil
	if !r.flip(5) {
		return
	}
	if value := r.value(s, 3); value != nil {
		if raw, err := json.Marshal(value); err == nil {
			s.Default = &apiextensionsv1.JSON{Raw: raw}
		}
	}
}

// rule adds a rule about a field or two.
func (r *chooser) rule(s *props) {
	names := slices.Sorted(maps.Keys(s.Properties))
	a, b := pick(r, names...), pick(r, names...)
	for len(names) > 1 && a == b {
		b = pick(r, names...)
	}
	if a == b {
		return
	}
	rules := []string{
		fmt.Sprintf("!has(self.%s) || has(self.%s)", a, b),
		fmt.Sprintf("has(self.%s) || has(self.%s)", a, b),
		fmt.Sprintf("!(has(self.%s) && has(self.%s))", a, b),
		fmt.Sprintf("!has(oldSelf.%s) || (has(self.%s) && self.%s == oldSelf.%s)", a, a, a, a),
	}
	switch p := s.Properties[a]; p.Type {
	case "string":
		rules = append(rules, fmt.Sprintf("!has(self.%s) || self.%s != 'a'", a, a), fmt.Sprintf("!has(self.%s) || size(self.%s) < 3", a, a), fmt.Sprintf("!has(self.%s) || self.%s.startsWith('x')", a, a))
	case "integer":
		rules = append(rules, fmt.Sprintf("!has(self.%s) || self.%s > 2", a, a), fmt.Sprintf("!has(self.%s) || self.%s %% 2 == 0", a, a))
	case "array":
		rules = append(rules, fmt.Sprintf("!has(self.%s) || size(self.%s) != 2", a, a))
	case "object":
		if p.AdditionalProperties != nil {
			rules = append(rules, fmt.Sprintf("!has(self.%s) || size(self.%s) != 2", a, a), fmt.Sprintf("!has(self.%s) || !has(self.%s.k_3)", a, a), fmt.Sprintf("has(self.%s) && has(self.%s.k_3) || !has(self.%s)", a, a, b))
		}
	}
	s.XValidations = append(s.XValidations, apiextensionsv1.ValidationRule{Rule: pick(r, rules...)})
}

// edit changes something somewhere.
func (r *chooser) edit(root *props) {
	name := pick(r, slices.Sorted(maps.Keys(root.Properties))...)
	part := root.Properties[name]
	r.change(&part)
	root.Properties[name] = part
}

func (r *chooser) change(s *props) {
	// Go on below, mostly.
	if len(s.Properties) > 0 && !r.flip(3) {
		name := pick(r, slices.Sorted(maps.Keys(s.Properties))...)
		p := s.Properties[name]
		r.change(&p)
		s.Properties[name] = p
		return
	}
	if s.Items != nil && r.flip(2) {
		r.change(s.Items.Schema)
		s.Items.Schema.Default, s.Items.Schema.Nullable = nil, false
		return
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && r.flip(2) {
		r.change(s.AdditionalProperties.Schema)
		s.AdditionalProperties.Schema.Default, s.AdditionalProperties.Schema.Nullable = nil, false
		return
	}
	if s.AdditionalProperties != nil && r.flip(2) {
		if s.MaxProperties = nil; r.flip(2) {
			s.MaxProperties = new(int64(1 + r.IntN(4)))
		}
		s.XValidations = append(s.XValidations, apiextensionsv1.ValidationRule{Rule: pick(r, "size(self) < 3", "!has(self.k_3)", "self.all(k, k != 'k_1')", "has(self.k_1) || size(self) == 0")})
		return
	}
	if len(s.Properties) > 0 {
		names := slices.Sorted(maps.Keys(s.Properties))
		name := pick(r, names...)
		if len(s.XValidations) > 0 && r.flip(4) {
			rule := &s.XValidations[r.IntN(len(s.XValidations))].Rule
			*rule = pick(r, strings.NewReplacer("2", "4", "3", "5"), strings.NewReplacer("3", "2", "2", "1"), strings.NewReplacer("||", "&&"), strings.NewReplacer("&&", "||"), strings.NewReplacer("'a'", "'b'")).Replace(*rule)
			return
		}
		switch r.IntN(7) {
		case 0:
			delete(s.Properties, name)
			s.Required = slices.DeleteFunc(s.Required, func(n string) bool { return n == name })
			s.XValidations = nil
		case 1:
			if !slices.Contains(s.Required, name) {
				s.Required = append(s.Required, name)
			}
		case 2:
			s.Required = slices.DeleteFunc(s.Required, func(n string) bool { return n == name })
		case 3:
			s.Properties["added"] = r.schema(3)
		case 4:
			r.rule(s)
		case 5:
			s.XPreserveUnknownFields = nil
		default:
			s.OneOf = nil
			s.MinProperties = new(int64(1 + r.IntN(2)))
		}
		return
	}
	switch r.IntN(6) {
	case 0:
		*s = r.schema(4)
		return
	case 1:
		s.Nullable = !s.Nullable
	case 2:
		r.defaults(s)
		return
	}
	switch s.Type {
	case "string":
		switch r.IntN(4) {
		case 0:
			s.Enum = r.enum()
		case 1:
			s.Pattern = pick(r, patterns...)
		case 2:
			s.MaxLength = new(int64(1 + r.IntN(6)))
		default:
			s.Format = pick(r, "date-time", "ipv4", "byte", "")
		}
	case "integer", "number":
		if r.bounds(s); s.Type == "integer" && r.flip(2) {
			s.Format = pick(r, "", "int64", "int32")
		}
	case "array":
		s.MaxItems = new(int64(1 + r.IntN(5)))
	}
	s.Default = nil
}

var someTexts = []string{"", "a", "b", "xa", "Fox", "abc", "x", "abcdef01", "2024-01-01T00:00:00Z", "10.1.2.3", "YQ==", "longer than others"}

// value returns a random value for a schema, which need not accept it.
func (r *chooser) value(s *props, depth int) any {
	if s.Nullable && r.flip(6) {
		return nil
	}
	if len(s.Enum) > 0 && !r.flip(10) {
		return decode(pick(r, s.Enum...).Raw)
	}
	switch {
	case s.XIntOrString:
		if r.flip(2) {
			return int64(r.IntN(5))
		}
		return pick(r, someTexts...)
	case s.Type == "string":
		return pick(r, someTexts...)
	case s.Type == "integer":
		return pick(r, int64(r.IntN(14)-2), int64(r.IntN(14)-2), int64(r.IntN(14)-2), 1<<40)
	case s.Type == "number":
		if r.flip(2) {
			return float64(r.IntN(28))/2 - 2.25
		}
		return int64(r.IntN(14) - 2)
	case s.Type == "boolean":
		return r.flip(2)
	case s.Type == "array":
		list := []any{}
		for range r.IntN(4) {
			if value := r.value(s.Items.Schema, depth+1); value != nil {
				list = append(list, value)
			}
		}
		return list
	default:
		object := map[string]any{}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			for range r.IntN(4) {
				if value := r.value(s.AdditionalProperties.Schema, depth+1); value != nil {
					object[fmt.Sprintf("k_%d", r.IntN(5))] = value
				}
			}
			return object
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if slices.Contains(s.Required, name) && !r.flip(20) || r.flip(2) {
				p := s.Properties[name]
				object[name] = r.value(&p, depth+1)
			}
		}
		if keepsUnknown(s) && r.flip(3) {
			object["added"] = pick[any](r, "a", int64(1), map[string]any{"x": "y"})
		}
		return object
	}
}
