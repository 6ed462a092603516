package fixes

import (
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func TestWithArticle(t *testing.T) {
	for kind, want := range map[string]string{
		"VPC": "a VPC", "Subnet": "a Subnet", "Address": "an Address", "IAMRole": "an IAMRole", "SNSTopic": "an SNSTopic",
		"User": "a User", "Instance": "an Instance", "A": "an A",
	} {
		expect.Equal(t, want, withArticle(kind))
	}
}
