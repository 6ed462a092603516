package controlplane

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A server is a program that is built from a module of its own, below the folder
// servers, since no two of them can share their dependencies.
type server struct {
	name    string // of its module's folder
	program string // the package
	module  string // that has the program
	// variable has the version to build in place of that of the module's folder, if it is set.
	variable string
	// require makes go.mod one of another version.
	require func(goMod, version string) string
	// stamps are the variables that the linker sets to the version of the module.
	stamps []string
}

var (
	etcd       = server{name: "etcd", program: "go.etcd.io/etcd/server/v3", module: "go.etcd.io/etcd/server/v3"}
	apiserver  = server{"apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes", "E2E_KUBERNETES", requireKubernetes, nil}
	crossplane = server{
		"crossplane", "github.com/crossplane/crossplane/v2/cmd/crossplane", "github.com/crossplane/crossplane/v2", "E2E_CROSSPLANE", requireCrossplane,
		// Crossplane compares its version with what packages ask for. Up to 2.2, it is in the second one.
		[]string{"github.com/crossplane/crossplane-runtime/v2/pkg/version.version", "github.com/crossplane/crossplane/v2/internal/version.version"},
	}
)

// Build builds the servers that are not in the cache, and says so to a writer: what
// it builds, how long it took, and where the programs are.
func Build(ctx context.Context, progress io.Writer) error {
	for _, s := range []server{etcd, crossplane, apiserver} {
		if _, err := s.binary(ctx, progress); err != nil {
			return err
		}
	}
	return nil
}

// Link links etcd and kube-apiserver to a folder, under the names by which others look for them.
// Servers that are not in the cache are built first.
func Link(ctx context.Context, progress io.Writer, folder string) error {
	for name, s := range map[string]server{Etcd: etcd, APIServer: apiserver} {
		binary, err := s.binary(ctx, progress)
		if err != nil {
			return err
		}
		if err := os.Symlink(binary, filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}

// binary returns the path of the program, which it builds if need be.
func (s server) binary(ctx context.Context, progress io.Writer) (string, error) {
	path, err := s.cached(ctx)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	module, err := s.describe(ctx)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(progress, "e2e: building %s %s, which takes minutes the first time\n", s.program, module.Version)
	begin := time.Now()
	if err := s.build(ctx, path); err != nil {
		return "", fmt.Errorf("cannot build %s: %w", s.program, err)
	}
	fmt.Fprintf(progress, "e2e: built %s in %s: %s\n", s.program, time.Since(begin).Round(time.Second), path)
	return path, nil
}

// cached returns the path of the program in the user's cache. It tells apart what
// the program is built from: the versions in the module's files, the release of Go
// and the platform.
func (s server) cached(ctx context.Context) (string, error) {
	folder, err := s.folder(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return "", err
		}
		sum.Write(content)
	}
	toolchain, err := goCommand(ctx, folder, "version") // the platform too
	if err != nil {
		return "", err
	}
	sum.Write(toolchain)
	for _, variable := range s.stamps {
		sum.Write([]byte(variable))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "mrgen-e2e", s.name+"-"+hex.EncodeToString(sum.Sum(nil))[:16]), nil
}

// build builds the program. It appears at its path when it is whole.
func (s server) build(ctx context.Context, path string) error {
	folder, err := s.folder(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.%d", path, os.Getpid())
	defer func() { _ = os.Remove(temporary) }()
	module, err := s.describe(ctx)
	if err != nil {
		return err
	}
	ldflags := "-ldflags=-s -w"
	for _, variable := range s.stamps {
		ldflags += " -X " + variable + "=" + module.Version
	}
	if _, err := goCommand(ctx, folder, "build", "-trimpath", ldflags, "-o", temporary, s.program); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// folder returns the folder of the server's module.
func (s server) folder(ctx context.Context) (string, error) {
	out, err := goCommand(ctx, "", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	pinned := filepath.Join(filepath.Dir(strings.TrimSpace(string(out))), "servers", s.name)
	if wanted := os.Getenv(s.variable); s.variable != "" && wanted != "" {
		return s.other(ctx, pinned, wanted)
	}
	return pinned, nil
}

// other returns the folder of a module that builds another version of the server, such as 2.3.3, or
// 1.37 for the last patch. It is made of the pinned one, and kept in the user's cache.
func (s server) other(ctx context.Context, pinned, wanted string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "mrgen-e2e", "modules", s.name+"-"+wanted)
	if _, err := os.Stat(filepath.Join(folder, "go.sum")); err == nil {
		return folder, nil
	}
	out, err := goCommand(ctx, pinned, "list", "-m", "-mod=mod", "-f", "{{.Version}}", s.module+"@v"+strings.TrimPrefix(wanted, "v"))
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(filepath.Join(pinned, "go.mod"))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte(s.require(string(content), strings.TrimSpace(string(out)))), 0o644); err != nil {
		return "", err
	}
	_, err = goCommand(ctx, folder, "mod", "tidy")
	return folder, err
}

// withoutRequirements returns go.mod up to what it requires, and what it replaces.
func withoutRequirements(goMod string) (head, replaced string) {
	head, _, _ = strings.Cut(goMod, "\nrequire ")
	if i := strings.Index(goMod, "\nreplace "); i >= 0 {
		replaced = goMod[i:]
	}
	return head, replaced
}

// requireKubernetes has all modules of Kubernetes' repository be of the release.
func requireKubernetes(goMod, version string) string {
	head, replaced := withoutRequirements(goMod)
	staging := "v0." + strings.TrimPrefix(version, "v1.")
	replaced = regexp.MustCompile(`(?m) v0\.\S+$`).ReplaceAllString(replaced, " "+staging)
	return head + "\nrequire k8s.io/kubernetes " + version + "\n" + replaced
}

// requireCrossplane has Crossplane's API be of the release, too, which its go.mod takes from its
// repository.
func requireCrossplane(goMod, version string) string {
	head, _ := withoutRequirements(goMod)
	return head + "\nrequire (\n\tgithub.com/crossplane/crossplane/apis/v2 " + version + "\n\tgithub.com/crossplane/crossplane/v2 " + version + "\n)\n"
}

// A module is what the go command tells of one.
type module struct {
	Version string
	Dir     string // with the module's files
}

// describe downloads the module that has the program, unless it is there already.
func (s server) describe(ctx context.Context) (module, error) {
	var m module
	folder, err := s.folder(ctx)
	if err != nil {
		return m, err
	}
	out, err := goCommand(ctx, folder, "mod", "download", "-json", s.module)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(out, &m)
}

// goCommand runs the go command in a folder and returns its standard output.
func goCommand(ctx context.Context, folder string, args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
	}
	return out, nil
}
