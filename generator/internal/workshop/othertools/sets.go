package othertools

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/source/modules"
	"github.com/mrgen-io/mrgen/generator/run"
)

// withoutCRDs returns why mrgen may write no CRDs.
func withoutCRDs(directives []directive) diag.List {
	if at := slices.IndexFunc(directives, func(d directive) bool { return d.crds && d.err != nil }); at >= 0 {
		return diag.List{diag.Errorf(directives[at].position(), Code,
			"this command would still write CRDs, and so would mrgen: do what the warning says, or set crds.dir in %s", SettingsFile)}
	}
	return diag.List{diag.Errorf(diag.Position{}, Code,
		"no command that mrgen replaces writes CRDs, and mrgen would: set crds.dir in %s to a folder for them, and run adopt again", SettingsFile)}
}

// ofSets are the settings that sets of CRDs have.
var ofSets = map[string]bool{"crds.dir": true, "crds.maxDescription": true}

// addSet adds the packages of a directive to the set of CRDs with its settings.
func (p *Plan) addSet(d directive) diag.List {
	if d.settings["crds.dir"] == "" || p.existing.find("crds.sets") != nil {
		return nil
	}
	set := run.CRDSet{Packages: d.packages, CRDDir: d.settings["crds.dir"], MaxDescription: -1}
	if text := d.settings["crds.maxDescription"]; text != "" {
		set.MaxDescription, _ = strconv.Atoi(text) // read checks it
	}
	if dir := p.existing.find("crds.dir"); dir != nil {
		set.CRDDir = dir.Value
	}
	var diags diag.List
	for i, other := range slices.Backward(p.sets) {
		if other.CRDDir == set.CRDDir && other.MaxDescription == set.MaxDescription {
			p.sets[i].Packages = slices.Concat(other.Packages, set.Packages)
			return nil
		}
		shared, rest := split(set.Packages, other.Packages)
		covered, left := split(other.Packages, set.Packages)
		switch isAgain := other.CRDDir == set.CRDDir && len(shared)+len(covered) > 0; {
		case isAgain && len(left) == 0: // make writes all of them again
			p.sets[i] = set
			return append(diags, onceAlone(d))
		case isAgain && i == 0: // some of them, and the first set is for all others
			p.sets = append(p.sets, set)
			return append(diags, onceAlone(d))
		case len(rest) == 0 || len(covered) > len(shared):
			format := "a directive before it writes CRDs of the same packages to %s with other settings: keep one of the two, and run adopt again"
			if other.MaxDescription == set.MaxDescription {
				format = "a directive before it writes the CRDs of these packages to %s: replace this one by cp after mrgen generate, and run adopt again"
			}
			return diag.List{diag.Errorf(d.position(), Code, format, other.CRDDir)}
		}
		if set.Packages = rest; len(shared) > 0 {
			diags = append(diags, diag.Warningf(d.position(), Code,
				"a directive before it writes CRDs of %s, too: mrgen writes them to %s alone", strings.Join(shared, ", "), other.CRDDir))
		}
	}
	p.sets = append(p.sets, set)
	return diags
}

// onceAlone warns about a directive that writes CRDs again. What reads them before it would read others.
func onceAlone(d directive) diag.Diagnostic {
	return diag.Warningf(d.position(), Code,
		"a directive before it writes these CRDs with another maxDescLen, and mrgen writes them once, with this one: check what reads them in between")
}

// split returns the patterns whose first folder others match, and the rest.
func split(patterns, others []string) (shared, rest []string) {
	matches := modules.Matcher(others)
	for _, pattern := range patterns {
		if matches(path.Clean(strings.TrimSuffix(pattern, "/..."))) {
			shared = append(shared, pattern)
		} else {
			rest = append(rest, pattern)
		}
	}
	return shared, rest
}

// setCRDs turns the sets of CRDs into settings: the first one's hold for all other packages, too.
func (p *Plan) setCRDs() {
	for i, set := range p.sets {
		longest := strconv.Itoa(set.MaxDescription)
		if set.MaxDescription < 0 {
			longest = ""
		}
		if i == 0 {
			p.Settings["crds.dir"], p.Settings["crds.maxDescription"] = set.CRDDir, longest
			continue
		}
		if longest != "" {
			longest = ", maxDescription: " + longest
		}
		p.Settings["crds.sets"] += fmt.Sprintf("\n  - {packages: [%s], dir: %s%s}", strings.Join(set.Packages, ", "), set.CRDDir, longest)
	}
}
