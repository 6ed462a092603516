package combinations_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go/types"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/command"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// An outcome is what became of a cell.
type outcome struct {
	*cell
	// refused are the errors. Warnings are for cells without errors.
	refused, warnings diag.List
	// kind is the kind that the cell is part of.
	kind *kindOutcome
	// code are the lines that are generated in Go for the cell.
	code string
}

// A kindOutcome is what became of a group.
type kindOutcome struct {
	*group
	folder string
	// definition is nil if all cells are refused. upstream is controller-gen's.
	definition, upstream *apiextensionsv1.CustomResourceDefinition
	packages             []*types.Package
}

// perPackage is the number of kinds in an API package.
const perPackage = 50

// A batch is a module with many cells.
type batch struct {
	t        *testing.T
	root     string
	outcomes []*outcome
	byNumber map[int]*outcome
	kinds    map[string]*kindOutcome
	findings *findings
}

// newBatch writes the module of some groups.
func newBatch(t *testing.T, groups []*group, found *findings) *batch {
	b := &batch{t: t, root: t.TempDir(), byNumber: map[int]*outcome{}, kinds: map[string]*kindOutcome{}, findings: found}
	for _, name := range []string{"go.mod", "go.sum"} {
		content := testmodule.Read(t, testmodule.Repository(t, "testdata/provider-example/"+name))
		content = bytes.Replace(content, []byte("module github.com/mrgen-io/provider-example"), []byte("module "+modulePath), 1)
		testmodule.Write(t, filepath.Join(b.root, name), content)
	}
	testmodule.Write(t, filepath.Join(b.root, "apis/common/doc.go"), []byte("// +kubebuilder:object:generate=true\npackage common\n"))
	for i, g := range groups {
		k := &kindOutcome{group: g, folder: fmt.Sprintf("apis/g%02d/v1", i/perPackage)}
		b.kinds[g.name] = k
		if i%perPackage == 0 {
			testmodule.Write(t, filepath.Join(b.root, k.folder, "doc.go"), fmt.Appendf(nil, packageSource, i/perPackage))
		}
		for _, c := range g.cells {
			o := &outcome{cell: c, kind: k}
			b.outcomes, b.byNumber[c.number] = append(b.outcomes, o), o
		}
		b.write(k)
	}
	return b
}

const packageSource = `// +kubebuilder:object:generate=true
// +groupName=g%02d.example.org
package v1

import "sigs.k8s.io/controller-runtime/pkg/scheme"

// SchemeBuilder registers the kinds.
var SchemeBuilder = &scheme.Builder{}
`

// write writes the files of a kind.
func (b *batch) write(k *kindOutcome) {
	files, err := k.sources(k.folder)
	if err != nil {
		b.t.Fatalf("%s: %v", k.cells[0], err)
	}
	testmodule.WriteTree(b.t, b.root, files)
}

var (
	// inFile finds the file of a cell or a kind among those of the author.
	inFile = regexp.MustCompile(`^apis/(?:g\d\d/v1|common)/([cg])(\d{5})\.go$`)
	// inText finds a cell in a message or in source: the name of one of its types, or of its field.
	inText = regexp.MustCompile(`[CFXfx](\d{5})`)
	// ofGroup finds the name of a kind.
	ofGroup = regexp.MustCompile(`G\d{5}`)
)

// outcomesAt returns the cells that a diagnostic is about. Every error has to have a position in the author's file.
func (b *batch) outcomesAt(d diag.Diagnostic) []*outcome {
	at := inFile.FindStringSubmatch(d.Pos.File)
	switch {
	case at == nil:
		found := b.mentioned(d.Message)
		for _, o := range found[:min(1, len(found))] {
			b.findings.add("no position in the author's file", o, d.String())
		}
		return found
	case at[1] == "c":
		return []*outcome{b.byNumber[numeral(at[2])]}
	}
	// The line of a field's tag is the first that names the cell, from a marker on.
	lines := strings.Split(string(testmodule.Read(b.t, filepath.Join(b.root, d.Pos.File))), "\n")
	for _, line := range lines[max(d.Pos.Line-1, 0):] {
		if found := b.mentioned(line); len(found) > 0 {
			return found[:1]
		}
		if line == "}" {
			break
		}
	}
	if found := b.mentioned(d.Message); len(found) > 0 {
		return found
	}
	return b.of(b.kinds["G"+at[2]])
}

// mentioned returns the cells that a text names or, if there are none, those of the kinds that it names.
func (b *batch) mentioned(text string) []*outcome {
	for _, found := range inText.FindAllStringSubmatch(text, -1) {
		if o := b.byNumber[numeral(found[1])]; o != nil {
			return []*outcome{o}
		}
	}
	if k := b.kinds[ofGroup.FindString(text)]; k != nil {
		return b.of(k)
	}
	return nil
}

// of returns the cells of a kind that aren't refused.
func (b *batch) of(k *kindOutcome) []*outcome {
	var all []*outcome
	for _, c := range k.cells {
		all = append(all, b.byNumber[c.number])
	}
	return all
}

// generate generates without the cells that are refused, until nothing is. It returns the kinds with errors that are
// about several of their cells, or false if an error doesn't name any.
func (b *batch) generate() (unclear []*kindOutcome, ok bool) {
	options := run.Default()
	options.Dir, options.TypeCheck = b.root, true
	for {
		result := expect.Value(command.GenerateAll(context.Background(), options))(b.t)
		if !result.Diagnostics.HasErrors() {
			b.accept(result)
			return unclear, true
		}
		refused := b.refused(result.Diagnostics)
		if len(refused) == 0 {
			if len(b.outcomes) == 1 {
				b.findings.add("no position in the author's file", b.outcomes[0], result.Diagnostics[0].String())
			}
			return nil, false
		}
		unclear = append(unclear, b.remove(refused)...)
	}
}

// accept keeps the results of cells.
func (b *batch) accept(result command.Result) {
	for _, d := range result.Diagnostics {
		for _, o := range b.outcomesAt(d) {
			o.warnings = append(o.warnings, d)
		}
	}
	for _, definition := range result.Definitions {
		b.kinds[definition.CRD.Spec.Names.Kind].definition = definition.CRD
	}
	for _, change := range result.Plan.Changes {
		if path.Ext(change.Path) != ".go" {
			continue
		}
		for line := range strings.Lines(string(change.New)) {
			if found := b.mentioned(line); len(found) == 1 {
				found[0].code += line
			}
		}
	}
}

// refused returns the cells with errors, by their kinds.
func (b *batch) refused(diags diag.List) map[*kindOutcome][]*outcome {
	all := map[*kindOutcome][]*outcome{}
	for _, d := range diags {
		if d.Severity != diag.Error {
			continue
		}
		for _, o := range b.outcomesAt(d) {
			o.refused = append(o.refused, d)
			if !slices.Contains(all[o.kind], o) {
				all[o.kind] = append(all[o.kind], o)
			}
		}
	}
	return all
}

// remove deletes cells from the module. It returns the kinds of which several cells share an error.
func (b *batch) remove(refused map[*kindOutcome][]*outcome) []*kindOutcome {
	var unclear []*kindOutcome
	for k, outcomes := range refused {
		files := expect.Value(k.sources(k.folder))(b.t)
		for name := range files {
			expect.NoError(b.t, os.Remove(filepath.Join(b.root, name)))
		}
		if shared := len(outcomes) > 1 && slices.ContainsFunc(outcomes[1].refused, func(d diag.Diagnostic) bool {
			return slices.Contains(outcomes[0].refused, d)
		}); shared {
			unclear = append(unclear, k) // its cells are tried again, each in a kind of its own
			continue
		}
		left := slices.DeleteFunc(slices.Clone(k.cells), func(c *cell) bool { return len(b.byNumber[c.number].refused) > 0 })
		kept := *k.group
		kept.cells = left
		if k.group = &kept; len(left) > 0 {
			b.write(k)
		}
	}
	return unclear
}

// numeral returns the number that a text is, or 0.
func numeral(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
