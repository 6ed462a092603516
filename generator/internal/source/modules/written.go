package modules

import (
	"maps"
	"path"
	"slices"
)

// Written returns a scope of folders as they are once a run has written its files, which are Go files by path relative
// to the root. It hides only the files that the run deletes.
func (s *Scope) Written(files map[string][]byte, dirs []string) *Scope {
	written := &Scope{Options: Options{Root: s.Root(), Copies: map[string]*Copy{}, Written: true}, Overlay: map[string][]byte{}}
	// First the files that the run deletes; the files that it writes replace them below.
	for _, name := range s.Generated {
		if path.Ext(name) == ".go" {
			written.Overlay[s.Abs(name)] = hiddenFile
		}
	}
	for name, content := range files {
		written.Overlay[s.Abs(name)] = content
		written.Options.Copies[name] = &Copy{Content: content}
		if c := s.Options.Copies[name]; c != nil { // a copy's positions are in its source
			written.Options.Copies[name] = c
		}
	}
	byModule := map[string][]string{}
	for _, dir := range dirs {
		home := s.ModuleOf(dir)
		byModule[home] = append(byModule[home], "./"+Within(home, dir))
		written.patterns = append(written.patterns, dirPattern(dir))
	}
	for _, home := range slices.Sorted(maps.Keys(byModule)) {
		written.Modules = append(written.Modules, Module{Dir: home, Patterns: byModule[home]})
	}
	return written
}
