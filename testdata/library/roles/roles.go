// Package roles has a stage for mrgen that writes, for each API group, a ClusterRole with which
// people may look at its managed resources, and a list of the managed kinds in Go.
package roles

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/stage"
)

const kindsFile = "zz_generated.managedkinds.go"

// Stage returns the stage for roles in a folder.
func Stage(folder string) stage.Stage {
	return stage.Stage{
		Name:        "roles",
		Doc:         "Writes ClusterRoles for managed resources, and lists of their kinds.",
		Version:     "1",
		GoFiles:     []string{kindsFile},
		Folder:      folder,
		Definitions: true,
		Run: func(_ context.Context, model *stage.Model) (stage.Output, error) {
			return write(folder, model), nil
		},
	}
}

// A group has the packages and the plural names of an API group.
type group struct {
	name             string
	folders, plurals []string
}

func write(folder string, model *stage.Model) stage.Output {
	var output stage.Output
	var groups []*group
	for _, pkg := range model.Packages {
		kinds := slices.DeleteFunc(slices.Clone(pkg.Kinds), func(k *stage.Kind) bool { return k.Role != stage.RoleManaged })
		if len(kinds) == 0 {
			continue
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.name == pkg.Group })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{name: pkg.Group})
		}
		groups[i].folders = append(groups[i].folders, pkg.Dir)
		for _, kind := range kinds {
			groups[i].plurals = append(groups[i].plurals, kind.Definition.Spec.Names.Plural)
			if !slices.Contains(kind.Definition.Spec.Names.Categories, "managed") {
				output.Diagnostics = append(output.Diagnostics, diag.Diagnostic{
					Pos: kind.Type.Pos, Severity: diag.Warning, Code: "no-category",
					Message: "kubectl get managed leaves out " + kind.Name + ": add it to the category managed",
				})
			}
		}
		output.Files = append(output.Files, stage.File{Path: path.Join(pkg.Dir, kindsFile), Content: source(pkg, kinds)})
	}
	for _, g := range groups {
		output.Files = append(output.Files, stage.File{Path: path.Join(folder, g.name+".yaml"), Content: g.role(), From: g.folders})
	}
	return output
}

// source lists kinds.
func source(pkg *stage.Package, kinds []*stage.Kind) []byte {
	var text strings.Builder
	fmt.Fprintf(&text, "package %s\n\n// ManagedKinds are the managed kinds of %s.\nvar ManagedKinds = []string{\n", pkg.Name, pkg.Group)
	for _, kind := range kinds {
		fmt.Fprintf(&text, "%q,\n", kind.Name)
	}
	text.WriteString("}\n")
	return []byte(text.String())
}

// role is the ClusterRole of a group, with each plural once.
func (g group) role() []byte {
	slices.Sort(g.plurals)
	var text strings.Builder
	fmt.Fprintf(&text, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: view-%s\n", g.name)
	fmt.Fprintf(&text, "rules:\n- apiGroups:\n  - %s\n  resources:\n", g.name)
	for _, plural := range slices.Compact(g.plurals) {
		fmt.Fprintf(&text, "  - %s\n", plural)
	}
	text.WriteString("  verbs:\n  - get\n  - list\n  - watch\n")
	return []byte(text.String())
}
