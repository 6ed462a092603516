package build

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
type Shadowed struct {
	Own
	MarshalJSON string
}
type Other struct{ Redefined }

func (Other) String() string { return "" }

type Map map[string]Own
type Interface interface{ Marshaler }
