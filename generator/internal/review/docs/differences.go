package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/review/explain"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
)

// differences says what a version has that the stored one lacks, or has elsewhere, and the other
// way round.
func differences(d pipeline.Definition, version int) []string {
	served, stored, storedName := d.Root(version), d.Root(d.Stored()), d.CRD.Spec.Versions[d.Stored()].Name
	renamed := explain.Renamed(d, version)
	named := func(path schema.Path) string { return "." + strings.Join(path.Names(), ".") }
	var said []string
	for _, l := range versions.Losses(served, stored) {
		to, isRenamed := renamed[named(l.At.Path)]
		switch {
		case isRenamed:
			said = append(said, fmt.Sprintf("`%s` is `%s` in %s", l.At.Path, to, storedName))
		case l.Dropped():
			said = append(said, fmt.Sprintf("`%s` is not in %s", l.At.Path, storedName))
		default:
			said = append(said, fmt.Sprintf("`%s` is of type %s, and of type %s in %s", l.At.Path, l.From, l.To, storedName))
		}
	}
	elsewhere := slices.Collect(maps.Values(renamed))
	for _, l := range versions.Losses(stored, served) {
		if l.Dropped() && !slices.Contains(elsewhere, named(l.At.Path)) {
			said = append(said, fmt.Sprintf("`%s` is only in %s", l.At.Path, storedName))
		}
	}
	return said
}
