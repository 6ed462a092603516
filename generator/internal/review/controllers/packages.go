package controllers

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A class says what a function outside the module does with its arguments.
type class uint8

const (
	// quiet functions make values of others, or change what they are given.
	quiet class = iota
	// sends is for clients and other functions that leave the process.
	sends
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
	"github.com/go-logr/", "go.uber.org/", "github.com/google/uuid", "github.com/prometheus/", "golang.org/x/",
	"github.com/mitchellh/copystructure", "github.com/evanphx/json-patch", "gopkg.in/yaml", "go.yaml.in/", "github.com/stretchr/",
	"github.com/samber/lo", "github.com/imdario/mergo", "dario.cat/mergo", "github.com/jinzhu/copier", "github.com/crossplane/crossplane/",
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
	case logging.MatchString(path), name == "reflect.TypeOf":
		return ignored
	case !isQuiet(path):
		return sends
	case saysYesOrNo(call), name == "github.com/google/go-cmp/cmp.Diff":
		return compares
	default:
		return quiet
	}
}

// logging matches packages whose functions only tell what happens.
var logging = regexp.MustCompile("^(log|log/slog|github.com/go-logr/.*|go.uber.org/zap.*|.*/" + runtimePath + "/.*/(logging|event))$")

// saysYesOrNo reports whether a function returns a bool, other than one that it is given, as ptr.Deref does.
func saysYesOrNo(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	if f, ok := call.Value.(*ssa.Function); ok {
		results = genericOf(f).Signature.Results()
	}
	return results.Len() > 0 && isBool(results.At(0).Type())
}
