package combinations_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// pool are JSON values that know nothing of any schema.
const pool = `null true false 0 1 -1 2 3 4 5 8 10 127 128 255 256 300 420 644 32768 65536 70000
2147483647 2147483648 3000000000 -3000000000 4294967296 9223372036854775807 1.5
"" "a" "b" "x" "1" "3" "abc" "xyz" "abcdef" "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" "A" "1h" "5m" "60s" "1d" "1000m" "-5" "true" "1Gi" "YWJj"
"2024-01-02T03:04:05Z" "2024-01-02T03:04:05.000000Z" "2024-01-02T03:04:05+01:00" "2024-01-02" "\"abc\"" "10.0.0.1" "9300000000000000000"
[] ["a"] ["a","b"] ["a","b","c"] ["a","a"] [1] [2,3] [300] [null] [["a"]] [["a","b"],[]] [{}] [{"n":"a"}] [{"n":"a"},{"n":"b"}] [{"n":"a"},{"n":"a"}]
{} {"a":"x"} {"b":"y"} {"b":5} {"b":300} {"a":"x","b":5} {"e":"y"} {"a":1} {"a":3000000000} {"a":null} {"a":{}} {"a":{"n":"x"}} {"a":["b"]} {"1":"b"}
{"n":"x"} {"v":"x"} {"AbC":"x"} {"cpu":"1"} {"cpu":"x"} {"cpu":"1000m"} {"limits":{"cpu":"1"}} {"limits":{"cpu":"x"}} {"limits":{"cpu":"1000m"}}
{"name":"a","key":"b"} {"key":"b"} {"name":"a"} {"matchLabels":{"a":"b"}} {"apiVersion":"v1","kind":"A"} {"a":"x","r":[{"a":"y","r":[{"a":3}]}]}`

// values returns the pool, with a text that has spaces.
func values(t testing.TB) []any {
	t.Helper()
	all := []any{"1 day", "A b"}
	for word := range strings.FieldsSeq(pool) {
		all = append(all, parsed(t, word))
	}
	return all
}

// parsed returns a JSON value with int64 for whole numbers, as the API server has it.
func parsed(t testing.TB, content string) any {
	t.Helper()
	object := map[string]any{}
	err := json.Unmarshal([]byte(`{"v":`+content+`}`), &object)
	expect.Must(t, err == nil, "%s: %v", content, err)
	return object["v"]
}
