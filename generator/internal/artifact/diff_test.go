package artifact

import (
	"testing"

	"github.com/mrgen-io/mrgen/generator/run"
)

func TestDiff(t *testing.T) {
	tests := []struct {
		name    string
		changes []run.Change
		want    string
	}{
		{"nothing", nil, ""},
		{"unchanged", []run.Change{{Path: "a.go", Action: run.Unchanged, Old: []byte("1\n"), New: []byte("1\n")}}, ""},
		{
			"created, updated and deleted",
			[]run.Change{
				{Path: "a.go", Action: run.Create, New: []byte("1\n2\n")},
				{Path: "b/c.yaml", Action: run.Update, Old: []byte("1\n2\n3\n4\n5\n6\n"), New: []byte("1\n2\n3\n4\nfive\n6\n")},
				{Path: "d.go", Action: run.Delete, Old: []byte("1\n")},
			},
			`diff --git a/a.go b/a.go
new file mode 100644
--- /dev/null
+++ b/a.go
@@ -0,0 +1,2 @@
+1
+2
diff --git a/b/c.yaml b/b/c.yaml
--- a/b/c.yaml
+++ b/b/c.yaml
@@ -2,5 +2,5 @@
 2
 3
 4
-5
+five
 6
diff --git a/d.go b/d.go
deleted file mode 100644
--- a/d.go
+++ /dev/null
@@ -1,1 +0,0 @@
-1
`,
		},
		{
			"final line break added",
			[]run.Change{{Path: "a.go", Action: run.Update, Old: []byte("1"), New: []byte("1\n")}},
			`diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -1,1 +1,1 @@
-1
\ No newline at end of file
+1
`,
		},
		{
			"final line break removed",
			[]run.Change{{Path: "a.go", Action: run.Update, Old: []byte("1\n"), New: []byte("1")}},
			`diff --git a/a.go b/a.go
--- a/a.go
+++ b/a.go
@@ -1,1 +1,1 @@
-1
+1
\ No newline at end of file
`,
		},
		{
			"empty files",
			[]run.Change{
				{Path: "a.go", Action: run.Create, New: []byte{}},
				{Path: "b.go", Action: run.Delete, Old: []byte{}},
				{Path: "c.go", Action: run.Update, Old: []byte{}, New: []byte("1\n")},
			},
			`diff --git a/a.go b/a.go
new file mode 100644
diff --git a/b.go b/b.go
deleted file mode 100644
diff --git a/c.go b/c.go
--- a/c.go
+++ b/c.go
@@ -0,0 +1,1 @@
+1
`,
		},
		{
			"names with spaces, quotes and control characters",
			[]run.Change{
				{Path: "a b.go", Action: run.Create, New: []byte("1\n")},
				{Path: "größe\"\n\\.go", Action: run.Create, New: []byte("1\n")},
			},
			"diff --git a/a b.go b/a b.go\nnew file mode 100644\n--- /dev/null\n+++ b/a b.go\t\n@@ -0,0 +1,1 @@\n+1\n" +
				`diff --git "a/größe\042\012\134.go" "b/größe\042\012\134.go"` +
				"\nnew file mode 100644\n--- /dev/null\n" +
				`+++ "b/größe\042\012\134.go"` +
				"\n@@ -0,0 +1,1 @@\n+1\n",
		},
		{
			"text that looks like a diff",
			[]run.Change{{Path: "a.go", Action: run.Update, Old: []byte("@@ 1\n"), New: []byte("@@ 2\n--- a\n")}},
			"diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,1 +1,2 @@\n-@@ 1\n+@@ 2\n+--- a\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plan := &Plan{Plan: run.Plan{Changes: test.changes}}
			if diff := difference(test.want, string(Diff(plan.Changes))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
