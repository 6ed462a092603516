package lintrules

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"
	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/api/validation"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/git"
	manifests "github.com/mrgen-io/mrgen/generator/internal/review/examples"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/markers"
)

var packageMetadata = &linter.Rule{
	Name: "package-metadata",
	Doc:  "The package names the provider's maintainer, source and licence, describes it, and names a version of Crossplane that knows its kinds.",
	Source: linter.Source{
		Name: "Crossplane, Packages: annotations of a package",
		URL:  "https://docs.crossplane.io/latest/packages/providers/",
	},
	Why:      "Registries show it to users who choose a provider. Crossplane ignores misspelt keys and capabilities.",
	Severity: linter.Warning,
	Read:     22, Worth: 13,
	Fix: linter.Fix{Doc: "It adds the source and the licence where the module says them."},
	Run: checkPackageMetadata,
}

// annotations are what all packages say, in the order in which they usually do.
var annotations = []string{"maintainer", "source", "license", "description", "readme"}

const prefix = "meta.crossplane.io/"

// ofTemplate matches the description in github.com/crossplane/provider-template, in which its script replaces a word.
var ofTemplate = regexp.MustCompile(`^\s*A \S+ that can be used to create Crossplane providers\.?\s*$`)

// metadataFile is the file in the source folder of a package, see
// https://docs.crossplane.io/latest/packages/providers/.
const metadataFile = "crossplane.yaml"

// isPackageVersion matches the API versions of a package's metadata.
var isPackageVersion = regexp.MustCompile(`^meta\.pkg\.crossplane\.io/v1((alpha|beta)1)?$`)

// yamlLine matches the line in an error of the YAML parser.
var yamlLine = regexp.MustCompile(`\bline (\d+)`)

// places are the keys that the other keys belong in.
var places = map[string]string{
	"capabilities": "spec", "controller": "spec", "crossplane": "spec", "dependsOn": "spec", "version": "spec.crossplane",
}

// checkKeys reports misspelt and misplaced keys of a mapping, which Crossplane ignores.
func checkKeys(p *linter.Pass, name string, mapping *yaml.Node, known ...string) {
	seen := map[string]int{}
	for key := range yamlnode.Fields(mapping) {
		if first := seen[key.Value]; first > 0 {
			p.File(diag.Position{File: name, Line: key.Line}, key.Value, nil, "%s is in line %d, too, and tools take either or refuse both: delete one", key.Value, first)
		}
		seen[key.Value] = key.Line
		if place := places[key.Value]; place != "" && !slices.Contains(known, key.Value) {
			p.File(diag.Position{File: name, Line: key.Line}, key.Value, nil, "Crossplane ignores %s here: move it into %s", key.Value, place)
		} else if near, isMisspelt := misspelt(key.Value, known); isMisspelt {
			p.File(diag.Position{File: name, Line: key.Line}, key.Value, nil, "Crossplane ignores %s: write %s", key.Value, near)
		}
	}
}

// misspelt returns the known name that a name means, and false if it is known, or like none of them.
func misspelt(name string, known []string) (meant string, isMisspelt bool) {
	near, isNear := markers.Nearest(name, known)
	return near, isNear && name != "" && !slices.Contains(known, name)
}

func checkPackageMetadata(p *linter.Pass) {
	name := path.Join(p.PackageDir(), metadataFile)
	if !p.Exists(name) && git.Tracks(context.Background(), p.Root, name) {
		p.File(diag.Position{File: p.PackageDir()}, ".", nil, "git has %s, and it is gone, so that nothing builds the package: restore it with git checkout -- %[1]s", name)
	}
	if err := yaml.Unmarshal([]byte(p.Text(name)), &yaml.Node{}); err != nil {
		at := diag.Position{File: name}
		if match := yamlLine.FindStringSubmatch(err.Error()); match != nil {
			at.Line, _ = strconv.Atoi(match[1])
		}
		p.File(at, ".", nil, "Crossplane can't read this package: %v: correct the file", err)
	}
	document := p.YAML(name)
	if document == nil || document.Kind != yaml.MappingNode {
		return
	}
	if !checkKind(p, name, document) {
		return
	}
	checkKeys(p, name, document, "apiVersion", "kind", "metadata", "spec")
	_, spec := yamlnode.Field(document, "spec")
	checkKeys(p, name, spec, "capabilities", "controller", "crossplane", "dependsOn")
	if metadataKey, metadata := yamlnode.Field(document, "metadata"); metadata != nil {
		checkKeys(p, name, metadata, manifests.MetadataKeys()...)
		checkAnnotations(p, name, document, metadataKey, metadata)
		if _, of := yamlnode.Field(metadata, "name"); of != nil && len(validation.NameIsDNSSubdomain(of.Value, false)) > 0 {
			p.File(diag.Position{File: name, Line: of.Line}, of.Value, nil, "no package can be called %s: write small letters, digits and dashes", of.Value)
		}
	}
	if _, capabilities := yamlnode.Field(spec, "capabilities"); capabilities != nil {
		for _, c := range capabilities.Content {
			if _, isNear := markers.Nearest(c.Value, []string{"safe-start"}); isNear && !safeStart.MatchString(c.Value) {
				p.File(diag.Position{File: name, Line: c.Line}, c.Value, nil, "Crossplane ignores the capability %s: write safe-start", c.Value)
			}
		}
	}
	if _, dependencies := yamlnode.Field(spec, "dependsOn"); dependencies != nil {
		for _, d := range dependencies.Content {
			checkKeys(p, name, d, "apiVersion", "configuration", "function", "kind", "package", "provider", "version")
		}
	}
	_, crossplane := yamlnode.Field(spec, "crossplane")
	checkKeys(p, name, crossplane, "version")
	if _, version := yamlnode.Field(crossplane, "version"); version != nil {
		checkVersion(p, diag.Position{File: name, Line: version.Line}, version.Value)
	} else if isNamespaced(p) {
		p.File(diag.Position{File: name, Line: document.Line}, "version", nil,
			"Crossplane 1 installs this package, too, and can't compose namespaced managed resources: write spec.crossplane.version \">=v2.0.0\"")
	}
}

// isNamespaced reports whether a managed resource is namespaced.
func isNamespaced(p *linter.Pass) bool {
	return slices.ContainsFunc(p.Managed(), func(k *linter.Kind) bool { return k.Object.Namespaced() })
}

// safeStart matches the forms of the capability that Crossplane takes.
var safeStart = regexp.MustCompile(`(?i)^[^a-z0-9]*safe[^a-z0-9]*start[^a-z0-9]*$`)

// checkVersion reports a constraint on Crossplane's version that fits no version, or versions that don't know namespaced
// managed resources.
func checkVersion(p *linter.Pass, at diag.Position, text string) {
	constraint, err := semver.NewConstraint(text)
	if err != nil {
		p.File(at, "version", nil, "Crossplane can't read the version %s: write a constraint, such as \">=v2.0.0\"", text)
		return
	}
	for minor := uint64(0); isNamespaced(p) && minor < 100; minor++ {
		if constraint.Check(semver.New(1, minor, 99, "", "")) {
			p.File(at, "version", nil, "%s admits Crossplane 1, which can't compose namespaced managed resources: write \">=v2.0.0\"", text)
			return
		}
	}
}

// checkKind reports whether a document is the metadata of a provider. Crossplane has no other kinds than its packages'.
func checkKind(p *linter.Pass, name string, document *yaml.Node) bool {
	_, version := yamlnode.Field(document, "apiVersion")
	_, kind := yamlnode.Field(document, "kind")
	isPackage := kind != nil && slices.Contains([]string{"Provider", "Configuration", "Function"}, kind.Value)
	if !isPackage || version == nil || !isPackageVersion.MatchString(version.Value) {
		at := diag.Position{File: name}
		switch {
		case kind != nil && !isPackage:
			at.Line = kind.Line
		case version != nil:
			at.Line = version.Line
		}
		p.File(at, "kind", nil, "this isn't the metadata of a package: write apiVersion: meta.pkg.crossplane.io/v1 and kind: Provider")
		return false
	}
	isOfProvider := slices.ContainsFunc(p.DefinitionFolders, func(folder string) bool { return path.Dir(folder) == p.PackageDir() })
	if kind.Value != "Provider" && isOfProvider && len(p.Managed()) > 0 {
		p.File(diag.Position{File: name, Line: kind.Line}, "kind", nil,
			"a %s has no controllers, so that nobody would reconcile the managed resources of this package: write kind: Provider", kind.Value)
	}
	return kind.Value == "Provider"
}

// checkAnnotations reports what the package doesn't say, or says where registries don't read it.
func checkAnnotations(p *linter.Pass, name string, document, metadataKey, metadata *yaml.Node) {
	key, found := yamlnode.Field(metadata, "annotations")
	last := metadataKey.Line
	if found != nil && found.Kind == yaml.MappingNode && len(found.Content) > 0 {
		last = key.Line
	}
	checkKeys(p, name, found)
	for key := range yamlnode.Fields(found) {
		domain, annotation, _ := strings.Cut(key.Value, "/")
		_, isElsewhere := misspelt(domain, []string{strings.TrimSuffix(prefix, "/")})
		near, isMisspelt := misspelt(annotation, annotations)
		if isElsewhere && slices.Contains(annotations, annotation) || isMisspelt && domain+"/" == prefix {
			p.File(diag.Position{File: name, Line: key.Line}, key.Value, nil, "registries don't read %s: write %s", key.Value, prefix+near)
		}
	}
	var missing, moved, lines []string
	moveFrom := 0
	for _, a := range annotations {
		if _, value := yamlnode.Field(found, prefix+a); value != nil && strings.TrimSpace(value.Value) != "" {
			continue
		}
		if line := misplaced(document, found, a); line > 0 {
			moved = append(moved, a)
			if moveFrom == 0 || line < moveFrom {
				moveFrom = line
			}
			continue
		}
		text := known(p, a)
		if a == "license" && text == "" && !p.Exists("LICENSE") {
			continue // nobody can say which
		}
		missing = append(missing, a)
		if text != "" && key != nil && last == key.Line && found.Style&yaml.FlowStyle == 0 {
			lines = append(lines, strings.Repeat(" ", found.Content[0].Column-1)+prefix+a+": "+text)
		}
	}
	if len(moved) > 0 {
		p.File(diag.Position{File: name, Line: moveFrom}, "metadata.annotations."+moved[0], nil,
			"registries don't read the %s here: move each to metadata.annotations, as %s", diag.And(moved), prefix+moved[0])
	}
	// A readme is worth it beside others; alone it would often repeat the description.
	if len(missing) > 1 || len(missing) == 1 && missing[0] != "readme" {
		var edits []diag.Edit
		if len(lines) > 0 {
			edits = []diag.Edit{{Pos: diag.Position{File: name, Line: last}, Lines: lines}}
		}
		p.File(diag.Position{File: name, Line: last}, "metadata.annotations", edits,
			"the package doesn't name its %s: add %s", diag.And(missing), prefix+strings.Join(missing, ", "+prefix))
	}
	if key, description := yamlnode.Field(found, prefix+"description"); description != nil && ofTemplate.MatchString(description.Value) {
		p.File(diag.Position{File: name, Line: key.Line}, prefix+"description", nil,
			"the description is that of the template: say what users manage with the provider")
	}
}

// misplaced returns the line of an annotation elsewhere in the document, or without its prefix, or 0.
func misplaced(document, annotations *yaml.Node, annotation string) int {
	if key, _ := yamlnode.Field(annotations, annotation); key != nil {
		return key.Line
	}
	for i, n := range document.Content {
		if document.Kind == yaml.MappingNode && i%2 == 0 && n.Value == prefix+annotation {
			return n.Line
		}
		if line := misplaced(n, nil, annotation); line > 0 {
			return line
		}
	}
	return 0
}

// known returns what the source says of an annotation, or "".
func known(p *linter.Pass, annotation string) string {
	switch annotation {
	case "source":
		// A major version isn't part of the source's address.
		source := regexp.MustCompile(`/v[0-9]+$`).ReplaceAllString(p.Module(), "")
		if strings.HasPrefix(source, "github.com/") || strings.HasPrefix(source, "gitlab.com/") {
			return source
		}
	case "license":
		for name, text := range map[string]string{"Apache-2.0": "Apache License\n                           Version 2.0", "MIT": "MIT License", "MPL-2.0": "Mozilla Public License Version 2.0"} {
			if strings.Contains(p.Text("LICENSE"), text) {
				return name
			}
		}
	}
	return ""
}
