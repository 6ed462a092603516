package fixes

import "testing"

func TestWithArticle(t *testing.T) {
	for kind, want := range map[string]string{
		"VPC": "a VPC", "Subnet": "a Subnet", "Address": "an Address", "IAMRole": "an IAMRole", "SNSTopic": "an SNSTopic",
		"User": "a User", "Instance": "an Instance", "A": "an A",
	} {
		if got := withArticle(kind); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
