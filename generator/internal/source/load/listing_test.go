package load

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestGoEnvironment(t *testing.T) {
	for _, test := range []struct{ environ, want []string }{
		{[]string{"HOME=/home/a"}, []string{"HOME=/home/a", "GOGC=400"}},
		{[]string{"GOGC=50", "HOME=/home/a"}, []string{"GOGC=50", "HOME=/home/a"}},
		{[]string{"GOGCX=50"}, []string{"GOGCX=50", "GOGC=400"}},
	} {
		expect.Equal(t, test.want, Environment(test.environ), "%v", test.environ)
	}
}
