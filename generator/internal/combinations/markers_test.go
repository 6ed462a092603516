package combinations_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/markers"
)

// A marker is a row of the table of markers: a marker of the reference, and where it may stand.
type marker struct {
	name, tool string
	// on are things that it may stand on, or nil if it may stand anywhere.
	on        []string
	arguments []markers.ForeignArgument
	// values are the lines of a marker that mrgen owns, and of others whose arguments are paths or names.
	values []string
}

// A marking is a marker with a value of some sort: the lines of a comment.
type marking struct {
	name, sort string
	lines      []string
	// isRead is set if the value should change the definition or the code.
	isRead bool
}

// vocabularies are the texts of markers that take words: the first fits, and the last is unknown.
var vocabularies = map[string][]string{
	"Pattern":    {"`^[a-z]+$`", "`^(?!x).*$`", "`^[a-z`"},
	"Format":     {"int32", "duration", "date-time", "ipv4", "byte", "nonsense"},
	"format":     {"k8s-ip", "k8s-nonsense"},
	"Type":       {"string", "integer", "number", "object", "array", "boolean", "text"},
	"listType":   {"atomic", "set", "map", "bag"},
	"mapType":    {"granular", "atomic", "bag"},
	"structType": {"granular", "atomic", "bag"},
	"listMapKey": {"n", "unknown"},
	"unique":     {"set", "map", "bag"},
	"update":     {"NoSet", "NoModify", "bag"},
}

// lines are the values of markers with several arguments or paths, and of those that mrgen owns: the marker's name, and
// what follows it, separated by bars.
var lines = map[string]string{
	"crossplane:generate:methods":                     "=false|=true|=text",
	"crossplane:generate:reference:type":              "=Unknown",
	"crossplane:generate:reference:extractor":         "=Call()",
	"crossplane:generate:reference:refFieldName":      "=Other",
	"crossplane:generate:reference:selectorFieldName": "=Other",
	"immutable":                "|=true|=false",
	"mrgen:connectionDetail":   `|:name=password,description="d"|:name=password|:pattern=a.*,description="d"|:name="a b",description=d`,
	"mrgen:convert":            "|=text",
	"mrgen:convert:field":      "=A=B.C",
	"mrgen:convert:ignore":     "=a reason|",
	"mrgen:convert:in":         "=Properties",
	"mrgen:convert:list":       "=Key,Value",
	"mrgen:convert:name":       "=Other",
	"mrgen:convert:number":     "",
	"mrgen:convert:sendZero":   "",
	"mrgen:convertedBy":        "=convert",
	"mrgen:diff":               "=off|=subset|=text",
	"mrgen:example":            `=abc|=3|="abc"|={"a":"x"}|=["a"]|=[300]|=`,
	"mrgen:identifier":         "",
	"mrgen:lateInitialize":     "=false|=true|=text",
	"mrgen:mirror":             "=false|=true|=text",
	"mrgen:nolint":             `:json-name="a reason"|:unknown="a reason"`,
	"mrgen:relax":              "=false|=true",
	"mrgen:renamedFrom":        "=old|=spec.forProvider.old|=f|=v2:old",
	"mrgen:requiredOneOf":      ":fields=a;b|:fields=f;unknown|:fields=a;b,exactly=true|:fields=f|:fields=f;f",
	"mrgen:scope":              "=namespaced|=cluster|=text",
	"mrgen:sensitive":          "",
	"mrgen:singleton":          "",
	"mrgen:state":              "=Active|=text",
	"kubebuilder:printcolumn":  columns,
	"kubebuilder:resource":     ":scope=Cluster|:scope=Galaxy|:path=Foo|:shortName=a;a|:shortName=A_b|:categories=a b|:singular=Foo|:path=",
	"kubebuilder:metadata":     `:annotations="a=1",annotations="b=2"|:annotations="a=1"|:annotations="a"|:annotations="a b=1"|:labels="a=b c"|:labels="a=1",annotations="a=2"`,
	"kubebuilder:externalDocs": `:url="https://example.org"|:url="not an address"|:description="text"`,
	"kubebuilder:rbac":         ":groups=a,resources=b,verbs=get",
	"kubebuilder:webhook":      ":path=/a",
	"kubebuilder:subresource:scale": ":specpath=.spec.f,statuspath=.status.f|:specpath=.spec.unknown,statuspath=.status.unknown|" +
		":specpath=.spec.forProvider.f,statuspath=.status.atProvider.f|:specpath=spec.f,statuspath=.status.f",
	"kubebuilder:selectablefield":         ":JSONPath=.spec.f|:JSONPath=.spec.unknown|:JSONPath=.spec.forProvider.f|:JSONPath=.metadata.name",
	"kubebuilder:deprecatedversion":       `|:warning="gone"`,
	"kubebuilder:validation:AtMostOneOf":  "=a;b|=a;unknown|=a",
	"kubebuilder:validation:ExactlyOneOf": "=a;b|=a;unknown|=a",
	"kubebuilder:validation:AtLeastOneOf": "=a;b|=a;unknown|=a",
	"groupName":                           "=other.example.org",
	"versionName":                         "=v9",
}

const columns = `:name="A",type="string",JSONPath=".spec.forProvider.f"|:name="A",type="string",JSONPath=".spec.forProvider.unknown"|` +
	`:name="A",type="string",JSONPath=".spec.forProvider[?(@.f=='x'"|:name="A",type="string",JSONPath=".spec.f",type="integer"|` +
	`:name="A",type="text",JSONPath=".spec.f"|:name="A",type="integer",format="int128",JSONPath=".spec.f"|:name="A",type="string",JSONPath="spec.f"|` +
	`:name="A",type="date",JSONPath=".spec.forProvider.f"|:name="A",type="string",JSONPath=".spec.f",priority=010|:name="A",type="string"`

// rules are the arguments of the marker XValidation, by sort.
var rules = [][2]string{
	{"fit", `rule="self == self"`}, {"old", `rule="self == oldSelf",message="changed"`}, {"never", `rule="false"`},
	{"unknown", `rule="self.unknown > 1"`}, {"argument twice", `rule="false",rule="true"`},
}

// numerals are the ways to write a number, by sort.
var numerals = [][2]string{
	{"fit", "3"}, {"zero", "0"}, {"negative", "-1"}, {"octal", "0777"}, {"hexadecimal", "0x10"}, {"fraction", "1.5"},
	{"exponent", "1e3"}, {"huge", "9300000000000000000"}, {"underscore", "1_000"}, {"text", "abc"},
}

// allMarkers is the table of markers, from the reference.
func allMarkers() []marker {
	reference := markers.FullReference()
	var all []marker
	for _, d := range reference.Read {
		m := marker{name: d.Name, tool: "mrgen"}
		for _, p := range d.Places {
			switch on := thingOf(p); {
			case on != "" && !slices.Contains(m.on, on):
				m.on = append(m.on, on)
			}
		}
		all = append(all, m)
	}
	for _, f := range reference.Foreign {
		if f.Tool == "go" { // gofmt moves build constraints
			continue
		}
		m := marker{name: f.Name, tool: f.Tool, arguments: f.Arguments}
		for _, on := range []struct {
			markers.Target
			name string
		}{{markers.OnField, onField}, {markers.OnType, onType}} {
			if f.On&on.Target != 0 {
				m.on = append(m.on, on.name)
			}
		}
		all = append(all, m)
	}
	for i, m := range all {
		if line, isListed := lines[m.name]; isListed {
			all[i].values = strings.Split(line, "|")
		}
	}
	return all
}

// thingOf returns what is at a place of the reference, or "" for places outside API types.
func thingOf(p markers.Place) string {
	switch p {
	case markers.ForProviderField, markers.InitProviderField, markers.SpecField, markers.ObservationField, markers.Field:
		return onField
	case markers.Type, markers.ForProviderStruct:
		return onType
	case markers.Kind, markers.ManagedKind:
		return onKind
	}
	return ""
}

// readElsewhere are markers that only matter together with others, or to other commands and files than those compared here.
var readElsewhere = []string{
	"mrgen:convert", "mrgen:nolint", "mrgen:example", "mrgen:renamedFrom", "mrgen:scope", "mrgen:singleton", "mrgen:identifier", "mrgen:state",
	"mrgen:sensitive", "kubebuilder:object:generate", "kubebuilder:object:root", "k8s:deepcopy-gen", "optional", "k8s:optional",
	"kubebuilder:validation:Optional", "crossplane:generate:methods",
}

// changes reports whether the marker with a value of a sort should change what is generated: the others say what is so
// without them, or are for other tools.
func (m *marker) changes(sort string) bool {
	isOurs := m.tool == "mrgen" || m.tool == "controller-gen crd"
	isDefault := slices.Contains([]string{"false", "=false", "=true", "granular", "null", "twice", "=namespaced"}, sort)
	return isOurs && !isDefault && !slices.ContainsFunc(readElsewhere, func(prefix string) bool { return strings.HasPrefix(m.name, prefix) })
}

// short is the last part of a marker's name.
func (m *marker) short() string { return m.name[strings.LastIndex(m.name, ":")+1:] }

// markings returns the marker with a value of each sort, for a type.
func (m *marker) markings(t *goType) []marking {
	var all []marking
	add := func(sort string, values ...string) {
		one := marking{name: m.name, sort: sort, isRead: m.changes(sort)}
		for _, value := range values {
			one.lines = append(one.lines, "+"+m.name+value)
		}
		all = append(all, one)
	}
	switch {
	case m.values != nil:
		for _, value := range m.values {
			add(value, value)
		}
	case m.short() == "XValidation":
		for _, rule := range rules {
			add(rule[0], ":"+rule[1])
		}
	case len(m.arguments) == 0:
		add("fit", "")
		add("text", "=abc")
	default:
		m.arguable(t, add)
	}
	if len(all[0].lines) == 1 {
		add("twice", strings.TrimPrefix(all[0].lines[0], "+"+m.name), strings.TrimPrefix(all[len(all)-1].lines[0], "+"+m.name))
	}
	return all
}

// arguable adds the values of an argument that its type says.
func (m *marker) arguable(t *goType, add func(sort string, values ...string)) {
	fits := t.fitting()
	switch argument := m.arguments[0].Type; argument {
	case "whole number", "number":
		for _, numeral := range numerals {
			add(numeral[0], "="+numeral[1])
		}
	case "boolean":
		add("fit", "=true")
		add("false", "=false")
		add("text", "=abc")
	case "any value", "list of any value":
		for i, value := range fits {
			add(fmt.Sprintf("fit %d", i), "="+value)
		}
		if argument != "any value" {
			add("fit all", "="+strings.Join(fits, ";"))
			add("duplicate", "="+fits[0]+";"+fits[0])
			add("none", "={}")
		}
		if t.beyond != "" {
			add("beyond", "="+t.beyond)
		}
		add("other", "="+t.other)
		add("null", "=null")
		m.typed(t, add)
	default:
		words := vocabularies[m.short()]
		if words == nil {
			words = []string{"abc"}
		}
		for _, word := range words {
			add(word, "="+word)
		}
	}
}

// typed adds values that only the types of a class have.
func (m *marker) typed(t *goType, add func(sort string, values ...string)) {
	switch t.class {
	case number:
		add("octal", "=0644")
		add("hexadecimal", "=0x10")
	case list:
		add("duplicate items", `=["a","a"]`)
	case text:
		add("unquoted", "=abc")
		add("empty", `=""`)
	}
}

// fitting are words of markers' names, by the class of the types that they fit.
var fitting = map[class]string{
	number:   "maximum minimum multipleof enum format type default example xvalidation nullable optional required immutable",
	text:     "maxlength minlength maxbytes pattern enum format type default example xvalidation nullable optional required immutable",
	boolean:  "enum type default example xvalidation nullable optional required immutable",
	list:     "maxitems minitems uniqueitems listtype listmapkey items: unique default xvalidation nullable optional required immutable",
	mapping:  "maxproperties minproperties maptype default xvalidation nullable optional required immutable",
	object:   "maxproperties minproperties structtype oneof embeddedresource preserveunknownfields schemaless default xvalidation nullable optional required immutable",
	anyValue: "xintorstring enum pattern maxlength maximum default xvalidation nullable optional required immutable",
}

// fits reports whether the marker is meant for types of the class.
func (m *marker) fits(t *goType) bool {
	name := strings.ToLower(m.name)
	return slices.ContainsFunc(strings.Fields(fitting[t.class]), func(word string) bool { return strings.Contains(name, word) })
}
