package readlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	expect.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	expect.NoError(t, os.WriteFile(name, []byte(content), 0o600))
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	expect.NoError(t, os.Rename(from, to))
}

func link(t *testing.T, target, name string) {
	t.Helper()
	_ = os.Remove(name) // there may be none
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}

// TestChanged has inputs be seen that are not as they were, however they were read.
func TestChanged(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(t *testing.T, dir string)
		want bool
	}{
		"file edited":        {func(t *testing.T, dir string) { write(t, dir+"/a/a.go", "package b\n") }, true},
		"file removed":       {func(t *testing.T, dir string) { rename(t, dir+"/a/a.go", dir+"/gone") }, true},
		"file that appears":  {func(t *testing.T, dir string) { write(t, dir+"/go.mod", "module a\n") }, true},
		"test edited":        {func(t *testing.T, dir string) { write(t, dir+"/a/a_test.go", "package b\n") }, true},
		"file added":         {func(t *testing.T, dir string) { write(t, dir+"/a/b.go", "package a\n") }, true},
		"file of C added":    {func(t *testing.T, dir string) { write(t, dir+"/a/b.c", "") }, true},
		"module added":       {func(t *testing.T, dir string) { write(t, dir+"/a/go.mod", "module a\n") }, true},
		"folder renamed":     {func(t *testing.T, dir string) { rename(t, dir+"/a", dir+"/gone") }, true},
		"another link":       {func(t *testing.T, dir string) { link(t, "other", dir+"/link") }, true},
		"link to a link":     {func(t *testing.T, dir string) { link(t, "other", dir+"/middle") }, true},
		"nothing":            {func(*testing.T, string) {}, false},
		"other file added":   {func(t *testing.T, dir string) { write(t, dir+"/a/README.md", "") }, false},
		"folder added":       {func(t *testing.T, dir string) { write(t, dir+"/a/b/b.go", "package b\n") }, false},
		"hidden file edited": {func(t *testing.T, dir string) { write(t, dir+"/a/zz_generated.go", "package c\n") }, false},
		"hidden file added":  {func(t *testing.T, dir string) { write(t, dir+"/a/zz_generated.new.go", "package c\n") }, false},
		"ignored file added": {func(t *testing.T, dir string) { write(t, dir+"/a/_b.go", "package b\n") }, false},
		"file written again": {func(t *testing.T, dir string) { write(t, dir+"/a/a.go", "package a\n") }, false},
		"time of a file": {func(t *testing.T, dir string) {
			expect.NoError(t, os.Chtimes(dir+"/a/a.go", time.Now(), time.Now().Add(time.Hour)))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir+"/a/a.go", "package a\n")
			write(t, dir+"/a/a_test.go", "package a\n")
			write(t, dir+"/a/zz_generated.go", "package a\n")
			write(t, dir+"/other/a.go", "package a\n")
			link(t, "a", dir+"/middle")
			link(t, "middle", dir+"/link")
			hidden := func(name string) bool { return strings.HasPrefix(filepath.Base(name), "zz_generated") }
			l := NewLog(hidden)
			_, _, _ = l.ReadFile(dir + "/a/a.go")
			_, _, _ = l.ReadFile(dir + "/a/zz_generated.go")
			_, _, _ = l.ReadFile(dir + "/go.mod")
			_, _, _ = l.ReadFile(dir + "/a/a_test.go")
			_, _ = l.ReadFolder(dir + "/a")
			l.ReadLink(dir + "/link")
			read := l.Inputs()
			expect.Must(t, len(read) == 5, "the inputs are %v, want five", read)
			test.edit(t, dir)
			expect.Equal(t, test.want, Changed(read, hidden), "changed")
		})
	}
}

// TestIsReliable changes inputs while a run is at work. They count even if they were put
// back.
func TestIsReliable(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(t *testing.T, l *Log, dir string)
		want bool
	}{
		"nothing":           {func(*testing.T, *Log, string) {}, true},
		"read again":        {func(_ *testing.T, l *Log, dir string) { _, _, _ = l.ReadFile(dir + "/a/a.go") }, true},
		"something built":   {func(t *testing.T, _ *Log, dir string) { write(t, dir+"/bin/a", "") }, true},
		"something written": {func(t *testing.T, _ *Log, dir string) { write(t, dir+"/b/zz_generated.go", "") }, true},
		"edited": {func(t *testing.T, _ *Log, dir string) {
			write(t, dir+"/a/a.go", "package b\n")
			later(t, dir+"/a/a.go")
		}, false},
		"edited and put back": {func(t *testing.T, _ *Log, dir string) {
			write(t, dir+"/a/a.go", "package b\n")
			write(t, dir+"/a/a.go", "package a\n")
			later(t, dir+"/a/a.go")
		}, false},
		"edited and put back while the run looked": {func(t *testing.T, l *Log, dir string) {
			info := expect.Value(os.Stat(dir + "/a/a.go"))(t)
			write(t, dir+"/a/a.go", "package b\n")
			_, _, _ = l.ReadFile(dir + "/a/a.go")
			write(t, dir+"/a/a.go", "package a\n")
			expect.NoError(t, os.Chtimes(dir+"/a/a.go", info.ModTime(), info.ModTime()))
		}, false},
		"renamed and put back": {func(t *testing.T, _ *Log, dir string) {
			rename(t, dir+"/a/a.go", dir+"/aside")
			rename(t, dir+"/aside", dir+"/a/a.go")
			later(t, dir+"/a")
		}, false},
		"folder renamed and put back": {func(t *testing.T, _ *Log, dir string) {
			rename(t, dir+"/a", dir+"/aside")
			rename(t, dir+"/aside", dir+"/a")
			later(t, dir)
		}, false},
		"another file in its place": {func(t *testing.T, _ *Log, dir string) {
			write(t, dir+"/aside", "package a\n")
			rename(t, dir+"/aside", dir+"/a/a.go")
		}, false},
		"removed":      {func(t *testing.T, _ *Log, dir string) { rename(t, dir+"/a/a.go", dir+"/aside") }, false},
		"added":        {func(t *testing.T, _ *Log, dir string) { write(t, dir+"/go.mod", "module a\n") }, false},
		"first source": {func(t *testing.T, _ *Log, dir string) { write(t, dir+"/b/b.go", "package b\n") }, false},
		"another link": {func(t *testing.T, _ *Log, dir string) { link(t, "b", dir+"/link") }, false},
		"forgotten":    {func(_ *testing.T, l *Log, _ string) { l.MarkUnreliable() }, false},
		"late, and old": {func(_ *testing.T, l *Log, dir string) {
			_, _, _ = l.ReadFile(dir + "/old")
		}, true},
		"late, and new": {func(t *testing.T, l *Log, dir string) {
			write(t, dir+"/late/new", "")
			later(t, dir+"/late/new")
			_, _, _ = l.ReadFile(dir + "/late/new")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir+"/a/a.go", "package a\n")
			write(t, dir+"/old", "")
			for _, folder := range []string{"/b", "/bin"} {
				expect.NoError(t, os.Mkdir(dir+folder, 0o755))
			}
			link(t, "a", dir+"/link")
			for _, file := range []string{"/a/a.go", "/a", "/old", "/b", "/bin", ""} {
				expect.NoError(t, os.Chtimes(dir+file, time.Time{}, time.Now().Add(-time.Hour)))
			}
			l := NewLog(func(name string) bool { return filepath.Base(name) == "zz_generated.go" })
			for _, folder := range []string{"", "/a", "/b", "/bin"} {
				_, _ = l.ReadFolder(dir + folder)
			}
			_, _, _ = l.ReadFile(dir + "/a/a.go")
			_, _, _ = l.ReadFile(dir + "/go.mod")
			l.ReadLink(dir + "/link")
			test.edit(t, l, dir)
			expect.Equal(t, test.want, l.IsReliable(), "settled")
		})
	}
}

// TestTree has names below a folder, in packages that nobody has read yet.
func TestTree(t *testing.T) {
	for name, want := range map[string]bool{
		"new/a.go": true, "new/deep/a.s": true, "nested/go.mod": true, "nested/go.sum": true, "go.mod": true,
		"new/a.txt": false, "new/zz_generated.go": false, "testdata/a.go": false, ".git/a.go": false, "new/_a/a.go": false,
	} {
		dir := t.TempDir()
		write(t, dir+"/a/a.go", "package a\n")
		write(t, dir+"/go.mod", "module a\n")
		hidden := func(name string) bool { return filepath.Base(name) == "zz_generated.go" }
		l := NewLog(hidden)
		l.ReadTree(dir)
		write(t, filepath.Join(dir, filepath.FromSlash(name)), "edited")
		changed, reliable := Changed(l.Inputs(), hidden), l.IsReliable()
		expect.True(t, changed == want && reliable != want, "%s: changed: %t, reliable: %t", name, changed, reliable)
		write(t, dir+"/a/a.go", "package b\n")
		expect.True(t, Changed(l.Inputs(), hidden) == want, "%s: the content of a file is part of its name", name)
	}
}

// later makes sure that the time of a file tells that it was changed, on file systems
// that count in seconds, too.
func later(t *testing.T, name string) {
	t.Helper()
	when := time.Now().Add(time.Minute)
	expect.NoError(t, os.Chtimes(name, when, when))
}

// TestNilLog reads without a log.
func TestNilLog(t *testing.T) {
	var l *Log
	l.MarkUnreliable()
	l.ReadTree(t.TempDir())
	_, _, err := l.ReadFile(filepath.Join(t.TempDir(), "a"))
	expect.True(t, err != nil, "a file that isn't there was read")
	name := filepath.Join(t.TempDir(), "a")
	write(t, name, strings.Repeat("a", 100_000))
	content, _, err := l.ReadFile(name)
	expect.True(t, err == nil && len(content) == 100_000, "%d bytes, %v", len(content), err)
}
