package lintrules

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

var connectionDetails = &linter.Rule{
	Name:     "connection-details",
	Doc:      "Controllers name the declared keys of connection secrets, and publish none where none is declared.",
	Source:   mrdDesign,
	Why:      "Users learn from the definition what the connection secret will hold, and need not create a resource to see.",
	Severity: linter.Warning,
	Read:     25, Worth: 23,
	Once: true,
	Run:  linter.EachManaged(checkConnectionDetails),
}

func checkConnectionDetails(p *linter.Pass, k *linter.Kind) {
	controllers := p.Controllers(k)
	if len(controllers) == 0 {
		return
	}
	if len(k.ConnectionDetails) == 0 {
		for _, name := range slices.Sorted(maps.Keys(controllers)) {
			if line := publishes(controllers[name]); line > 0 {
				p.Kind(k, nil, nil, "the controller of %s publishes connection details at %s:%d, and nothing says which: declare keys with +%s, or by pattern= those that only a run knows",
					k.Object.Name, name, line, markers.ConnectionDetail)
				break
			}
		}
		return
	}
	if p.Mentions(k.Object.Name + "ConnectionDetails") {
		return // the struct that mrgen generates has them all
	}
	for _, d := range k.ConnectionDetails {
		texts := []string{"`" + d.Name + "`", k.Object.Name + "ConnectionDetail"}
		if g := k.Object.Generation; g != nil && g.SecretKeys[d.Name] != "" {
			texts = append(texts, "."+g.SecretKeys[d.Name])
		}
		// A text in a tag or a marker counts for nothing.
		quoted := regexp.MustCompile(`[^:=]` + regexp.QuoteMeta(strconv.Quote(d.Name)))
		if !d.IsPattern() && !p.Mentions(texts...) && len(p.Find(quoted)) == 0 {
			p.Detail(k, d.Pos, d.Name,
				"no code of the module publishes the key %q of the connection secret of %s: publish it, or remove the marker", d.Name, k.Object.Name)
		}
	}
}

// returned matches what a controller returns as connection details.
var returned = regexp.MustCompile(`\bConnectionDetails:[ \t]*([^\n]*)`)

// nothing matches the values that stand for no connection details.
var nothing = regexp.MustCompile(`^(nil\b|(\w+\.)?ConnectionDetails\{\})`)

// variable matches a value that is a variable.
var variable = regexp.MustCompile(`^\w+\b`)

// staysEmpty reports whether a variable is set to no connection details, and gets no key.
func staysEmpty(content []byte, name string) bool {
	isEmptied := regexp.MustCompile(`\b` + name + `\s*:?=\s*(\w+\.)?ConnectionDetails\{\}`)
	isFilled := regexp.MustCompile(`\b` + name + `\[`)
	return name != "" && isEmptied.Match(content) && !isFilled.Match(content)
}

// publishes returns the line in which a controller returns connection details, or 0.
func publishes(content []byte) int {
	for _, at := range returned.FindAllSubmatchIndex(content, -1) {
		line, value := content[bytes.LastIndexByte(content[:at[0]], '\n')+1:at[0]], bytes.TrimSpace(content[at[2]:at[3]])
		if !bytes.Contains(line, []byte("//")) && !nothing.Match(value) && !staysEmpty(content, string(variable.Find(value))) {
			return linter.LineAt(content, at[0])
		}
	}
	return 0
}
