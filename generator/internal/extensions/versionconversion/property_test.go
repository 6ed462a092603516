package versionconversion

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/markers"
	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

var seed = flag.Uint64("seed", 1, "seed of the pairs")

// pairsInModule is the number of pairs that are compiled at once, and pairsInKind that of those
// that are parts of one kind, since each kind has many methods to compile.
const (
	pairsInModule = 4000
	pairsInKind   = 20
)

// TestLosslessOrError converts random kinds between two versions that differ at random. Either
// that is an error with a position, or random objects come back as they were, both ways, as the
// tests that the stage writes say; and what is changed in one version is what the other one has,
// whatever was kept. No annotation has a value that is sensitive in either version, and where
// annotations have no space left, nothing is converted. No result has null that the API server
// refuses, or shares memory with its source, or has something where nobody set anything. All compiles, too, where the author has the names
// that generated code would have otherwise.
func TestLosslessOrError(t *testing.T) {
	total := budget.Of(20, 400)
	refused, converted := 0, 0
	for first := 0; first < total; first += pairsInModule {
		b := newBatch(*seed + uint64(first))
		for i := range min(pairsInModule, total-first) {
			b.pair(t, fmt.Sprintf("pair%d", i))
		}
		b.kind(t)
		if first == 0 {
			b.cases(t, func(*txtar.File, string, string, string) {})
		}
		b.run(t)
		refused, converted = refused+b.refused, converted+b.converted
		t.Logf("%d pairs are converted, and %d refused", converted, refused)
		if t.Failed() {
			t.Fatalf("with the seed %d", *seed+uint64(first))
		}
	}
	expect.True(t, converted >= total/4 && refused >= total/20, "%d of %d pairs are converted, and %d refused: that proves little", converted, total, refused)
}

// A batch is many pairs of versions, those that are stored in one package, and the others in
// another one, or in a third.
type batch struct {
	random             *rand.Rand
	hub, spoke, third  *half
	plans              map[string]*packagePlan
	refused, converted int
	// madeFor begin the names of kinds with a struct that a field moves into, and that both versions have:
	// where it is not set, it stays so, whatever becomes of the field.
	madeFor []string
}

// A half is one of the packages of a batch.
type half struct {
	pkg *model.Package
	// source has the declarations of types.
	source strings.Builder
	types  int
	// parts are those of the next kind, parameters those in its spec.forProvider, and observed what
	// mirrors these in status.atProvider.
	parts, parameters, observed []*model.Field
	// secret are the mirrors of sensitive fields.
	secret map[*model.Field]bool
	// functions of the author must be called.
	functions []string
}

func newHalf(version string) *half {
	return &half{secret: map[*model.Field]bool{}, pkg: &model.Package{Path: "example.org/batch/" + version, Name: version, Dir: version, Group: "example.org", Version: version}}
}

func newBatch(seed uint64) *batch {
	return &batch{random: rand.New(rand.NewPCG(seed, 1)), hub: newHalf("v1"), spoke: newHalf("v1alpha1"), third: newHalf("v1beta1"), plans: map[string]*packagePlan{}}
}

func (b *batch) halves() []*half { return []*half{b.hub, b.spoke, b.third} }

func (b *batch) chance(percent int) bool { return b.random.IntN(100) < percent }

// pair makes the two versions of a part of a kind, unless their conversion is refused.
func (b *batch) pair(t *testing.T, name string) {
	halves := []*half{b.hub, b.spoke}
	before := [2]int{b.hub.source.Len(), b.spoke.source.Len()}
	var parts, observed [2][]*model.Field
	path, isMirrored := name, b.chance(40)
	if isMirrored {
		path = specPath + name
	}
	hub, spoke := b.structs(2, path)
	var objects [2]*model.Object
	for i, spec := range []*model.Type{hub, spoke} {
		h := halves[i]
		parts[i] = []*model.Field{{Name: gosyntax.Exported(name), JSONName: name, Tagged: true, OmitEmpty: b.chance(50), Type: spec}}
		if isMirrored {
			observed[i] = []*model.Field{{Name: gosyntax.Exported(name), JSONName: name, Tagged: true, OmitEmpty: true, Type: h.mirrorOf(spec, false)}}
			objects[i] = h.object("Kind", h.mirrored("Kind", h.structOf, parts[i], observed[i])...)
		} else {
			objects[i] = h.object("Kind", parts[i]...)
		}
	}
	p := b.plan(objects[0], objects[1])
	p.diags = slices.DeleteFunc(p.diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Warning })
	for _, d := range p.diags {
		expect.True(t, d.Pos.IsValid() && d.Severity == diag.Error, "no error with a position: %v", d)
	}
	for i, h := range halves {
		if len(p.diags) > 0 {
			text := h.source.String()[:before[i]]
			h.source.Reset()
			h.source.WriteString(text)
			continue
		}
		if isMirrored {
			h.parameters, h.observed = append(h.parameters, parts[i]...), append(h.observed, observed[i]...)
		} else {
			h.parts = append(h.parts, parts[i]...)
		}
	}
	if len(p.diags) > 0 {
		b.refused++
		return
	}
	if b.converted++; b.converted%pairsInKind == 0 {
		b.kind(t)
	}
}

// plan plans the conversion of a kind.
func (b *batch) plan(hub, spoke *model.Object) *planner {
	p := newPlanner()
	p.kind(definition(hub, spoke))
	return p
}

func newPlanner() *planner {
	return &planner{secrets: mirroring.New(nil), packages: map[string]*packagePlan{}}
}

// definition returns the definition of a kind of some versions, of which the first one is stored.
func definition(objects ...*model.Object) stage.Definition {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	for i, o := range objects {
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{Name: o.Package.Version, Storage: i == 0, Served: true})
	}
	return stage.Definition{CRD: crd, Objects: objects}
}

// kind plans a kind of the parts that were made.
func (b *batch) kind(t *testing.T) {
	if len(b.hub.parts)+len(b.hub.parameters) == 0 {
		return
	}
	name := fmt.Sprintf("Kind%d", b.converted)
	var objects []*model.Object
	for _, h := range []*half{b.hub, b.spoke} {
		o := h.object(name, append(h.parts, h.mirrored(name, h.declare, h.parameters, h.observed)...)...)
		h.write(o.Type)
		fmt.Fprintf(&h.source, deepCopies, name)
		objects, h.parts, h.parameters, h.observed = append(objects, o), nil, nil, nil
	}
	p := b.plan(objects[0], objects[1])
	expect.Must(t, !p.diags.HasErrors(), "the parts are converted, and the whole is refused: %v", p.diags)
	b.add(p)
}

// add adds a plan.
func (b *batch) add(p *planner) {
	for path, plan := range p.packages {
		if b.plans[path] == nil {
			b.plans[path] = &packagePlan{of: plan.of}
		}
		b.plans[path].hubs = append(b.plans[path].hubs, plan.hubs...)
		b.plans[path].spokes = append(b.plans[path].spokes, plan.spokes...)
	}
}

const deepCopies = `
func (o *%[1]s) DeepCopy() *%[1]s {
	content, err := json.Marshal(o)
	var copied %[1]s
	if err != nil || json.Unmarshal(content, &copied) != nil {
		panic(err)
	}
	return &copied
}

func (o *%[1]s) DeepCopyObject() runtime.Object { return o.DeepCopy() }
`

// object returns a kind with some fields.
func (h *half) object(name string, fields ...*model.Field) *model.Object {
	meta := func(name string) *model.Type {
		return &model.Type{Kind: model.Struct, Name: name, Package: metav1, PackageName: "v1"}
	}
	typeMeta := meta("TypeMeta")
	for _, f := range [][2]string{{"Kind", "kind"}, {"APIVersion", "apiVersion"}} {
		typeMeta.Fields = append(typeMeta.Fields, &model.Field{Name: f[0], JSONName: f[1], OmitEmpty: true, Type: text})
	}
	t := h.structOf(name, append([]*model.Field{
		{Name: "TypeMeta", Inline: true, Embedded: true, Type: typeMeta},
		{Name: "ObjectMeta", Embedded: true, JSONName: "metadata", OmitEmpty: true, Type: meta("ObjectMeta")},
	}, fields...))
	return &model.Object{Name: name, Package: h.pkg, Pos: t.Pos, Type: t}
}

// mirrored returns the fields of a kind with parameters and what mirrors them.
func (h *half) mirrored(name string, structOf func(string, []*model.Field) *model.Type, parameters, observed []*model.Field) []*model.Field {
	in := func(name, jsonName string, t *model.Type) []*model.Field {
		return []*model.Field{{Name: name, JSONName: jsonName, Tagged: true, Type: t}}
	}
	spec := structOf(name+"Spec", in("ForProvider", "forProvider", structOf(name+"Parameters", parameters)))
	status := structOf(name+"Status", in("AtProvider", "atProvider", structOf(name+"Observation", observed)))
	return append(in("Spec", "spec", spec), in("Status", "status", status)...)
}

// mirrorOf returns the type that mirrors another one, as stage observation makes them, but that authors
// may mirror secrets, too.
func (h *half) mirrorOf(t *model.Type, isSecret bool) *model.Type {
	switch {
	case t.Kind == model.Pointer:
		return h.mirrorOf(t.Elem, isSecret)
	case t.Kind == model.Slice:
		return &model.Type{Kind: model.Slice, Elem: h.mirrorOf(t.Elem, isSecret)}
	case t.Kind == model.Map:
		return &model.Type{Kind: model.Map, Key: t.Key, Elem: h.mirrorOf(t.Elem, isSecret)}
	case t.Kind == model.Basic:
		return basic(t.Basic)
	case t.Package != h.pkg.Path:
		return t
	}
	var fields []*model.Field
	for _, of := range t.Fields {
		isSecret := isSecret || of.OwnMarker(markers.Sensitive) != nil
		f := &model.Field{Name: of.Name, JSONName: of.JSONName, Tagged: true, OmitEmpty: !of.Ignored, Ignored: of.Ignored, Type: h.mirrorOf(of.Type, isSecret)}
		if of.Inline {
			f.Name, f.Tagged, f.OmitEmpty, f.Inline, f.Embedded = f.Type.Name, false, false, true, true
		} else if f.Type.Kind == model.Struct || f.Type.Kind == model.Basic {
			f.Type = &model.Type{Kind: model.Pointer, Elem: f.Type}
		}
		h.secret[f] = isSecret
		fields = append(fields, f)
	}
	return h.declare(fmt.Sprintf("Observed%d", h.types), fields)
}

// declare declares a struct.
func (h *half) declare(name string, fields []*model.Field) *model.Type {
	t := h.structOf(name, fields)
	h.write(t)
	return t
}

// structOf returns a struct.
func (h *half) structOf(name string, fields []*model.Field) *model.Type {
	h.types++
	pos := diag.Position{File: h.pkg.Dir + "/types.go", Line: 10 * h.types, Column: 6}
	for i, f := range fields {
		f.Pos = diag.Position{File: pos.File, Line: pos.Line + 1, Column: i + 1}
		for j := range f.Markers {
			f.Markers[j].Pos = f.Pos
		}
	}
	return &model.Type{Kind: model.Struct, Name: name, Package: h.pkg.Path, PackageName: h.pkg.Name, Local: true, Pos: pos, Fields: fields}
}

// write writes the declaration of a struct.
func (h *half) write(t *model.Type) {
	fmt.Fprintf(&h.source, "\ntype %s struct {\n", t.Name)
	for _, f := range t.Fields {
		tag := f.JSONName
		if f.Inline {
			tag = ",inline"
		}
		if f.OmitEmpty {
			tag += ",omitempty"
		}
		if f.OmitZero {
			tag += ",omitzero"
		}
		name, options := f.Name, ""
		if f.Embedded {
			name = ""
		}
		if f.OwnMarker(markers.Sensitive) != nil || h.secret[f] {
			options = ` secret:"true"`
		}
		if slices.ContainsFunc(f.Markers, func(m model.Marker) bool { return m.Text == markers.Nullable }) {
			options += ` nullable:"true"`
		}
		fmt.Fprintf(&h.source, "%s %s `json:%q%s`\n", name, h.typ(f.Type), tag, options)
	}
	h.source.WriteString("}\n")
}

// typ returns a type as the package has it.
func (h *half) typ(t *model.Type) string {
	switch {
	case t.Package == h.pkg.Path:
		return t.Name
	case t.Package == newHalf("v1").pkg.Path:
		return "hub." + t.Name
	case t.Package != "":
		return map[string]string{metav1: "metav1", apiextensions: "apiextensionsv1", raw: "runtime"}[t.Package] + "." + t.Name
	case t.Name != "":
		return t.Name
	case t.Kind == model.Pointer:
		return "*" + h.typ(t.Elem)
	case t.Kind == model.Map:
		return "map[" + h.typ(t.Key) + "]" + h.typ(t.Elem)
	default:
		return "[]" + h.typ(t.Elem)
	}
}

func basic(name string) *model.Type { return &model.Type{Kind: model.Basic, Name: name, Basic: name} }

// raw is the package of a type that holds what no schema names.
const raw = "k8s.io/apimachinery/pkg/runtime"

var (
	text   = basic("string")
	basics = []*model.Type{text, basic("bool"), basic("int32"), basic("int64"), basic("uint8"), basic("int"), basic("uint32"), basic("float64")}
	// encoded are types that encode themselves.
	encoded = []*model.Type{
		{Kind: model.Struct, Name: "Time", Package: metav1, PackageName: "v1", Marshals: true, Unmarshals: true, Zeroes: true},
		{Kind: model.Struct, Name: "Duration", Package: metav1, PackageName: "v1", Marshals: true, Unmarshals: true},
		{Kind: model.Struct, Name: "JSON", Package: apiextensions, PackageName: "v1", Marshals: true, Unmarshals: true},
		{Kind: model.Struct, Name: "RawExtension", Package: raw, PackageName: "runtime", Marshals: true, Unmarshals: true},
	}
)

// structs declares a struct in each version, which have most fields in common. With the path of
// the structs, a field may have moved in them.
func (b *batch) structs(depth int, path string) (hub, spoke *model.Type) {
	var hubs, spokes []*model.Field
	for i := range 1 + b.random.IntN(5) {
		name, old := fmt.Sprintf("f%d", i), fmt.Sprintf("f%d", i)
		to, from := b.types(depth)
		var list []string
		switch {
		case to.Kind == model.Slice && b.chance(30):
			list = append(list, "listType=map", "listMapKey=f0")
		case b.chance(3):
			list = append(list, "nullable")
		}
		var others []string
		// In an embedded struct, another field of the name may hide it, and have the functions.
		isCustom := b.chance(6) && (depth > 0 || path != "")
		if isCustom {
			to, from = b.custom(depth == 2)
			list = append(list, markers.ConvertedBy+"="+b.functions(to, from))
		}
		if b.chance(15) {
			old = "old" + old
			b.rename(&list, &others, name, old)
		}
		if b.chance(5) || to.Kind == model.Slice != (from.Kind == model.Slice) && b.chance(70) {
			list = append(list, markers.Singleton)
		}
		if !isCustom && to.Leaf().Basic != from.Leaf().Basic && b.chance(10) { // which loses something, most likely
			if b.chance(50) {
				list = append(list, markers.Sensitive)
			} else {
				others = append(others, markers.Sensitive)
			}
		}
		if !b.chance(12) || isCustom { // or the functions would be those of another field of the name
			hubs = append(hubs, b.field(name, to, list))
		}
		if !b.chance(12) || isCustom {
			spokes = append(spokes, b.field(old, from, others))
		}
		for _, fields := range [][]*model.Field{hubs, spokes} {
			if n := len(fields); isCustom && n > 0 {
				f := fields[n-1] // its author may lose a part of it, which no annotation keeps of a secret
				f.Markers = slices.DeleteFunc(f.Markers, func(m model.Marker) bool { return m.Text == markers.Sensitive })
			}
		}
	}
	if b.chance(5) {
		at := b.random.IntN(len(hubs) + 1)
		hubs = slices.Insert(hubs, at, &model.Field{Name: "Ignored", JSONName: "-", Ignored: true, Type: text})
	}
	if path != "" && b.chance(30) {
		to, from := b.moved(path)
		hubs, spokes = append(hubs, to), append(spokes, from)
	}
	if depth > 0 && b.chance(20) {
		to, from := b.structs(0, "")
		pointed := func(t *model.Type) *model.Type {
			if b.chance(30) {
				return &model.Type{Kind: model.Pointer, Elem: t}
			}
			return t
		}
		// Fields of the outer struct hide those of the embedded one.
		hubs = append(hubs, &model.Field{Name: to.Name, Embedded: true, Inline: true, Type: pointed(to)})
		spokes = append(spokes, &model.Field{Name: from.Name, Embedded: true, Inline: true, Type: pointed(from)})
	}
	return b.hub.declare(fmt.Sprintf("Hub%d", b.hub.types), hubs), b.spoke.declare(fmt.Sprintf("Spoke%d", b.spoke.types), spokes)
}

// custom returns types that functions of the author convert, each to the other. If they are texts,
// nothing is lost.
func (b *batch) custom(mayLose bool) (hub, spoke *model.Type) {
	hub, spoke = text, text
	if mayLose && b.chance(70) {
		spoke = basic("int64")
	}
	if b.chance(30) {
		return &model.Type{Kind: model.Pointer, Elem: hub}, &model.Type{Kind: model.Pointer, Elem: spoke}
	}
	return hub, spoke
}

// functions declares what converts two types of [batch.custom], and returns its name.
func (b *batch) functions(hub, spoke *model.Type) string {
	h := b.spoke
	h.types++
	name := fmt.Sprintf("convert%d", h.types)
	to, from, toValue, fromValue := h.typ(hub), h.typ(spoke), `strings.TrimPrefix(fmt.Sprint(v), "0")`, `int64(len(v))`
	if spoke.Leaf() == text {
		toValue, fromValue = "backwards(v)", "backwards(v)"
	}
	for _, f := range [][4]string{{"To", from, to, toValue}, {"From", to, from, fromValue}} {
		if h.pkg.Functions == nil {
			h.pkg.Functions = map[string]*model.Function{}
		}
		h.pkg.Functions[name+f[0]] = &model.Function{Parameters: make([]flavor.TypeName, 1), Results: make([]flavor.TypeName, 1)}
		body := "return " + f[3]
		if hub.Kind == model.Pointer {
			body = "if p == nil { return nil }; v := *p; result := " + f[3] + "; return &result"
			fmt.Fprintf(&h.source, "\nfunc %s%s(p %s) %s { %s }\n", name, f[0], f[1], f[2], body)
		} else {
			fmt.Fprintf(&h.source, "\nfunc %s%s(v %s) %s { %s }\n", name, f[0], f[1], f[2], body)
		}
	}
	return name
}

// moved returns a field that is in a struct which only one of the versions has, mostly with others.
func (b *batch) moved(path string) (hub, spoke *model.Field) {
	to, from := b.types(1)
	around := func(h *half, inner *model.Field) *model.Field {
		fields := []*model.Field{inner}
		for i := range b.random.IntN(3) {
			fields = append(fields, b.field(fmt.Sprintf("only%d", i), b.one(), nil))
		}
		t := h.declare(fmt.Sprintf("Around%d", h.types), fields)
		if b.chance(50) {
			t = &model.Type{Kind: model.Pointer, Elem: t}
		}
		return b.field("around", t, nil)
	}
	var list, others []string
	if b.chance(50) {
		b.rename(&list, &others, path+".around.inner", path+".outer")
		return around(b.hub, b.field("inner", to, list)), b.field("outer", from, others)
	}
	b.rename(&list, &others, path+".outer", path+".around.inner")
	return b.field("outer", to, list), around(b.spoke, b.field("inner", from, others))
}

// rename adds the marker for the other name of a field at either side.
func (b *batch) rename(list, others *[]string, name, old string) {
	versions := []string{"v1alpha1:", "v1:"}
	if b.chance(50) {
		versions = []string{"", ""}
	}
	if b.chance(50) {
		*list = append(*list, markers.RenamedFrom+"="+versions[0]+old)
	} else {
		*others = append(*others, markers.RenamedFrom+"="+versions[1]+name)
	}
}

// field returns a field with options and markers.
func (b *batch) field(name string, t *model.Type, list []string) *model.Field {
	f := &model.Field{Name: strings.ToUpper(name[:1]) + name[1:], JSONName: name, Tagged: true, Type: t}
	switch b.random.IntN(4) {
	case 0:
		f.OmitZero = true
	case 1, 2:
		f.OmitEmpty = true
	}
	if b.chance(2) {
		list = append(list, markers.Sensitive)
	}
	for _, marker := range list {
		m := model.Marker{Text: marker}
		if value, _ := markers.Parse(marker); strings.HasPrefix(marker, "mrgen:") {
			m.Value = value
		}
		f.Markers = append(f.Markers, m)
	}
	return f
}

// types returns a type for each version: most often they are alike.
func (b *batch) types(depth int) (hub, spoke *model.Type) {
	switch n := b.random.IntN(100); {
	case n < 3:
		return b.one(), b.one() // most likely an error
	case n < 20:
		t := b.one()
		return t, t
	case n < 28:
		return basics[2+b.random.IntN(5)], basics[2+b.random.IntN(5)]
	case n < 34:
		return b.named(b.hub), text
	case n < 40:
		return text, b.named(b.spoke)
	case n < 42:
		t := b.hub.declare(fmt.Sprintf("Shared%d", b.hub.types), []*model.Field{b.field("a", b.one(), nil), b.field("b", b.one(), nil)})
		return t, t
	case n < 55 && depth > 0:
		return b.structs(depth-1, "")
	case n < 65 && depth > 0:
		to, from := b.types(depth - 1)
		return &model.Type{Kind: model.Slice, Elem: to}, &model.Type{Kind: model.Slice, Elem: from}
	case n < 73 && depth > 0:
		to, from := b.types(depth - 1)
		return &model.Type{Kind: model.Map, Key: text, Elem: to}, &model.Type{Kind: model.Map, Key: text, Elem: from}
	case n < 78 && depth > 0:
		to, from := b.structs(depth-1, "")
		return to, &model.Type{Kind: model.Slice, Elem: from}
	case n < 83 && depth > 0:
		to, from := b.structs(depth-1, "")
		return &model.Type{Kind: model.Slice, Elem: to}, from
	}
	to, from := b.one(), (*model.Type)(nil)
	from = to
	if depth > 0 {
		to, from = b.types(depth - 1)
	}
	if to.Kind != model.Pointer && b.chance(70) {
		to = &model.Type{Kind: model.Pointer, Elem: to}
	}
	if from.Kind != model.Pointer && b.chance(50) {
		from = &model.Type{Kind: model.Pointer, Elem: from}
	}
	return to, from
}

func (b *batch) one() *model.Type {
	all := slices.Concat(basics, encoded)
	return all[b.random.IntN(len(all))]
}

// named declares a text.
func (b *batch) named(in *half) *model.Type {
	in.types++
	name := fmt.Sprintf("Text%d", in.types)
	fmt.Fprintf(&in.source, "\ntype %s string\n", name)
	return &model.Type{Kind: model.Basic, Name: name, Basic: "string", Package: in.pkg.Path, PackageName: in.pkg.Name, Local: true}
}

// run compiles the batch and runs its tests.
func (b *batch) run(t *testing.T) {
	dir := t.TempDir()
	provider := testmodule.Repository(t, "testdata/provider-versions")
	goMod := string(testmodule.Read(t, filepath.Join(provider, "go.mod")))
	goMod = strings.Replace(goMod, "module github.com/mrgen-io/provider-versions", "module example.org/batch", 1)
	files := map[string][]byte{"go.mod": []byte(goMod), "go.sum": testmodule.Read(t, filepath.Join(provider, "go.sum"))}
	for _, h := range b.halves() {
		hub, called := "", ""
		if strings.Contains(h.source.String(), "hub.") {
			hub = "\thub \"" + b.hub.pkg.Path + "\"\n"
		}
		for _, name := range h.functions {
			called += fmt.Sprintf("%q: false,\n", name)
		}
		files[h.pkg.Dir+"/types.go"] = []byte("package " + h.pkg.Name + "\n\nimport (\n" + hub + `
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var (
	_ metav1.Time
	_ apiextensionsv1.JSON
	_ runtime.Object
	_ = json.Marshal
	_ = fmt.Sprint
	_ = strings.TrimPrefix
	_ = slices.Reverse[[]rune]
)

func backwards(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}

// called are the functions of the author, and whether they were called.
var called = map[string]bool{` + called + "}\n" + h.source.String())
	}
	for name, content := range testmodule.ReadTree(t, filepath.Join("..", "..", "stages", "helpers", "functions")) {
		if !strings.HasSuffix(name, "_test.go") {
			files["internal/mrgen/"+name] = content
		}
	}
	for _, path := range slices.Sorted(maps.Keys(b.plans)) {
		plan := b.plans[path]
		render := func(into *gosrc.Package) []byte {
			content := expect.Value(renderPackage(into, plan, "", stage.NewHelpers(&modules.OwnPackage{Path: "example.org/batch/internal/mrgen", Name: "mrgen"})))(t)
			return content
		}
		// The author has every second of the names that would be declared.
		into, authors := gosrc.NewPackage(plan.of.Path, plan.of.Name), "package "+plan.of.Name+"\n"
		take := func(name string) {
			into.Claim(slices.Values([]string{name}))
			authors += "\nvar " + name + " int\n"
		}
		for i, match := range regexp.MustCompile(`(?m)^(?:func|var) (\w+)`).FindAllSubmatch(render(gosrc.NewPackage(plan.of.Path, plan.of.Name)), -1) {
			if name := string(match[1]); i%2 == 0 {
				take(name)
			}
		}
		for _, name := range []string{"withoutNull", "fillNil"} { // of the tests
			take(name)
		}
		files[plan.of.Dir+"/authors.go"] = []byte(authors)
		content := render(into)
		files[plan.of.Dir+"/"+file] = content
		if len(plan.spokes) == 0 {
			continue
		}
		content = expect.Value(renderTest(into, plan, ""))(t)
		test := strings.Replace(string(content), "range 100", "range 12", 1)
		for _, arguments := range []string{"(t, newFiller(), to, from)\n", "(t, newFiller(), from, to)\n"} {
			test = strings.ReplaceAll(test, "convertsBack"+arguments, "convertsBack"+arguments+"changesCount"+arguments+"givesSoundResults"+arguments+"setsNothing"+arguments+"staysInBounds"+arguments)
		}
		functions := strings.Split(test, "\nfunc Test")
		for i, function := range functions {
			if slices.ContainsFunc(b.madeFor, func(prefix string) bool { return strings.HasPrefix(function, prefix) }) {
				functions[i] = strings.ReplaceAll(function, "changesCount(t,", "convertsBack(t,")
			}
		}
		test = strings.Join(functions, "\nfunc Test")
		files[plan.of.Dir+"/"+testFile] = []byte(test)
		replace := strings.NewReplacer("KINDS", strconv.Itoa(len(plan.spokes)), "package v1alpha1", "package "+plan.of.Name)
		for name, template := range map[string]string{"changes_test.go": "changes.go.tmpl", "zz_test.go": "author.go.tmpl"} {
			files[plan.of.Dir+"/"+name] = []byte(replace.Replace(string(testmodule.Read(t, filepath.Join("testdata", template)))))
		}
	}
	testmodule.WriteTree(t, dir, files)
	cmd := exec.Command("go", "test", "-vet=off", "-trimpath", "-gcflags=-N -l", "-ldflags=-s -w", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go test: %v\n%.60000s", err, out)
		if keep := os.Getenv("MRGEN_KEEP"); keep != "" {
			testmodule.WriteTree(t, keep, files)
		}
	}
}
