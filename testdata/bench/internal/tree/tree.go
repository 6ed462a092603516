// Package tree copies and edits the source of providers.
package tree

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// generated are the names of the Go files that the tools write, and whether mrgen is
// the only one that does.
var generated = map[string]bool{
	"zz_generated.connectiondetails.go": true,
	"zz_generated.deepcopy.go":          false,
	"zz_generated.managed.go":           false,
	"zz_generated.managedlist.go":       false,
	"zz_generated.observation.go":       true,
	"zz_generated.pc.go":                false,
	"zz_generated.pcu.go":               false,
	"zz_generated.pculist.go":           false,
	"zz_generated.resolvers.go":         false,
}

// Generated reports whether a slash-separated path, relative to the root of a
// provider, is a file that the tools write.
func Generated(name, crdDir string) bool {
	_, ok := generated[path.Base(name)]
	return ok || path.Dir(name) == crdDir && path.Ext(name) == ".yaml"
}

// OnlyMrgen reports whether a file is one that mrgen writes and the other tools don't
// know.
func OnlyMrgen(name string) bool { return generated[path.Base(name)] }

// Copy copies the regular files of a folder to another one, which is emptied first.
// Files for which skip returns true are left out, and so are folders of version
// control.
func Copy(from, to string, skip func(name string) bool) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return Walk(from, func(name string) error {
		if skip(name) {
			return nil
		}
		content, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
}

// ListGenerated returns the files below a folder that the tools wrote.
func ListGenerated(dir, crdDir string) ([]string, error) {
	var names []string
	err := Walk(dir, func(name string) error {
		if Generated(name, crdDir) {
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// A Size tells how much there is of a provider.
type Size struct {
	// Packages have Files, of SourceBytes, that the tools don't write.
	Packages, Files int
	SourceBytes     int64
	// GeneratedBytes are those of what the tools wrote, Go code and definitions.
	GeneratedBytes int64
}

// Measure returns the size of a provider. Only what is below apis counts as source.
func Measure(dir, crdDir string) (Size, error) {
	var s Size
	packages := map[string]bool{}
	err := Walk(dir, func(name string) error {
		generated := Generated(name, crdDir)
		if !generated && !(strings.HasPrefix(name, "apis/") && path.Ext(name) == ".go") {
			return nil
		}
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case err != nil:
			return err
		case generated:
			s.GeneratedBytes += info.Size()
		default:
			packages[path.Dir(name)] = true
			s.Files++
			s.SourceBytes += info.Size()
		}
		return nil
	})
	s.Packages = len(packages)
	return s, err
}

// EmptyResolvers leaves nothing but the package clause in the resolvers below a folder. The
// files stay, since file systems take longer to create some where others were deleted.
func EmptyResolvers(dir string) error {
	return Walk(dir, func(name string) error {
		if path.Base(name) != "zz_generated.resolvers.go" {
			return nil
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		clause := packageClause.Find(content)
		if clause == nil {
			return fmt.Errorf("%s: there is no package clause", file)
		}
		return os.WriteFile(file, clause, 0o644)
	})
}

var packageClause = regexp.MustCompile(`(?m)^package \w+\n`)

// Walk calls visit for each regular file, with its slash-separated relative path. Folders of
// version control are left out.
func Walk(dir string, visit func(name string) error) error {
	return filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(name))
	})
}

// An Edit is a place in the source of a provider that changes between runs: before the
// first field of a struct of parameters.
type Edit struct {
	file          string
	before, after string
}

var parameters = regexp.MustCompile(`(?m)^type \w+Parameters struct \{\n\n?\t//`)

// FindEdit returns a place in the file in the middle of those below apis that
// declare parameters.
func FindEdit(dir string) (*Edit, error) {
	var files []string
	err := Walk(filepath.Join(dir, "apis"), func(name string) error {
		if !strings.HasSuffix(name, ".go") || Generated(name, "") {
			return nil
		}
		file := filepath.Join(dir, "apis", filepath.FromSlash(name))
		content, err := os.ReadFile(file)
		if err == nil && parameters.Match(content) {
			files = append(files, file)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no type below apis is named …Parameters: there is nothing to edit")
	}
	file := files[len(files)/2]
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	end := parameters.FindIndex(content)[1] - len("\t//")
	return &Edit{file: file, before: string(content[:end]), after: string(content[end:])}, nil
}

// Dir is the folder of the package that is edited.
func (e *Edit) Dir() string { return filepath.Dir(e.file) }

// Apply adds a field to the struct, and a line to the comment of the field after it.
// Each number makes another edit of the original.
func (e *Edit) Apply(number int) error {
	field := fmt.Sprintf("\t// A field that edit %[1]d added.\n\t// +optional\n\tEdit%[1]d *string `json:\"edit%[1]d,omitempty\"`\n\n\t// Edit %[1]d changed this.\n", number)
	return os.WriteFile(e.file, []byte(e.before+field+e.after), 0o644)
}
