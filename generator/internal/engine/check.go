package engine

import (
	"bytes"
	"os"
	"path"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
)

// changedFolders returns the folders whose generated Go code on disk differs from the run's, or includes files that the
// run doesn't write.
func changedFolders(sc *modules.Scope, files map[string][]byte) map[string]bool {
	changed := map[string]bool{}
	for name, content := range files {
		if dir := path.Dir(name); path.Ext(name) == ".go" && !changed[dir] {
			changed[dir] = differs(sc, name, content)
		}
	}
	for _, name := range sc.Generated {
		if files[name] == nil {
			changed[path.Dir(name)] = true
		}
	}
	return changed
}

// differs reports whether a file on disk has another content, or can't be read.
func differs(sc *modules.Scope, name string, content []byte) bool {
	onDisk, err := os.ReadFile(sc.Abs(name))
	return err != nil || !bytes.Equal(onDisk, content)
}
