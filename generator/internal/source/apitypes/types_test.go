package apitypes

import (
	"go/types"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestHasMethod follows encoding/json: methods may be declared, or promoted.
func TestHasMethod(t *testing.T) {
	const source = `package build
type Own struct{}
func (Own) MarshalJSON() ([]byte, error) { return nil, nil }
type OnPointer string
func (*OnPointer) MarshalText() ([]byte, error) { return nil, nil }
type Promoted struct{ Own }
type Deeper struct{ *Promoted }
type Marshaler interface{ MarshalJSON() ([]byte, error) }
type FromInterface struct{ Marshaler }
type Generic[T any] struct{ value T }
func (Generic[T]) MarshalText() ([]byte, error) { return nil, nil }
type Instance struct{ Generic[int] }
type Redefined Own
type Field struct{ Own Own }
type Shadowed struct{ Own; MarshalJSON string }
type Other struct{ Redefined }
func (Other) String() string { return "" }
type Map map[string]Own
type Interface interface{ Marshaler }
`
	pkg := checked(t, source)
	for name, want := range map[string]bool{
		"Own": true, "OnPointer": true, "Promoted": true, "Deeper": true, "FromInterface": true, "Generic": true, "Instance": true,
		"Redefined": false, "Field": false, "Shadowed": false, "Other": false, "Map": false,
		"Interface": false, // go/types looks nothing up in pointers to interfaces
	} {
		expect.Equal(t, want, hasMethod(pkg.Scope().Lookup(name).Type().(*types.Named), "MarshalJSON", "MarshalText"), "%s", name)
	}
}
