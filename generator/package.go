package generator

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver/memo"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/engine"
	"github.com/mrgen-io/mrgen/generator/internal/external/xpkg"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/program"
	"github.com/mrgen-io/mrgen/generator/internal/verdict"
	"github.com/mrgen-io/mrgen/generator/run"
)

// PackageOptions are the settings of [MakePackage]. Paths are relative to the module root.
type PackageOptions struct {
	// Folder has crossplane.yaml and all definitions.
	Folder string
	// Examples and Docs are folders that need not exist.
	Examples, Docs string
	// Program is the Go package of the provider's program, and LDFlags are arguments of the linker.
	Program, LDFlags string
	// Platforms are as in linux/amd64.
	Platforms []string
	// Base is the image below the program, with its digest. It may be empty.
	Base string
	// File is where the package is written to, which may be outside of the module. By default it has
	// the name of the provider.
	File string
	// Building is called before the program is built for a platform, unless it is nil.
	Building func(platform string)
	// Family is what a package of one group needs to know.
	Family FamilyOptions
}

// FamilyOptions are the settings of a package with a part of the provider's kinds.
type FamilyOptions struct {
	// Group is the API group of the package, or its first label; "config" stands for the kinds with
	// the configuration of the provider. If it is empty, the package has all of the provider.
	Group string
	// Registry has the packages of the family, such as ghcr.io/example, and Version is theirs.
	Registry, Version string
}

// DefaultPackageOptions returns the defaults of [MakePackage].
func DefaultPackageOptions() PackageOptions {
	return PackageOptions{
		Folder: "package", Examples: "examples", Docs: "docs",
		Program: "./cmd/provider", Platforms: []string{"linux/amd64", "linux/arm64"},
	}
}

// A Packaging is what [MakePackage] has made.
type Packaging struct {
	// Diagnostics, sorted. If any is an error, there is nothing else.
	Diagnostics diag.List
	// File is the file of the package, to be written by [Packaging.Apply].
	File string
	// Digest is that of the package, as a registry has it.
	Digest string
	// Definitions is how many CRDs and MRDs the package has.
	Definitions int

	index v1.ImageIndex
	plan  *artifact.Plan
}

const codePackage = xpkg.Code

// MakePackage makes the Crossplane package of a provider whose generated files are up to date, and
// writes nothing. Mistakes of the user are in the diagnostics; an error is a bug in mrgen or a
// cancelled context.
func MakePackage(ctx context.Context, options run.Options, how PackageOptions) (Packaging, error) {
	result, err := Generate(ctx, options)
	if err != nil || result.Diagnostics.HasErrors() {
		return Packaging{Diagnostics: result.Diagnostics}, err
	}
	root := result.plan.Root
	diags := result.Diagnostics
	for _, change := range result.Changes() {
		diags = append(diags, diag.Errorf(diag.Position{File: change.Path}, codePackage,
			"this file is not as the source has it: run mrgen generate, and package what it writes"))
	}
	if diags.HasErrors() {
		return Packaging{Diagnostics: diags.Sorted()}, nil
	}
	minKubernetes, problems := engine.KubernetesVersion(options.MinKubernetes)
	p := packager{root: root, how: how, judge: judge(ctx, minKubernetes), diags: problems}
	made, err := p.make(ctx)
	made.Diagnostics = append(diags, p.diags...).Sorted()
	if err != nil || p.diags.HasErrors() {
		return Packaging{Diagnostics: made.Diagnostics}, err
	}
	return made, nil
}

// A packager collects what a package consists of.
type packager struct {
	root  string
	how   PackageOptions
	judge xpkg.Judge
	diags diag.List
}

// judge returns what the API server says of definitions. Those that are alike, such as those of a file
// and of the package that it is in, take little more time than one of them.
func judge(ctx context.Context, minKubernetes *version.Version) xpkg.Judge {
	validator := memo.New(apiserver.Upstream{MinKubernetes: minKubernetes})
	return func(crd *apiextensionsv1.CustomResourceDefinition) []verdict.Problem {
		return validator.Validate(ctx, crd)
	}
}

func (p *packager) refuse(file, format string, args ...any) {
	p.diags = append(p.diags, diag.Errorf(diag.Position{File: file}, codePackage, format, args...))
}

func (p *packager) make(ctx context.Context) (Packaging, error) {
	name, contents, definitions := p.contents()
	file := p.how.File
	if file == "" {
		file = name + ".xpkg"
	}
	root, target := p.target(file)
	if p.diags.HasErrors() {
		return Packaging{}, nil
	}
	// What the files have together is checked before programs are built, which takes long.
	if problems := xpkg.CheckStream(file+"/"+xpkg.StreamFile, contents.Stream, p.judge); problems.HasErrors() {
		p.diags = append(p.diags, problems...)
	}
	if p.diags.HasErrors() {
		return Packaging{}, nil
	}
	programs := p.programs(ctx)
	if err := ctx.Err(); err != nil || p.diags.HasErrors() {
		return Packaging{}, err
	}
	index, err := xpkg.Build(contents, programs)
	if err != nil {
		return Packaging{}, err
	}
	content, err := xpkg.Archive(index)
	if err != nil {
		return Packaging{}, err
	}
	digest, err := index.Digest()
	if err != nil {
		return Packaging{}, err
	}
	p.diags = append(p.diags, xpkg.Check(file, bytes.NewReader(content), int64(len(content)), p.judge)...)
	if err := ctx.Err(); err != nil || p.diags.HasErrors() {
		return Packaging{}, err
	}
	var set artifact.Set
	if err := set.Add(target, content); err != nil {
		return Packaging{}, err
	}
	plan, diags := artifact.NewPlan(root, &set, artifact.PlanOptions{InScope: func(string) bool { return false }})
	p.diags = append(p.diags, diags...)
	return Packaging{File: file, Digest: digest.String(), Definitions: definitions, index: index, plan: plan}, nil
}

// target returns the folder to write in, and the path of the package there: the module, or another
// folder that exists.
func (p *packager) target(file string) (root, name string) {
	root, name = p.root, filepath.Clean(file)
	if !filepath.IsLocal(name) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(root, name)
		}
		root, name = filepath.Split(name)
	}
	at := filepath.Join(root, name)
	if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() {
		p.refuse(file, "this is not a file: name one with --file")
	} else if existing, size, err := xpkg.Open(at); err == nil {
		defer func() { _ = existing.Close() }()
		if _, err := xpkg.Read(existing, size); err != nil && size > 0 {
			p.refuse(file, "this file is not a Crossplane package: name another one with --file, or delete it")
		}
	} else if _, err := os.Stat(root); err != nil {
		p.refuse(file, "the folder of this file can't be written to: %v: make it, or name another one with --file", diag.Cause(err))
	}
	return root, filepath.ToSlash(name)
}

// contents reads what all images have.
func (p *packager) contents() (name string, contents xpkg.Contents, definitions int) {
	metadataFile := path.Join(p.how.Folder, xpkg.MetadataFile)
	metadata, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(metadataFile)))
	if err != nil {
		p.refuse(metadataFile, "the metadata of the package can't be read: %v: write it, or name the folder that has it with --package-root", diag.Cause(err))
		return "", contents, 0
	}
	if name, err = xpkg.Metadata(metadata); err != nil {
		p.refuse(metadataFile, "%v", err)
		return "", contents, 0
	}
	files := p.files(p.how.Folder, func(name string) bool {
		return name != metadataFile && isYAML(name) && !strings.HasPrefix(name, path.Clean(p.how.Examples)+"/")
	})
	contents.Examples = p.files(p.how.Examples, isYAML)
	contents.Docs = p.files(p.how.Docs, func(string) bool { return true })
	for i, f := range contents.Docs {
		contents.Docs[i].Name = strings.TrimPrefix(f.Name, path.Clean(p.how.Docs)+"/")
	}
	if family := xpkg.Family(p.how.Family); family.Group != "" {
		var problems diag.List
		name, metadata, files, contents.Env, problems = family.Select(metadataFile, metadata, files)
		contents.Examples = family.Examples(contents.Examples)
		p.diags = append(p.diags, problems...)
	}
	for _, f := range append(slices.Clone(files), xpkg.File{Name: metadataFile, Content: metadata}) {
		problems := xpkg.CheckDocuments(f.Name, f.Content, p.judge)
		p.diags = append(p.diags, problems...)
	}
	contents.Stream = xpkg.Stream(metadata, files)
	return name, contents, len(files)
}

func isYAML(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }

// files returns the files below a folder that are wanted, sorted. The folder need not exist.
func (p *packager) files(folder string, wanted func(name string) bool) []xpkg.File {
	var files []xpkg.File
	if folder == "" {
		return nil
	}
	err := fs.WalkDir(os.DirFS(p.root), path.Clean(folder), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !wanted(name) {
			return err
		}
		content, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(name)))
		files = append(files, xpkg.File{Name: name, Content: artifact.UnixLineBreaks(content)})
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.refuse(folder, "this folder can't be read: %v: make it readable", diag.Cause(err))
	}
	return files
}

// programs builds the program for each platform.
func (p *packager) programs(ctx context.Context) []xpkg.Program {
	programs := make([]xpkg.Program, len(p.how.Platforms))
	problems := make([]error, len(programs))
	parallel.Do(len(programs), func(i int) {
		platform := p.how.Platforms[i]
		programs[i].Platform = platform
		if p.how.Building != nil {
			p.how.Building(platform)
		}
		programs[i].Binary, problems[i] = program.Build(ctx, program.Options{Root: p.root, Package: p.how.Program, Platform: platform, LDFlags: p.how.LDFlags})
		if problems[i] == nil && p.how.Base != "" {
			programs[i].Base, problems[i] = xpkg.Pull(ctx, p.how.Base, platform)
		}
	})
	for _, err := range problems {
		if err != nil && ctx.Err() == nil {
			p.refuse("", "the provider can't be packaged: %v", err)
		}
	}
	return programs
}

// Apply writes the package.
func (p Packaging) Apply(ctx context.Context) (diag.List, error) {
	if p.plan == nil {
		return nil, errors.New("there is no package")
	}
	diags, err := p.plan.Apply(ctx)
	return diags.Sorted(), err
}

// Push writes the package to a registry, and returns its reference with the digest.
func (p Packaging) Push(ctx context.Context, reference string) (string, diag.List) {
	pushed, err := xpkg.Push(ctx, reference, p.index)
	if err != nil {
		return "", diag.List{diag.Errorf(diag.Position{}, codePackage, "the package can't be pushed to %s: %v: correct the reference, or log in with docker login", reference, err)}
	}
	return pushed, nil
}

// CheckPackage says what Crossplane and the API server would refuse in a package that exists, and what
// its users would trip over.
func CheckPackage(ctx context.Context, file string) diag.List {
	name := filepath.ToSlash(file)
	from, size, err := xpkg.Open(file)
	if err != nil {
		return diag.List{diag.Errorf(diag.Position{File: name}, codePackage, "this can't be read: %v", diag.Cause(err))}
	}
	defer func() { _ = from.Close() }()
	return (xpkg.Check(name, from, size, judge(ctx, nil))).Sorted()
}
