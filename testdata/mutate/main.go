// Program mutate makes slips in packages, one at a time, and counts those that tests notice: the package's own, or the
// tests of the package that testdata/mutate/shares.txt names beside it.
//
//	go run ./testdata/mutate [-n 30] [-seed 1] [-update] PACKAGE...
//
// prints the slips that no test noticed. With -update, it writes the shares to testdata/mutate/shares.txt.
//
//	go run ./testdata/mutate -against=main -n 40
//
// tries slips in the packages of that file that changed since a revision, or in all of them if none did, and fails if
// fewer are noticed than the file says. What the sample of a state is depends on the seed alone. If time runs out, fewer
// slips are tried: each has all tests of a package.
//
// Slips reach the go command by -overlay: no file changes.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const sharesFile = "testdata/mutate/shares.txt"

func main() {
	count := flag.Int("n", 30, "slips to try, in each package, or in all together with -against")
	seed := flag.Uint64("seed", 1, "which slips to try")
	update := flag.Bool("update", false, "write the shares to "+sharesFile)
	against := flag.String("against", "", "try slips in the packages that changed since the common ancestor with this revision")
	limit := flag.Duration("limit", time.Hour, "start no slip after this time")
	flag.Parse()
	if err := run(flag.Args(), *count, *seed, *update, *against, time.Now().Add(*limit)); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(packages []string, count int, seed uint64, update bool, against string, end time.Time) error {
	shares, err := readShares()
	if err != nil {
		return err
	}
	if against == "" {
		if len(packages) == 0 {
			return errors.New("there is nothing to try: name packages, or a revision by -against (make ratchet BASE=...)")
		}
		for _, dir := range packages {
			dir = filepath.ToSlash(filepath.Clean(dir))
			r, err := try(dir, shares[dir].tests, count, seed, end)
			if err != nil {
				return err
			}
			fmt.Printf("%s: tests notice %d of %d slips\n", dir, r.noticed, r.tried)
			if update {
				shares[dir] = share{r.noticed, r.tried, seed, shares[dir].tests}
				if err := writeShares(shares); err != nil {
					return err
				}
			}
		}
		return nil
	}
	dirs := changed(shares, against)
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(dirs), func(i, j int) { dirs[i], dirs[j] = dirs[j], dirs[i] })
	var failed []string
	for i, dir := range dirs {
		n := (count + i) / len(dirs) // the sum is count
		if n == 0 {
			continue
		}
		r, err := try(dir, shares[dir].tests, n, seed, end)
		if err != nil {
			return err
		}
		s := shares[dir]
		fmt.Printf("%s: tests notice %d of %d slips, and noticed %d of %d\n", dir, r.noticed, r.tried, s.noticed, s.tried)
		if s.isUnlikely(r, len(dirs)) {
			failed = append(failed, dir)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("tests of %s notice fewer slips than %s says: add tests that notice the slips above",
			strings.Join(failed, ", "), sharesFile)
	}
	return nil
}

// changed returns the packages of the file whose folders have a file that differs from the common ancestor with a
// revision, or else all of them.
func changed(shares map[string]share, revision string) []string {
	all := sortedKeys(shares)
	base, err := exec.Command("git", "merge-base", "HEAD", revision).Output()
	if err != nil {
		fmt.Printf("no common ancestor with %s: slips are tried in all packages\n", revision)
		return all
	}
	files, err := exec.Command("git", "diff", "--name-only", strings.TrimSpace(string(base))).Output()
	if err != nil {
		return all
	}
	var dirs []string
	for file := range strings.FieldsSeq(string(files)) {
		dirs = append(dirs, filepath.ToSlash(filepath.Dir(file)))
	}
	if some := slices.DeleteFunc(slices.Clone(all), func(dir string) bool { return !slices.Contains(dirs, dir) }); len(some) > 0 {
		return some
	}
	return all
}

// A result counts the slips of a package.
type result struct{ noticed, tried int }

// try makes up to count slips in a package, and runs the tests of a package, or else its own.
func try(dir, tests string, count int, seed uint64, end time.Time) (result, error) {
	var r result
	slips, err := slipsIn(dir)
	if err != nil {
		return r, err
	}
	random := rand.New(rand.NewPCG(seed, uint64(len(dir))))
	random.Shuffle(len(slips), func(i, j int) { slips[i], slips[j] = slips[j], slips[i] })
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(folder)
	begin := time.Now()
	tests = cmp.Or(tests, dir)
	if verdict, output := test(tests, "", 10*time.Minute); verdict != passed {
		return r, fmt.Errorf("tests of %s fail without a slip:\n%s", tests, output)
	}
	timeout := 30*time.Second + 5*time.Since(begin)
	for _, s := range slips {
		if r.tried == count || time.Now().After(end) {
			break
		}
		overlay, err := s.overlay(folder)
		if err != nil {
			return r, err
		}
		switch verdict, _ := test(tests, overlay, timeout); verdict {
		case failed:
			r.noticed++
			r.tried++
		case passed:
			r.tried++
			fmt.Printf("%s: %s\n", s.position(), s.description)
		}
	}
	return r, nil
}

// A verdict says what the go command makes of a slip.
type verdict int

const (
	passed verdict = iota
	failed
	doesNotCompile
)

// test runs the tests of a package. Tests that allocate without end, or never end, fail.
func test(dir, overlay string, timeout time.Duration) (verdict, string) {
	command := exec.Command("go", "test", "-trimpath", "-vet=off", "-ldflags=-s -w", "-failfast", "-timeout", timeout.String(), "-overlay", overlay,
		"-exec", `sh -c 'ulimit -v 8000000; exec "$0" "$@"'`, "./"+dir)
	if overlay == "" {
		command.Args = append(command.Args, "-count=1")
	}
	output, err := command.CombinedOutput()
	switch text := string(output); {
	case err == nil:
		return passed, text
	case strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]"):
		return doesNotCompile, text
	default:
		return failed, text
	}
}
