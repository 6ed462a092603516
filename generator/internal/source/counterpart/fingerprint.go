package counterpart

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/source/inputs"
	"github.com/mrgen-io/mrgen/generator/internal/source/scope"
)

// Fingerprint identifies what [Files] reads: while it is the same, so are the files.
func Fingerprint(opts Options) string {
	sum := sha256.New()
	fmt.Fprintln(sum, opts.Module)
	for i := range opts.Pairs {
		c := newCopier(opts, &opts.Pairs[i])
		for i, folders := range append([]Folders{c.pair.Folders}, c.pair.Code...) {
			isAPI := i == 0
			for _, folder := range []Setting{folders.From, folders.To} {
				base, _, _ := strings.Cut(folder.Text+"/", "*")
				root := filepath.Join(opts.Root, filepath.FromSlash(path.Clean(base)))
				_ = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
					rel, relErr := filepath.Rel(opts.Root, file)
					if err != nil || relErr != nil || !entry.IsDir() {
						return nil
					}
					if file != root && scope.IsIgnored(entry.Name()) {
						return fs.SkipDir
					}
					dir := filepath.ToSlash(rel)
					for _, name := range c.goFiles(dir, isAPI) {
						content, _ := c.readFile(path.Join(dir, name)) // what can't be read has no content in each run
						fmt.Fprintln(sum, path.Join(dir, name), inputs.Hash(content))
					}
					return nil
				})
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
