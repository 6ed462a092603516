package load

import (
	"fmt"
	"reflect"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/markers"
)

// A presence is the value of a marker without arguments, in place of the struct without
// fields that controller-tools has for it. What such a marker is worth is that it is
// there; but controller-tools makes a scanner with a kilobyte of memory to look for
// arguments, and most fields are +optional. It asks a value that can parse itself.
type presence struct{}

// ParseMarker is called with the marker's name, its name if what follows the last colon
// belongs to it, and what follows the equals sign.
func (presence) ParseMarker(_, _, arguments string) error {
	if arguments == "" {
		return nil
	}
	// What is wrong with arguments is for controller-tools to say.
	_, err := extraArguments.Parse("+optional=" + arguments)
	return err
}

// extraArguments has no arguments, and says what controller-tools says if there are any.
var extraArguments = &ctmarkers.Definition{Name: markers.Optional, Target: ctmarkers.DescribesField, Output: reflect.TypeFor[struct{}]()}

// registerPresences replaces the definitions of markers without arguments.
func registerPresences(registry *ctmarkers.Registry) error {
	for _, definition := range registry.AllDefinitions() {
		if definition.Output != extraArguments.Output {
			continue
		}
		quick := *definition
		quick.Output = reflect.TypeFor[presence]()
		if err := registry.Register(&quick); err != nil {
			return fmt.Errorf("register the marker +%s: %w", definition.Name, err)
		}
	}
	return nil
}
