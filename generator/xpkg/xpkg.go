// Package xpkg makes and checks Crossplane packages.
package xpkg

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

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
	"github.com/mrgen-io/mrgen/generator/internal/apiserver/verdicts"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/crdvalidation"
	images "github.com/mrgen-io/mrgen/generator/internal/external/xpkg"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/program"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Options are the settings of [Make]. Paths are relative to the module root.
type Options struct {
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
	Family Family
}

// Family are the settings of a package with a part of the provider's kinds.
type Family struct {
	// Group is the API group of the package, or its first label; "config" stands for the kinds with
	// the configuration of the provider. If it is empty, the package has all of the provider.
	Group string
	// Registry has the packages of the family, such as ghcr.io/example, and Version is theirs.
	Registry, Version string
}

// Default returns the defaults of [Make].
func Default() Options {
	return Options{
		Folder: "package", Examples: "examples", Docs: "docs",
		Program: "./cmd/provider", Platforms: []string{"linux/amd64", "linux/arm64"},
	}
}

// A Package is what [Make] has made.
type Package struct {
	// Diagnostics, sorted. If any is an error, there is nothing else.
	Diagnostics diag.List
	// File is the file of the package, to be written by [Package.Apply].
	File string
	// Digest is that of the package, as a registry has it.
	Digest string
	// Definitions is how many CRDs and MRDs the package has.
	Definitions int

	index v1.ImageIndex
	plan  *artifact.Plan
}

const codePackage = images.Code

// Make makes the Crossplane package of a provider whose generated files are up to date, and
// writes nothing. Mistakes of the user are in the diagnostics; an error is a bug in mrgen or a
// cancelled context.
func Make(ctx context.Context, options run.Options, opts Options) (Package, error) {
	result, err := generator.Generate(ctx, options)
	if err != nil || result.Diagnostics.HasErrors() {
		return Package{Diagnostics: result.Diagnostics}, err
	}
	root := result.Internal().Plan.Root
	diags := result.Diagnostics
	for _, change := range result.Changes() {
		diags = append(diags, diag.Errorf(diag.Position{File: change.Path}, codePackage,
			"this file is not as the source has it: run mrgen generate, and package what it writes"))
	}
	if diags.HasErrors() {
		return Package{Diagnostics: diags.Sorted()}, nil
	}
	minKubernetes, problems := apiserver.ParseVersion(options.MinKubernetes)
	p := packager{root: root, opts: opts, judge: judge(ctx, minKubernetes), diags: problems}
	made, err := p.make(ctx)
	made.Diagnostics = append(diags, p.diags...).Sorted()
	if err != nil || p.diags.HasErrors() {
		return Package{Diagnostics: made.Diagnostics}, err
	}
	return made, nil
}

// A packager collects what a package consists of.
type packager struct {
	root  string
	opts  Options
	judge images.Judge
	diags diag.List
}

// judge returns what the API server says of definitions. Those that are alike, such as those of a file
// and of the package that it is in, take little more time than one of them.
func judge(ctx context.Context, minKubernetes *version.Version) images.Judge {
	validator := verdicts.New(apiserver.Upstream{MinKubernetes: minKubernetes})
	return func(crd *apiextensionsv1.CustomResourceDefinition) []crdvalidation.ValidationError {
		return validator.Validate(ctx, crd)
	}
}

func (p *packager) refuse(file, format string, args ...any) {
	p.diags = append(p.diags, diag.Errorf(diag.Position{File: file}, codePackage, format, args...))
}

func (p *packager) make(ctx context.Context) (Package, error) {
	name, contents, definitions := p.contents()
	file := p.opts.File
	if file == "" {
		file = name + ".xpkg"
	}
	root, target := p.target(file)
	if p.diags.HasErrors() {
		return Package{}, nil
	}
	// What the files have together is checked before programs are built, which takes long.
	if problems := images.CheckStream(file+"/"+images.StreamFile, contents.Stream, p.judge); problems.HasErrors() {
		p.diags = append(p.diags, problems...)
		return Package{}, nil
	}
	programs := p.programs(ctx)
	if err := ctx.Err(); err != nil || p.diags.HasErrors() {
		return Package{}, err
	}
	index, err := images.Build(contents, programs)
	if err != nil {
		return Package{}, err
	}
	content, err := images.Archive(index)
	if err != nil {
		return Package{}, err
	}
	digest, err := index.Digest()
	if err != nil {
		return Package{}, err
	}
	p.diags = append(p.diags, images.Check(file, bytes.NewReader(content), int64(len(content)), p.judge)...)
	if err := ctx.Err(); err != nil || p.diags.HasErrors() {
		return Package{}, err
	}
	var set artifact.Set
	if err := set.Add(target, content); err != nil {
		return Package{}, err
	}
	plan, diags := artifact.NewPlan(root, &set, artifact.PlanOptions{InScope: func(string) bool { return false }})
	p.diags = append(p.diags, diags...)
	return Package{File: file, Digest: digest.String(), Definitions: definitions, index: index, plan: plan}, nil
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
	} else if existing, size, err := images.Open(at); err == nil {
		defer func() { _ = existing.Close() }()
		if _, err := images.Read(existing, size); err != nil && size > 0 {
			p.refuse(file, "this file is not a Crossplane package: name another one with --file, or delete it")
		}
	} else if _, err := os.Stat(root); err != nil {
		p.refuse(file, "the folder of this file can't be written to: %v: make it, or name another one with --file", diag.Cause(err))
	}
	return root, filepath.ToSlash(name)
}

// contents reads what all images have.
func (p *packager) contents() (name string, contents images.Contents, definitions int) {
	metadataFile := path.Join(p.opts.Folder, images.MetadataFile)
	metadata, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(metadataFile)))
	if err != nil {
		p.refuse(metadataFile, "the metadata of the package can't be read: %v: write it, or name the folder that has it with --package-root", diag.Cause(err))
		return "", contents, 0
	}
	if name, err = images.Metadata(metadata); err != nil {
		p.refuse(metadataFile, "%v", err)
		return "", contents, 0
	}
	files := p.files(p.opts.Folder, func(name string) bool {
		return name != metadataFile && isYAML(name) && !strings.HasPrefix(name, path.Clean(p.opts.Examples)+"/")
	})
	contents.Examples = p.files(p.opts.Examples, isYAML)
	contents.Docs = p.files(p.opts.Docs, func(string) bool { return true })
	for i, f := range contents.Docs {
		contents.Docs[i].Name = strings.TrimPrefix(f.Name, path.Clean(p.opts.Docs)+"/")
	}
	if family := images.Family(p.opts.Family); family.Group != "" {
		var problems diag.List
		name, metadata, files, contents.Env, problems = family.Select(metadataFile, metadata, files)
		contents.Examples = family.Examples(contents.Examples)
		p.diags = append(p.diags, problems...)
	}
	for _, f := range append(slices.Clone(files), images.File{Name: metadataFile, Content: metadata}) {
		problems := images.CheckDocuments(f.Name, f.Content, p.judge)
		p.diags = append(p.diags, problems...)
	}
	contents.Stream = images.Stream(metadata, files)
	return name, contents, len(files)
}

func isYAML(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }

// files returns the files below a folder that are wanted, sorted. The folder need not exist.
func (p *packager) files(folder string, wanted func(name string) bool) []images.File {
	var files []images.File
	if folder == "" {
		return nil
	}
	err := fs.WalkDir(os.DirFS(p.root), path.Clean(folder), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !wanted(name) {
			return err
		}
		content, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(name)))
		files = append(files, images.File{Name: name, Content: artifact.UnixLineBreaks(content)})
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.refuse(folder, "this folder can't be read: %v: make it readable", diag.Cause(err))
	}
	return files
}

// programs builds the program for each platform.
func (p *packager) programs(ctx context.Context) []images.Program {
	programs := make([]images.Program, len(p.opts.Platforms))
	problems := make([]error, len(programs))
	parallel.Do(len(programs), func(i int) {
		platform := p.opts.Platforms[i]
		programs[i].Platform = platform
		if p.opts.Building != nil {
			p.opts.Building(platform)
		}
		programs[i].Binary, problems[i] = program.Build(ctx, program.Options{Root: p.root, Package: p.opts.Program, Platform: platform, LDFlags: p.opts.LDFlags})
		if problems[i] == nil && p.opts.Base != "" {
			programs[i].Base, problems[i] = images.Pull(ctx, p.opts.Base, platform)
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
func (p Package) Apply(ctx context.Context) (diag.List, error) {
	if p.plan == nil {
		return nil, errors.New("there is no package")
	}
	diags, err := p.plan.Apply(ctx)
	return diags.Sorted(), err
}

// Push writes the package to a registry, and returns its reference with the digest.
func (p Package) Push(ctx context.Context, reference string) (string, diag.List) {
	pushed, err := images.Push(ctx, reference, p.index)
	if err != nil {
		return "", diag.List{diag.Errorf(diag.Position{}, codePackage, "the package can't be pushed to %s: %v: correct the reference, or log in with docker login", reference, err)}
	}
	return pushed, nil
}

// Check says what Crossplane and the API server would refuse in a package that exists, and what
// its users would trip over.
func Check(ctx context.Context, file string) diag.List {
	name := filepath.ToSlash(file)
	from, size, err := images.Open(file)
	if err != nil {
		return diag.List{diag.Errorf(diag.Position{File: name}, codePackage, "this can't be read: %v", diag.Cause(err))}
	}
	defer func() { _ = from.Close() }()
	return (images.Check(name, from, size, judge(ctx, nil))).Sorted()
}
