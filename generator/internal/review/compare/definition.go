package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// head returns the fields that identify an object of a version.
func (c *comparison) head(version string) map[string]any {
	spec := c.upgrade.Old.CRD.Spec
	metadata := map[string]any{"name": "example"}
	if spec.Scope == apiextensionsv1.NamespaceScoped {
		metadata["namespace"] = "default"
	}
	return map[string]any{"apiVersion": spec.Group + "/" + version, "kind": spec.Names.Kind, "metadata": metadata}
}

// unserved adds a finding about a version that nobody can use any more.
func (c *comparison) unserved(ctx context.Context, old apiextensionsv1.CustomResourceDefinitionVersion, isGone bool) error {
	if isGone && old.Storage { // the installation fails, which is reported
		return nil // the installation fails
	}
	what := "the version is not served"
	if isGone {
		what = "the version was removed"
	}
	return c.noMatch(ctx, old, what, "keep it, and declare it deprecated, until nobody uses it")
}

// noMatch adds a finding about a version whose objects nobody can read or write any more.
func (c *comparison) noMatch(ctx context.Context, old apiextensionsv1.CustomResourceDefinitionVersion, what, advice string) error {
	s, err := c.newSearch(ctx, old, old)
	if err != nil {
		return err
	}
	spec := c.upgrade.Old.CRD.Spec
	f := Finding{Class: Stored, What: what, Happens: "its objects and manifests would not be known any more", Advice: advice}
	for object := range s.bases(ctx, nil) {
		f.Counterexample = &Counterexample{
			Object: object,
			Says:   fmt.Sprintf("no matches for kind %q in version %q", spec.Names.Kind, spec.Group+"/"+old.Name),
		}
		break
	}
	c.add(old.Name, nil, f)
	return nil
}

// gone adds findings about a kind whose definition was removed.
func (c *comparison) gone(ctx context.Context) error {
	for _, v := range c.upgrade.Old.CRD.Spec.Versions {
		if v.Served {
			if err := c.noMatch(ctx, v, "the kind was removed", "keep its definition until nobody uses it"); err != nil {
				return err
			}
		}
	}
	return nil
}

// reread compares objects of a version with another version's schema, by which they are read from now on. why
// says what caused that.
func (c *comparison) reread(ctx context.Context, old, new apiextensionsv1.CustomResourceDefinitionVersion, why string) error {
	s, err := c.newSearch(ctx, old, new)
	if err != nil {
		return err
	}
	var found []Finding
	var paths []schema.Path
	for _, d := range s.differences {
		f, ok := s.judge(ctx, d)
		// Without a webhook, only stored values matter here: each version's own schema is compared elsewhere.
		if ok && f.Counterexample != nil && slices.Contains([]string{isPruned, isReadElse, isUnreadable}, f.Happens) {
			f.What = why + ", where " + d.says()
			f.Advice = "convert between the versions by a webhook, or have both know the field"
			found, paths = append(found, f), append(paths, d.path)
		}
	}
	switch n := len(found); {
	case n == 1:
		c.add(old.Name, paths[0], found[0])
	case n > 1: // the author forgot one webhook, or adds it elsewhere
		found[0].What = fmt.Sprintf("%s, where %d fields differ, such as %s", why, n, strings.TrimPrefix(paths[0].String(), "."))
		c.add(old.Name, nil, found[0])
	}
	return nil
}

// conversions compares the fate of objects that are read in another version than the stored one.
func (c *comparison) conversions(ctx context.Context) error {
	was, is := storageOf(c.upgrade.Old.CRD.Spec.Versions), storageOf(c.upgrade.New.CRD.Spec.Versions)
	// A webhook may do anything: mrgen can't know.
	if was == nil || is == nil || isConverted(*c.upgrade.New) {
		return nil
	}
	if was.Name != is.Name {
		return c.reread(ctx, *was, *is, fmt.Sprintf("the storage version was %s and is %s", was.Name, is.Name))
	}
	// There was no webhook, so nothing changes between versions.
	if !isConverted(c.upgrade.Old) {
		return nil
	}
	if c.controllerGen() != "" { // which writes no webhooks
		c.add("", nil, Finding{
			Class: Stored, IsAdopted: true,
			What:    "another step has added the webhook that converts versions",
			Happens: "without it, versions drop the fields that they don't know",
			Advice:  "keep the step, and run it after mrgen generate, or set versions.mode: convert in mrgen.yaml",
		})
		return nil
	}
	for _, old := range c.upgrade.Old.CRD.Spec.Versions {
		// The removal of a version is a finding of its own.
		new := versionOf(*c.upgrade.New, old.Name)
		if old.Name == was.Name || !old.Served || new == nil || !new.Served {
			continue
		}
		if err := c.reread(ctx, *was, *new, fmt.Sprintf("no webhook converts %s to %s any more", was.Name, new.Name)); err != nil {
			return err
		}
		if err := c.reread(ctx, old, *is, fmt.Sprintf("no webhook converts %s to %s any more", old.Name, is.Name)); err != nil {
			return err
		}
	}
	return nil
}

// versionOf returns a version of a definition by its name, or nil.
func versionOf(d Definition, name string) *apiextensionsv1.CustomResourceDefinitionVersion {
	i := slices.IndexFunc(d.CRD.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == name })
	if i < 0 {
		return nil
	}
	return &d.CRD.Spec.Versions[i]
}

// isConverted reports whether a webhook converts the versions of a kind.
func isConverted(d Definition) bool {
	conversion := d.CRD.Spec.Conversion
	return conversion != nil && conversion.Strategy == apiextensionsv1.WebhookConverter
}

// definitions compares the parts that all versions share.
func (c *comparison) definitions(ctx context.Context) error {
	old, new := c.upgrade.Old.CRD.Spec, c.upgrade.New.CRD.Spec
	if stored := storageOf(old.Versions); stored != nil && old.Names.Plural != new.Names.Plural {
		// Another plural is another resource in etcd: nothing else can be compared.
		return c.noMatch(ctx, *stored, fmt.Sprintf("the plural was %s and is %s", old.Names.Plural, new.Names.Plural),
			"keep the plural: it is the name of the resource that objects are stored as")
	}
	if err := c.refusals(ctx); err != nil {
		return err
	}
	c.names()
	return c.conversions(ctx)
}

func storageOf(versions []apiextensionsv1.CustomResourceDefinitionVersion) *apiextensionsv1.CustomResourceDefinitionVersion {
	for i := range versions {
		if versions[i].Storage {
			return &versions[i]
		}
	}
	return nil
}

// refusals adds findings about the reasons for which an update to the definition would be refused. Faults that
// it has on its own aren't among them.
func (c *comparison) refusals(ctx context.Context) error {
	old, new := c.upgrade.Old, *c.upgrade.New
	refused := func(field, of, reason string) {
		c.add("", nil, Finding{
			Class:          Install,
			What:           fmt.Sprintf("%s of the %s has changed", field, of),
			Happens:        "the definition would be refused where the old one is installed",
			Counterexample: &Counterexample{Says: field + ": " + reason},
			Advice:         "leave it as it was: it can only be changed in a kind of another name",
		})
	}
	// A schema that may be created may also take the place of another.
	was, is := withoutSchemas(old.CRD), withoutSchemas(new.CRD)
	// Comparing it with itself yields its own faults.
	own, err := installErrors(ctx, is, is)
	if err != nil {
		return err
	}
	all, err := installErrors(ctx, is, was)
	if err != nil {
		return err
	}
	about := map[string]bool{}
	for _, e := range all {
		isOwn := slices.ContainsFunc(own, func(o *field.Error) bool { return o.Error() == e.Error() })
		if name := strings.TrimPrefix(e.Field, "spec."); !isOwn {
			refused(name, "CRD", e.ErrorBody())
			about[name] = true
		}
	}
	if !old.Managed || !new.Managed {
		return nil
	}
	more, err := mrdRefusals(ctx, old, new)
	for _, r := range more {
		// The CRD's validation says the same of names and scope.
		if !about[r.Field] {
			refused(r.Field, "MRD", r.Reason)
		}
	}
	return err
}

// withoutSchemas returns a definition whose schemas accept anything.
func withoutSchemas(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	c := *crd
	c.Spec.Versions = slices.Clone(crd.Spec.Versions)
	for i := range c.Spec.Versions {
		v := &c.Spec.Versions[i]
		v.Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &props{Type: "object", XPreserveUnknownFields: new(true)}}
		v.SelectableFields = nil
	}
	return &c
}

// keys adds a finding about keys of the connection secret that are gone.
func (c *comparison) keys() {
	isKept := func(key string) bool { return slices.Contains(c.upgrade.New.Keys, key) }
	lost := slices.DeleteFunc(slices.Clone(c.upgrade.Old.Keys), isKept)
	if len(lost) == 0 {
		return
	}
	c.missed("", nil, "connection details are gone: "+strings.Join(lost, ", "),
		"compositions and programs that read these keys of the connection secret would miss them",
		"the definition lists "+listed(c.upgrade.New.Keys, "no connection details", "the connection details"), "keep publishing the earlier keys")
}
