package forms

type Plain struct{ Value string }
type Closed struct {
	Value string
	set   bool
}
type Flagged struct {
	Value string
	Valid bool
}
type Asked struct {
	Value string
	Null  bool
}
type Counted struct {
	Value string
	Count int
}
type Three struct {
	Value string
	Valid bool
	Note  string
}
type Generic[T any] struct {
	Value         T
	Null, Present bool
	Raw           any
}
type Text = Generic[string]
type Elsewhere[T any] struct {
	Value   string
	Present bool
	Raw     any
}
type Other = Elsewhere[int]
type Getter struct{ v string }

func (Getter) Get() string
func (*Getter) Set(v string)

type Asking struct{ v string }

func (Asking) Get() (string, bool)
func (*Asking) Set(v string) (changed bool)

type Failing struct{ v string }

func (Failing) Get() (string, error)
func (*Failing) Set(v string) error

type Taking struct{ v string }

func (Taking) Get(key string) string
func (*Taking) Set(v ...string)

type Two struct{ v string }

func (Two) Get() (string, string, bool)
func (*Two) Set(v, w string)

type Empty struct{}
type Open struct{ Name string }

func (Open) Get() string
func (*Open) Set(v string)
