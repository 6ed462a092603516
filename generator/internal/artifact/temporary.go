package artifact

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A file is written under a temporary name beside its own, and then renamed. If
// the run is killed in between, the temporary file is left over, and a later run
// removes it. It must not take the file of a run that is still at work for one:
// runs on one tree may overlap, and no lock keeps them apart, since locks work
// on some file systems and not on others.
//
// So the name of a temporary file tells the process that made it: by its number,
// and by a random word, since a number is used again after a process has ended.
// A file is left over if no process with its number runs, or if that process is
// the one that asks and its word is another.
//
// That can be wrong in two cases, neither of which does harm. Another process
// may have been given the number: then the file stays until that one has ended.
// And the tree may be shared with another machine or container, whose processes
// can't be seen: then a file that is in use is removed, and the run that misses
// it writes it again (see applier.rename). The name is never used twice, so that
// nobody removes a file other than the one that was judged.
//
// The leading dot hides the file from the go command, and the suffix from
// whatever looks for Go or YAML files.
const (
	temporaryPrefix = ".mrgen-"
	temporarySuffix = ".tmp"
)

// processWord tells this process from others that had its number.
var processWord = rand.Text()

// temporaryName returns a new name for a temporary file.
func temporaryName() string {
	return fmt.Sprintf("%s%d-%s-%s%s", temporaryPrefix, os.Getpid(), processWord, rand.Text(), temporarySuffix)
}

// isLeftover reports whether the name is that of a temporary file whose process
// has ended.
func isLeftover(name string) bool {
	name, hasPrefix := strings.CutPrefix(name, temporaryPrefix)
	name, hasSuffix := strings.CutSuffix(name, temporarySuffix)
	parts := strings.Split(name, "-")
	if !hasPrefix || !hasSuffix || len(parts) != 3 {
		return false
	}
	process, err := strconv.Atoi(parts[0])
	if err != nil || process <= 0 {
		return false
	}
	if process == os.Getpid() {
		return parts[1] != processWord
	}
	return !isRunning(process)
}

// removeLeftovers removes the temporary files of killed runs from a folder. What
// can't be removed stays for a later run: it is in nobody's way, and a folder
// that can't be written to is found out by writing.
func removeLeftovers(root *os.Root, folder string) {
	opened, err := root.Open(folder)
	if err != nil {
		return
	}
	names, _ := opened.Readdirnames(-1)
	_ = opened.Close()
	for _, name := range names {
		if isLeftover(name) {
			_ = root.Remove(filepath.Join(folder, name))
		}
	}
}
