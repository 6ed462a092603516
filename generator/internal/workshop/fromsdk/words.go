package fromsdk

import (
	"cmp"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/gobuffalo/flect"
	"golang.org/x/tools/go/packages"

	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
)

// doc returns the comment where a field is declared.
func (r *reader) doc(v *types.Var) string {
	if v.Pkg() == nil {
		return ""
	}
	found, isKnown := r.comments[v.Pkg()]
	if !isKnown {
		packages.Visit([]*packages.Package{r.pkg}, func(p *packages.Package) bool {
			if p.Types == v.Pkg() {
				found = commentsOf(p)
			}
			return found == nil
		}, nil)
		r.comments[v.Pkg()] = found
	}
	return found[int(v.Pos())]
}

// commentsOf returns the comments of the fields of a package, by the positions of their names.
func commentsOf(p *packages.Package) map[int]string {
	found := map[int]string{}
	for _, file := range p.Syntax {
		for n := range ast.Preorder(file) {
			if field, ok := n.(*ast.Field); ok {
				for _, name := range field.Names {
					found[int(name.Pos())] = cmp.Or(field.Doc.Text(), field.Comment.Text())
				}
			}
		}
	}
	return found
}

var (
	saysRequired = regexp.MustCompile(`(?im)^\s*this (member|field|parameter) is required\.?\s*$|^\s*(?:\w+: )?[\[(]?required[\])]?([.;]|:(\s*$|\s+([^nf\s]|n[^o]|f[^a])))|[\[(]required[\])]`)
	// callsNeed matches what comments say of whether a field is needed, which the schema says.
	callsNeed = regexp.MustCompile(`(?i)\bthis (member|field|parameter|property) is (required|optional)\.?|(^|\. )[\[(]?(required|optional)[\])]?[.:;]\s*|[\[(](required|optional)[\])]\s*`)
	linkTo    = regexp.MustCompile(`(?m)^\[([^\]]+)\]:.*$`)
	// link matches links of Markdown and Go, but no patterns and ranges, such as [a-z].
	link    = regexp.MustCompile(`\[([^\]\[]+)\](?:\([^)]*\)|\[[^\]]*\])|\[([A-Za-z]\w*(?:\.\w+)*)\]`)
	markup  = regexp.MustCompile(`</?[a-z]+/?>`)
	spaces  = regexp.MustCompile(`\s+`)
	isWord  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	unnamed = regexp.MustCompile(`[^A-Za-z0-9_-]`) // what no JSON name of a kind has
	noSpace = regexp.MustCompile(`\s+([.,;:])(\s|$)`)
)

// comment returns the lines of a comment about a field, made of the first paragraph of the SDK's. Without
// one it says what the name does, of the kind.
func comment(name, doc, kind string) []string {
	for _, to := range linkTo.FindAllStringSubmatch(doc, -1) {
		doc = strings.NewReplacer(to[0], "", "["+to[1]+"]", to[1]).Replace(doc)
	}
	if deprecated := strings.Index(doc, "Deprecated:"); deprecated >= 0 {
		doc = doc[:deprecated]
	}
	text := ""
	for paragraph := range strings.SplitSeq(strings.TrimSpace(doc), "\n\n") {
		paragraph = saysOutputOnly.ReplaceAllString(paragraph, "$1") // whose brackets aren't a link's
		paragraph = link.ReplaceAllString(paragraph, "$1$2")
		paragraph = markup.ReplaceAllString(paragraph, "")
		paragraph = callsNeed.ReplaceAllString(paragraph, "$3")
		paragraph = strings.TrimSpace(noSpace.ReplaceAllString(spaces.ReplaceAllString(paragraph, " "), "$1$2"))
		text = strings.TrimLeft(strings.TrimPrefix(paragraph, name+": "), "+-*# ")
		if link := strings.Index(text, "://"); link >= 0 { // the sentences before one
			text = text[:strings.LastIndex(text[:link], ". ")+1]
		}
		if text != "" {
			break
		}
	}
	switch {
	case text == "" && kind == "":
		text = name + " is a part of the external resource."
	case text == "":
		text = name + " of the " + readable(kind) + "."
	default:
		first := []rune(text)
		text = string(unicode.ToUpper(first[0])) + string(first[1:])
		if text = strings.TrimRight(text, ":;, "); !strings.HasSuffix(text, ".") {
			text += "."
		}
	}
	return wrap(text)
}

// wrap breaks a text into lines.
func wrap(text string) []string {
	const width = 95
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		} else if strings.HasPrefix(word, "+") { // which would be a marker
			word = strings.TrimLeft(word, "+")
		}
		line += word
	}
	return append(lines, line)
}

// oneWord writes words as such that have a capital letter within.
var oneWord = strings.NewReplacer("IPv4", "Ipv4", "IPv6", "Ipv6", "iPv4", "ipv4", "iPv6", "ipv6", "OAuth", "Oauth",
	"GitHub", "Github", "GitLab", "Gitlab", "PostgreSQL", "Postgresql", "MySQL", "Mysql")

// initialisms are words of names that Go has in upper case.
var initialisms = strings.Fields("acl api arn asn cidr cpu css dns eof gid guid html http https id ip json lhs ram rhs rpc sla smtp sql ssh tcp tls ttl udp ui uid uri url utf8 uuid vm vpc xml")

// goName returns the name of a field in Go, by an argument's name: SSHKeys of ssh_keys.
func goName(name string) string { return strings.Join(each(spelled(name), gosyntax.Exported), "") }

// readable returns the words of a name as a sentence has them.
func readable(name string) string { return strings.Join(spelled(name), " ") }

// spelled returns the words of a name, with initialisms in upper case.
func spelled(name string) []string {
	return each(words(name), func(word string) string {
		singular := strings.TrimSuffix(word, "s")
		switch {
		case word == "ipv4" || word == "ipv6":
			return "IP" + word[2:]
		case slices.Contains(initialisms, word):
			return strings.ToUpper(word)
		case slices.Contains(initialisms, singular):
			return strings.ToUpper(singular) + "s"
		}
		return word
	})
}

// Where words of a name begin: after a word in upper case, such as ID in IDName, but not in the plural IDs, and after other letters.
var (
	afterCapitals = regexp.MustCompile(`([A-Z])([A-Z](?:[a-rt-z]|s[^A-Z]))`)
	afterOthers   = regexp.MustCompile(`([^A-Z_-])([A-Z])`)
)

// words returns the words of a name, in lower case.
func words(name string) []string {
	name = afterCapitals.ReplaceAllString(oneWord.Replace(name), "${1}_${2}")
	name = afterOthers.ReplaceAllString(name, "${1}_${2}")
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' })
}

// camel returns a name as JSON has it: pushEvents.
func camel(name string) string {
	all := words(name)
	for i, w := range all {
		if i > 0 {
			all[i] = gosyntax.Exported(w)
		}
	}
	return strings.Join(all, "")
}

// jsonName returns the name of a field in JSON, by that which the SDK has for it.
func jsonName(s *source) string {
	return camel(cmp.Or(unnamed.ReplaceAllString(s.tagged(), ""), s.v.Name()))
}

// verbs begin or end the names of methods, by role. They only say which candidate stands first: a name proves nothing.
var verbs = map[role][]string{
	creates: {"CreateOrUpdate", "CreateUpdate", "Create", "Add", "New", "Insert", "Put", "Post"},
	updates: {"CreateOrUpdate", "CreateUpdate", "Update", "Edit", "Modify", "Replace", "Patch", "Put"},
	reads:   {"Get", "Describe", "Read", "Retrieve", "Info", "Show", "FindById", "FindByID"},
	deletes: {"Delete", "Remove", "Destroy", "Terminate"},
}

// withContext ends the names of methods that take a context, beside others that take none.
const withContext = "WithContext"

// stem returns the name of a method without a verb of its role, in lower case, and whether it has one.
func stem(name string, of role) (string, bool) {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "Begin"), withContext) // of what is waited for
	for _, verb := range verbs[of] {
		rest, ok := strings.CutPrefix(name, verb)
		if ok = ok && (rest == "" || strings.ToUpper(rest[:1]) == rest[:1]); !ok {
			rest, ok = strings.CutSuffix(name, verb) // as of PolicyCreate
		}
		if ok {
			return strings.ToLower(flect.Singularize(rest)), true
		}
	}
	return strings.ToLower(name), false
}
