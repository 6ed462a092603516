package controllertools

import (
	"fmt"
	"reflect"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/mrgen-io/mrgen/markers"
)

// A presence is the value of a marker without arguments. It replaces controller-tools' empty struct, for which a scanner
// with a kilobyte of memory looks for arguments. Most fields are +optional. A value that parses itself needs no scanner.
type presence struct{}

// ParseMarker is called with the marker's name, up to the last colon and as a whole, and with the text after the equals
// sign.
func (presence) ParseMarker(_, _, arguments string) error {
	if arguments == "" {
		return nil
	}
	// The error must be controller-tools' own.
	_, err := extraArguments.Parse("+optional=" + arguments)
	return err
}

// extraArguments is a marker without arguments, as controller-tools defines it.
var extraArguments = &ctmarkers.Definition{Name: markers.Optional, Output: reflect.TypeFor[struct{}]()}

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
