package lintrules

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var enumConstants = &linter.Rule{
	Name:     "enum-constants",
	Doc:      "The enumeration of a type has the values of its constants, and quotes are around one value.",
	Source:   kubernetesAPI.section("Constants", "#constants"),
	Why:      "The API server refuses objects that code or users write with the constant.",
	Severity: linter.Warning,
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			for _, f := range k.Fields {
				checkEnumConstants(p, f)
			}
		}
	},
}

func checkEnumConstants(p *linter.Pass, f *linter.Field) {
	s := f.Kind.Root(f.Kind.Version).Follow(f.Path()).Innermost().Schema
	if s == nil || len(s.Enum) == 0 { // a mirror, which admits all values
		return
	}
	if one := string(s.Enum[0].Raw); len(s.Enum) == 1 && strings.Contains(one, ";") {
		p.Field(f, nil, "%s has one value, %s: write its values without quotes around all of them", f.Name, one)
	}
	t := f.Type.Leaf()
	if !t.Local || !hasValues(t) || f.Marker(markers.Enum) != nil {
		return
	}
	for _, c := range p.Constants(path.Dir(t.Pos.File), t.Name) {
		value, _ := json.Marshal(c.Value)
		isListed := slices.ContainsFunc(s.Enum, func(of apiextensionsv1.JSON) bool { return string(of.Raw) == string(value) })
		if c.Value != "" && !isListed { // "" is mostly meant as unset
			p.At(f, c.Pos, t.Markers, nil, "the enum of %s lacks %s, the value of %s: add it, or remove the constant", t.Name, value, c.Name)
		}
	}
}
