package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
	"github.com/spf13/cobra"
)

// lockWait is how long a command waits for another one before it says so.
const lockWait = 3 * time.Second

// locks holds what unlocks the modules that a command works on.
type locks struct{ unlock []func() }

type locksKey struct{}

// withLocks returns a context in which commands lock modules, and a function that unlocks
// them.
func withLocks(ctx context.Context) (context.Context, func()) {
	held := &locks{}
	return context.WithValue(ctx, locksKey{}, held), func() {
		for _, unlock := range held.unlock {
			unlock()
		}
	}
}

// lockModule waits until no other command works on a module, and then keeps others
// waiting until this one ends. A command that reads source while another one writes takes
// half of what that generates for the author's, and reports that it doesn't compile.
//
// The lock is a file in the folder for temporary files, since the module may be read-only.
// Where that can't be locked, commands don't wait, and neither do they once interrupted.
func lockModule(cmd *cobra.Command, root string) {
	held, ok := cmd.Context().Value(locksKey{}).(*locks)
	file, err := lockFile(root)
	if !ok || err != nil {
		return
	}
	locked := make(chan func(), 1)
	go func() {
		unlock, err := lockedfile.MutexAt(file).Lock()
		if err != nil {
			unlock = func() {}
		}
		locked <- unlock
	}()
	tooLong := time.After(lockWait)
	for {
		select {
		case unlock := <-locked:
			held.unlock = append(held.unlock, unlock)
			return
		case <-tooLong:
			fmt.Fprintln(cmd.ErrOrStderr(), "waiting for another mrgen command in this module")
		case <-cmd.Context().Done():
			return
		}
	}
}

// lockFile returns the path of the file that is locked for a module, in a folder that
// exists. Users have folders of their own, since one can't open the files of another.
func lockFile(root string) (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("mrgen-locks-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(dir, hex.EncodeToString(sum[:])), nil
}
