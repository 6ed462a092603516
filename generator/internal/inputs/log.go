package inputs

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
)

// A Log is what a run has read so far. All of it that may change goes through the log: a
// nil log reads, and keeps no account. It may be used at several places at the same time.
type Log struct {
	hidden func(path string) bool

	mu      sync.Mutex
	entries map[key]entry
	// begun is when others began to read what the log is yet to see, if they have.
	begun time.Time
	// torn is set if something was not the same when it was read again.
	torn bool
}

type key struct {
	path string
	kind Kind
}

type entry struct {
	hash string
	// info is what the system knew of the file or folder when it was read. It is nil if
	// there was none.
	info fs.FileInfo
	// late is set if others may have read it before.
	late bool
}

// NewLog returns an empty log. Files that are hidden are read, but are no inputs: those
// that the run itself writes.
func NewLog(hidden func(path string) bool) *Log {
	return &Log{hidden: hidden, entries: map[key]entry{}}
}

// Begin tells that another process reads on its own from now on, so that the log sees
// some of what that reads only later.
func (l *Log) Begin() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.begun.IsZero() {
		l.begun = time.Now()
	}
}

// Forget has nothing be remembered of the run: it depends on more than can be read.
func (l *Log) Forget() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.torn = true
}

// note adds what was read to the log.
func (l *Log) note(path string, kind Kind, hash string, info fs.FileInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := key{path, kind}
	if known, found := l.entries[k]; found {
		l.torn = l.torn || known.hash != hash
		return
	}
	e := entry{hash: hash, info: info, late: !l.begun.IsZero()}
	l.entries[k] = e
	l.torn = l.torn || e.late && info != nil && !info.ModTime().Before(l.begun)
}

// Has reports whether something of a kind was read at a path.
func (l *Log) Has(path string, kind Kind) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, found := l.entries[key{path, kind}]
	return found
}

// ReadFile returns the content of a file, and its hash.
func (l *Log) ReadFile(path string) (content []byte, hash string, err error) {
	content, info, err := readFile(path)
	if err == nil && l != nil {
		hash = Hash(content)
	}
	if l != nil && !l.hidden(path) {
		l.note(path, File, hash, info)
	}
	return content, hash, err
}

// ReadHeader returns the hash of what the go command reads of a Go file to list packages.
func (l *Log) ReadHeader(path string) (hash string) {
	content, info, err := readFile(path)
	if err == nil {
		hash = Hash(header(content))
	}
	l.note(path, Header, hash, info)
	return hash
}

// ReadFolder returns the entries of a folder, sorted by name. Of these, the files are
// input that the go command looks at, and go.mod, where another module begins.
func (l *Log) ReadFolder(path string) ([]fs.DirEntry, error) {
	entries, info, err := readFolder(path)
	hash := ""
	if err == nil {
		var names strings.Builder
		for _, e := range entries {
			name := e.Name()
			if !e.IsDir() && (name == "go.mod" || IsSource(name) && !l.hidden(path+string(filepath.Separator)+name)) {
				names.WriteString(name + "\n")
			}
		}
		hash = Hash([]byte(names.String()))
	}
	l.note(path, Folder, hash, info)
	return entries, err
}

// ReadLink returns a path with symbolic links resolved, which is empty if it leads nowhere.
func (l *Log) ReadLink(path string) string {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		resolved = ""
	}
	l.note(path, Link, resolved, nil)
	return resolved
}

// Settled reports whether all that the log has seen is still there, and nothing has
// changed since the run began, even if it was put back. Times tell so, and no more than
// that: what has changed since an earlier run, contents tell.
func (l *Log) Settled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.torn {
		return false
	}
	sources := l.sourceFolders()
	keys := slices.Collect(maps.Keys(l.entries))
	changed := make([]bool, len(keys))
	parallel.Do(len(keys), func(i int) {
		k, e := keys[i], l.entries[keys[i]]
		switch {
		case k.kind == Link || k.kind == Folder && !sources[k.path]:
			// It doesn't matter what is built into a folder.
			changed[i] = Input{Path: k.path, Kind: k.kind}.read(l.hidden) != e.hash
		default:
			changed[i] = e.hasChanged(k.path)
		}
	})
	return !slices.Contains(changed, true)
}

// sourceFolders returns the folders that have files which the log has seen, and those
// above.
func (l *Log) sourceFolders() map[string]bool {
	folders := map[string]bool{}
	for k, e := range l.entries {
		if e.info == nil || k.kind == Folder || k.kind == Link {
			continue
		}
		for dir := filepath.Dir(k.path); !folders[dir]; dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	return folders
}

// hasChanged reports whether what is at a path now may be something else, or have been.
func (e entry) hasChanged(path string) bool {
	info, err := os.Stat(path)
	if err != nil || e.info == nil {
		return e.info != nil || err == nil
	}
	return !os.SameFile(info, e.info) || !info.ModTime().Equal(e.info.ModTime()) || info.Size() != e.info.Size()
}

// Inputs returns some of what the log has seen, sorted by path. What is late was read
// after others began to.
func (l *Log) Inputs(include func(in Input, late bool) bool) []Input {
	l.mu.Lock()
	defer l.mu.Unlock()
	var some []Input
	for k, e := range l.entries {
		if in := (Input{Path: k.path, Kind: k.kind, Hash: e.hash}); include(in, e.late) {
			some = append(some, in)
		}
	}
	slices.SortFunc(some, compare)
	return some
}
