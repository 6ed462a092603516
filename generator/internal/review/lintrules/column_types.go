package lintrules

import (
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

var columnTypes = &linter.Rule{
	Name: "column-types",
	Doc:  "A column of kubectl get has a name of its own, and shows the creation time as an age, and no whole objects.",
	Source: linter.Source{
		Name: "Kubernetes, CustomResourceDefinitions: additional printer columns",
		URL:  "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#additional-printer-columns",
	},
	Why:      "kubectl get shows JSON in the column, or a time where other kinds have an age.",
	Severity: linter.Warning,
	Run: func(p *linter.Pass) {
		for _, k := range p.Kinds {
			checkColumnTypes(p, k)
		}
	},
}

// plainPath matches a path of names.
var plainPath = regexp.MustCompile(`^(\.\w+)+$`)

// checkColumnTypes checks the columns of text: they show objects as JSON, and times as they are.
func checkColumnTypes(p *linter.Pass, k *linter.Kind) {
	root, n := k.Root(k.Version), 0
	shown := k.APIVersion().AdditionalPrinterColumns
	for _, m := range root.Markers() {
		if !strings.HasPrefix(m.Text, markers.PrintColumn+":") || n >= len(shown) {
			continue
		}
		column := shown[n]
		n++
		if slices.ContainsFunc(shown[:n-1], func(earlier apiextensionsv1.CustomResourceColumnDefinition) bool { return earlier.Name == column.Name }) {
			p.Detail(k, m.Pos, column.Name, "another column is called %s, too: rename or remove one of them", column.Name)
		}
		if column.Type != "string" || !plainPath.MatchString(column.JSONPath) {
			continue
		}
		at := root.Follow(schema.Properties(strings.Split(column.JSONPath, ".")[1:]...)).Schema
		switch isList := at != nil && at.Items != nil && at.Items.Schema != nil; {
		case column.JSONPath == ".metadata.creationTimestamp": // kubectl shows <invalid> for times to come, which others may be
			p.Detail(k, m.Pos, column.Name, "the column %s shows the time of creation rather than the age: write type=date", column.Name)
		case at != nil && at.Type == "object" && !at.XIntOrString, isList && at.Items.Schema.Type == "object":
			p.Detail(k, m.Pos, column.Name, "the column %s shows %s as JSON: name a field in it", column.Name, column.JSONPath)
		}
	}
}
