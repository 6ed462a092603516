package markers

import (
	"slices"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestDefinitions(t *testing.T) {
	known := []Place{Package, ManagedKind, Kind, Type, ForProviderStruct, ForProviderField, InitProviderField, SpecField, ObservationField, Field, Declaration, Client, ClientMethod}
	for _, d := range definitions {
		t.Run(d.Name, func(t *testing.T) {
			got := Lookup(d.Name)
			expect.True(t, got != nil && got.Name == d.Name, "Lookup() = %v", got)
			expect.True(t, d.Doc != "" && strings.HasSuffix(d.Doc, "."), "Doc is no sentence: %q", d.Doc)
			expect.True(t, len(d.Places) != 0, "no place")
			for _, p := range d.Places {
				expect.True(t, slices.Contains(known, p), "unknown place %q", p)
			}
			expect.True(t, d.Key == "" || d.argument(d.Key) >= 0, "Key %q is no argument", d.Key)
			expect.True(t, d.Needs == "" || Lookup(d.Needs) != nil, "Needs names an unknown marker: %q", d.Needs)
			for i, a := range d.Arguments {
				expect.True(t, a.Name != "" || len(d.Arguments) <= 1, "argument %d of %d has no name", i, len(d.Arguments))
				for _, p := range a.RequiredOn {
					expect.True(t, slices.Contains(d.Places, p), "argument %s is required on %q, where the marker may not stand", a.Name, p)
				}
				if a.InsteadOf != "" && (d.argument(a.InsteadOf) < 0 || a.InsteadOf == a.Name || len(a.RequiredOn) > 0) {
					t.Errorf("argument %s can't take the place of %q", a.Name, a.InsteadOf)
				}
				expect.True(t, (a.Type == Choice) == (len(a.Choices) > 0), "argument %q of type %s has choices %v", a.Name, a.Type, a.Choices)
				expect.True(t, slices.ContainsFunc(argumentTypeDocs, func(doc ArgumentTypeDoc) bool { return doc.Type == a.Type }), "type %s has no document", a.Type)
			}
			if value := mustParse(t, strings.TrimPrefix(d.usage(), "+")); value == nil || value.Definition.Name != d.Name {
				t.Errorf("usage %q is not this marker", d.usage())
			}
		})
	}
}

// What the reference shows must be what mrgen accepts.
func TestExamples(t *testing.T) {
	for _, d := range definitions {
		t.Run(d.Name, func(t *testing.T) {
			var values []*Value
			shown := false
			for line := range strings.Lines(d.Example) {
				text, found := strings.CutPrefix(strings.TrimSpace(line), "// +")
				if !found {
					continue
				}
				value := mustParse(t, text)
				values = append(values, value)
				if value != nil && value.Definition.Name == d.Name {
					shown = true
					if problem := value.CheckPlace(d.Places[len(d.Places)-1]); problem != nil {
						t.Error(problem.Message)
					}
				}
			}
			expect.True(t, shown, "the example lacks the marker")
			if conflicts := Check(values); len(conflicts) > 0 {
				t.Error(conflicts[0].Message)
			}
		})
	}
}

func TestPlacesHaveWords(t *testing.T) {
	words := map[string]Place{}
	for _, p := range []Place{Package, ManagedKind, Kind, Type, ForProviderStruct, ForProviderField, InitProviderField, SpecField, ObservationField, Field, Declaration} {
		text := p.String()
		expect.True(t, text != string(p), "%q has no words", p)
		other, found := words[text]
		expect.True(t, !found, "%q has the words of %q", p, other)
		words[text] = p
	}
}

func TestOrder(t *testing.T) {
	expect.True(t, slices.IsSortedFunc(definitions, func(a, b Definition) int { return strings.Compare(a.Name, b.Name) }), "definitions are not sorted by name")
	expect.True(t, slices.IsSortedFunc(foreign(), func(a, b ForeignMarker) int { return strings.Compare(a.Name, b.Name) }), "markers of others are not sorted by name")
}

func TestLookupUnknown(t *testing.T) {
	for _, name := range []string{"", "mrgen:", "mrgen:State", "+mrgen:state", "mrgen:state=Active"} {
		if d := Lookup(name); d != nil {
			t.Errorf("Lookup(%q) = %s", name, d.Name)
		}
	}
}

// Names of markers of others must not be taken for slips.
func TestForeignMarkersAreOthers(t *testing.T) {
	for _, m := range foreign() {
		if value := mustParse(t, m.Name); value != nil {
			t.Errorf("+%s is taken for +%s", m.Name, value.Definition.Name)
		}
	}
}

// TestFullReference checks that the reference describes every marker.
func TestFullReference(t *testing.T) {
	full := FullReference()
	expect.True(t, full.IsFull() && len(full.Foreign) == len(foreign())-len(conventions) && len(full.Types) == len(argumentTypeDocs), "the lists are not complete")
}
