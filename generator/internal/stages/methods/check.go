package methods

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
)

const codeMethods diag.Code = "methods"

// check reports an object that would lack methods which the module's crossplane-runtime requires.
func check(o *model.Object, runtimes map[string]*model.Runtime) diag.List {
	g := o.Generation
	// Without the runtime's source, nothing is known about its interfaces.
	if g == nil || o.SkipMethods || runtimes[g.Resource.Path] == nil {
		return nil
	}
	runtime, name, written := runtimes[g.Resource.Path], g.Interface, map[string]string{}
	if o.List {
		name, written = g.Item+"List", map[string]string{getItems: "[]" + g.Item}
	} else {
		for _, m := range g.Methods {
			if _, isWritten := subject(o, m); isWritten {
				written[m.Name] = valueType(m)
			}
		}
	}
	var missing []string
	for _, method := range slices.Sorted(maps.Keys(runtime.Interfaces[name])) {
		if asked := runtime.Interfaces[name][method]; !o.Methods[method] && written[method] != asked {
			missing = append(missing, fmt.Sprintf("%s (%s)", method, asked))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return diag.List{diag.Errorf(o.Pos, codeMethods,
		"%s is not a resource.%s of crossplane-runtime %s, which has unknown methods: %s: update mrgen, write them, or mark the type +crossplane:generate:methods=false",
		o.Name, name, cmp.Or(runtime.Version, "as it is required here"), strings.Join(missing, ", "))}
}

// valueType returns the type that a method returns or takes, in the form of [model.Runtime].
func valueType(m flavor.Method) string {
	switch {
	case m.Shape == flavor.ConditionGetter:
		return "Condition"
	case m.Shape == flavor.ConditionSetter:
		return "...Condition"
	case m.Pointer:
		return "*" + m.Type
	default:
		return m.Type
	}
}
