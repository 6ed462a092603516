package generator_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
)

// trace calls a function and returns the files and folders below another folder that were
// opened meanwhile, by this process or any other, sorted. Those that symbolic links lead
// to count, not the links.
func trace(t *testing.T, below string, do func()) []string {
	t.Helper()
	queue, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = syscall.Close(queue) }()
	watched := map[int32]string{}
	err = filepath.WalkDir(below, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		watch, err := syscall.InotifyAddWatch(queue, name, syscall.IN_OPEN)
		watched[int32(watch)] = name
		return err
	})
	if errors.Is(err, syscall.ENOSPC) {
		t.Skip(err) // others watch all that may be watched
	}
	expect.NoError(t, err)
	do()
	opened := map[string]bool{}
	buffer := make([]byte, 1<<16)
	for {
		n, err := syscall.Read(queue, buffer)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if errors.Is(err, syscall.EAGAIN) {
			return slices.Sorted(maps.Keys(opened))
		}
		expect.NoError(t, err)
		for rest := buffer[:n]; len(rest) > 0; {
			var event syscall.InotifyEvent
			_, err := binary.Decode(rest, binary.NativeEndian, &event)
			expect.NoError(t, err)
			expect.Must(t, event.Mask&syscall.IN_Q_OVERFLOW == 0, "more files were opened than can be told: run less at the same time")
			const size = syscall.SizeofInotifyEvent
			name, _, _ := bytes.Cut(rest[size:size+int(event.Len)], []byte{0})
			opened[filepath.Join(watched[event.Wd], string(name))] = true
			rest = rest[size+int(event.Len):]
		}
	}
}
