package controllers

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// A class says what a function outside the module does with its arguments.
type class uint8

const (
	// quiet functions make values of others, or change what they are given.
	quiet class = iota
	// sends is for clients and whatever else leaves the process, and unknown for function values.
	sends
	unknown
	// compares is for comparisons.
	compares
	// ignored functions do nothing that matters here, such as logging.
	ignored
)

const runtimePath = "crossplane-runtime"

// isRuntime reports whether a package belongs to crossplane-runtime.
func isRuntime(path string) bool { return strings.Contains(path, runtimePath) }

// talking are packages of Go that send what they are given.
var talking = []string{"net", "net/http", "net/smtp", "net/rpc", "os", "os/exec", "database/sql"}

// quietPackages are the beginnings of paths of packages that send nothing.
var quietPackages = []string{
	"k8s.io/", "sigs.k8s.io/", "github.com/crossplane/" + runtimePath, "github.com/google/go-cmp", "github.com/pkg/errors",
	"github.com/go-logr/", "go.uber.org/", "github.com/google/uuid", "github.com/prometheus/", "golang.org/x/", "github.com/mitchellh/copystructure",
	"github.com/evanphx/json-patch", "gopkg.in/yaml", "go.yaml.in/", "github.com/stretchr/", "github.com/samber/lo", "github.com/imdario/mergo", "dario.cat/mergo",
	"github.com/jinzhu/copier", "github.com/crossplane/crossplane/",
}

// isQuiet reports whether a package sends nothing by itself.
func isQuiet(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return !slices.Contains(talking, path)
	}
	return slices.ContainsFunc(quietPackages, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}

// classOf returns what a function outside the module does.
func classOf(call *ssa.CallCommon) class {
	path, name := packageCalled(call), fullName(call)
	switch {
	case path == "":
		if call.IsInvoke() { // error.Error
			return quiet
		}
		return unknown
	case isRuntime(path) && (strings.HasSuffix(path, "/logging") || strings.HasSuffix(path, "/event")), strings.HasPrefix(path, "github.com/go-logr/"),
		path == "log", path == "log/slog", strings.HasPrefix(path, "go.uber.org/zap"), name == "reflect.TypeOf":
		return ignored
	case strings.Contains(path, "controller-runtime/pkg/client") && writesObjects(call):
		return sends
	case isQuiet(path):
		results := call.Signature().Results()
		if f, ok := call.Value.(*ssa.Function); ok {
			results = genericOf(f).Signature.Results() // ptr.Deref returns what it is given
		}
		if results.Len() > 0 && isBool(results.At(0).Type()) || name == "github.com/google/go-cmp/cmp.Diff" {
			return compares
		}
		return quiet
	case isHelper(call):
		return quiet
	default:
		return sends
	}
}

// writesObjects reports whether a call of a Kubernetes client writes an object.
func writesObjects(call *ssa.CallCommon) bool {
	if !call.IsInvoke() {
		return false
	}
	switch call.Method.Name() {
	case "Create", "Update", "Patch", "Delete", "Apply", "DeleteAllOf":
		return true
	}
	return false
}

// isHelper reports whether a function outside the module only turns simple values into others, as those
// for pointers to constants do.
func isHelper(call *ssa.CallCommon) bool {
	s := call.Signature()
	if call.IsInvoke() || s.Recv() != nil || s.Results().Len() == 0 {
		return false
	}
	if f, ok := call.Value.(*ssa.Function); ok && genericOf(f).Signature.TypeParams().Len() > 0 {
		s = genericOf(f).Signature
	}
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range tuple.Variables() {
			if !isSimple(v.Type()) {
				return false
			}
		}
	}
	return true
}

// isSimple reports whether a type is basic, or one of pointers, lists and maps of those.
func isSimple(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic, *types.TypeParam:
		return true
	case *types.Pointer:
		return isSimple(t.Elem())
	case *types.Slice:
		return isSimple(t.Elem())
	case *types.Map:
		return isSimple(t.Key()) && isSimple(t.Elem())
	case *types.Named:
		_, isBasic := t.Underlying().(*types.Basic)
		return isBasic || gotypes.IsDeclaredIn(t, "time", "Time")
	}
	return false
}
