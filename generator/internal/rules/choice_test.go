package rules

import (
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestChoice holds which fields the rules list that controller-tools writes, and how rules are written
// in markers.
func TestChoice(t *testing.T) {
	for kind, want := range map[choiceKind][2]bool{atLeastOne: {true, false}, atMostOne: {false, true}, exactlyOne: {true, true}} {
		c := choice{kind, []string{"a", "namespace"}}
		names, demands, bounds := Choice(apiextensionsv1.ValidationRule{Rule: c.rule(), Message: c.message()})
		if !slices.Equal(names, c.names) || [2]bool{demands, bounds} != want {
			t.Errorf("%s: got %v, %t, %t", c.message(), names, demands, bounds)
		}
	}
	names, demands, bounds := Choice(apiextensionsv1.ValidationRule{Rule: "has(self.a)"})
	expect.True(t, len(names) == 0 && !demands && !bounds, "a rule of an author is one of a marker")
	for rule, want := range map[string]string{
		`self.a == "b"`: "rule=`self.a == \"b\"`", "self.a == 'b'": `rule="self.a == 'b'"`, "self.a == \"`\"": `rule="self.a == \"` + "`" + `\""`,
		`self.a.matches('\d')`: "rule=`self.a.matches('\\d')`",
	} {
		expect.Equal(t, want, MarkerArgument(rule), "%s", rule)
	}
}
