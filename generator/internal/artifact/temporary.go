package artifact

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Files are written under a temporary name in the same folder, and then renamed. If the run is killed in between, the
// temporary file is left over, and a later run removes it. Runs in a module may overlap, since not all file systems have
// locks, so a run must not remove the files of other running processes.
//
// Therefore the name of a temporary file has the number of its process, and a random word, since
// numbers are used again. A file is left over if no process with the number runs, or if it is the
// current process with another word.
//
// This can be wrong in two harmless ways. If another process has got the number, the file stays until that process ends.
// If a process runs on another machine or in a container, and so is not visible, its file is removed although it is in
// use, and the process writes it again (see applier.rename). No name is used twice, so a file can't be mistaken for a
// later one.
//
// The leading dot hides the file from the go command, and the suffix from tools that look for Go or
// YAML files.
const (
	temporaryPrefix = ".mrgen-"
	temporarySuffix = ".tmp"
)

// processWord distinguishes this process from earlier ones with its number.
var processWord = rand.Text()

func temporaryName() string {
	return fmt.Sprintf("%s%d-%s-%s%s", temporaryPrefix, os.Getpid(), processWord, rand.Text(), temporarySuffix)
}

// isLeftover reports whether a file is a temporary file of a process that has ended.
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
		return parts[1] != processWord // an earlier process had the number
	}
	return !isRunning(process)
}

// removeLeftovers removes the temporary files of killed runs from a folder.
func removeLeftovers(root *os.Root, folder string) {
	opened, err := root.Open(folder)
	if err != nil { // leftovers do no harm, and writing to the folder will fail with the same error
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
