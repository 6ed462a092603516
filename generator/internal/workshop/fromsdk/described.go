package fromsdk

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/gosyntax"
	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
	"github.com/mrgen-io/mrgen/markers"
)

// Described are types that a document describes, in place of the code of an SDK.
type Described struct {
	// Observe, Create and Update are the types of the API's object, and of what the requests take.
	Observe, Create, Update *types.Named
	// Same is set if one description is that of all three.
	Same bool
	// Parents are arguments of the request that creates, which tell what is around the external resource.
	Parents []Parent
	// Facts are what the document says of fields beside their types.
	Facts map[*types.Var]*Facts
	// Left are fields that no Go type can have, with the reasons, and Checks what to check of all requests.
	Left, Checks []string
}

// A Parent is an argument that tells what is around an external resource.
type Parent struct {
	Name string
	Type types.Type
	Doc  string
}

// Facts are what a document says of a field.
type Facts struct {
	Doc string
	// Default is the value that the API gives the field if nobody else does, "" if it is not known.
	Default string
	// IsRequired is set if a request can't leave the field out, and IsSecret if its value must be hidden.
	IsRequired, IsSecret bool
	// Markers say what values must satisfy, and Checks what to check, since the markers don't say it.
	Markers, Checks []string
	// Example is a value as YAML, of an item if the field is a list; "" if any will do.
	Example string
	// Unsupported says why a kind can't have the field, "" if it can.
	Unsupported string
}

// FreeFormPackage and FreeFormName name the type of objects whose fields nobody knows.
const (
	FreeFormPackage = "k8s.io/apimachinery/pkg/runtime"
	FreeFormName    = "RawExtension"
)

// Describe makes a kind of types that a document describes. It has no controller.
func Describe(d *Described, o Options) (*Kind, diag.List) {
	r := newReader(o)
	r.described, r.observe, r.create, r.update = d, d.Observe, d.Create, d.Update
	r.kind.Left, r.kind.Checks = d.Left, d.Checks
	c := &calls{own: ownKey{none: true}, create: &method{}}
	for _, p := range d.Parents {
		c.parents = append(c.parents, &parent{leaf: leaf{name: p.Name, typ: p.Type}})
	}
	r.makeFields(c)
	for i, p := range c.parents {
		if doc := d.Parents[i].Doc; doc != "" {
			p.field.Comment = comment(p.field.Name, doc, "")
		}
	}
	if len(r.kind.Parameters) == 0 {
		r.errorf("the requests have no field that a kind could have: name another schema with --create")
	}
	return r.kind, r.diags
}

// facts returns what a document says of a field, nothing if there is none.
func (r *reader) facts(s *source) Facts {
	if r.described == nil || r.described.Facts[s.v] == nil {
		return Facts{}
	}
	return *r.described.Facts[s.v]
}

// describe adds what a document says to a field.
func (r *reader) describe(f *Field, facts Facts, at part) {
	if facts.Default != "" {
		f.Comment = wrap(strings.Join(f.Comment, " ") + " The API's default is " + facts.Default + ".")
	}
	f.Checks = append(f.Checks, facts.Checks...)
	if at == status {
		return
	}
	f.example = facts.Example
	for _, marker := range facts.Markers {
		f.mark(marker)
	}
}

func (f *Field) isEnum() bool {
	return slices.ContainsFunc(f.Markers, func(m string) bool { return strings.HasPrefix(m, "+"+markers.Enum+"=") })
}

// EnumValue returns a text as the marker of an enumeration has it.
func EnumValue(text string) string {
	if isWord.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// HasController reports whether it is known what a controller of the kind calls.
func (k *Kind) HasController() bool { return k.Get != nil }

// HasFreeForm reports whether a field is an object whose fields nobody knows.
func (k *Kind) HasFreeForm() bool {
	fields := slices.Concat(k.Parameters, k.Observation)
	for _, s := range k.Structs {
		fields = append(fields, s.Fields...)
	}
	return slices.ContainsFunc(fields, func(f *Field) bool { return strings.HasSuffix(f.Type, freeFormType) })
}

func isFreeForm(t types.Type) bool { return gotypes.IsDeclaredIn(t, FreeFormPackage, FreeFormName) }

const freeFormType = "runtime." + FreeFormName

// initialisms are words of names that Go has in upper case.
var initialisms = strings.Fields("acl api arn asn cidr cpu css dns eof gid guid html http https id ip json lhs ram rhs rpc sla smtp sql ssh tcp tls ttl udp ui uid uri url utf8 uuid vm vpc xml")

// GoName returns the name of a field or type in Go, by that which a document has: SSHKeys of ssh_keys.
func GoName(name string) string {
	name = strings.Map(func(c rune) rune {
		if c == '.' || c == ' ' || c == '/' || c == ':' {
			return '_'
		}
		return letters(c)
	}, name)
	var b strings.Builder
	for _, word := range words(name) {
		switch plural := strings.TrimSuffix(word, "s"); {
		case slices.Contains(initialisms, word):
			word = strings.ToUpper(word)
		case slices.Contains(initialisms, plural) && plural != word:
			word = strings.ToUpper(plural) + "s"
		}
		b.WriteString(gosyntax.Exported(word))
	}
	return b.String()
}
