package scopecopies

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/internal/source/readlog"
	"github.com/mrgen-io/mrgen/generator/run"
)

// Fingerprint identifies what [Files] reads: while it is the same, so are the files, and what is said
// of them. That may be about any package, such as one that registers kinds.
func Fingerprint(opts Options) string {
	sum := sha256.New()
	fmt.Fprintln(sum, opts.Module, opts.Header)
	c := &copier{opts: opts}
	roots := []string{"."}
	for _, pair := range opts.Pairs {
		for _, folders := range append([]run.ScopeFolders{pair.Folders}, pair.Code...) {
			for _, folder := range []run.ScopeSetting{folders.From, folders.To} {
				base, _, _ := strings.Cut(folder.Text+"/", "*")
				roots = append(roots, path.Clean(base)) // which may be ignored elsewhere
			}
		}
	}
	for _, root := range roots {
		modules.EachFolder(opts.Root, root, func(dir string, _ []string) {
			for _, name := range c.goFiles(dir, false) {
				content, _ := c.readFile(path.Join(dir, name)) // what can't be read has no content in each run
				fmt.Fprintln(sum, path.Join(dir, name), readlog.Hash(content))
			}
		})
	}
	return hex.EncodeToString(sum.Sum(nil))
}
