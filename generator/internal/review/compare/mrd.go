package compare

import (
	"context"
	_ "embed" // of the rules
	"encoding/json"
	"strings"
	"sync"

	"sigs.k8s.io/yaml"

	"github.com/mrgen-io/mrgen/generator/internal/apiserver"
)

//go:embed mrd.yaml
var mrdRules []byte

// mrdValidator judges updates of MRDs.
var mrdValidator = sync.OnceValues(func() (*apiserver.ObjectValidator, error) {
	var rules props
	if err := yaml.UnmarshalStrict(mrdRules, &rules); err != nil {
		return nil, err
	}
	return apiserver.NewObjectValidator(&rules)
})

// mrdRefusals returns the reasons for which Crossplane's CRD of MRDs refuses an update from old to new.
func mrdRefusals(ctx context.Context, old, new Definition) ([]apiserver.Refusal, error) {
	validator, err := mrdValidator()
	if err != nil {
		return nil, err
	}
	refusals := validator.UpdateRefusals(ctx, mrd(new), mrd(old), true)
	for i := range refusals {
		refusals[i].Field = strings.TrimPrefix(refusals[i].Field, "spec.")
	}
	return refusals, nil
}

// mrd returns an MRD as an object.
func mrd(d Definition) map[string]any {
	encoded, _ := json.Marshal(d.CRD.Spec.Names) // which consists of texts
	state := d.State
	if state == "" { // the CRD's default
		state = "Inactive"
	}
	return map[string]any{"spec": map[string]any{
		"group": d.CRD.Spec.Group, "names": decode(encoded), "scope": string(d.CRD.Spec.Scope), "state": state,
	}}
}
