package breaking

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/git"
	"github.com/mrgen-io/mrgen/generator/internal/inspection"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	report "github.com/mrgen-io/mrgen/generator/internal/review/compare"
	"github.com/mrgen-io/mrgen/generator/internal/review/definitions"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/stages/mrd"
	"github.com/mrgen-io/mrgen/generator/run"
)

// An origin is the source of the earlier definitions.
type origin struct {
	// name is for messages. release is the last release at that time, if known.
	name, release string
	// commit is a commit of the repository. Without one, files are the definitions' files.
	repository git.Repository
	commit     string
	files      []definitions.File
}

// findOrigin finds the definitions to compare with.
func findOrigin(ctx context.Context, root, against string) (origin, diag.List) {
	at := against
	if at != "" && !filepath.IsAbs(at) {
		at = filepath.Join(root, filepath.FromSlash(at))
	}
	// A file or folder wins over a revision of the same name.
	if _, err := os.Stat(at); at != "" && err == nil {
		files, diags := definitions.Disk(at)
		return origin{name: against, files: files}, diags
	}
	o := origin{name: against, repository: git.Repository{Dir: root}}
	var err error
	if against == "" {
		if o.commit, o.name, err = o.repository.Base(ctx); err != nil {
			return o, refuseToCompare("%v", err)
		}
	} else if o.commit, err = o.repository.Resolve(ctx, against); err != nil {
		return o, o.unresolved(ctx, err)
	}
	o.release = o.repository.Release(ctx, o.commit)
	return o, nil
}

// unresolved reports a revision that git doesn't find.
func (o origin) unresolved(ctx context.Context, err error) diag.List {
	_, noCommit := o.repository.Resolve(ctx, "HEAD")
	switch {
	case git.IsUntrusted(err):
		return refuseToCompare("%v", err)
	case o.repository.IsShallow(ctx):
		return refuseToCompare("this clone is shallow and lacks %s: check out with fetch-depth: 0, or run git fetch --unshallow", o.name)
	case noCommit != nil:
		return refuseToCompare("%s is not a file or a folder, and there is no commit yet: name a folder or a file in --against", o.name)
	}
	return refuseToCompare("%s is not a file, a folder or a revision of this repository: name one, or run git fetch --tags", o.name)
}

// id identifies the earlier definitions.
func (o origin) id() string {
	if o.commit != "" {
		return o.commit
	}
	return hashOf(o.files)
}

func hashOf(files []definitions.File) string {
	var all strings.Builder
	for _, f := range files {
		all.WriteString(f.Name + "\x00" + readlog.Hash(f.Content))
	}
	return readlog.Hash([]byte(all.String()))
}

func refuseToCompare(format string, args ...any) diag.List {
	return diag.List{diag.Errorf(diag.Position{}, codeBreaking, format, args...)}
}

// before returns the earlier definitions.
func before(ctx context.Context, o origin, folders []string) ([]definitions.Definition, diag.List) {
	if o.commit != "" {
		found, err := o.repository.Revision(ctx, o.commit, folders, definitions.IsYAML)
		if err != nil {
			return nil, refuseToCompare("the definitions of %s can't be read: %v", o.name, err)
		}
		for _, f := range found {
			o.files = append(o.files, definitions.File(f))
		}
	}
	old, diags := definitions.Read(o.files)
	if len(old) == 0 && len(diags) == 0 {
		// Comparing with nothing would find nothing, and look like success.
		return nil, refuseToCompare("%s has no definitions in %s: name the folder or the file that has them in --against", o.name,
			strings.Join(folders, ", "))
	}
	return old, diags
}

// A kindOf is the definition of a kind, and its place.
type kindOf struct {
	report.Definition
	place report.Declaration
}

// kindName returns the kind and the group of a definition, as in Bucket.storage.example.org.
func kindName(crd *apiextensionsv1.CustomResourceDefinition) string {
	return crd.Spec.Names.Kind + "." + crd.Spec.Group
}

// byKind returns definitions by kind. The CRD and the MRD of a kind count as one.
func byKind(all []definitions.Definition) map[string]kindOf {
	found := map[string]kindOf{}
	for _, d := range all {
		id := kindName(d.CRD)
		k, known := found[id]
		if !known {
			k = kindOf{Definition: report.Definition{CRD: d.CRD}, place: report.Declaration{Pos: diag.Position{File: d.File, Line: 1, Column: 1}}}
		}
		if d.Managed {
			k.Managed, k.State = true, d.State
		}
		k.Keys = append(k.Keys, d.Keys...)
		found[id] = k
	}
	return found
}

// upgrades returns the earlier kinds, each with its current definition: from the run, or from files of other
// tools and other runs.
func (r current) upgrades(options run.Options, old []definitions.Definition) ([]report.Upgrade, diag.List) {
	// Without a plan, because of errors, headers tell which files are those of earlier runs.
	isOurs := func(f definitions.File) bool { return artifact.Owned(f.Content) }
	if r.Plan != nil {
		ours := map[string]bool{}
		for _, c := range r.Plan.Changes {
			ours[c.Path] = true
		}
		isOurs = func(f definitions.File) bool { return ours[f.Name] }
	}
	others, diags := definitions.Read(slices.DeleteFunc(onDisk(r.root, options.DefinitionFolders()), isOurs))
	current := byKind(others)
	for _, d := range r.Definitions {
		current[kindName(d.CRD)] = r.kind(d, options)
	}
	byName := map[string]kindOf{}
	for _, k := range current {
		byName[k.CRD.Spec.Names.Plural+"."+k.CRD.Spec.Group] = k
	}
	was := byKind(old)
	for _, o := range r.missing { // the file on disk is of an earlier run
		delete(was, o.Name+"."+o.Package.Group)
	}
	for _, o := range old {
		id := kindName(o.CRD)
		if _, isListed := was[id]; isListed && r.isUnread(o) {
			delete(was, id)
			diags = append(diags, inspection.Incomplete(diag.Position{File: o.File}, o.CRD.Spec.Names.Kind))
		}
	}
	var upgrades []report.Upgrade
	for _, id := range slices.Sorted(maps.Keys(was)) {
		k := was[id]
		upgrade := report.Upgrade{Old: k.Definition, Declaration: report.Declaration{Pos: diag.Position{File: k.place.Pos.File}}}
		now, ok := current[id]
		if !ok {
			// A renamed kind still owns the resource by its plural.
			now, ok = byName[k.CRD.Spec.Names.Plural+"."+k.CRD.Spec.Group]
		}
		if ok {
			upgrade.New, upgrade.Declaration = &now.Definition, now.place
		}
		upgrades = append(upgrades, upgrade)
	}
	return upgrades, diags
}

// isUnread reports whether errors hide a version of an earlier kind: its package has some, and no Go type for the kind.
func (r current) isUnread(old definitions.Definition) bool {
	if len(r.unread) == 0 {
		return false
	}
	var read []string
	for _, d := range r.Definitions {
		if kindName(d.CRD) == kindName(old.CRD) {
			for _, o := range d.Objects {
				read = append(read, o.Package.Dir)
			}
		}
	}
	if old.Folders == nil { // another tool's file
		return len(read) == 0
	}
	return slices.ContainsFunc(old.Folders, func(folder string) bool { return slices.Contains(r.unread, folder) && !slices.Contains(read, folder) })
}

// kind returns the definition of a kind of the run.
func (r current) kind(d stage.Definition, options run.Options) kindOf {
	k := kindOf{Definition: report.Definition{CRD: d.CRD, Managed: options.MRDDir != "" && d.Managed()}}
	k.State, _ = mrd.State(d) // the stage has reported its problems
	for _, detail := range d.ConnectionDetails {
		k.Keys = append(k.Keys, detail.Name)
	}
	indexOf := func(version string) int {
		return slices.IndexFunc(d.CRD.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == version })
	}
	k.place = report.Declaration{
		Pos: d.Objects[0].Pos,
		Root: func(version string) schema.Cursor {
			if i := indexOf(version); i >= 0 {
				return d.Root(i)
			}
			return schema.Cursor{Pos: d.Objects[0].Pos}
		},
		Decisions: func(version string) []provenance.Decision { return d.DecisionsOf(max(indexOf(version), 0)) },
	}
	return k
}

// onDisk returns the files with definitions in folders, with names relative to root.
func onDisk(root string, folders []string) []definitions.File {
	var files []definitions.File
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		found, _ := definitions.Disk(filepath.Join(root, filepath.FromSlash(folder))) // it may not be there yet
		for _, f := range found {
			if name, err := filepath.Rel(root, filepath.FromSlash(f.Name)); err == nil {
				files = append(files, definitions.File{Name: filepath.ToSlash(name), Content: f.Content})
			}
		}
	}
	return files
}
