package controllertools

import (
	"fmt"
	"testing"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"
)

// TestPresences makes sure that markers without arguments are read as controller-tools
// reads them.
func TestPresences(t *testing.T) {
	want, got := &ctmarkers.Registry{}, &ctmarkers.Registry{}
	for _, registry := range []*ctmarkers.Registry{want, got} {
		if err := registerMarkers(registry); err != nil {
			t.Fatal(err)
		}
	}
	if err := registerPresences(got); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"+optional", "+optional=", "+optional=true", "+optional=a,b", "+optional=\"", "+optional:true", "+optional:a=b", "+k8s:optional", "+kubebuilder:skip"} {
		for _, target := range []ctmarkers.TargetType{ctmarkers.DescribesPackage, ctmarkers.DescribesType, ctmarkers.DescribesField} {
			wantDefinition, gotDefinition := want.Lookup(text, target), got.Lookup(text, target)
			if (wantDefinition == nil) != (gotDefinition == nil) {
				t.Errorf("%s of a %s: defined %t", text, target, gotDefinition != nil)
			}
			if wantDefinition == nil || gotDefinition == nil {
				continue
			}
			_, wantErr := wantDefinition.Parse(text)
			value, err := gotDefinition.Parse(text)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s of a %s: got error %v, want %v", text, target, err, wantErr)
			}
			if _, isPresence := value.(presence); !isPresence {
				t.Errorf("%s of a %s: got %T", text, target, value)
			}
		}
	}
	if definition := got.Lookup("+kubebuilder:validation:Enum=a", ctmarkers.DescribesField); definition == nil {
		t.Error("no Enum")
	} else if value, err := definition.Parse("+kubebuilder:validation:Enum=a"); err != nil || fmt.Sprint(value) != "[a]" {
		t.Errorf("got %v, %v", value, err)
	}
}
