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

// TestLog holds that the logs of mrgen lint, and of verify where files are out of date and where
// something is wrong, follow the schema of SARIF 2.1.0, which knows all that is in them.
func TestLog(t *testing.T) {
	program := filepath.Join(t.TempDir(), "mrgen")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/mrgen")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, test := range []struct {
		has       string
		arguments []string
	}{
		{"optional-fields", []string{"lint"}},
		{"out-of-date", []string{"verify", "--lint", "--crd-dir=package/others"}},
		{"package-pattern", []string{"verify", "./nowhere"}},
	} {
		command := exec.Command(program, append(test.arguments, "-o", "sarif")...)
		command.Dir = filepath.Join("..", "provider-rules")
		log, err := command.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if !strings.Contains(string(log), `"ruleId": "`+test.has+`"`) {
			t.Errorf("the log of %v has no %s", test.arguments, test.has)
		}
		result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema(t)), gojsonschema.NewBytesLoader(log))
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range result.Errors() {
			t.Errorf("%v: %s", test.arguments, problem)
		}
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
