// Package compare finds changes of definitions that would break a release's users: stored objects, the
// installation, manifests, and clients. It compares definitions side by side, makes objects for each
// difference, and asks the API server's code about them. The smallest object that worked before and fares worse
// now is the counterexample.
package compare

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
)

// A Class says for whom a change breaks something.
type Class string

// The classes, the worst first.
const (
	// Stored objects would be refused at their next update, or lose or change values.
	Stored Class = "stored"
	// Install: the definition would be refused where the old one is installed.
	Install Class = "install"
	// Manifest: users' manifests would be refused, or mean something else.
	Manifest Class = "manifest"
	// Client: programs, compositions and connection secrets would miss something.
	Client Class = "client"
)

// Classes are all classes, the worst first.
var Classes = []Class{Stored, Install, Manifest, Client}

// worse orders classes.
func worse(a, b Class) int { return cmp.Compare(slices.Index(Classes, a), slices.Index(Classes, b)) }

// A Definition is the definition of a kind.
type Definition struct {
	CRD *apiextensionsv1.CustomResourceDefinition
	// Managed is set if the kind is installed as an MRD, and State is the MRD's state.
	Managed bool
	State   string
	// Keys are the keys of the connection secret.
	Keys []string
}

// id names the kind: "Bucket.storage.example.org".
func (d Definition) id() string { return d.CRD.Spec.Names.Kind + "." + d.CRD.Spec.Group }

// A Declaration leads to the Go type of a kind.
type Declaration struct {
	// Pos is where the kind is declared, or the nearest position to it.
	Pos diag.Position
	// Root returns the cursor at the root of a version, and Decisions the decisions about its fields. They may be nil.
	Root      func(version string) schema.Cursor
	Decisions func(version string) []provenance.Decision
}

// at returns where the field at a path of a version is declared, or the nearest parent.
func (p Declaration) at(version string, path schema.Path) diag.Position {
	if p.Root == nil {
		return p.Pos
	}
	at := p.Pos
	for _, c := range p.Root(version).Follow(path).Way() {
		if c.Schema == nil { // the field isn't in the source: stay at its parent
			break
		}
		if c.Pos.IsValid() {
			at = c.Pos
		}
	}
	return at
}

// An Upgrade is a kind as it was and as it is now. New is nil if the kind is gone.
type Upgrade struct {
	Old         Definition
	New         *Definition
	Declaration Declaration
}

// A Finding is something that breaks.
type Finding struct {
	// Pos is where the Go field is declared, or its nearest parent.
	Pos diag.Position
	// Kind is as in Bucket.storage.example.org. Version and Path are empty if the finding is about all
	// versions, or about whole objects.
	Kind, Version, Path string
	Class               Class
	// What says what changed, and Happens what happens then.
	What, Happens string
	// Counterexample proves that it breaks. Without one, it may break.
	Counterexample *Counterexample
	// Advice says what to do.
	Advice string
	// IsRefused is set if the API server refuses a value of a field that is still there.
	IsRefused bool
	// IsAdopted is set if the author changed only the tool: controller-gen ignored a marker that mrgen obeys.
	IsAdopted bool
}

// A Counterexample is an object that worked before, and its fate now.
type Counterexample struct {
	// Object is accepted by the old definition.
	Object map[string]any
	// Update replaces the object, and is accepted by the old definition as well. It is nil if the object itself
	// is refused or changed.
	Update map[string]any
	// Says is the API server's message now, or its effect on the object.
	Says string
}

// Options are facts about the API server that the judgement depends on.
type Options struct {
	// Ratchets is set if an update may leave an invalid value as it is.
	Ratchets bool
}

// Compare compares definitions with their earlier ones. The findings are sorted by position, kind, version and
// path.
func Compare(ctx context.Context, upgrades []Upgrade, options Options) ([]Finding, error) {
	results := make([][]Finding, len(upgrades))
	err := parallel.Each(ctx, len(upgrades), func(ctx context.Context, i int) error {
		c := comparison{upgrade: upgrades[i], options: options}
		if err := c.compare(ctx); err != nil {
			return fmt.Errorf("%s: %w", upgrades[i].Old.id(), err)
		}
		results[i] = c.findings
		return ctx.Err()
	})
	all := slices.Concat(results...)
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Version, b.Version),
			strings.Compare(a.Path, b.Path), worse(a.Class, b.Class), strings.Compare(a.What, b.What))
	})
	return all, err
}

// IsAlpha reports whether a version is alpha by its name, and so may change.
func IsAlpha(version string) bool { return alpha.MatchString(version) }

var alpha = regexp.MustCompile(`^v[0-9]+alpha[0-9]+$`)

// A comparison compares a kind with its earlier definition.
type comparison struct {
	upgrade Upgrade
	options Options
	// findings are the findings so far.
	findings []Finding
}

// add adds a finding about the kind.
func (c *comparison) add(version string, path schema.Path, f Finding) {
	f.Pos = c.upgrade.Declaration.at(version, path)
	f.Kind, f.Version, f.Path = c.upgrade.Old.id(), version, strings.TrimPrefix(path.String(), ".")
	c.findings = append(c.findings, f)
}

func (c *comparison) compare(ctx context.Context) error {
	if c.upgrade.New == nil {
		return c.gone(ctx)
	}
	if err := c.definitions(ctx); err != nil {
		return err
	}
	for _, old := range c.upgrade.Old.CRD.Spec.Versions {
		var err error
		switch new := versionOf(*c.upgrade.New, old.Name); {
		case !old.Served && (new == nil || !old.Storage): // nobody reads or writes it
		case new == nil || old.Served && !new.Served: // clients of the version have nothing to talk to
			err = c.unserved(ctx, old, new == nil)
		default:
			if err = c.version(ctx, old, *new); err == nil {
				err = c.served(ctx, old, *new)
			}
		}
		if err != nil {
			return err
		}
	}
	c.keys()
	return nil
}
