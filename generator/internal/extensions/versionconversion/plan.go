package versionconversion

import (
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/importgraph"
	"github.com/mrgen-io/mrgen/generator/internal/mapping"
	"github.com/mrgen-io/mrgen/generator/internal/mirroring"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
	"github.com/mrgen-io/mrgen/markers"
)

// A spoke is a version that is converted to the stored version, the hub, and from it.
type spoke struct {
	hub, object *model.Object
	// root is the pair of the objects. The hub is always the target of a pair.
	root *mapping.Pair
	// moves are the fields that are in another struct in the other version.
	moves []*mapping.Field
	// mirrors pairs the fields of both versions with the fields of spec.forProvider that they mirror.
	mirrors mirrors
	// hubLosses and losses are the lossy fields of the hub and of the spoke, nil if nothing is lost.
	hubLosses, losses *lossyField
}

// planner plans conversions.
type planner struct {
	secrets  *mirroring.Rules
	packages map[string]*packagePlan
	// known are the secrets of the kind that is planned.
	known secrets
	diags diag.List
	// required are the fields that one version requires and others lack, in the order in which
	// they were found.
	required []*requiredField
	// explained are fields that may be the same by other names, which a warning says.
	explained map[*model.Field]bool
}

// A requiredField is required by one version and missing in others.
type requiredField struct {
	*model.Field
	kind, version string
	lackedBy      []string
}

func (p *planner) errorf(at diag.Position, format string, args ...any) {
	p.diags = append(p.diags, diag.Errorf(at, codeConversion, format, args...))
}

// kind plans the conversions of a kind.
func (p *planner) kind(d stage.Definition) {
	stored := d.Stored()
	hub := d.Objects[stored]
	if !hub.Methods[versions.HubMethod] { // hand-written otherwise
		plan := p.plan(hub.Package)
		plan.hubs = append(plan.hubs, hub)
	}
	var others []*model.Object
	for i, o := range d.Objects {
		// A version with both methods is converted by its author.
		if i != stored && !(o.Methods[versions.ConvertToMethod] && o.Methods[versions.ConvertFromMethod]) {
			others = append(others, o)
		}
	}
	asked := newMarkedFields(hub, others)
	var planned []*spoke
	for _, o := range others {
		const to, from = versions.ConvertToMethod, versions.ConvertFromMethod
		for _, pair := range [][2]string{{to, from}, {from, to}} {
			// Half a conversion by hand would clash with the generated one.
			if o.Methods[pair[0]] {
				p.errorf(o.Pos,
					"%s %s has a method %s and no method %s: declare both, or leave both to mrgen", o.Name, o.Package.Version, pair[0], pair[1])
			}
		}
		s := p.spoke(hub, o, asked)
		plan := p.plan(o.Package)
		plan.spokes = append(plan.spokes, s)
		planned = append(planned, s)
	}
	p.findSecrets(planned)
	for _, s := range planned {
		s.hubLosses, s.losses = p.analyze(s, hubSide), p.analyze(s, spokeSide)
	}
	if len(planned) > 0 {
		p.checkMarkedFields(asked, planned)
		p.suggest(asked, planned)
	}
	p.checkRequired()
}

// checkRequired warns about fields that one version requires and others lack: mrgen can't invent a value.
func (p *planner) checkRequired() {
	for _, f := range p.required {
		if p.explained[f.Field] { // it may be there by another name, once it is marked
			continue
		}
		p.diags = append(p.diags, diag.Warningf(f.Pos, codeConversion,
			"%s %s requires %s, which %s lacks: objects from there can't be updated in %s until the field is set: make it optional, or give it a +%s",
			f.kind, f.version, f.JSONName, diag.And(f.lackedBy), f.version, markers.KubebuilderDefault))
	}
	p.required, p.explained = nil, nil
}

// spoke pairs the fields of a version with the hub's.
func (p *planner) spoke(hub, o *model.Object, asked *markedFields) *spoke {
	s := &spoke{hub: hub, object: o, mirrors: mirrors{}}
	s.mirrors.add(hub)
	s.mirrors.add(o)
	mapper := mapping.NewMapper(o.Package.Path, mapping.Conversions{
		Renamed: func(target, source *model.Field) bool { return asked.renamed(s, target, source) },
		Custom: func(target, source *model.Field) bool {
			if s.mirrors.isCustom(target, source) {
				target, source = s.mirrors[target], s.mirrors[source]
			}
			m := target.OwnMarker(markers.ConvertedBy)
			// Equal types are copied unless the author declares the functions.
			return m != nil && (!mapping.SameType(target.Type, source.Type) || declares(o.Package, m.Value.Text("")))
		},
		Singleton: func(f *model.Field) bool {
			return s.mirrors.of(f, markers.Singleton).OwnMarker(markers.Singleton) != nil
		},
		Markers: func(f *model.Field) []model.Marker { return s.mirrors.of(f, markers.ListMapKey).Markers },
	})
	s.root = mapper.Pair(hub.Type, o.Type)
	// Moves need the pairs of the root, and note needs the moves.
	p.moves(s, mapper, asked)
	asked.note(s)
	return s
}

// analyze returns the lossy fields of a side, or nil if nothing is lost.
func (p *planner) analyze(s *spoke, of side) *lossyField {
	t := &lossAnalyzer{planner: p, spoke: s, side: of, open: map[*mapping.Pair]bool{}, recursive: map[*mapping.Pair]bool{}}
	found := t.pair(s.root)
	if found == nil {
		found = &lossyField{}
	}
	if t.moved(found); found.isEmpty() {
		return nil
	}
	return found
}

// declares reports whether a package declares one of the functions that convert a field.
func declares(p *model.Package, name string) bool {
	return p.Functions[name+"To"] != nil || p.Functions[name+"From"] != nil
}

// convertsItself reports whether a struct of another version has methods of its author that
// convert it to the struct of the hub and from it.
func convertsItself(p *mapping.Pair) bool {
	_, to := p.Source.Methods[versions.ConvertToMethod]
	_, from := p.Source.Methods[versions.ConvertFromMethod]
	return to && from
}

// checkImports reports versions whose package can't import the hub's package without a cycle.
func (p *planner) checkImports(m *model.Model) {
	g := importgraph.New(m.Imports)
	each := func(visit func(s *spoke)) {
		for _, plan := range p.sorted() {
			for _, s := range plan.spokes {
				visit(s)
			}
		}
	}
	// All edges first: two conversions may close a cycle only together.
	each(func(s *spoke) {
		g.Add(s.object.Package.Path, importgraph.Edge{To: s.hub.Package.Path, Reason: importgraph.Converts, Pos: s.object.Pos})
	})
	cyclic := g.Cyclic()
	each(func(s *spoke) {
		from, to := s.object.Package.Path, s.hub.Package.Path
		if cyclic.Together(from, to) {
			p.errorf(s.object.Pos,
				"the conversion of %s %s closes an import cycle, since it imports the version that is stored: %s: move what %s imports to another package",
				s.object.Name, s.object.Package.Version, g.Cycle(from, to), s.hub.Package.Version)
		}
	})
}

// typeName returns a type as Go source, with package names.
func typeName(t *model.Type) string {
	return t.Source(func(t *model.Type) string { return t.PackageName + "." + t.Name })
}

// dotted returns the path of JSON names through some fields.
func dotted(path []*model.Field) string { return strings.Join(jsonNames(path), ".") }

func jsonNames(path []*model.Field) []string {
	var names []string
	for _, f := range path { // an embedded struct adds no JSON name
		if !f.Inline {
			names = append(names, f.JSONName)
		}
	}
	return names
}
