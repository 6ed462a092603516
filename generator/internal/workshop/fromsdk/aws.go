package fromsdk

import (
	"go/types"
	"os"
	"regexp"
	"slices"

	"github.com/mrgen-io/mrgen/generator/internal/gotypes"
)

// AWS is how tests make a client of AWS.
type AWS struct {
	// Package is the name of the service's package, and Core that of the package with credentials, "" if there is none.
	Package, Core string
	// Protocol makes a protocol with JSON, "" if the service has one.
	Protocol string
}

// protocols is the folder of packages that clients of AWS speak with.
const protocols = "github.com/aws/smithy-go/transport/http/protocol/"

// isAWS reports whether the SDK is made as those of AWS are: its clients have options with an endpoint.
func (r *reader) isAWS() bool {
	options, _ := r.pkg.Types.Scope().Lookup("Options").(*types.TypeName)
	return options != nil && hasField(gotypes.StructOf(options.Type()), "BaseEndpoint")
}

// aws returns how tests make a client.
func (r *reader) aws() *AWS {
	a := &AWS{Package: r.qualify(r.pkg.Types)}
	if core := r.pkg.Imports["github.com/aws/aws-sdk-go-v2/aws"]; core != nil {
		a.Core = r.qualify(core.Types)
	}
	schemas := r.pkg.Imports[r.pkg.PkgPath+"/schemas"]
	if schemas == nil || r.pkg.Imports[protocols+"awsjson"] != nil || r.pkg.Imports[protocols+"restjson1"] != nil {
		return a
	}
	for _, service := range exported[*types.Var](schemas.Types) {
		if gotypes.IsDeclaredIn(gotypes.Deref(service.Type()), "github.com/aws/smithy-go", "ServiceSchema") {
			a.Protocol = r.qualify(types.NewPackage(protocols+"awsjson", "awsjson")) + ".New11(" + r.qualify(schemas.Types) + "." + service.Name() + ")"
		}
	}
	return a
}

// awsEnvelopes returns the fields of answers that have the object, with [] after a list.
func (r *reader) awsEnvelopes(c *calls) (all []string) {
	ways := [][]*types.Var{c.getObject, c.createObject}
	if c.createObject == nil {
		ways[1] = r.keyIn(c)
	}
	for _, way := range ways {
		switch {
		case len(way) < 2, len(way) == 2 && isKey(way[1].Type()):
		case isList(way[1].Type()):
			all = append(all, way[1].Name()+"[]")
		default:
			all = append(all, way[1].Name())
		}
	}
	return slices.Compact(all)
}

// awaitsError matches the error that ends waiting for an absent object, in the source of an operation of AWS.
var awaitsError = regexp.MustCompile(`errorType \*types\.(\w+)|"(\w+)" == apiErr`)

// awaited returns the start of the name of the error for an absent object, by the waiters beside the method that reads the object;
// "" if none ends with one.
func (r *reader) awaited(m *method) string {
	text, _ := os.ReadFile(r.pkg.Fset.Position(m.object.Pos()).Filename)
	for _, match := range awaitsError.FindAllStringSubmatch(string(text), -1) {
		if name := match[1] + match[2]; saysNotFound.MatchString(name) {
			return name
		}
	}
	return ""
}
