package goedit

import "testing"

// TestRemoveUses holds that all that a package has in lists goes with its import, and nothing else.
func TestRemoveUses(t *testing.T) {
	for name, test := range map[string]struct{ before, after string }{
		"lines": {
			"package p\n\nimport (\n\t\"x/a\"\n\tb \"x/gone\"\n)\n\nvar l = []any{\n\ta.Add,\n\tb.Builder.Add, // registers b\n}\n",
			"package p\n\nimport (\n\t\"x/a\"\n)\n\nvar l = []any{\n\ta.Add,\n}\n",
		},
		"one line": {
			"package p\n\nimport (\n\t\"x/a\"\n\t\"x/gone\"\n)\n\nvar l = []any{a.Add, gone.Add, a.Sub}\n",
			"package p\n\nimport (\n\t\"x/a\"\n)\n\nvar l = []any{a.Add, a.Sub}\n",
		},
		"last of a call": {
			"package p\n\nimport (\n\t\"x/a\"\n\t\"x/gone\"\n)\n\nfunc init() { l = append(l, a.Add, gone.Add) }\n",
			"package p\n\nimport (\n\t\"x/a\"\n)\n\nfunc init() { l = append(l, a.Add) }\n",
		},
		"line breaks of Windows": {
			"package p\r\n\r\nimport (\r\n\t\"x/a\"\r\n\t\"x/gone\"\r\n)\r\n\r\nvar l = []any{\r\n\ta.Add,\r\n\tgone.Add,\r\n}\r\n",
			"package p\r\n\r\nimport (\r\n\t\"x/a\"\r\n)\r\n\r\nvar l = []any{\r\n\ta.Add,\r\n}\r\n",
		},
		"not there": {"package p\n\nimport \"x/a\"\n\nvar l = []any{a.Add}\n", "package p\n\nimport \"x/a\"\n\nvar l = []any{a.Add}\n"},
	} {
		f, err := Parse(t.TempDir(), "p.go", []byte(test.before))
		if err != nil {
			t.Fatal(err)
		}
		if removed := f.RemoveUses("x/gone"); removed != (test.before != test.after) {
			t.Errorf("%s: RemoveUses returns %v", name, removed)
		}
		if got, err := f.Edited(); err != nil || string(got) != test.after {
			t.Errorf("%s: got (%v)\n%s\nwant\n%s", name, err, got, test.after)
		}
	}
}
