package load

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// writeOverlay tells the go command to read other content in place of files, by absolute path. It returns the flag for
// that, and a function that removes the files that the flag names.
func writeOverlay(overlay map[string][]byte) (flag string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "mrgen-overlay-*")
	if err != nil {
		return "", nil, err
	}
	removeAll := func() { _ = os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			removeAll()
		}
	}()
	files := map[string]string{}
	replace := make(map[string]string, len(overlay))
	for name, content := range overlay {
		file := files[string(content)]
		// Paths with the same content share a file: golang.org/x/tools/go/packages writes one for each path, and there
		// may be thousands of generated files.
		if file == "" {
			file = filepath.Join(dir, fmt.Sprintf("%d.go", len(files)))
			if err := os.WriteFile(file, content, 0o600); err != nil {
				return "", nil, err
			}
			files[string(content)] = file
		}
		replace[name] = file
	}
	// The format is documented in: go help build.
	encoded, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", nil, err
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, encoded, 0o600); err != nil {
		return "", nil, err
	}
	return "-overlay=" + name, removeAll, nil
}
