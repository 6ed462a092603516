package xpkg

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

// provider is the metadata of a provider's package.
type provider struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Controller struct {
			// Image is of older versions.
			Image              string              `json:"image"`
			PermissionRequests []rbacv1.PolicyRule `json:"permissionRequests"`
		} `json:"controller"`
		Crossplane *struct {
			Version string `json:"version"`
		} `json:"crossplane"`
		DependsOn    []dependency `json:"dependsOn"`
		Capabilities []string     `json:"capabilities"`
	} `json:"spec"`
}

// dependency is a package that another one needs.
type dependency struct {
	APIVersion    *string `json:"apiVersion"`
	Kind          *string `json:"kind"`
	Package       *string `json:"package"`
	Provider      *string `json:"provider"`
	Configuration *string `json:"configuration"`
	Function      *string `json:"function"`
	Version       string  `json:"version"`
}

// definition is what counts of a ManagedResourceDefinition.
type definition struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec struct {
		Group             string                                        `json:"group"`
		Names             apiextensionsv1.CustomResourceDefinitionNames `json:"names"`
		Scope             string                                        `json:"scope"`
		State             string                                        `json:"state"`
		ConnectionDetails []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"connectionDetails"`
		Versions []struct {
			Name    string `json:"name"`
			Served  bool   `json:"served"`
			Storage bool   `json:"storage"`
		} `json:"versions"`
	} `json:"spec"`
}

// A place of a kind in a provider's package.
type place int

const (
	// metadata says what the package is, of which there must be one.
	metadata place = iota + 1
	// object is one that Crossplane installs.
	object
	// foreign is a kind that Crossplane knows, and no part of a provider.
	foreign
)

// kinds are those that Crossplane decodes in a package, by apiVersion and kind: see BuildMetaScheme,
// BuildObjectScheme and NewProviderLinter in crossplane-runtime's pkg/xpkg.
var kinds = map[[2]string]struct {
	place place
	empty func() any
}{
	{"meta.pkg.crossplane.io/v1", "Provider"}:       {metadata, func() any { return new(provider) }},
	{"meta.pkg.crossplane.io/v1alpha1", "Provider"}: {metadata, func() any { return new(provider) }},

	{"meta.pkg.crossplane.io/v1", "Configuration"}:       {foreign, nil},
	{"meta.pkg.crossplane.io/v1alpha1", "Configuration"}: {foreign, nil},
	{"meta.pkg.crossplane.io/v1", "Function"}:            {foreign, nil},
	{"meta.pkg.crossplane.io/v1beta1", "Function"}:       {foreign, nil},

	{"apiextensions.k8s.io/v1", "CustomResourceDefinition"}:                     {object, func() any { return new(apiextensionsv1.CustomResourceDefinition) }},
	{"apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"}:                {object, func() any { return new(apiextensionsv1beta1.CustomResourceDefinition) }},
	{"apiextensions.crossplane.io/v1alpha1", "ManagedResourceDefinition"}:       {object, func() any { return new(definition) }},
	{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"}:       {object, func() any { return new(admissionv1.ValidatingWebhookConfiguration) }},
	{"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"}:         {object, func() any { return new(admissionv1.MutatingWebhookConfiguration) }},
	{"apiextensions.crossplane.io/v1", "CompositeResourceDefinition"}:           {foreign, nil},
	{"apiextensions.crossplane.io/v2", "CompositeResourceDefinition"}:           {foreign, nil},
	{"apiextensions.crossplane.io/v1", "Composition"}:                           {foreign, nil},
	{"apiextensions.crossplane.io/v1alpha1", "ManagedResourceActivationPolicy"}: {foreign, nil},
}

// CheckDocuments says what Crossplane would refuse of the documents in a file of a provider's package,
// each on its own.
func CheckDocuments(file string, content []byte) diag.List {
	c := checker{file: file, names: map[string]bool{}}
	for _, d := range documents(content) {
		c.line = d.line
		c.document(d.text)
	}
	return c.diags
}

// CheckStream says what Crossplane would refuse in package.yaml of a provider, as its package manager
// and its command line do. A file is that of diagnostics.
func CheckStream(file string, stream []byte) diag.List {
	c := checker{file: file, names: map[string]bool{}}
	for _, d := range documents(stream) {
		c.line = d.line
		c.document(d.text)
	}
	c.line = 0
	switch c.metadata {
	case 0:
		c.report("the package has no metadata, of the kind Provider: write %s", MetadataFile)
	case 1:
	default:
		c.report("the package has metadata %d times, and Crossplane takes one: remove the others", c.metadata)
	}
	return c.diags
}

// A text is a YAML document in a stream, which begins in a line.
type text struct {
	line int
	text []byte
}

// documents returns the documents of a stream that have more than comments.
func documents(stream []byte) []text {
	var all []text
	at, begin, current := 0, 0, []byte(nil)
	end := func() {
		if begin > 0 {
			all = append(all, text{begin, current})
		}
		begin, current = 0, nil
	}
	for line := range bytes.Lines(stream) {
		at++
		rest, isSeparator := bytes.CutPrefix(line, []byte("---"))
		trimmed := bytes.TrimSpace(line)
		switch {
		case isSeparator && isNothing(bytes.TrimSpace(rest)):
			end()
			continue
		case begin == 0 && !isNothing(trimmed) && string(trimmed) != "...":
			begin = at
		}
		if begin > 0 {
			current = append(current, line...)
		}
	}
	end()
	return all
}

// isNothing reports whether a line without spaces around is empty, or a comment.
func isNothing(line []byte) bool { return len(line) == 0 || line[0] == '#' }

// A checker goes through the documents of a package.
type checker struct {
	file     string
	line     int
	metadata int
	// names are those of CRDs and MRDs.
	names map[string]bool
	diags diag.List
}

func (c *checker) report(format string, args ...any) {
	c.diags = append(c.diags, diag.Errorf(diag.Position{File: c.file, Line: c.line}, Code, format, args...))
}

// document checks a document of the stream.
func (c *checker) document(text []byte) {
	content, err := yaml.YAMLToJSON(text)
	if err != nil {
		c.report("this document is no YAML: %v: correct it", err)
		return
	}
	var head struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(content, &head); err != nil {
		c.report("this document is no object with apiVersion and kind: correct it")
		return
	}
	kind, known := kinds[[2]string{head.APIVersion, head.Kind}]
	switch {
	case !known:
		c.report("Crossplane does not know a %s of %q in packages, and takes none of this one: move it out of the package", named(head.Kind), head.APIVersion)
		return
	case kind.place == foreign:
		c.report("a %s is no part of a provider's package: move it out of the package", head.Kind)
		return
	}
	decoded := kind.empty()
	if err := json.Unmarshal(content, decoded); err != nil {
		c.report("this is no %s: %v: correct it", head.Kind, err)
		return
	}
	switch decoded := decoded.(type) {
	case *provider:
		c.metadata++
		c.constraints(decoded)
		return
	case *definition, *apiextensionsv1.CustomResourceDefinition, *apiextensionsv1beta1.CustomResourceDefinition:
		if c.names[head.Metadata.Name] {
			c.report("the package has %s twice, and Crossplane installs one: leave out the CRD or the MRD", head.Metadata.Name)
		}
		c.names[head.Metadata.Name] = true
	}
}

// named returns a kind for messages.
func named(kind string) string {
	if kind == "" {
		return "document without kind"
	}
	return kind
}

// constraints checks the versions that a package asks for.
func (c *checker) constraints(p *provider) {
	if p.Spec.Crossplane != nil {
		if _, err := semver.NewConstraint(p.Spec.Crossplane.Version); err != nil {
			c.report("spec.crossplane.version is %q, which is no constraint: write one such as >=v2.0.0", p.Spec.Crossplane.Version)
		}
	}
	for i, d := range p.Spec.DependsOn {
		if _, err := semver.NewConstraint(d.Version); err != nil && !strings.HasPrefix(d.Version, "sha256:") {
			c.report("spec.dependsOn[%d].version is %q, which is no constraint: write one such as >=v1.0.0", i, d.Version)
			c.diags[len(c.diags)-1].Severity = diag.Warning // Crossplane refuses it later, when it looks for the package
		}
	}
}

// Check says what Crossplane would refuse in a package, and what its users would trip over. A file is
// that of diagnostics.
func Check(file string, content []byte) diag.List {
	refuse := func(severity diag.Severity, format string, args ...any) diag.Diagnostic {
		d := diag.Errorf(diag.Position{File: file}, Code, format, args...)
		d.Severity = severity
		return d
	}
	images, err := Read(content)
	if err != nil {
		return diag.List{refuse(diag.Error, "this can't be read as a package: %v", err)}
	}
	var diags diag.List
	streams := map[string][]byte{}
	for _, i := range images {
		of := "the image"
		if i.Platform != "" {
			of += " for " + i.Platform
		}
		stream, err := i.Stream()
		if err != nil {
			diags = append(diags, refuse(diag.Error, "%s is none of a package: %v", of, err))
			continue
		}
		streams[string(stream)] = stream
		switch i.bases() {
		case 0:
			diags = append(diags, refuse(diag.Warning, "no layer of %s has the annotation %s: %s, so that Crossplane downloads all layers to read %s: annotate the one with the file", of, annotation, baseLayer, streamFile))
		case 1:
		default:
			diags = append(diags, refuse(diag.Error, "%d layers of %s have the annotation %s: %s: annotate only the one with %s", i.bases(), of, annotation, baseLayer, streamFile))
		}
		if len(i.Entrypoint) == 0 {
			diags = append(diags, refuse(diag.Warning, "%s has no program, so that Crossplane starts no controllers: build it with one", of))
		} else if name, _, _ := strings.Cut(i.User, ":"); name == "" || name == "0" || name == "root" {
			diags = append(diags, refuse(diag.Warning, "the program of %s runs as root: have the image name another user", of))
		}
	}
	if len(images) > 1 && !slices.ContainsFunc(images, func(i Image) bool { return i.Platform == defaultPlatform }) {
		diags = append(diags, refuse(diag.Error, "there is no image for %s, which is the one that Crossplane reads: build it, too", defaultPlatform))
	}
	if len(streams) > 1 {
		diags = append(diags, refuse(diag.Error, "%s is not the same for all platforms: build them at once", streamFile))
	}
	for _, stream := range streams {
		diags = append(diags, CheckStream(file+"/"+streamFile, stream)...)
	}
	return diags
}

// bases returns how many layers are annotated as the one with package.yaml.
func (i Image) bases() int {
	n := 0
	for _, l := range i.Layers {
		if l.Annotation == baseLayer {
			n++
		}
	}
	return n
}

// errMetadata says that a file is no metadata of a provider.
var errMetadata = errors.New("this is no metadata of a provider, with apiVersion meta.pkg.crossplane.io/v1 and kind Provider: correct it")

// Metadata returns the name of the provider that metadata is about.
func Metadata(content []byte) (string, error) {
	var p provider
	if err := yaml.Unmarshal(content, &p); err != nil {
		return "", fmt.Errorf("this is no metadata: %w: correct it", err)
	}
	if kinds[[2]string{p.APIVersion, p.Kind}].place != metadata || p.Name == "" {
		return "", errMetadata
	}
	return p.Name, nil
}
