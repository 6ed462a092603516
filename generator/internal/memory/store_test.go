package memory

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/testdata/expect"
)

// TestStoreDamaged reads what was saved, be it whole, and nothing of what is damaged in any way.
func TestStoreDamaged(t *testing.T) {
	s := Store{Dir: filepath.Join(t.TempDir(), "a", "b")}
	var value map[string]any
	expect.True(t, !s.LoadInto("key", &value), "there is something in a folder that isn't there")
	s.Save(map[string]any{"a": 1 << 60}, "key")
	s.Save(map[string]any{"a": 1 << 60}, "other")
	for _, key := range []string{"key", "other"} {
		if value = nil; !s.LoadInto(key, &value) || len(value) != 1 || value["a"].(interface{ String() string }).String() != "1152921504606846976" {
			t.Errorf("%s is %v", key, value)
		}
	}
	whole := expect.Value(os.ReadFile(s.file("key")))(t)
	write := func(content []byte) {
		expect.NoError(t, os.WriteFile(s.file("key"), content, 0o600))
	}
	for i := range whole {
		for _, content := range [][]byte{whole[:i], append(append(append([]byte{}, whole[:i]...), whole[i]^1), whole[i+1:]...)} {
			write(content)
			expect.True(t, !s.LoadInto("key", &value), "%q was loaded", content)
		}
	}
	no := []byte("no JSON")
	write(append([]byte(readlog.Hash(no)+"\n"), no...))
	expect.True(t, !s.LoadInto("key", &value), "what is no JSON was loaded")
	s.Save(map[string]any{"a": 1}, "key")
	expect.True(t, s.LoadInto("key", &value), "what was damaged was not saved again")
	s.Save(func() {}, "function")
	expect.True(t, !s.LoadInto("function", &value), "a function was saved")
	s.Remove("key")
	s.Remove("nothing")
	expect.True(t, !s.LoadInto("key", &value) && s.LoadInto("other", &value), "removed another key than the one to remove")
	left, err := filepath.Glob(filepath.Join(s.Dir, "*.tmp"))
	expect.True(t, err == nil && len(left) == 0, "%v are left, %v", left, err)
}

// TestStoreForgets removes what no run has used for long, and keeps what one saves again.
func TestStoreForgets(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	age := func(key string, by time.Duration) {
		then := time.Now().Add(-by)
		expect.NoError(t, os.Chtimes(s.file(key), then, then))
	}
	for _, key := range []string{"old", "young", "again"} {
		s.Save(key, key)
	}
	expect.NoError(t, os.Mkdir(s.file("folder"), 0o755))
	age("folder", unusedFor+time.Hour)
	age("old", unusedFor+time.Hour)
	age("young", unusedFor-time.Hour)
	age("again", unusedFor+time.Hour)
	s.Save("again", "again") // as it was, so that only its time changes
	s.Save("new", "new")
	for key, want := range map[string]bool{"old": false, "young": true, "again": true, "new": true, "folder": true} {
		_, err := os.Stat(s.file(key))
		expect.True(t, (err == nil) == want, "%s is there: %t, want %t", key, err == nil, want)
	}
}
