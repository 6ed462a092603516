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

// A Store is a folder of records and other remembered values. A file that can't be read or written counts as missing: a
// run without a record does everything.
type Store struct {
	// Dir is the folder, which need not exist.
	Dir string
}

func (s Store) file(key string) string { return filepath.Join(s.Dir, key+".json") }

// LoadInto reads the value that was saved with that key. It returns false if the value is missing or damaged.
func (s Store) LoadInto(key string, value any) bool {
	content, err := os.ReadFile(s.file(key))
	if err != nil {
		return false
	}
	sum, body, found := bytes.Cut(content, []byte("\n"))
	if !found || string(sum) != readlog.Hash(body) { // a killed process, or a full disk, may have damaged it
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // floats would change large numbers
	return decoder.Decode(value) == nil
}

// Save writes a value with a key.
func (s Store) Save(value any, key string) {
	body, err := json.Marshal(value)
	if err != nil || os.MkdirAll(s.Dir, 0o755) != nil {
		return
	}
	content := append([]byte(readlog.Hash(body)+"\n"), body...)
	if old, err := os.ReadFile(s.file(key)); err == nil && bytes.Equal(old, content) {
		now := time.Now()
		_ = os.Chtimes(s.file(key), now, now) // counts as used
		return
	}
	s.removeUnused()
	// Renaming lets another run read either the old value or the new one.
	temporary, err := os.CreateTemp(s.Dir, "*.tmp")
	if err != nil {
		return
	}
	_, err = temporary.Write(content)
	if closeErr := temporary.Close(); err != nil || closeErr != nil || os.Rename(temporary.Name(), s.file(key)) != nil {
		_ = os.Remove(temporary.Name())
	}
}

// Remove removes the value that was saved with a key.
func (s Store) Remove(key string) { _ = os.Remove(s.file(key)) }

// removeUnused removes files that have not been used for long, such as records of deleted modules.
func (s Store) removeUnused() {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > unusedFor {
			// no result depends on these times
			_ = os.Remove(filepath.Join(s.Dir, entry.Name()))
		}
	}
}
