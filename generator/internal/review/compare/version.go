package compare

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// newSearch returns a search among the objects of an old version.
func (c *comparison) newSearch(ctx context.Context, old, new apiextensionsv1.CustomResourceDefinitionVersion) (*search, error) {
	s := &search{
		head: c.head(old.Name), hasStatus: hasStatus(old),
		ratchets: c.options.Ratchets,
	}
	if c.upgrade.Declaration.Root != nil {
		s.root = c.upgrade.Declaration.Root(new.Name)
	}
	var err error
	if s.old, err = newVersionSchema(old.Schema.OpenAPIV3Schema, true); err != nil {
		return nil, fmt.Errorf("the old schema of %s: %w", old.Name, err)
	}
	if s.new, err = newVersionSchema(new.Schema.OpenAPIV3Schema, false); err != nil {
		return nil, fmt.Errorf("the schema of %s: %w", new.Name, err)
	}
	s.differences = differences(ctx, s.old.schema, s.new.schema)
	return s, nil
}

// version compares a version's schema with its earlier one.
func (c *comparison) version(ctx context.Context, old, new apiextensionsv1.CustomResourceDefinitionVersion) error {
	was, is := old.Schema.OpenAPIV3Schema, new.Schema.OpenAPIV3Schema
	if reflect.DeepEqual(was, is) || reflect.DeepEqual(bare(was), bare(is)) {
		return nil // most versions
	}
	s, err := c.newSearch(ctx, old, new)
	if err != nil {
		return err
	}
	s.isConverted = !old.Storage && !new.Storage && isConverted(c.upgrade.Old) && isConverted(*c.upgrade.New)
	for _, d := range s.differences {
		if f, ok := s.judge(ctx, d); ok {
			c.adopt(&f, old.Name, d)
			c.add(old.Name, d.place(), f)
		}
	}
	return nil
}

// judge returns the finding about a difference. It reports false if nothing breaks.
func (s *search) judge(ctx context.Context, d *difference) (Finding, bool) {
	f := Finding{What: d.says(), Advice: s.advice(d)}
	inStatus := s.hasStatus && isStatus(d.path)
	gone := d.isGone()
	// Nobody applies a status: only a provider that repeats a key, which none does on purpose, would notice.
	if inStatus && !gone && d.has(merging...) {
		f.Class, f.Happens = Stored, isBlocked
		return f, hasKeys(d)
	}
	p := s.prove(ctx, d)
	isLoose := d.verdict() < undecided || inStatus && !gone // at most, a provider's own writes are refused
	switch {
	case p.found:
		f.Class, f.Happens = p.effect.class, p.effect.happens
		f.IsRefused = d.old != nil && !gone && (f.Happens == isBlocked || f.Happens == isRefused)
		f.Counterexample = &Counterexample{Object: p.object, Update: p.effect.update, Says: p.effect.says}
	case isLoose && (p.accepted || !d.has("default")):
		// The provider writes the status, and knows the new schema. Elsewhere, no object was affected though
		// some were tried.
		return Finding{}, false
	default:
		f.Class, f.Happens = s.guess(d)
	}
	switch {
	// Programs read the status: removal breaks them, even if the search found something else.
	case inStatus && gone:
		f.Class, f.Happens = Client, isMissed
	case gone && f.Class == Manifest && !d.has(removed):
		// The API server may accept the values, but a client that reads a list of all objects fails on one of
		// another type.
		f.Class, f.Happens = Stored, isUnreadable
	}
	return f, true
}

// hasKeys reports whether a list has become a set or a map, which refuses values that occur twice.
func hasKeys(d *difference) bool {
	return d.has("x-kubernetes-list-type") && listType(d.old) == "atomic"
}

// guess returns the effect if no object proves one.
func (s *search) guess(d *difference) (Class, string) {
	switch {
	case d.has(merging...):
		return Stored, isMergedElse
	case d.has(removed):
		return s.dropped()
	// Without ratcheting, the next update validates the whole object.
	case d.has(required) || !s.ratchets:
		return Stored, isBlocked
	default:
		return Manifest, isRefused
	}
}

// advices are the remedies, by keyword.
var advices = []struct {
	keywords []string
	advice   string
}{
	{[]string{embedded}, "set crds.embeddedObjectMeta: true in mrgen.yaml"},
	{[]string{removed}, "keep the field, and declare it deprecated, or leave it out of a new version only"},
	{[]string{"type", schemed}, "keep the type, and give the other one to a new field or a new version"},
	{[]string{required}, "make it optional, or give it a default"},
	{[]string{"default"}, "keep the default as it was, or change it in a new version only"},
	{merging, "keep how the elements merge, or change it in a new version only"},
	{[]string{ruled}, "make the rule accept the earlier values, or add it to a new version only"},
}

// advice returns what to do about a difference.
func (s *search) advice(d *difference) string {
	if name := s.renamed(d); name != "" {
		_, version, _ := strings.Cut(fmt.Sprint(s.head["apiVersion"]), "/")
		return fmt.Sprintf("keep the field, or rename it in a new version only, where %s has +%s=%s:%s", name, markers.RenamedFrom, version,
			d.path[len(d.path)-1].Name)
	}
	for _, row := range advices {
		if d.has(row.keywords...) {
			return row.advice
		}
	}
	return "accept the earlier values, or be stricter in a new version only"
}

// renamed returns the name of the only added field of the same type, or "": the removed field was probably
// renamed to it.
func (s *search) renamed(d *difference) string {
	if !d.has(removed) || len(d.path) == 0 {
		return ""
	}
	around := d.path[:len(d.path)-1]
	was, is := schema.At(s.old.schema, around), schema.At(s.new.schema, around)
	if was == nil || is == nil {
		return ""
	}
	var came []string
	for _, name := range slices.Sorted(maps.Keys(is.Properties)) {
		property := is.Properties[name]
		if _, known := was.Properties[name]; !known && typeName(&property) == typeName(d.old) {
			came = append(came, name)
		}
	}
	if len(came) != 1 {
		return ""
	}
	return came[0]
}
