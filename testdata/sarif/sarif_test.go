package sarif

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // which has the schema, as a constant
	"github.com/xeipuuv/gojsonschema"
)

// TestLog holds that the log of mrgen lint follows the schema of SARIF 2.1.0, which knows all
// that is in it.
func TestLog(t *testing.T) {
	program := filepath.Join(t.TempDir(), "mrgen")
	build := exec.Command("go", "build", "-o", program, "./cmd/mrgen")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lint := exec.Command(program, "lint", "-o", "sarif")
	lint.Dir = filepath.Join("..", "provider-rules")
	log, err := lint.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatal(err)
	}
	if !strings.Contains(string(log), `"ruleId"`) {
		t.Error("the log has no results")
	}
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema(t)), gojsonschema.NewBytesLoader(log))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range result.Errors() {
		t.Error(problem)
	}
}

// schema returns the schema that the module of go-sarif has in an unexported constant.
func schema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go")
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(parsed, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && len(literal.Value) > len(text) {
			text = literal.Value
		}
		return true
	})
	if text, err = strconv.Unquote(text); err != nil {
		t.Fatal(err)
	}
	return text
}
