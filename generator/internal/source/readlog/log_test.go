package readlog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

func none(string) bool { return false }

// age sets the time of a file.
func age(t *testing.T, name string, at time.Time) {
	t.Helper()
	expect.NoError(t, os.Chtimes(name, at, at))
}

// TestLook shows contents of every length, one after the other, and says as much as ReadFile.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	var unlogged *Log
	for _, length := range []int{0, 100, 3, 70_000, 1} {
		name, want := filepath.Join(dir, "a"), strings.Repeat("a", length)
		write(t, name, want)
		looked, read, seen := NewLog(none), NewLog(none), false
		if err := looked.Look(name, func(content []byte, hash string) {
			if seen = true; string(content) != want || hash != Hash([]byte(want)) {
				t.Errorf("%d bytes: looked at %d", length, len(content))
			}
		}); err != nil || !seen {
			t.Errorf("%d bytes: %v", length, err)
		}
		content, hash, err := read.ReadFile(name)
		expect.True(t, err == nil && string(content) == want && hash == Hash([]byte(want)), "%d bytes: read %d, %v", length, len(content), err)
		err = unlogged.Look(name, func(content []byte, _ string) { seen = string(content) != want })
		expect.True(t, err == nil && !seen, "%d bytes: looked at others, or none, %v", length, err)
		if !slices.Equal(looked.Inputs(), read.Inputs()) || !looked.Has(name, File) || looked.Has(name, Folder) {
			t.Errorf("%d bytes: looked at %v, and read %v", length, looked.Inputs(), read.Inputs())
		}
	}
	l, missing := NewLog(none), filepath.Join(dir, "missing")
	err := l.Look(missing, func([]byte, string) { t.Error("there is something") })
	expect.True(t, errors.Is(err, fs.ErrNotExist) && l.Has(missing, File), "a file that isn't there: %v", err)
	err = unlogged.Look(missing, func([]byte, string) { t.Error("there is something") })
	expect.True(t, errors.Is(err, fs.ErrNotExist), "a file that isn't there: %v", err)
	expect.True(t, l.ReadLink(missing) == "", "what isn't there has a hash")
	_, err = l.ReadFolder(missing)
	expect.True(t, err != nil, "a folder that isn't there was read")
	for _, in := range l.Inputs() {
		expect.True(t, in.Hash == "", "%v has a hash, and isn't there", in)
	}
	expect.True(t, l.IsReliable(), "what isn't there has changed")
	entries, err := unlogged.ReadFolder(dir)
	expect.True(t, err == nil && len(entries) == 1, "without a log, a folder has %v, %v", entries, err)
	// The kernel says of this file that it has no bytes.
	content, _, err := unlogged.ReadFile("/proc/self/maps")
	expect.True(t, err != nil || len(content) >= 1000, "%d bytes are read of a file without a size", len(content))
}

// TestLate has files that changed after the run began. They are unreliable, whatever is read afterwards.
func TestLate(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"early", "old", "new"} {
		write(t, filepath.Join(dir, name), name)
	}
	age(t, filepath.Join(dir, "old"), time.Now().Add(-time.Hour))
	l := NewLog(none)
	_, _, _ = l.ReadFile(filepath.Join(dir, "early"))
	age(t, filepath.Join(dir, "new"), time.Now().Add(time.Millisecond))
	_, _, _ = l.ReadFile(filepath.Join(dir, "old"))
	_, _, _ = l.ReadFile(filepath.Join(dir, "missing"))
	expect.True(t, l.IsReliable(), "what was there before is not reliable")
	_, _, _ = l.ReadFile(filepath.Join(dir, "new"))
	_, _, _ = l.ReadFile(filepath.Join(dir, "old"))
	expect.True(t, !l.IsReliable(), "a file that has changed while another process read is reliable")
}

// TestReadTwice has a file that is read twice, with two contents, and then put back.
func TestReadTwice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	write(t, name, "a")
	info := expect.Value(os.Stat(name))(t)
	l := NewLog(none)
	for i, content := range []string{"a", "a", "b", "a"} {
		write(t, name, content)
		age(t, name, info.ModTime())
		_, _, _ = l.ReadFile(name)
		expect.Equal(t, i < 2, l.IsReliable(), "after %d readings, it is reliable", i+1)
	}
}

// TestSameTime changes what a file is, or how long, and keeps its time.
func TestSameTime(t *testing.T) {
	for name, edit := range map[string]func(t *testing.T, name string){
		"longer":       func(t *testing.T, name string) { write(t, name, "aa") },
		"another file": func(t *testing.T, name string) { write(t, name+".new", "b"); rename(t, name+".new", name) },
		"gone":         func(t *testing.T, name string) { rename(t, name, name+".old") },
	} {
		file := filepath.Join(t.TempDir(), "a")
		write(t, file, "a")
		info := expect.Value(os.Stat(file))(t)
		l := NewLog(none)
		_, _, _ = l.ReadFile(file)
		edit(t, file)
		if name != "gone" {
			age(t, file, info.ModTime())
		}
		expect.True(t, !l.IsReliable(), "a file that is %s is as it was", name)
	}
}

// TestFolder has names that the go command looks at, and others, be they of folders.
func TestFolder(t *testing.T) {
	hash := func(names ...string) string {
		dir := t.TempDir()
		for _, name := range names {
			write(t, filepath.Join(dir, filepath.FromSlash(name)), "")
		}
		l := NewLog(func(file string) bool { return file == filepath.Join(dir, "hidden.go") })
		_, _ = l.ReadFolder(dir)
		inputs := l.Inputs()
		expect.Must(t, len(inputs) == 1 && inputs[0].Path == dir && inputs[0].Kind == Folder, "the inputs are %v", inputs)
		return inputs[0].Hash
	}
	for _, test := range []struct {
		names []string
		same  bool
	}{
		{[]string{"a.go", "b.go"}, true},
		{[]string{"a.go", "b.go", "c.txt", "_c.go", ".c.go", "hidden.go", "c/d.go", "c.go/d"}, true},
		{[]string{"a.go"}, false},
		{[]string{"a.go", "b.go", "c.go"}, false},
		{[]string{"a.go", "b.go", "go.mod"}, false},
		{[]string{"a.gob.go"}, false},
	} {
		expect.Equal(t, test.same, hash(test.names...) == hash("a.go", "b.go"), "%v are the same", test.names)
	}
	for name, want := range map[string]bool{"a_test.go": true, "a.go": false, "test.go": false} {
		expect.Equal(t, want, IsTest(name), "%s is a test", name)
	}
}
