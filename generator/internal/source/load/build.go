package load

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// compilerError is a line of the compiler, with the file relative to the folder that it runs in. Where it gives the whole
// path, which is then shorter, the file is in a folder for temporary ones.
var compilerError = regexp.MustCompile(`(?m)^([^\s:#/][^:\n]*\.go):(\d+):(\d+): (.+)$`)

// Build compiles packages of the module in a folder, together with the files that a run writes, by their paths relative
// to the module root. It returns the compiler's errors. It returns nothing if the go command can't compile for another
// reason.
func (p *Program) Build(ctx context.Context, home string, importPaths []string, files map[string][]byte) (diag.List, error) {
	overlay := maps.Clone(p.Scope.Overlay)
	for name, content := range files {
		if path.Ext(name) == ".go" {
			overlay[p.Scope.Abs(name)] = content
		}
	}
	flag, remove, err := writeOverlay(overlay)
	if err != nil {
		return nil, err
	}
	defer remove()
	command := exec.CommandContext(ctx, "go",
		append([]string{"build", flag, "-gcflags=-e", "-buildvcs=false", "-o", os.DevNull}, importPaths...)...)
	command.Dir = p.Scope.Abs(home)
	output, _ := command.CombinedOutput() // an error only repeats the compiler's
	var diags diag.List
	for _, match := range compilerError.FindAllStringSubmatch(string(output), -1) {
		line, _ := strconv.Atoi(match[2]) // digits
		column, _ := strconv.Atoi(match[3])
		at := diag.Position{File: path.Join(home, strings.TrimPrefix(filepath.ToSlash(match[1]), "./")), Line: line, Column: column}
		if InModule(at.File) { // the author can't edit files of mrgen, which the compiler reads elsewhere, or other modules
			diags = append(diags, diag.Errorf(at, codeBuild, "%s", match[4]))
		}
	}
	return diags, ctx.Err()
}

// codeBuild is for code that doesn't compile.
const codeBuild diag.Code = "compile"
