package expect

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// recorder notes how a test fails.
type recorder struct {
	testing.TB
	said []string
}

func (*recorder) Helper() {}

func (r *recorder) Fatal(args ...any) { r.said = append(r.said, "ends: "+fmt.Sprint(args...)) }

func (r *recorder) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

func (r *recorder) Errorf(format string, args ...any) {
	line, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	r.said = append(r.said, line)
}

// TestFailures holds that tests fail, and that they don't.
func TestFailures(t *testing.T) {
	r := &recorder{TB: t}
	NoError(r, nil)
	Equal(t, 3, Value(3, nil)(r))
	Equal(r, []string{"a"}, []string{"a"})
	None(r, []string{})
	NoError(r, errors.New("no"))
	Value(0, errors.New("none"))(r)
	None(r, []string{"a"})
	True(r, true, "holds")
	Must(r, true, "holds")
	True(r, false, "%d of %d", 1, 2)
	Must(r, false, "%d of %d", 2, 2)
	Equal(r, 1, 2)
	Equal(r, nil, []string{}, "%s of %d", "places", 3)
	Equal(t, []string{"ends: no", "ends: none", "ends: [a]", "1 of 2", "ends: 2 of 2", "(-want +got):", "places of 3 (-want +got):"}, r.said)
}

// TestStrings holds that elements keep their sequence.
func TestStrings(t *testing.T) {
	Equal(t, []string{"2s", "1s"}, Strings([]time.Duration{2 * time.Second, time.Second}))
	Equal(t, []string(nil), Strings([]time.Duration{}))
}
