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

// locks has the functions that unlock the modules that a command has locked.
type locks struct{ unlock []func() }

type locksKey struct{}

// withLocks returns a context in which commands can lock modules, and a function that unlocks all of them.
func withLocks(ctx context.Context) (context.Context, func()) {
	held := &locks{}
	return context.WithValue(ctx, locksKey{}, held), func() {
		for _, unlock := range held.unlock {
			unlock()
		}
	}
}

// lockModule locks a module until the command ends, and waits while another command holds the lock. A command
// that reads source while another one writes would see half of the generated files, and report that they don't
// compile.
func lockModule(cmd *cobra.Command, root string) {
	held, ok := cmd.Context().Value(locksKey{}).(*locks)
	file, err := lockFile(root)
	// The lock is in the temporary folder, since the module may be read-only. Working without it is better than
	// not at all.
	if !ok || err != nil {
		return
	}
	locked := make(chan func(), 1)
	// Locking blocks, and can't be cancelled: the wait below can.
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
			say(cmd, "waiting for another mrgen command in this module")
		case <-cmd.Context().Done():
			return
		}
	}
}

// lockFile creates the folder of the lock of a module, and returns the lock's path. Each user has
// a folder, because users can't open each other's files.
func lockFile(root string) (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("mrgen-locks-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(dir, hex.EncodeToString(sum[:])), nil
}
