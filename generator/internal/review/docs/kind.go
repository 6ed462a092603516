// Package docs writes reference pages of kinds for their users: fields, and when they are
// required; references in and out; connection details; and an example that the API server
// accepts.
package docs

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/connection"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/review/examples"
	"github.com/mrgen-io/mrgen/generator/internal/review/explain"
	"github.com/mrgen-io/mrgen/generator/internal/rules"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Kind is what there is to say about a kind.
type Kind struct {
	// Name is unique in a Group. File is the name of its page.
	Group, Name, Plural, Scope, File string
	// SourceDirs are the folders of the packages that declare the kind.
	SourceDirs []string
	Managed    bool
	// Description is that of the version that is stored.
	Description       string
	Versions          []Version
	ConnectionDetails []connection.Detail
	// ReferredBy are the fields of other kinds that take values from this one, by kind and path. [Link]
	// finds them.
	ReferredBy []Referrer

	// goTypes are those of the versions, by import path and name.
	goTypes []string
}

// A Version is a version of a kind.
type Version struct {
	Name                       string
	Served, Stored, Deprecated bool
	// Manifest is an example that the API server accepts, "" if none was found.
	Manifest string
	Parts    []Part
	// Differences says what the version has that the stored one lacks, and the other way round.
	Differences []string
}

// A Part is an object with fields of interest.
type Part struct {
	// Path is from the root: ".spec.forProvider".
	Path   string
	Fields []Field
	// Mirrors is set if the part also has the fields of spec.forProvider, which are left out, but
	// for those that are Missing.
	Mirrors bool
	Missing []string
}

// A Field is a field at any depth of a part.
type Field struct {
	// Path is from the part: "rules[].port".
	Path, Type, Description string
	// Facts are phrases such as "required" or "at least 1".
	Facts []string
	// Reference is the kind that the field may take its value from, or nil.
	Reference *Target

	// pos is where the field is declared.
	pos diag.Position
}

// Describe returns what there is to say about definitions, which must have their schemas. It refers to
// nothing that these refer to. Errors are bugs of mrgen or a cancelled context.
func Describe(ctx context.Context, definitions pipeline.Definitions) ([]*Kind, error) {
	var all []*Kind
	for _, d := range definitions {
		kind := &Kind{
			Group: d.CRD.Spec.Group, Name: d.CRD.Spec.Names.Kind, Plural: d.CRD.Spec.Names.Plural, Scope: string(d.CRD.Spec.Scope),
			File:       strings.TrimSuffix(d.FileName(), ".yaml") + ".md",
			SourceDirs: d.SourceDirs(), Managed: d.Managed(), ConnectionDetails: d.ConnectionDetails,
		}
		for _, o := range d.Objects {
			kind.goTypes = append(kind.goTypes, o.Package.Path+"."+o.Name)
		}
		if err := kind.describe(ctx, d); err != nil {
			return nil, err
		}
		all = append(all, kind)
	}
	return all, nil
}

// describe adds the versions of a kind.
func (k *Kind) describe(ctx context.Context, d pipeline.Definition) error {
	stored := max(0, d.Stored())
	k.Description = d.Root(stored).Schema.Description
	var manifests []examples.Manifest
	if k.Managed {
		var err error
		if manifests, _, err = examples.Manifests(ctx, d); err != nil {
			return err
		}
	}
	for i, v := range d.CRD.Spec.Versions {
		version := Version{Name: v.Name, Served: v.Served, Stored: v.Storage, Deprecated: v.Deprecated}
		for _, m := range manifests {
			// The first one creates, others observe.
			if m.Version == v.Name && m.Content != nil && version.Manifest == "" {
				_, version.Manifest, _ = strings.Cut(string(m.Content), "\n---\n")
			}
		}
		decisions := d.DecisionsOf(i)
		for _, path := range partsOf(d, i) {
			at := d.Root(i).Follow(path)
			part := Part{Path: path.String()}
			addFields(&part, at, "", decisions, d.Objects[i])
			version.Parts = append(version.Parts, part)
		}
		leaveOutMirror(version.Parts)
		if i != stored && v.Served {
			version.Differences = differences(d, i)
		}
		k.Versions = append(k.Versions, version)
	}
	return nil
}

// partsOf returns the objects of a version that have fields of interest: of managed resources the
// provider's part, and of others all.
func partsOf(d pipeline.Definition, version int) []schema.Path {
	var parts []schema.Path
	candidates := []schema.Path{schema.Properties("spec"), schema.Properties("status")}
	if d.Managed() {
		candidates = []schema.Path{schema.Properties("spec", "forProvider"), schema.Properties("spec", "initProvider"), schema.Properties("status", "atProvider")}
	}
	for _, path := range candidates {
		if at := d.Root(version).Follow(path); at.Schema != nil && len(at.Schema.Properties) > 0 {
			parts = append(parts, path)
		}
	}
	return parts
}

// leaveOutMirror leaves out what the observed part has from spec.forProvider, if it is some.
func leaveOutMirror(parts []Part) {
	forProvider := slices.IndexFunc(parts, func(p Part) bool { return p.Path == ".spec.forProvider" })
	atProvider := slices.IndexFunc(parts, func(p Part) bool { return p.Path == ".status.atProvider" })
	if forProvider < 0 || atProvider < 0 {
		return
	}
	desired, observed := parts[forProvider], &parts[atProvider]
	has := func(fields []Field, path string) bool {
		return slices.ContainsFunc(fields, func(f Field) bool { return f.Path == path })
	}
	var more []Field
	for _, f := range observed.Fields {
		if !has(desired.Fields, f.Path) {
			more = append(more, f)
		}
	}
	if len(more) == len(observed.Fields) {
		return
	}
	for _, f := range desired.Fields {
		above, nested := cutLast(f.Path)
		if !has(observed.Fields, f.Path) && (!nested || !slices.Contains(observed.Missing, above)) {
			observed.Missing = append(observed.Missing, f.Path)
		}
	}
	observed.Fields, observed.Mirrors = more, true
}

// cutLast cuts the last field off a path, if there is one around it: "rules" is left of "rules[].port".
func cutLast(path string) (above string, ok bool) {
	dot := strings.LastIndex(path, ".")
	return strings.TrimRight(path[:max(dot, 0)], "[]{}"), dot >= 0
}

// addFields adds the fields of an object, and those below them. The prefix leads from the part to
// the object.
func addFields(part *Part, at schema.Cursor, prefix string, decisions []provenance.Decision, o *model.Object) {
	references := referencesOf(at)
	for _, summary := range explain.Fields(at, decisions, o) {
		below := at.Property(summary.Name)
		field := Field{
			Path: prefix + summary.Name, Type: typeOf(below.Schema, summary.Type), Description: description(below.Schema),
			Facts: append(factsOf(summary), bounds(below.Schema)...), Reference: targetOf(below),
		}
		if below.Field != nil {
			field.pos = below.Field.Pos
		}
		part.Fields = append(part.Fields, field)
		if below.Field != nil && slices.Contains(references, below.Field.Name) {
			continue // all references and selectors have the same fields
		}
		inner := below.Innermost()
		addFields(part, inner, prefix+strings.TrimPrefix(strings.TrimPrefix(inner.Path.String(), at.Path.String()), ".")+".", decisions, o)
	}
}

// referencesOf returns the Go names of the fields of an object that hold references and selectors.
func referencesOf(at schema.Cursor) []string {
	var names []string
	for _, below := range at.Properties() {
		if f := below.Field; f != nil {
			reference, selector := f.ReferenceNames()
			names = append(names, reference, selector)
		}
	}
	return names
}

// factsOf returns what the explanation of an object says of a field, in the words of those who fill
// it in: what is required comes first, what isn't goes without saying, and that a rule could not take
// the place of a constraint is for the author to know.
func factsOf(summary explain.Field) []string {
	said := strings.ReplaceAll(strings.ReplaceAll(summary.Facts, "stays required", "required"), explain.IfGiven, "")
	var required, others []string
	for fact := range strings.SplitSeq(said, ", ") {
		switch {
		case strings.HasPrefix(fact, "required"):
			required = append(required, fact)
		case fact != "optional":
			others = append(others, fact)
		}
	}
	return append(required, others...)
}

// description returns the comment of a field without what a rule adds to it, which is a fact.
func description(s *apiextensionsv1.JSONSchemaProps) string {
	return strings.TrimSpace(rules.AuthorDescription(s.Description))
}

// typeOf returns the type of a value, with its format.
func typeOf(s *apiextensionsv1.JSONSchemaProps, name string) string {
	if s.Format != "" {
		return name + " (" + s.Format + ")"
	}
	return name
}

// bounds returns what a schema demands of a value, and of the items of a list.
func bounds(s *apiextensionsv1.JSONSchemaProps) []string {
	var facts []string
	say := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	if s.Default != nil {
		say("default %s", code(schema.RawJSON(s.Default.Raw)))
	}
	if len(s.Enum) > 0 {
		var values []string
		for _, value := range s.Enum {
			values = append(values, code(schema.RawJSON(value.Raw)))
		}
		say("one of %s", strings.Join(values, ", "))
	}
	for _, bound := range []struct {
		phrase string
		of     *float64
		strict bool
	}{
		{"at least ", s.Minimum, s.ExclusiveMinimum},
		{"at most ", s.Maximum, s.ExclusiveMaximum},
		{"a multiple of ", s.MultipleOf, false},
	} {
		if bound.of != nil {
			phrase := bound.phrase
			if bound.strict {
				phrase = map[string]string{"at least ": "more than ", "at most ": "less than "}[phrase]
			}
			say("%s%s", phrase, strconv.FormatFloat(*bound.of, 'f', -1, 64))
		}
	}
	for _, bound := range []struct {
		least, most *int64
		of          string
	}{
		{s.MinLength, s.MaxLength, "character"},
		{s.MinItems, s.MaxItems, "item"},
		{s.MinProperties, s.MaxProperties, "entry"},
	} {
		if bound.least != nil && *bound.least > 0 {
			say("at least %s", count(*bound.least, bound.of))
		}
		if bound.most != nil {
			say("at most %s", count(*bound.most, bound.of))
		}
	}
	if s.Pattern != "" {
		say("matches %s", code(s.Pattern))
	}
	if s.Nullable {
		say("may be null")
	}
	if items := schema.Child(s, schema.Step{Kind: schema.Items}); items != nil && len(items.Properties) == 0 {
		for _, fact := range bounds(items) {
			say("each %s", fact)
		}
	}
	return facts
}

// code returns text as code, which backquotes in it would end.
func code(text string) string {
	if strings.Contains(text, "`") {
		return text
	}
	return "`" + text + "`"
}

// count returns a number of things.
func count(n int64, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(thing, "y"))
	default:
		return fmt.Sprintf("%d %ss", n, thing)
	}
}
