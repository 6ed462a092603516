package versions

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/markers"
)

// Code is for problems with the versions of a kind.
const Code diag.Code = "versions"

// Removed returns an error for each version in the file of a CRD or MRD that new content of the file lacks and that
// objects may be stored in. The new files are by their names.
func Removed(file string, before, after []byte, created map[string][]byte) diag.List {
	kept := inFile(after)
	if len(kept) == 0 { // the new content isn't a definition
		return nil
	}
	var diags diag.List
	for _, v := range inFile(before) {
		// The API server refuses a CRD without a version that status.storedVersions lists. No file shows what a cluster
		// lists there. So a version must first be neither served nor stored.
		if slices.ContainsFunc(kept, func(other fileVersion) bool { return other.name == v.name }) || !v.served && !v.stored {
			continue
		}
		if other := definitionOf(artifact.DefinedKind(before), v.name, created); other != "" {
			diags = append(diags, diag.Errorf(diag.Position{File: file, Line: v.line}, Code,
				"%s would move to %s, where no object is: write the same +%s and plural for all versions of the kind", v.name, other, markers.GroupName))
			continue
		}
		state, first := "served", "mark it +kubebuilder:unservedversion in a release before"
		if v.stored {
			state, first = "the version that objects are stored in", "mark another one +kubebuilder:storageversion, and this one +kubebuilder:unservedversion, in a release before"
		}
		diags = append(diags, diag.Errorf(diag.Position{File: file, Line: v.line}, Code,
			"%s is %s and would be removed, though objects may be stored in it: %s, and migrate them; if no cluster has this definition, remove this file",
			v.name, state, first))
	}
	return diags
}

// definitionOf returns the name of the file that defines a version of a kind, or "".
func definitionOf(kind, version string, files map[string][]byte) string {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		hasVersion := slices.ContainsFunc(inFile(files[name]), func(v fileVersion) bool { return v.name == version })
		if hasVersion && artifact.DefinedKind(files[name]) == kind {
			return name
		}
	}
	return ""
}

// A fileVersion is a version in a file.
type fileVersion struct {
	name           string
	served, stored bool
	// line is the line of the name.
	line int
}

// inFile returns the versions in the file of a CRD or MRD, as mrgen and controller-gen format it.
func inFile(content []byte) []fileVersion {
	var found []fileVersion
	inside := false
	number := 0
	// Parsing the YAML of a large definition takes as long as generating it.
	for line := range bytes.Lines(content) {
		number++
		text := strings.TrimRight(string(line), "\r\n")
		if !inside {
			inside = text == "  versions:"
			continue
		}
		rest, isItem := strings.CutPrefix(text, "  - ")
		isField := false
		if !isItem {
			rest, isField = strings.CutPrefix(text, "    ")
		}
		if !isItem && !isField && text != "" { // the field after the versions
			break
		}
		if isItem {
			found = append(found, fileVersion{})
		}
		if len(found) == 0 {
			continue
		}
		last := &found[len(found)-1]
		switch name, value, _ := strings.Cut(rest, ": "); name {
		case "name":
			last.name, last.line = strings.Trim(value, `"'`), number
		case "served":
			last.served = value == "true"
		case "storage":
			last.stored = value == "true"
		}
	}
	return found
}
