package sdkconversion_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/budget"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// A pair is random structs of a kind and of an SDK, with the same fields in forms that hold the same values.
type pair struct {
	*rand.Rand
	kind, sdk strings.Builder
	structs   int
}

// forms are types of a kind, with those of an SDK that hold the same values. K and S stand for structs that
// correspond, in the packages of each.
var forms = [][2]string{
	{"*string", "*string"}, {"*bool", "*bool"}, {"*int64", "*int64"}, {"*int32", "*int64"}, {"*int64", "*int32"},
	{"*uint8", "*int64"}, {"*float64", "*float64"},
	{"*string", "string"}, {"*bool", "bool"}, {"*int64", "int"}, {"string", "*string"}, {"int64", "*int64"}, {"bool", "bool"},
	{"*Word", "*Word"}, {"*Word", "string"}, {"Word", "*string"}, {"[]Word", "[]string"}, {"[]string", "*[]Word"},
	{"*Time", "*time.Time"}, {"*Time", "time.Time"}, {"*Time", "*Date"}, {"*Time", "string"}, {"*time.Time", "*string"},
	{"[]string", "[]string"}, {"[]string", "[]*string"}, {"[]*string", "[]string"}, {"[]byte", "[]byte"}, {"[]int64", "[]int32"},
	{"map[string]string", "map[string]string"}, {"map[string]*string", "map[string]string"}, {"map[Word]int64", "map[string]int64"},
	{"*K", "*S"}, {"*K", "S"}, {"K", "S"}, {"K", "*S"}, {"[]K", "[]S"}, {"[]K", "[]*S"}, {"[]K", "*[]S"}, {"map[string]K", "map[string]*S"},
	{"[][]string", "[][]string"}, {"map[string][]K", "map[string][]S"}, {"**string", "*string"},
	{"*string", "Field[string]"}, {"*K", "Field[S]"}, {"[]string", "Field[[]string]"}, {"*int64", "Option[int64]"},
}

// numbers are forms that a marker asks for.
var numbers = [][2]string{
	{"*int64", "*string"}, {"int32", "*string"}, {"*uint16", "string"}, {"*float64", "*string"}, {"*float32", "string"},
	{"*int32", "*float64"}, {"*uint8", "*float32"}, {"*float32", "*float64"}, {"[]int64", "[]string"}, {"map[string]int8", "map[string]string"},
}

// declare declares two structs that correspond, and returns their name.
func (p *pair) declare(depth int) string {
	name := fmt.Sprintf("T%d", p.structs)
	p.structs++
	var kind, sdk strings.Builder
	for i := range 2 + p.IntN(5) {
		form, marker := forms[p.IntN(len(forms))], ""
		if p.IntN(6) == 0 {
			form, marker = numbers[p.IntN(len(numbers))], "\t// +mrgen:convert:number\n"
		}
		if strings.Contains(form[0], "K") {
			inner := "T0" // may be the struct itself, behind a pointer
			if depth < 3 {
				inner = p.declare(depth + 1)
			} else if form[0] == "K" || form[1] == "S" {
				form = forms[0]
			}
			form = [2]string{strings.ReplaceAll(form[0], "K", inner), strings.ReplaceAll(form[1], "S", inner)}
		}
		field, other := fmt.Sprintf("Field%dID", i), fmt.Sprintf("Field%dID", i)
		if p.IntN(2) == 0 {
			other = fmt.Sprintf("Field%dId", i)
		}
		fmt.Fprintf(&kind, "%s\t%s %s `json:\"field%dId,omitempty\"`\n", marker, field, form[0], i)
		fmt.Fprintf(&sdk, "\t%s %s\n", other, form[1])
	}
	fmt.Fprintf(&p.kind, "type %s struct {\n%s}\n\n", name, kind.String())
	fmt.Fprintf(&p.sdk, "type %s struct {\n%s}\n\n", name, sdk.String())
	return name
}

// TestThereAndBack converts random values of random structs to an SDK and back. What comes back is what was
// there: the code compiles, and drops no value that both sides can hold. Neither shares memory with the other.
// Values are set, and not zero: of what isn't, the SDK's types don't always tell.
func TestThereAndBack(t *testing.T) {
	root := t.TempDir()
	if keep := os.Getenv("MRGEN_KEEP"); keep != "" {
		root = keep
	}
	var kinds, types, methods, tests strings.Builder
	for i := range budget.Of(25, 400) {
		p := &pair{Rand: rand.New(rand.NewPCG(1, uint64(i)))}
		p.declare(0)
		rename := func(text string) string { return strings.ReplaceAll(text, "T", fmt.Sprintf("P%dT", i)) }
		clean := func(text string) string {
			return strings.NewReplacer("P"+fmt.Sprint(i)+"Time", "Time", "time.P"+fmt.Sprint(i)+"Time", "time.Time").Replace(rename(text))
		}
		kinds.WriteString(clean(p.kind.String()))
		types.WriteString(clean(p.sdk.String()))
		fmt.Fprintf(&methods, "\tSend%d(apis.P%dT0) (api.P%dT0, error)\n\tObserve%d(api.P%dT0) (apis.P%dT0, error)\n", i, i, i, i, i, i)
		fmt.Fprintf(&tests, "\tthereAndBack(t, Send%d, Observe%d)\n", i, i)
	}
	const wrappers = "type Field[T any] struct {\n\tValue T\n\tNull, Present bool\n\tRaw any\n}\n\n" +
		"type Option[T any] struct {\n\tValue T\n\tis int\n}\n\n"
	const header = "\n\nimport \"time\"\n\n// Word is a text.\ntype Word string\n\n"
	testmodule.WriteTree(t, root, map[string][]byte{
		"go.mod":            []byte("module example.org/provider\n\ngo 1.25\n"),
		"apis/types.go":     []byte("package apis" + header + "type Time struct{ time.Time }\n\n" + kinds.String()),
		"api/api.go":        []byte("package api" + header + "type Date time.Time\n\n" + wrappers + types.String()),
		"clients/client.go": []byte("package clients\n\nimport (\n\t\"example.org/provider/api\"\n\t\"example.org/provider/apis\"\n)\n\n// +mrgen:convert\ntype conversions interface {\n" + methods.String() + "}\n"),
		"clients/client_test.go": []byte(strings.Replace(string(testmodule.Read(t, filepath.Join("testdata", "thereandback.go.tmpl"))),
			"\t// all pairs\n", tests.String(), 1)),
	})
	result, diags := convert(t, root)
	expect.None(t, diags)
	for name, content := range result.Files {
		testmodule.Write(t, filepath.Join(root, filepath.FromSlash(name)), content)
	}
	output, err := testmodule.Run(root, "go", "test", "-vet=off", "-trimpath", "-gcflags=-N -l", "./clients")
	expect.True(t, err == nil, "%v\n%.20000s", err, output)
}
