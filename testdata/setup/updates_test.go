package setup

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource/fake"
)

var errBroken = errors.New("the API is broken")

// TestKeepObserved checks that the observed values of some fields, and no others, are kept.
func TestKeepObserved(t *testing.T) {
	type inner struct {
		Zone *string `json:"zone,omitempty"`
		Size int64   `json:"size,omitempty"`
	}
	type state struct {
		Size  int64   `json:"size,omitempty"`
		Inner *inner  `json:"inner,omitempty"`
		Disks []inner `json:"disks,omitempty"`
	}
	a, b := "a", "b"
	desired := state{Size: 2, Inner: &inner{Zone: &a, Size: 2}, Disks: []inner{{Zone: &a}}}
	observed := state{Size: 1, Inner: &inner{Zone: &b, Size: 1}, Disks: []inner{{Zone: &b, Size: 1}}}
	for name, tc := range map[string]struct {
		paths    []string
		observed state
		want     state
	}{
		"None":   {observed: observed, want: desired},
		"Field":  {paths: []string{"inner.zone"}, observed: observed, want: state{Size: 2, Inner: &inner{Zone: &b, Size: 2}, Disks: desired.Disks}},
		"Item":   {paths: []string{"disks[0].zone"}, observed: observed, want: state{Size: 2, Inner: desired.Inner, Disks: observed.Disks}},
		"Absent": {paths: []string{"inner.zone", "disks"}, observed: state{Size: 1}, want: state{Size: 2, Inner: &inner{Size: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := KeepObserved(desired, &tc.observed, tc.paths)
			if err != nil || !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, tc.want)
			}
		})
	}
	if _, err := KeepObserved(desired, &state{}, nil); err == nil || !strings.Contains(err.Error(), "kept nothing") {
		t.Errorf("got the error %v if nothing was observed", err)
	}
	if *desired.Inner.Zone != "a" {
		t.Error("the desired state has changed")
	}
}

// TestImmutableError checks that the harmless way comes first.
func TestImmutableError(t *testing.T) {
	if err := ImmutableError(nil); err != nil {
		t.Errorf("without fields, got the error %v", err)
	}
	err := ImmutableError([]string{"zone"})
	if text := err.Error(); !strings.HasPrefix(text, "zone ") || strings.Index(text, "[Observe]") > strings.Index(text, "destroys") {
		t.Errorf("got the error %v", err)
	}
}

// TestReportUpdates checks after which updates there is an error.
func TestReportUpdates(t *testing.T) {
	const differs, equal, edited, broken = "differs", "equal", "edited", "broken"
	for name, tc := range map[string]struct {
		steps []string
		err   string
	}{
		"Late":    {steps: []string{differs, differs}},
		"Forever": {steps: []string{differs, differs, differs}, err: "the external resource differs in spite of updates: size"},
		"Equal":   {steps: []string{differs, differs, equal, differs}},
		"Edited":  {steps: []string{differs, differs, edited, differs}},
		"Broken":  {steps: []string{broken}, err: errBroken.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			mg := &fake.ModernManaged{}
			var step string
			connector := ReportUpdates(managed.TypedExternalConnectorFn[resource.Managed](func(context.Context, resource.Managed) (managed.TypedExternalClient[resource.Managed], error) {
				return &managed.ExternalClientFns{
					ObserveFn: func(context.Context, resource.Managed) (managed.ExternalObservation, error) {
						return managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: step == equal, Diff: "size"}, nil
					},
					UpdateFn: func(context.Context, resource.Managed) (managed.ExternalUpdate, error) {
						if step == broken {
							return managed.ExternalUpdate{}, errBroken
						}
						return managed.ExternalUpdate{}, nil
					},
				}, nil
			}))
			var err error
			for _, step = range tc.steps {
				if step == edited {
					mg.SetGeneration(mg.GetGeneration() + 1)
					continue
				}
				client, connectErr := connector.Connect(context.Background(), mg)
				if connectErr != nil {
					t.Fatal(connectErr)
				}
				observation, observeErr := client.Observe(context.Background(), mg)
				if observeErr != nil {
					t.Fatal(observeErr)
				}
				if !observation.ResourceUpToDate {
					_, err = client.Update(context.Background(), mg)
				}
			}
			if (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("got the error %v, want %q", err, tc.err)
			}
		})
	}
	failing := ReportUpdates(managed.TypedExternalConnectorFn[resource.Managed](func(context.Context, resource.Managed) (managed.TypedExternalClient[resource.Managed], error) {
		return nil, errBroken
	}))
	if _, err := failing.Connect(context.Background(), &fake.ModernManaged{}); !errors.Is(err, errBroken) {
		t.Errorf("got the error %v", err)
	}
}
