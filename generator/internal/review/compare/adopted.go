package compare

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/mrgen-io/mrgen/generator/internal/artifact"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/provenance"
	"github.com/mrgen-io/mrgen/generator/internal/schema"
	"github.com/mrgen-io/mrgen/markers"
)

// requiredSince is the version of controller-gen that first required a field with omitempty because of its marker.
const requiredSince = "v0.16.0"

// adopt turns a finding into one about the tool, if controller-gen made the earlier definition from source that mrgen
// reads otherwise: the author changed the tool, and not the API.
func (c *comparison) adopt(f *Finding, version string, d *difference) {
	tool := c.controllerGen()
	if tool == "" {
		return
	}
	if d.has(embedded) {
		f.IsAdopted = true
		return
	}
	reason := ""
	for _, change := range d.changes {
		switch {
		case change.rule != nil:
			reason = c.reasonOf(change, version, d, tool)
		case change.keyword == required:
			reason = requiring(c.upgrade.Declaration.Root(version).Follow(d.path), tool)
		default:
			reason = ""
		}
		if reason == "" {
			return // the author changed this
		}
	}
	f.IsAdopted, f.What = true, reason
	f.Advice = "tell users of it in the first release with mrgen, or remove the marker"
}

// reasonOf returns the reason for which mrgen wrote a rule and controller-gen didn't, or "" if it is the author's.
func (c *comparison) reasonOf(added change, version string, d *difference, tool string) string {
	for _, decided := range c.upgrade.Declaration.Decisions(version) {
		isIt := decided.Rule != nil && decided.Rule.Path.Compare(d.path) == 0 && decided.Rule.Index < len(d.new.XValidations) &&
			d.new.XValidations[decided.Rule.Index].Rule == added.rule.Rule
		switch {
		case !isIt:
		case decided.Immutable:
			return obeyed(markers.Immutable, tool)
		case decided.Required && wasRequired(d, decided):
			return fmt.Sprintf("mrgen counts an empty value as missing, since Go omits it, and controller-gen %s didn't", tool)
		case decided.Required:
			return requiring(c.upgrade.Declaration.Root(version).Follow(decided.Field), tool)
		}
	}
	return ""
}

func obeyed(marker, tool string) string {
	return fmt.Sprintf("mrgen obeys +%s, which controller-gen %s ignored", marker, tool)
}

// wasRequired reports whether the earlier schema required the field of a decision.
func wasRequired(d *difference, decided provenance.Decision) bool {
	last := len(decided.Field) - 1
	around := schema.At(d.old, decided.Field[len(d.path):last])
	return around != nil && slices.Contains(around.Required, decided.Field[last].Name)
}

// requiring returns the reason for which a field is required, if controller-gen ignored its marker because of omitempty, or "".
func requiring(at schema.Cursor, tool string) string {
	if at.Field == nil || !at.Field.OmitEmpty || semver.Compare(tool, requiredSince) >= 0 {
		return ""
	}
	if m := model.Named(at.Field.Markers, markers.ValidationRequired, markers.Required, markers.K8sRequired); m != nil {
		return obeyed(m.Name(), tool)
	}
	return ""
}

// controllerGen returns the version of controller-gen that made the earlier definition of a kind that mrgen makes now, or
// "".
func (c *comparison) controllerGen() string {
	if c.upgrade.Declaration.Decisions == nil {
		return ""
	}
	return c.upgrade.Old.CRD.Annotations[strings.TrimSuffix(artifact.VersionAnnotation, ":")]
}
