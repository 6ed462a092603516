package synthetic

import (
	"math"
	"math/rand/v2"
	"strings"
)

// A resource is a kind as a Terraform provider describes it: a tree of attributes.
type resource struct {
	member
	// blocks are the structs, the one at the top first.
	blocks []*block
	// required are names of attributes at the top, in JSON.
	required []string
}

// A block is a struct of attributes.
type block struct {
	// name is that of its types, without what tells them apart.
	name  string
	depth int
	// list is set if there may be many: otherwise, there is one at most.
	list       bool
	attributes []attribute
	// free is the number of attributes that it still is to have.
	free  int
	taken map[string]bool
}

// An attribute is a field of a block. Its goType is that of a value, or empty if it is a block.
type attribute struct {
	field
	inner *block
	// computed attributes are only observed. Those that are identifiers are not in
	// initProvider.
	computed, identifier bool
}

// A grower makes up a resource.
type grower struct {
	random   *rand.Rand
	resource *resource
	target   func() target
	names    map[string]bool
}

// newResource makes up a resource with the fields that the member is to have.
func newResource(random *rand.Rand, m member, target func() target) *resource {
	top := &block{name: m.name, depth: 1, free: topFields(m.fields), taken: map[string]bool{}}
	g := &grower{random: random, resource: &resource{member: m, blocks: []*block{top}}, target: target, names: map[string]bool{m.name: true}}
	if random.IntN(2) == 0 {
		g.add(top, attribute{identifier: true, field: field{name: "Region", goType: "*string", required: true, doc: "Region is the region in which the resource is created."}})
	}
	g.nest(m.fields - topFields(m.fields))
	for range referencesPerKind.whole(random.Float64()) {
		g.refer()
	}
	for _, b := range g.resource.blocks {
		for b.free > 0 {
			g.add(b, g.value(b))
		}
	}
	g.require(requiredPerKind.whole(random.Float64()))
	g.compute(top)
	return g.resource
}

func (g *grower) add(b *block, a attribute) {
	b.taken[a.name] = true
	b.attributes = append(b.attributes, a)
	b.free--
}

// nest adds blocks that have a number of attributes among them. Each takes the place of an
// attribute in the block that has it. Of two blocks with room, the one higher up gets it.
func (g *grower) nest(fields int) {
	for fields > 0 {
		inner := &block{free: min(fields, max(1, fieldsPerBlock.whole(g.random.Float64()))), list: g.random.Float64() < blocksInLists, taken: map[string]bool{}}
		fields -= inner.free
		parent := g.roomy(1)
		if other := g.roomy(1); other != nil && other.depth < parent.depth {
			parent = other
		}
		if parent == nil {
			parent = g.resource.blocks[0]
		}
		g.attach(parent, inner, false)
		if g.resource.converted && len(g.resource.blocks) == 2 {
			inner.list = false
		}
	}
}

// attach adds a block to another one, as an attribute.
func (g *grower) attach(parent, inner *block, computed bool) {
	name := g.name(parent)
	for g.names[g.resource.name+name] {
		name = g.name(parent)
	}
	inner.name, inner.depth = g.resource.name+name, parent.depth+1
	g.names[inner.name] = true
	g.add(parent, attribute{field: field{name: name, doc: g.doc(name)}, inner: inner, computed: computed})
	g.resource.blocks = append(g.resource.blocks, inner)
}

// roomy returns any block in which there is room for attributes, or nil.
func (g *grower) roomy(attributes int) *block {
	var list []*block
	for _, b := range g.resource.blocks {
		if b.free >= attributes {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return pick(g.random, list)
}

// name returns the name of an attribute that the block doesn't have.
func (g *grower) name(b *block) string {
	for {
		name := pick(g.random, aspects) + pick(g.random, properties)
		if !b.taken[name] {
			return name
		}
	}
}

// refer adds a value that is taken from another kind, at the top if there is no room.
func (g *grower) refer() {
	b := g.resource.blocks[0]
	if b.free < 3 || g.random.IntN(3) == 0 {
		b = g.roomy(3)
	}
	if b == nil {
		b = g.resource.blocks[0]
	}
	to := g.target()
	name := pick(g.random, aspects) + to.kind + "Name"
	if b.taken[name] {
		return
	}
	f := field{name: name, form: value, goType: "*string", target: to, extractor: g.random.Float64() < referencesExtract, doc: g.doc(name)}
	ref := field{name: name + "Ref", form: reference, doc: "Reference to a " + to.kind + " that sets " + jsonName(name) + "."}
	if g.random.Float64() < referencesInLists {
		f.goType, ref.name, ref.form = "[]*string", name+"Refs", references
		f.markers = []string{
			"+crossplane:generate:reference:refFieldName=" + ref.name,
			"+crossplane:generate:reference:selectorFieldName=" + name + "Selector",
		}
	}
	g.add(b, attribute{field: f})
	g.add(b, attribute{field: ref})
	g.add(b, attribute{field: field{name: name + "Selector", form: selector, doc: "Selector of a " + to.kind + " that sets " + jsonName(name) + "."}})
}

// value returns an attribute that is neither a block nor a reference.
func (g *grower) value(b *block) attribute {
	name := g.name(b)
	f := field{name: name, doc: g.doc(name)}
	left := g.random.IntN(1000)
	for _, t := range attributeTypes {
		if left -= t.thousandths; left < 0 {
			f.goType = t.goType
			break
		}
	}
	switch f.goType {
	case secretType:
		f.name, f.form, f.goType = name+"SecretRef", secret, ""
	case "[]*string":
		if g.random.Float64() < listsThatAreSets {
			f.markers = []string{"+listType=set"}
		}
	case "map[string]*string":
		f.markers = []string{"+mapType=granular"}
	}
	return attribute{field: f}
}

// require chooses attributes at the top that must have a value.
func (g *grower) require(count int) {
	for _, a := range g.resource.blocks[0].attributes {
		if len(g.resource.required) < count && a.form == plain && !a.identifier {
			g.resource.required = append(g.resource.required, jsonName(a.name))
		}
	}
}

// compute adds what is only observed: the identifier, and up to seven others. In one of
// ten kinds, there is a block among them.
func (g *grower) compute(top *block) {
	g.add(top, attribute{computed: true, field: field{name: "ID", goType: "*string", doc: "The identifier of the resource."}})
	for range g.random.IntN(8) {
		a := g.value(top)
		for a.form == secret {
			a = g.value(top)
		}
		a.computed = true
		g.add(top, a)
	}
	if g.random.IntN(10) == 0 {
		inner := &block{list: true, taken: map[string]bool{}}
		g.attach(top, inner, true)
		for range 3 {
			a := g.value(inner)
			a.computed = true
			g.add(inner, a)
		}
	}
}

// doc returns what is said about an attribute.
func (g *grower) doc(name string) string {
	length := int(math.Round(docBytes.at(g.random.Float64())))
	var b strings.Builder
	for b.Len() < length {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(sentence(g.random, name))
	}
	text := b.String()[:length]
	// Whole words only, if there is more than one.
	if end := strings.LastIndexByte(text, ' '); end > 0 && length < b.Len() {
		text = strings.TrimRight(text[:end], " ,.") + "."
	}
	if g.random.Float64() < commentsOfLines {
		return wrap(text)
	}
	return text
}
