package xpkg

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
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

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
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
		apiextensionsv1.CustomResourceDefinitionSpec `json:",inline"`

		State             string `json:"state"`
		ConnectionDetails []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"connectionDetails"`
	} `json:"spec"`
}

// A role of a kind in a provider's package.
type role int

const (
	// metadata says what the package is, of which there must be one.
	metadata role = iota + 1
	// object is one that Crossplane installs.
	object
	// foreign is a kind that Crossplane knows, and no part of a provider.
	foreign
)

// kinds are those that Crossplane decodes in a package, by apiVersion and kind: see BuildMetaScheme,
// BuildObjectScheme and NewProviderLinter in crossplane-runtime's pkg/xpkg.
var kinds = map[[2]string]struct {
	place role
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

// A Judge says what the API server would refuse of definitions.
type Judge func(crd *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError

// CheckDocuments says what Crossplane and the API server would refuse of the documents in a file of a
// provider's package, each on its own.
func CheckDocuments(file string, content []byte, judge Judge) diag.List {
	return check(file, content, judge).diags
}

// CheckStream says what Crossplane would refuse in package.yaml of a provider, as its package manager
// and its command line do, and what the API server would. A file is that of diagnostics.
func CheckStream(file string, stream []byte, judge Judge) diag.List {
	c := check(file, stream, judge)
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

// check goes through the documents of a stream, and has the definitions judged at the same time.
func check(file string, stream []byte, judge Judge) *checker {
	c := &checker{file: file, names: map[string]bool{}}
	for line, text := range documents(stream) {
		c.line = line
		c.document(text)
	}
	problems := make([][]crdvalidation.ValidationError, len(c.judged))
	parallel.Do(len(c.judged), func(i int) { problems[i] = judge(c.judged[i].crd) })
	for i, found := range problems {
		c.line = c.judged[i].line
		for _, p := range found {
			of := ""
			if p.Version != "" {
				of = " in its version " + p.Version
			}
			c.report("the API server would refuse %s%s, for %s: %s: correct it", cmp.Or(c.judged[i].crd.Name, "this definition without a name"), of, p.Subject(), p.Reason)
		}
	}
	slices.SortStableFunc(c.diags, func(a, b diag.Diagnostic) int { return cmp.Compare(a.Pos.Line, b.Pos.Line) })
	return c
}

// documents yields the documents of a stream that have more than comments, and the lines in which they begin.
func documents(stream []byte) iter.Seq2[int, []byte] {
	return func(yield func(line int, text []byte) bool) {
		at, begin, current := 0, 0, []byte(nil)
		for line := range bytes.Lines(stream) {
			at++
			rest, isSeparator := bytes.CutPrefix(line, []byte("---"))
			trimmed := bytes.TrimSpace(line)
			switch {
			case isSeparator && isNothing(bytes.TrimSpace(rest)):
				if begin > 0 && !yield(begin, current) {
					return
				}
				begin, current = 0, nil
				continue
			case begin == 0 && !isNothing(trimmed) && string(trimmed) != "...":
				begin = at
			}
			if begin > 0 {
				current = append(current, line...)
			}
		}
		if begin > 0 {
			yield(begin, current)
		}
	}
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
	// judged are the definitions for the API server, with the lines that they begin in.
	judged []judged
	diags  diag.List
}

type judged struct {
	line int
	crd  *apiextensionsv1.CustomResourceDefinition
}

func (c *checker) report(format string, args ...any) {
	c.diags = append(c.diags, diag.Errorf(diag.Position{File: c.file, Line: c.line}, Code, format, args...))
}

// document checks a document of the stream.
func (c *checker) document(text []byte) {
	content, err := yaml.YAMLToJSON(text)
	if err != nil {
		c.report("this document is not YAML: %v: correct it", err)
		return
	}
	var head struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(content, &head); err != nil {
		c.report("this document is not an object with apiVersion and kind: correct it")
		return
	}
	kind, known := kinds[[2]string{head.APIVersion, head.Kind}]
	switch {
	case !known:
		c.report("Crossplane does not know a %s of %q in packages, and takes none of this one: move it out of the package", cmp.Or(head.Kind, "document without kind"), head.APIVersion)
		return
	case kind.place == foreign:
		c.report("a %s doesn't belong in a provider's package: move it out of the package", head.Kind)
		return
	}
	decoded := kind.empty()
	if err := json.Unmarshal(content, decoded); err != nil {
		c.report("this is not a valid %s: %v: correct it", head.Kind, err)
		return
	}
	switch decoded := decoded.(type) {
	case *provider:
		c.metadata++
		c.constraints(decoded)
	case *definition:
		c.definition(&apiextensionsv1.CustomResourceDefinition{ObjectMeta: decoded.ObjectMeta, Spec: decoded.Spec.CustomResourceDefinitionSpec})
	case *apiextensionsv1.CustomResourceDefinition:
		c.definition(decoded)
	case *apiextensionsv1beta1.CustomResourceDefinition:
		c.report("this is a %s of v1beta1, which Kubernetes 1.22 removed: write it as apiextensions.k8s.io/v1", head.Kind)
	}
}

// definition checks a CRD, or the CRD that Crossplane makes of an MRD.
func (c *checker) definition(crd *apiextensionsv1.CustomResourceDefinition) {
	if c.names[crd.Name] {
		c.report("the package has %s twice, and Crossplane installs one: leave out the CRD or the MRD", crd.Name)
		return
	}
	c.names[crd.Name] = true
	c.judged = append(c.judged, judged{c.line, crd})
}

// constraints checks the versions that a package asks for.
func (c *checker) constraints(p *provider) {
	if p.Spec.Crossplane != nil {
		if _, err := semver.NewConstraint(p.Spec.Crossplane.Version); err != nil {
			c.report("spec.crossplane.version is %q, which is not a constraint: write one such as >=v2.0.0", p.Spec.Crossplane.Version)
		}
	}
	for i, d := range p.Spec.DependsOn {
		if _, err := semver.NewConstraint(d.Version); err != nil && !strings.HasPrefix(d.Version, "sha256:") {
			c.report("spec.dependsOn[%d].version is %q, which is not a constraint: write one such as >=v1.0.0", i, d.Version)
			c.diags[len(c.diags)-1].Severity = diag.Warning // Crossplane refuses it later, when it looks for the package
		}
	}
}

// Check says what Crossplane would refuse in a package, and what its users would trip over. A file is
// that of diagnostics.
func Check(file string, from io.ReaderAt, size int64, judge Judge) diag.List {
	refuse := func(severity diag.Severity, format string, args ...any) diag.Diagnostic {
		d := diag.Errorf(diag.Position{File: file}, Code, format, args...)
		d.Severity = severity
		return d
	}
	images, err := Read(from, size)
	if err != nil {
		return diag.List{refuse(diag.Error, "this can't be read as a package: %v", err)}
	}
	var diags diag.List
	var first []byte // package.yaml, of which all images have the same
	differ := false
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
		for _, l := range i.Layers {
			if _, err := l.Stream(); err != nil {
				diags = append(diags, refuse(diag.Error, "%s can't be used: %v", of, err))
			}
		}
		if first == nil {
			first = stream
		}
		differ = differ || !bytes.Equal(first, stream)
		switch i.bases() {
		case 0:
			diags = append(diags, refuse(diag.Warning, "no layer of %s has the annotation %s: %s, so that Crossplane downloads all layers to read %s: annotate the one with the file", of, annotation, baseLayer, StreamFile))
		case 1:
		default:
			diags = append(diags, refuse(diag.Error, "%d layers of %s have the annotation %s: %s: annotate only the one with %s", i.bases(), of, annotation, baseLayer, StreamFile))
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
	if differ {
		diags = append(diags, refuse(diag.Error, "%s is not the same for all platforms: build them at once", StreamFile))
	}
	if first != nil {
		diags = append(diags, CheckStream(file+"/"+StreamFile, first, judge)...)
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
var errMetadata = errors.New("this is not the metadata of a provider, with apiVersion meta.pkg.crossplane.io/v1 and kind Provider: correct it")

// Metadata returns the name of the provider that metadata is about.
func Metadata(content []byte) (string, error) {
	var p provider
	if err := yaml.Unmarshal(content, &p); err != nil {
		return "", fmt.Errorf("this is not metadata: %w: correct it", err)
	}
	if kinds[[2]string{p.APIVersion, p.Kind}].place != metadata || p.Name == "" {
		return "", errMetadata
	}
	return p.Name, nil
}
