package load

import (
	"slices"
	"testing"
)

func TestGoEnvironment(t *testing.T) {
	for _, test := range []struct{ environ, want []string }{
		{[]string{"HOME=/home/a"}, []string{"HOME=/home/a", "GOGC=400"}},
		{[]string{"GOGC=50", "HOME=/home/a"}, []string{"GOGC=50", "HOME=/home/a"}},
		{[]string{"GOGCX=50"}, []string{"GOGCX=50", "GOGC=400"}},
	} {
		if got := Environment(test.environ); !slices.Equal(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.environ, got, test.want)
		}
	}
}
