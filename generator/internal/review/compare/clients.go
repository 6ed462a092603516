package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// names compares the names by which clients find a kind, except the plural.
func (c *comparison) names() {
	// mrd.yaml forbids changes of an MRD's names, so they are refusals already.
	if c.upgrade.Old.Managed && c.upgrade.New.Managed {
		return
	}
	was, is := c.upgrade.Old.CRD.Spec.Names, c.upgrade.New.CRD.Spec.Names
	known := append([]string{is.Plural, singular(is)}, is.ShortNames...)
	for i, name := range append([]string{singular(was)}, was.ShortNames...) {
		what := "the singular was " + name + ", and is " + singular(is)
		if i > 0 {
			what = "the short name " + name + " was removed"
		}
		if !slices.Contains(known, name) {
			c.missed("", nil, what, "commands that name the resource so would not find it",
				fmt.Sprintf("the server doesn't have a resource type %q", name), "keep the name")
		}
	}
	if lists, now := listKind(was), listKind(is); lists != now && was.Kind == is.Kind {
		c.missed("", nil, "the kind of lists was "+lists+" and is "+now, "clients that know lists by their kind could not read them",
			"lists are of kind "+now, "keep the kind of lists")
	}
	for _, category := range was.Categories {
		if !slices.Contains(is.Categories, category) {
			c.missed("", nil, "the category "+category+" was removed", "commands that list the category would leave the kind out",
				"the kind is in "+listed(is.Categories, "no category", "the categories"), "keep the category")
		}
	}
}

// singular and listKind return names with the defaults of the API server.
func singular(names apiextensionsv1.CustomResourceDefinitionNames) string {
	return cmp.Or(names.Singular, strings.ToLower(names.Kind))
}

func listKind(names apiextensionsv1.CustomResourceDefinitionNames) string {
	return cmp.Or(names.ListKind, names.Kind+"List")
}

// listed returns "some" and the names, or "none" without any.
func listed(names []string, none, some string) string {
	if len(names) == 0 {
		return none
	}
	return some + " " + strings.Join(names, ", ")
}

// missed adds a finding about something that clients no longer find.
func (c *comparison) missed(version string, path schema.Path, what, happens, says, advice string) {
	c.add(version, path, Finding{Class: Client, What: what, Happens: happens, Counterexample: &Counterexample{Says: says}, Advice: advice})
}

// isNotFound is the API server's message for a path that it doesn't serve.
const isNotFound = "the server could not find the requested resource"

// served compares what the API server serves for a version besides its objects: field selectors and
// subresources.
func (c *comparison) served(ctx context.Context, old, new apiextensionsv1.CustomResourceDefinitionVersion) error {
	if !old.Served { // clients couldn't use it before, either
		return nil
	}
	for _, field := range old.SelectableFields {
		if !slices.Contains(new.SelectableFields, field) {
			name := strings.TrimPrefix(field.JSONPath, ".")
			c.missed(old.Name, schema.Properties(strings.Split(name, ".")...), "the field can't be selected by any more",
				"clients that list or watch by it would be refused", "field label not supported: "+name, "keep it among the selectable fields")
		}
	}
	was, is := hasStatus(old), hasStatus(new)
	switch {
	case was && !is:
		c.missed(old.Name, schema.Properties("status"), "the status subresource was removed", "programs that write the status would fail",
			"/status: "+isNotFound, "keep the subresource")
	case !was && is:
		return c.separated(ctx, old, new)
	}
	return nil
}

// hasStatus reports whether a version has the status subresource.
func hasStatus(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	return v.Subresources != nil && v.Subresources.Status != nil
}

// separated adds a finding if objects have a status that only the new subresource writes from now on.
func (c *comparison) separated(ctx context.Context, old, new apiextensionsv1.CustomResourceDefinitionVersion) error {
	s, err := c.newSearch(ctx, old, new)
	if err != nil {
		return err
	}
	status := schema.Properties("status")
	value := map[string]any{"any": "thing"}
	if known := schema.At(s.old.schema, status); known != nil {
		value = valueOf(ctx, everything(), known)
	}
	for base := range s.bases(ctx, nil) {
		object := s.edited(ctx, base, edit{path: status, value: value})
		if object == nil {
			continue
		}
		c.add(old.Name, status, Finding{
			Class:          Client,
			What:           "the status subresource was added",
			Happens:        "programs that write the status with the object would leave it as it was",
			Counterexample: &Counterexample{Object: object, Says: "the status is dropped: only a write of /status changes it"},
			Advice:         "add the subresource in a new version only",
		})
		return nil
	}
	return nil
}
