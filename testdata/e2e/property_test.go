package e2e_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/mrgen-io/mrgen/testdata/e2e/internal/cloud"
)

// TestProperty guards that all is at rest after each edit of a user, and of another controller.
func TestProperty(t *testing.T) {
	s := newScenario(t)
	vpc := s.create(`
apiVersion: ec2.m.aws.crossplane.io/v1beta1
kind: VPC
metadata:
  name: edited
spec:
  forProvider:
    region: REGION
    cidrBlock: 10.0.0.0/16
`)
	s.conditions(vpc, "Ready=True", "Synced=True")
	id := externalName(vpc)
	tag := func(key, value string) any { return map[string]any{"key": key, "value": value} }
	desk := desk{
		object: vpc,
		fields: map[string][]any{
			"tags":               {nil, []any{tag("a", "1")}, []any{tag("a", "1"), tag("b", "2")}, []any{tag("b", "2"), tag("a", "3")}},
			"enableDnsSupport":   {nil, true, false},
			"enableDnsHostNames": {nil, true, false},
		},
		external: func() map[string]any { return sky.Get(s.region, cloud.VPCs, id) },
		updates:  func() int { return len(sky.Changes(s.region)) - 1 }, // all but the creation
	}
	s.edit(desk, 6)

	sky.Set(s.region, cloud.VPCs, id, cloud.Document{"tags": []any{tag("other", "yes")}, "enableDnsSupport": false})
	s.comesToRest(desk, "another controller changes all of it")

	s.change(vpc, `{"spec": {"managementPolicies": ["Observe"]}}`)
	sky.Set(s.region, cloud.VPCs, id, cloud.Document{"tags": []any{tag("other", "yes")}})
	updates, generation := desk.updates(), vpc.GetGeneration()
	s.remains(vpc, func() error {
		return errors.Join(is("the updates", desk.updates(), updates), is("the generation", vpc.GetGeneration(), generation))
	})
	s.change(vpc, `{"spec": {"managementPolicies": ["*"]}}`)
	s.comesToRest(desk, "the resource is managed again")
	s.edit(desk, 2)
}

// A desk is what a user looks at.
type desk struct {
	object *unstructured.Unstructured
	// fields have values that the user may give them in spec.forProvider, nil if that may be none.
	fields map[string][]any
	// external returns the external resource, and updates how often it was updated.
	external func() map[string]any
	updates  func() int
}

// edit has a user set and remove fields at random, and waits for rest each time.
func (s *scenario) edit(d desk, times int) {
	s.Helper()
	r := rand.New(rand.NewPCG(38, uint64(times)))
	for range times {
		name := slices.Sorted(maps.Keys(d.fields))[r.IntN(len(d.fields))]
		value := d.fields[name][r.IntN(len(d.fields[name]))]
		patch, err := json.Marshal(map[string]any{"spec": map[string]any{"forProvider": map[string]any{name: value}}})
		if err != nil {
			s.Fatal(err)
		}
		before := d.updates()
		s.change(d.object, string(patch))
		generation := d.object.GetGeneration()
		s.comesToRest(d, string(patch))
		if filled := d.object.GetGeneration() - generation; filled > 1 {
			s.Errorf("after %s: spec is changed %d times", patch, filled)
		}
		if updates := d.updates() - before; updates > 1 {
			s.Errorf("after %s: %d updates", patch, updates)
		}
		if value != nil {
			if err := is(name, field(d.object, "spec.forProvider."+name), value); err != nil {
				s.Errorf("after %s: %v", patch, err)
			}
		}
	}
}

// comesToRest waits until the external resource has all that spec.forProvider sets, and checks that
// nothing changes any more.
func (s *scenario) comesToRest(d desk, after string) {
	s.Helper()
	agrees := func() error {
		_, err := hasConditions(d.object, "Synced=True")
		external := d.external()
		for name := range d.fields {
			if desired := field(d.object, "spec.forProvider."+name); desired != nil {
				err = errors.Join(err, is(name, external[name], desired))
			}
		}
		return err
	}
	s.eventually(d.object, "at rest after "+after, agrees)
	time.Sleep(2 * time.Second) // late initialization has its turn
	s.eventually(d.object, "at rest after "+after, agrees)
	updates, generation := d.updates(), d.object.GetGeneration()
	s.remains(d.object, func() error {
		if err := errors.Join(agrees(), is("the updates", d.updates(), updates), is("the generation", d.object.GetGeneration(), generation)); err != nil {
			return fmt.Errorf("after %s: %w", after, err)
		}
		return nil
	})
}
