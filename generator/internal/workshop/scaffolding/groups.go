package scaffolding

import (
	"path"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/workshop/layout"
	"github.com/mrgen-io/mrgen/markers"
)

// groupOf returns the API group of a kind in a tree.
func (t Tree) groupOf(k Kind) string {
	if group := k.groups[t.Namespaced]; group != "" {
		return group
	}
	return t.GroupOf(k.Group)
}

// findGroups returns the API groups of the trees, by whether these are namespaced, that a text stands for: the
// first label of a group, or all of it. The groups that exist have priority. It returns none if nothing tells
// the group of a tree.
func (p Provider) findGroups(text string) map[bool]string {
	groups := map[bool]string{}
	var of []Tree // best first
	for _, t := range p.Trees {
		isOnly := len(p.Trees) == 1 || p.only != "" && p.only.has(t)
		if !strings.Contains(text, ".") {
			groups[t.Namespaced] = t.GroupNamed(text)
		} else if isOnly || p.only == "" && p.rateGroup(t, text) > 0 {
			of = append(of, t)
		}
	}
	slices.SortStableFunc(of, func(a, b Tree) int { return p.rateGroup(b, text) - p.rateGroup(a, text) })
	if len(of) > 0 {
		t := of[0]
		for _, other := range p.Trees {
			if prefix, ok := strings.CutSuffix("."+text, "."+t.Group); ok {
				groups[other.Namespaced] = strings.TrimPrefix(prefix+"."+other.Group, ".")
			}
		}
		groups[t.Namespaced] = text
	}
	for _, t := range p.Trees {
		for _, other := range p.Trees {
			if to := p.counterpartGroup(t, groups[t.Namespaced]); to != "" && t.Namespaced != other.Namespaced && len(other.InGroup(groups[other.Namespaced])) == 0 {
				groups[other.Namespaced] = to
			}
		}
	}
	return groups
}

// rateGroup says how well an API group fits into a tree: best if kinds are in it.
func (p Provider) rateGroup(t Tree, group string) int {
	const exists, copied = 1 << 20, 1 << 10
	switch {
	case len(t.InGroup(group)) > 0:
		return exists
	case p.counterpartGroup(t, group) != "":
		return copied
	case group == t.Group || strings.HasSuffix(group, "."+t.Group):
		return len(t.Group)
	}
	return 0
}

// counterpartGroup returns the API group that the settings have in the other scope for one of a tree, or "".
func (p Provider) counterpartGroup(t Tree, group string) string {
	below := path.Join(t.Dir, "group", "v1")
	for _, pair := range slices.Concat(p.copies, p.origins) {
		if _, ok := pair.Counterpart(below); !ok {
			continue
		}
		if to := pair.CounterpartGroup(group); to != "" {
			return to
		}
	}
	return ""
}

// setGroup sets the API groups of a new kind, or of one that exists.
func (p Provider) setGroup(k *Kind, text string) diag.List {
	k.groups = p.findGroups(text)
	first := p.Trees[0]
	group := k.groups[first.Namespaced]
	isOwn := !slices.ContainsFunc(p.Trees, func(t Tree) bool { return k.groups[t.Namespaced] != t.Group })
	exists := slices.ContainsFunc(p.Trees, func(t Tree) bool { return len(t.InGroup(k.groups[t.Namespaced])) > 0 })
	label, rest, isFull := strings.Cut(text, ".")
	if k.Group = label; isOwn {
		k.Group = ""
	}
	switch {
	case exists:
	case !isFull && !strings.Contains(first.Group, "."):
		return refuse("",
			"the API groups of the kinds below %s have no common end, which a new kind could have, too: name a group in full", first.Dir)
	case !wordPattern.MatchString(label) || isFull && (len(validation.IsDNS1123Subdomain(text)) > 0 || !strings.Contains(rest, ".")):
		return refuse("",
			"%q is not a group: write one word of lower case letters and digits, such as storage, which becomes storage.%s", text, p.Group)
	case isFull && apihelpers.IsProtectedCommunityGroup(text):
		return refuse("", "%q can't be a group, since those below k8s.io and kubernetes.io are Kubernetes' own: choose another", text)
	case layout.IsVersion(label) || label == clusterFolder || label == namespacedFolder || label == "config":
		return refuse("", "%q can't be a group, since the folder of that name has another purpose: choose another word", label)
	case hiddenFolder(label):
		return refuse("", "%q can't be a group, since the go command treats a folder of that name in its own way: choose another word", label)
	case len(label) > validation.DNS1123LabelMaxLength:
		return refuse("",
			"%q can't be a group, since Kubernetes accepts words of up to %d letters: choose a shorter one", label, validation.DNS1123LabelMaxLength)
	}
	for _, t := range p.Trees[1:] {
		other := k.groups[t.Namespaced]
		areSame := other == "" || group == "" || other == group
		if p.only == "" && t.Dir != first.Dir && areSame {
			return refuse("",
				"%q doesn't tell the groups of both scopes: name one in full that ends as others do, add it to groups of scopes in mrgen.yaml, or pass --scope", text)
		}
	}
	if exists {
		return nil
	}
	return p.checkNewGroup(k, label)
}

// checkNewGroup reports a group that would share the folders of another one, or that ends unlike the others, which may
// be a slip.
func (p Provider) checkNewGroup(k *Kind, label string) diag.List {
	for _, t := range p.Trees {
		group := k.groups[t.Namespaced]
		if group == "" || t.Copied {
			continue
		}
		for _, of := range t.Packages {
			if word, _, _ := strings.Cut(of.API.Group, "."); word == label && len(of.API.Managed) > 0 {
				return refuse(of.Dir, "the kinds here are in %s: write --group=%s to join them, or choose another first word than that of %s",
					of.API.Group, of.API.Group, group)
			}
		}
		if !strings.Contains(t.Group, ".") || strings.HasSuffix("."+group, "."+t.Group) || p.counterpartGroup(t, group) != "" {
			continue
		}
		if _, isNear := markers.Nearest(strings.TrimPrefix(group, label+"."), []string{t.Group}); isNear {
			return refuse("", "the groups of this provider end in %s, and not as %s: write --group=%s", t.Group, group, label)
		}
		return diag.List{diag.Warningf(diag.Position{}, codeScaffold,
			"%s doesn't end in %s, as the provider's other groups do: if that's a slip, undo this command, and write --group=%s", group, t.Group, label)}
	}
	return nil
}

// addOther adds the tree of the other scope, where the settings say that mrgen writes it or what it writes is of
// it, and there are no kinds of it yet.
func (p *Provider) addOther() {
	if len(p.Trees) != 1 {
		return
	}
	t := p.Trees[0]
	below := path.Join(t.Dir, "group", "v1")
	dir, ok := follow(slices.Concat(p.copies, p.origins), below)
	group := p.counterpartGroup(t, "group."+t.Group)
	if !ok || group == "" {
		return // and the copy says what is missing in the settings
	}
	other := t.Tree
	other.Namespaced, other.Dir, other.Group = !t.Namespaced, path.Dir(path.Dir(dir)), strings.TrimPrefix(group, "group.")
	p.Trees = append(p.Trees, Tree{Tree: other, isEmpty: true})
	if t.Namespaced {
		slices.Reverse(p.Trees)
	}
	p.nameFolders()
}

// nameFolders tells trees of both scopes apart.
func (p *Provider) nameFolders() {
	for i := range p.Trees {
		switch {
		case len(p.Trees) < 2:
		case p.Trees[i].Namespaced:
			p.Trees[i].Folder = namespacedFolder
		default:
			p.Trees[i].Folder = clusterFolder
		}
	}
}
