package markers

import (
	"slices"
	"strings"
	"testing"
)

func TestDefinitions(t *testing.T) {
	known := []Place{Package, ManagedKind, Kind, Type, ForProviderStruct, ForProviderField, InitProviderField, SpecField, ObservationField, Field, Declaration, Client, ClientMethod}
	for _, d := range definitions {
		t.Run(d.Name, func(t *testing.T) {
			if got := Lookup(d.Name); got == nil || got.Name != d.Name {
				t.Errorf("Lookup() = %v", got)
			}
			if d.Doc == "" || !strings.HasSuffix(d.Doc, ".") {
				t.Errorf("Doc is no sentence: %q", d.Doc)
			}
			if len(d.Places) == 0 {
				t.Error("no place")
			}
			for _, p := range d.Places {
				if !slices.Contains(known, p) {
					t.Errorf("unknown place %q", p)
				}
			}
			if d.Key != "" && d.argument(d.Key) < 0 {
				t.Errorf("Key %q is no argument", d.Key)
			}
			if d.Needs != "" && Lookup(d.Needs) == nil {
				t.Errorf("Needs names an unknown marker: %q", d.Needs)
			}
			for i, a := range d.Arguments {
				if a.Name == "" && len(d.Arguments) > 1 {
					t.Errorf("argument %d of %d has no name", i, len(d.Arguments))
				}
				for _, p := range a.RequiredOn {
					if !slices.Contains(d.Places, p) {
						t.Errorf("argument %s is required on %q, where the marker may not stand", a.Name, p)
					}
				}
				if a.InsteadOf != "" && (d.argument(a.InsteadOf) < 0 || a.InsteadOf == a.Name || len(a.RequiredOn) > 0) {
					t.Errorf("argument %s can't take the place of %q", a.Name, a.InsteadOf)
				}
				if (a.Type == Choice) != (len(a.Choices) > 0) {
					t.Errorf("argument %q of type %s has choices %v", a.Name, a.Type, a.Choices)
				}
				if !slices.ContainsFunc(argumentTypeDocs, func(doc ArgumentTypeDoc) bool { return doc.Type == a.Type }) {
					t.Errorf("type %s has no document", a.Type)
				}
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
			if !shown {
				t.Error("the example lacks the marker")
			}
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
		if text == string(p) {
			t.Errorf("%q has no words", p)
		}
		if other, found := words[text]; found {
			t.Errorf("%q has the words of %q", p, other)
		}
		words[text] = p
	}
}

func TestOrder(t *testing.T) {
	if !slices.IsSortedFunc(definitions, func(a, b Definition) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("definitions are not sorted by name")
	}
	if !slices.IsSortedFunc(foreign(), func(a, b ForeignMarker) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("markers of others are not sorted by name")
	}
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
	if !full.IsFull() || len(full.Foreign) != len(foreign())-len(conventions) || len(full.Types) != len(argumentTypeDocs) {
		t.Error("the lists are not complete")
	}
}
