package docs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// A Target is a kind that fields refer to.
type Target struct {
	// Name is that of the Go type, and Kind its page, or nil if it isn't one of these kinds. [Link]
	// finds it.
	Name string
	Kind *Kind

	// goType has the import path of the Go type as well.
	goType string
}

// A Referrer is a field that takes its value from a kind.
type Referrer struct {
	Kind *Kind
	Path string
}

// targetOf returns what a field refers to, nil if that is nothing. Markers name it as
// angryjet's do: by the Go type, after the import path of its package unless it is in the same.
func targetOf(at schema.Cursor) *Target {
	if at.Field == nil {
		return nil
	}
	m := at.Field.OwnMarker(markers.ReferenceType)
	if m == nil {
		return nil
	}
	_, name, _ := strings.Cut(m.Text, "=")
	path := ""
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		path, name = name[:dot], name[dot+1:]
	} else if at.Above.Type != nil {
		path = at.Above.Type.Deref().Package
	}
	return &Target{Name: name, goType: path + "." + name}
}

// Link sorts kinds by group and name, and finds which of them refer to which.
func Link(kinds []*Kind) {
	slices.SortFunc(kinds, func(a, b *Kind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name))
	})
	byGoType := map[string]*Kind{}
	for _, kind := range kinds {
		for _, name := range kind.goTypes {
			byGoType[name] = kind
		}
	}
	for _, kind := range kinds {
		kind.eachField(func(part Part, field *Field) { kind.link(part, *field, byGoType) })
	}
	for _, kind := range kinds {
		slices.SortFunc(kind.ReferredBy, func(a, b Referrer) int {
			return cmp.Or(cmp.Compare(a.Kind.Group, b.Kind.Group), cmp.Compare(a.Kind.Name, b.Kind.Name), cmp.Compare(a.Path, b.Path))
		})
		kind.ReferredBy = slices.Compact(kind.ReferredBy) // versions have the same fields
	}
}

// eachField calls visit with the fields of all parts of all versions.
func (k *Kind) eachField(visit func(part Part, field *Field)) {
	for _, version := range k.Versions {
		for _, part := range version.Parts {
			for i := range part.Fields {
				visit(part, &part.Fields[i])
			}
		}
	}
}

// link finds the kind that a field refers to.
func (k *Kind) link(part Part, field Field, byGoType map[string]*Kind) {
	if field.Reference == nil {
		return
	}
	to := byGoType[field.Reference.goType]
	if field.Reference.Kind = to; to != nil && part.Path == ".spec.forProvider" {
		to.ReferredBy = append(to.ReferredBy, Referrer{k, strings.TrimPrefix(part.Path, ".") + "." + field.Path})
	}
}

// AddSDK adds to the facts of fields what an SDK calls them, in requests and in what it returns. The names
// are by the place that declares the field.
func AddSDK(kinds []*Kind, sent, observed map[diag.Position][]string) {
	for _, kind := range kinds {
		kind.eachField(func(_ Part, f *Field) {
			if names := sent[f.pos]; len(names) > 0 {
				f.Facts = append(f.Facts, "sent as "+strings.Join(names, ", "))
			}
			if names := observed[f.pos]; len(names) > 0 {
				f.Facts = append(f.Facts, "observed from "+strings.Join(names, ", "))
			}
		})
	}
}
