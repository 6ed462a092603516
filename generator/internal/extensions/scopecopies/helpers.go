package scopecopies

import (
	"bytes"
	_ "embed"
	"go/format"
	"go/token"
	"path"
	"strings"
	"text/template"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

//go:embed helpers.go.tmpl
var helpersText string

var helpersTemplate = template.Must(template.New("helpers").Parse(helpersText))

// writeHelpers writes the package with what the two scopes do differently, if the settings name
// one. A generation has one package with its types.
func (c *copier) writeHelpers() {
	folder := c.pair.Helpers
	if folder.Text == "" {
		return
	}
	if !isFolder(folder.Text) || !token.IsIdentifier(path.Base(folder.Text)) {
		c.report(diag.Errorf(folder.Pos, codeScope, "%s is not the path of a folder for a package below the module root: write it as internal/scope", folder.Text))
		return
	}
	var out bytes.Buffer
	err := helpersTemplate.Execute(&out, struct {
		Header, Package string
		Types           flavor.Import
	}{strings.TrimLeft(c.opts.Header+"\n\n", "\n") + artifact.GoHeader, path.Base(folder.Text), c.types})
	content, formatErr := format.Source(out.Bytes())
	if err != nil || formatErr != nil {
		c.report(diag.Errorf(folder.Pos, codeScope, "%s", diag.Internal("the helpers of both scopes do not parse")))
		return
	}
	c.files[path.Join(folder.Text, modules.CopyPrefix+"secrets.go")] = &modules.Copy{Source: c.pair.Folders.From.Text + "/", Setting: folder.Pos, Content: content}
}
