package scopecopies

import (
	"go/ast"
	"regexp"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/markers"
)

// rewriteComments rewrites markers that differ in the other scope, and the name of the package.
// Other comments stay.
func (r *rewriter) rewriteComments() {
	r.packageClause()
	for _, group := range r.file.syntax.Comments {
		if r.isRemoved(group) {
			continue
		}
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:embed ") {
				r.errorf(comment.Pos(), "embedded files are not copied to %s: embed them in a package that both scopes import", r.source.to)
			}
			if strings.HasPrefix(comment.Text, "//go:generate ") {
				r.removeLines(comment) // what it writes to the folder of the source is copied
			}
			if text, isMarker := gosyntax.MarkerText(comment.Text); isMarker {
				for _, word := range wordPattern.FindAllString(text, -1) {
					r.refuseCopy(comment.Pos(), word)
				}
				if rewritten := r.marker(comment, text); rewritten != text {
					start := r.offset(comment.Pos()) + strings.Index(comment.Text, text)
					r.edit(start, start+len(text), rewritten)
				}
			}
		}
	}
	r.addScopes()
}

// packageClause renames the package if it is named after its folder.
func (r *rewriter) packageClause() {
	p, clause := r.source, r.file.syntax.Name
	external := strings.TrimPrefix(clause.Name, p.name)
	if p.newName == p.name || external != "" && external != "_test" {
		return
	}
	r.replace(clause, p.newName+external)
	if doc := r.file.syntax.Doc; doc != nil {
		if before := "// Package " + p.name + " "; strings.HasPrefix(doc.List[0].Text, before) {
			start := r.offset(doc.Pos())
			r.edit(start, start+len(before), "// Package "+p.newName+" ")
		}
	}
}

// marker returns what a marker is in the other scope.
func (r *rewriter) marker(comment *ast.Comment, text string) string {
	if arguments, isResource := resourceArguments(text); isResource {
		return markers.Resource + r.resource(comment, arguments)
	}
	if group, found := strings.CutPrefix(text, markers.GroupName+"="); found {
		return markers.GroupName + "=" + r.groups[group]
	}
	return wordPattern.ReplaceAllStringFunc(text, r.word) // groups and the paths of packages are words of other markers
}

// resourceArguments returns what follows the name of +kubebuilder:resource, if a marker is that.
func resourceArguments(text string) (arguments string, isResource bool) {
	rest, found := strings.CutPrefix(text, markers.Resource)
	return rest, found && (rest == "" || rest[0] == ':' || rest[0] == '=')
}

// wordPattern matches what may be an API group or an import path.
var wordPattern = regexp.MustCompile(`[-./_~0-9A-Za-z]+`)

// word returns what an API group, with or without a version, or a Go name with the path of its package,
// is in the other scope.
func (r *rewriter) word(word string) string {
	if other := r.groups[word]; other != "" {
		return other
	}
	if replacement := r.replaced[word]; replacement != nil {
		r.used[replacement] = true
		return replacement.New.Text
	}
	if group, version, _ := strings.Cut(word, "/"); r.groups[group] != "" && strings.HasPrefix(version, "v") {
		return r.groups[group] + "/" + version
	}
	dot := strings.LastIndexByte(word, '.')
	if slash := strings.LastIndexByte(word, '/'); slash < 0 {
		return word
	} else if dot < slash {
		dot = len(word)
	}
	return r.copiedPath(word[:dot]) + word[dot:]
}

// scopeArgument matches the scope among the arguments of +kubebuilder:resource.
var scopeArgument = regexp.MustCompile("(^|,)\\s*scope\\s*=\\s*[\"`]?(\\w*)[\"`]?")

// resource returns the arguments of +kubebuilder:resource in the other scope.
func (r *rewriter) resource(comment *ast.Comment, arguments string) string {
	arguments, other := strings.TrimLeft(arguments, ":="), "scope="+r.scope.Other().Marker()
	match := scopeArgument.FindStringSubmatch(arguments)
	if match == nil {
		return ":" + strings.TrimSuffix(other+","+arguments, ",")
	}
	if scope := match[2]; scope != r.scope.Marker() {
		r.errorf(comment.Pos(), "the kind is marked to have the scope %s below folders of %s scope: write scope=%s", scope, r.scope, r.scope.Marker())
	}
	return ":" + scopeArgument.ReplaceAllString(arguments, "${1}"+other)
}

// addScopes adds the marker with the scope to kinds that have none: without it, they are
// namespaced.
func (r *rewriter) addScopes() {
	if !r.source.api || r.scope == Cluster {
		return
	}
	for _, i := range r.file.items {
		if i.fate != copied {
			continue
		}
		t := structOf(r.source, i)
		if t == nil || !embeds(t, "ObjectMeta") || r.hasResource(i) {
			continue
		}
		start := r.offset(i.node.Pos())
		r.edit(start, start, "// +"+markers.Resource+":scope="+r.scope.Other().Marker()+"\n")
	}
}

// hasResource reports whether a kind has the marker with its scope.
func (r *rewriter) hasResource(i *item) bool {
	for _, text := range gosyntax.Markers(r.markersAbove(i), i.doc) {
		if _, isResource := resourceArguments(text); isResource {
			return true
		}
	}
	return false
}
