package readlog

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mrgen-io/mrgen/generator/internal/parallel"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// A Log records the files, folders and links that a run has read so far. Everything that may change is read through the
// log. A nil log reads without recording. A log may be used concurrently.
type Log struct {
	hidden func(path string) bool
	// begun is when the run began. From then on, another process may read, the go command. The log records some of the
	// files that it reads only afterwards.
	begun time.Time

	mu      sync.Mutex
	entries map[key]entry
	// unreliable is set if the log can't tell whether a later run would read the same.
	unreliable bool
}

type key struct {
	path string
	kind Kind
}

type entry struct {
	hash string
	// info describes the file or folder when it was read, or is nil if it didn't exist.
	info fs.FileInfo
}

// NewLog returns an empty log. Hidden files, which the run itself writes, are not inputs
// when they are read.
func NewLog(hidden func(path string) bool) *Log {
	return &Log{hidden: hidden, begun: time.Now(), entries: map[key]entry{}}
}

// Hides reports whether a file is not an input, since the run itself writes it.
func (l *Log) Hides(path string) bool { return l != nil && l.hidden(path) }

// MarkUnreliable says that the run depends on something that the log can't record.
func (l *Log) MarkUnreliable() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unreliable = true
}

// note records an input.
func (l *Log) note(path string, kind Kind, hash string, info fs.FileInfo) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	k := key{path, kind}
	// Two reads with different results: no later run can be compared with both.
	if known, found := l.entries[k]; found {
		l.unreliable = l.unreliable || known.hash != hash
		return
	}
	l.entries[k] = entry{hash, info}
	// The other process may have read it before.
	l.unreliable = l.unreliable || info != nil && !info.ModTime().Before(l.begun)
}

// Has reports whether the log has an input of a kind at a path.
func (l *Log) Has(path string, kind Kind) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, found := l.entries[key{path, kind}]
	return found
}

// ReadFile returns the content of a file, and its hash, which is empty without a log.
func (l *Log) ReadFile(path string) (content []byte, hash string, err error) {
	content, info, err := readInto(nil, path)
	return content, l.noteFile(path, content, info, err), err
}

// Look calls a function with what [Log.ReadFile] returns. The content is valid during the call alone.
func (l *Log) Look(path string, at func(content []byte, hash string)) error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	content, info, err := readInto(*buffer, path)
	hash := l.noteFile(path, content, info, err)
	if err != nil {
		return err
	}
	*buffer = content
	at(content, hash)
	return nil
}

// noteFile records a file, unless it is hidden, and returns the hash of its content.
func (l *Log) noteFile(path string, content []byte, info fs.FileInfo, err error) (hash string) {
	if l == nil {
		return ""
	}
	if err == nil {
		hash = Hash(content)
	}
	if !l.hidden(path) {
		l.note(path, File, hash, info)
	}
	return hash
}

// ReadFolder returns the entries of a folder, sorted by name.
func (l *Log) ReadFolder(path string) ([]fs.DirEntry, error) {
	var entries []fs.DirEntry
	info, err := os.Stat(path) // first, so that a file which is added meanwhile changes it
	if err == nil {
		entries, err = os.ReadDir(path)
	}
	if l == nil {
		return entries, err
	}
	hash := ""
	if err == nil {
		var names strings.Builder
		for _, e := range entries {
			name := e.Name()
			// The go command looks at these files, and at go.mod, with which another module begins.
			if !e.IsDir() && (name == "go.mod" || IsSource(name) && !l.hidden(path+string(filepath.Separator)+name)) {
				names.WriteString(name + "\n")
			}
		}
		hash = Hash([]byte(names.String()))
	}
	l.note(path, Folder, hash, info)
	return entries, err
}

// ReadTree reads the names of the source files below a folder, and the files that determine the versions of modules there.
func (l *Log) ReadTree(path string) {
	if l == nil {
		return
	}
	var names strings.Builder
	for _, name := range modules.Files(path, func(name string) bool { return IsSource(name) || name == "go.mod" || name == "go.sum" }) {
		file := filepath.Join(path, filepath.FromSlash(name))
		switch {
		case !IsSource(name):
			_, _, _ = l.ReadFile(file) // the go command reports a file that can't be read
		case l.hidden(file):
			continue
		}
		names.WriteString(name + "\n")
	}
	l.note(path, Tree, Hash([]byte(names.String())), nil)
}

// ReadLink returns a path with symbolic links resolved, or "" if it leads nowhere.
func (l *Log) ReadLink(path string) string {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		resolved = ""
	}
	l.note(path, Link, resolved, nil)
	return resolved
}

// IsReliable reports whether a later run that finds the same inputs would read the same: none of them has changed since
// the run began, not even for a moment. Modification times decide that. Whether an input has changed since an earlier
// run is decided by its content.
func (l *Log) IsReliable() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.unreliable {
		return false
	}
	sources := l.sourceFolders()
	keys := slices.Collect(maps.Keys(l.entries))
	changed := make([]bool, len(keys))
	parallel.Do(len(keys), func(i int) {
		k, e := keys[i], l.entries[keys[i]]
		switch {
		case k.kind == Link || k.kind == Tree || k.kind == Folder && !sources[k.path]:
			// A folder without source may get other files at any time.
			changed[i] = Input{Path: k.path, Kind: k.kind}.read(l.hidden) != e.hash
		default:
			changed[i] = e.hasChanged(k.path)
		}
	})
	return !slices.Contains(changed, true)
}

// sourceFolders returns the folders of the files in the log, and the folders above.
func (l *Log) sourceFolders() map[string]bool {
	folders := map[string]bool{}
	for k, e := range l.entries {
		if e.info == nil || k.kind == Folder {
			continue
		}
		for dir := filepath.Dir(k.path); !folders[dir]; dir = filepath.Dir(dir) { // the folders above a known one are known, too
			folders[dir] = true
		}
	}
	return folders
}

// hasChanged reports whether the file or folder at a path may have changed since it was read.
func (e entry) hasChanged(path string) bool {
	info, err := os.Stat(path)
	if err != nil || e.info == nil { // it existed then or exists now
		return e.info != nil || err == nil
	}
	return !os.SameFile(info, e.info) || !info.ModTime().Equal(e.info.ModTime()) || info.Size() != e.info.Size()
}

// Inputs returns the inputs, sorted by path.
func (l *Log) Inputs() []Input {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]Input, 0, len(l.entries))
	for k, e := range l.entries {
		all = append(all, Input{Path: k.path, Kind: k.kind, Hash: e.hash})
	}
	slices.SortFunc(all, func(a, b Input) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind)) })
	return all
}
