package memory

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
)

// unusedFor is how long a record is kept that no run uses.
const unusedFor = 30 * 24 * time.Hour

// A Store is a folder of records, and of what goes with them. What can't be read or written
// counts as missing: a run without a record does everything.
type Store struct {
	// Dir is the folder, which need not exist.
	Dir string
}

func (s Store) file(key string) string { return filepath.Join(s.Dir, key+".json") }

// Load returns the record with that key, or nil if there is none, or it is damaged.
func (s Store) Load(key string) *Record {
	r := &Record{}
	if !s.LoadInto(key, r) {
		return nil
	}
	return r
}

// LoadInto reads what was saved with that key. It returns false if there is nothing, or it is
// damaged. Numbers of any type are as they were.
func (s Store) LoadInto(key string, value any) bool {
	content, err := os.ReadFile(s.file(key))
	if err != nil {
		return false
	}
	sum, body, found := bytes.Cut(content, []byte("\n"))
	if !found || string(sum) != readlog.Hash(body) {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	return decoder.Decode(value) == nil
}

// Save writes a value with some keys. It writes temporary files and renames them, so that another
// run reads either the old value or the new one.
func (s Store) Save(value any, keys ...string) {
	body, err := json.Marshal(value)
	if err != nil || os.MkdirAll(s.Dir, 0o755) != nil {
		return
	}
	content := append([]byte(readlog.Hash(body)+"\n"), body...)
	for _, key := range keys {
		s.write(key, content)
	}
}

func (s Store) write(key string, content []byte) {
	if old, err := os.ReadFile(s.file(key)); err == nil && bytes.Equal(old, content) {
		now := time.Now()
		_ = os.Chtimes(s.file(key), now, now) // so that it counts as used
		return
	}
	s.removeUnused()
	temporary, err := os.CreateTemp(s.Dir, "*.tmp")
	if err != nil {
		return
	}
	_, err = temporary.Write(content)
	if closeErr := temporary.Close(); err != nil || closeErr != nil || os.Rename(temporary.Name(), s.file(key)) != nil {
		_ = os.Remove(temporary.Name())
	}
}

// Remove removes the records with some keys.
func (s Store) Remove(keys ...string) {
	for _, key := range keys {
		_ = os.Remove(s.file(key))
	}
}

// removeUnused removes files that have not been used for long, such as records of modules
// that are gone. No result depends on these times.
func (s Store) removeUnused() {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > unusedFor {
			_ = os.Remove(filepath.Join(s.Dir, entry.Name()))
		}
	}
}
