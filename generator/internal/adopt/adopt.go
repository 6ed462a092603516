package adopt

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mrgen-io/mrgen/generator/internal/diag"
)

const codeAdopt diag.Code = "adopt"

// prefix is what the line of a directive begins with.
const prefix = "//go:generate "

// Settings are those that mrgen needs to do what the directives did.
type Settings struct {
	// Packages are patterns relative to the module root.
	Packages []string
	// HeaderFile is empty if there is none.
	HeaderFile string
	// CRDDir is the folder for CRDs.
	CRDDir              string
	AllowDangerousTypes bool
	// MaxDescription is negative if there is no limit.
	MaxDescription int
	// MisspeltMarkers is set if misspelt markers are to pass.
	MisspeltMarkers bool
}

// A directive is a line that runs a tool which mrgen knows.
type directive struct {
	file string
	line int // from 1
	request
	// err says why mrgen can't take its place.
	err error
}

func (d directive) position() diag.Position { return diag.Position{File: d.file, Line: d.line} }

// Read returns the settings that stand for the directives in a module, and the files
// to change: those whose directives give way to the given one. The diagnostics name the
// directives that stay.
func Read(root, replacement string) (Settings, map[string][]byte, diag.List) {
	if _, err := os.Stat(filepath.Join(root, SettingsFile)); err == nil {
		return Settings{}, nil, diag.List{diag.Errorf(diag.Position{File: SettingsFile}, codeAdopt,
			"this module has settings for mrgen already: run mrgen generate, or remove them to adopt it again")}
	}
	s := scan{root: root, sources: map[string][]byte{}}
	s.walk()
	if s.diags.HasErrors() {
		return Settings{}, nil, s.diags
	}
	settings, diags := merge(s.directives)
	diags = append(s.diags, diags...)
	if diags.HasErrors() {
		return Settings{}, nil, diags
	}
	files := map[string][]byte{}
	gone, kept := divide(s.directives, settings.CRDDir)
	diags = append(diags, kept...)
	first := true
	for name := range s.sources {
		if !slices.ContainsFunc(gone, func(d directive) bool { return d.file == name }) {
			delete(s.sources, name)
		}
	}
	for _, name := range sorted(s.sources) {
		lines := map[int]string{}
		for _, d := range gone {
			if d.file != name {
				continue
			}
			lines[d.line] = ""
			if first && d.tool != remove {
				lines[d.line], first = prefix+replacement, false
			}
		}
		files[name] = replaceLines(s.sources[name], lines)
	}
	return settings, files, diags
}

func sorted(m map[string][]byte) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A scan finds the directives of a module.
type scan struct {
	root, module string
	directives   []directive
	// sources are the contents of the files with directives.
	sources map[string][]byte
	diags   diag.List
}

func (s *scan) walk() {
	content, err := os.ReadFile(filepath.Join(s.root, "go.mod"))
	if err != nil {
		s.diags = append(s.diags, unreadable("go.mod", err))
		return
	}
	s.module = modfile.ModulePath(content)
	err = filepath.WalkDir(s.root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.root, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case entry.IsDir() && name != "." && s.skips(file, entry.Name()):
			return fs.SkipDir
		case entry.Type().IsRegular() && strings.HasSuffix(name, ".go"):
			return s.read(name)
		}
		return nil
	})
	if err != nil {
		s.diags = append(s.diags, unreadable(".", err))
	}
}

// skips reports whether the go command passes over a folder, or it is another module.
func (s *scan) skips(folder, name string) bool {
	if name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

func (s *scan) read(name string) error {
	source, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	if !bytes.Contains(source, []byte(prefix)) {
		return nil
	}
	for i, line := range strings.Split(string(source), "\n") {
		text, found := strings.CutPrefix(strings.TrimRight(line, "\r"), prefix)
		if !found {
			continue
		}
		list, err := words(text)
		t, arguments := findTool(list)
		if err != nil || t == "" {
			continue // go generate, or another tool, has to say what is wrong
		}
		d := directive{file: name, line: i + 1}
		d.request, d.err = read(t, arguments, path.Dir(name), s.module)
		s.directives = append(s.directives, d)
		s.sources[name] = source
	}
	return nil
}

func unreadable(name string, err error) diag.Diagnostic {
	return diag.Errorf(diag.Position{File: name}, codeAdopt, "cannot read this: %v", diag.Cause(err))
}

// merge returns the settings that stand for all directives that mrgen understands.
func merge(directives []directive) (Settings, diag.List) {
	s := Settings{MaxDescription: -1}
	var diags diag.List
	one := func(d directive, what string, into *string, value string) {
		switch {
		case value == "" || value == *into:
		case *into == "":
			*into = value
		default:
			diags = append(diags, diag.Errorf(d.position(), codeAdopt,
				"this directive has another %s than one before it, %s in place of %s: mrgen has one, so make them the same first", what, value, *into))
		}
	}
	for _, d := range directives {
		if d.tool == mrgen {
			diags = append(diags, diag.Errorf(d.position(), codeAdopt, "this module runs mrgen already: there is nothing to adopt"))
		}
		if d.err != nil || d.tool != controllerGen && d.tool != angryjet {
			continue
		}
		one(d, "header file", &s.HeaderFile, d.header)
		one(d, "folder for CRDs", &s.CRDDir, d.crds)
		for _, pattern := range d.packages {
			if !slices.Contains(s.Packages, pattern) {
				s.Packages = append(s.Packages, pattern)
			}
		}
		s.AllowDangerousTypes = s.AllowDangerousTypes || d.allowDangerousTypes
		if d.maxDescription >= 0 {
			s.MaxDescription = d.maxDescription
		}
	}
	if len(s.Packages) == 0 && !diags.HasErrors() {
		diags = append(diags, diag.Errorf(diag.Position{}, codeAdopt,
			"no //go:generate directive of this module runs controller-gen or angryjet in a way that mrgen understands: write mrgen.yaml yourself, as the guide shows"))
		diags = append(diags, notUnderstood(directives)...)
	}
	if s.CRDDir == "" {
		s.CRDDir = "package/crds"
	}
	return s, diags
}

func notUnderstood(directives []directive) diag.List {
	var diags diag.List
	for _, d := range directives {
		if d.err != nil {
			diags = append(diags, diag.Warningf(d.position(), codeAdopt, "this directive stays, since %v", d.err))
		}
	}
	return diags
}

// divide tells the directives that give way to mrgen from those that stay.
func divide(directives []directive, crds string) (gone []directive, kept diag.List) {
	kept = notUnderstood(directives)
	var others []directive
	for _, d := range directives {
		switch {
		case d.err != nil:
		case d.tool != remove:
			gone = append(gone, d)
		case len(d.removed) == 1 && d.removed[0] == crds:
			gone = append(gone, d)
		default:
			others = append(others, d)
		}
	}
	for _, d := range others {
		isBeside := func(g directive) bool { return g.file == d.file }
		switch {
		case slices.Contains(d.removed, crds):
			kept = append(kept, diag.Errorf(d.position(), codeAdopt, "this directive removes %s, which mrgen writes to, and more: split it first", crds))
		case slices.ContainsFunc(gone, isBeside):
			kept = append(kept, diag.Warningf(d.position(), codeAdopt, "this directive stays, since it removes what mrgen does not write"))
		}
	}
	return gone, kept
}
