package cli

import (
	"fmt"
	"strings"
)

// repositoryURL is where mrgen's source and pages are.
const repositoryURL = "https://github.com/mrgen-io/mrgen"

// The parts of SARIF 2.1.0 that findings need, see
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string       `json:"id"`
		Short         sarifMessage `json:"shortDescription"`
		Full          sarifMessage `json:"fullDescription"`
		HelpURI       string       `json:"helpUri"`
		Configuration struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

// writeSARIF returns a SARIF log. Paths are relative to the root of the repository if that is known, as GitHub
// requires, or else to the module root.
func writeSARIF(root string, o outcome) ([]byte, error) {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	driver := &run.Tool.Driver
	driver.Name, driver.InformationURI = "mrgen", repositoryURL
	driver.Rules = sarifRules()
	index := map[string]int{}
	for i, rule := range driver.Rules {
		index[rule.ID] = i
	}
	prefix := repositoryPath(root)
	for _, e := range o.entries() {
		result := sarifResult{RuleID: e.code, RuleIndex: index[e.code], Level: e.level.sarif, Message: sarifMessage{e.message}}
		if e.pos.IsValid() {
			var location sarifLocation
			location.Physical.Artifact.URI = uri(inRepository(prefix, e.pos))
			if e.pos.Line > 0 {
				location.Physical.Region = &sarifRegion{e.pos.Line, e.pos.Column}
			}
			result.Locations = []sarifLocation{location}
		}
		// GitHub tracks a result by its fingerprint when lines move.
		result.Fingerprints = map[string]string{"mrgen/v1": e.fingerprint}
		run.Results = append(run.Results, result)
	}
	return indented(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// sarifRules describes the codes of all diagnostics, of lint's rules, and of the classes of breaking changes.
func sarifRules() []sarifRule {
	var rules []sarifRule
	for _, c := range allCodes() {
		rule := sarifRule{ID: string(c.Code), Short: sarifMessage{c.Means}, Full: sarifMessage{c.full}, HelpURI: c.url}
		rule.Configuration.Level = levels[c.level].sarif
		rules = append(rules, rule)
	}
	return rules
}

// uri returns a path as a relative reference.
func uri(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c) // RFC 3986, section 2.3, and the separator
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
